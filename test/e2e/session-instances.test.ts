/** Instances of sessions are disposed of once each, however a session ends. The process says so on stderr. */
import { rm } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder, linkTypes } from './support/project.ts';
import { layOut, startWatching } from './support/watched.ts';

const FILES = {
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "target": "esnext", "strict": true, "types": ["node"] } }',
  'package.json': '{ "name": "held", "version": "1.0.0", "type": "module" }',
  'held.ts': `
/** @instance session */
export class Held {
  #name = 'nobody';

  /** @tool */
  hold(name: string): string {
    this.#name = name;
    return name;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 10));
    console.error(\`disposed of \${this.#name}\`);
  }
}

`,
};

let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await layOut(folder, FILES);
  await linkTypes(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function session(url: string, name: string): Promise<StreamableHTTPClientTransport> {
  const client = new Client({ name: 'mcpgen-tests', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport as never);
  const { structuredContent } = await client.callTool({ name: 'hold', arguments: { name } });
  expect(structuredContent).toEqual({ result: name });
  return transport;
}

const count = (text: string, part: string): number => text.split(part).length - 1;

test('over HTTP: at DELETE, when it expires, though no request comes, and when the server stops', async () => {
  const args = ['serve', 'held.ts', '--transport', 'http', '--port', '0'];
  const variables = { MCP_STATE_SECRET: 'a secret of the test, long enough', MCP_SESSION_TTL: '2' };
  const { child, stderr, ended } = startWatching(args, folder, variables);
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(await stderr.until(/http:\S+\/mcp/)) ?? [];
  await session(url, 'the expired one');
  const deleted = await session(url, 'the deleted one');
  await deleted.terminateSession();
  await stderr.until(/disposed of the deleted one\n/);
  await stderr.until(/disposed of the expired one\n/);
  await session(url, 'the last one');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  for (const name of ['the deleted one', 'the expired one', 'the last one'])
    expect(count(stderr.text, `disposed of ${name}\n`), name).toBe(1);
});
