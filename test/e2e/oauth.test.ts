// The whole way to a token, also one that is bound to a key: official clients, an authorization server that others wrote, and an
// emitted server.
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import {
  Client as NewClient,
  DpopSession,
  type OAuthClientProvider,
  StreamableHTTPClientTransport as NewHttp,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { freePort } from '../../scripts/lib/free-port.mjs';
import {
  type AuthorizationServer,
  authorize,
  startAuthorizationServer,
} from './support/authorization-server.ts';
import { startServer, type StartedServer } from './support/clients.ts';
import { mcpgenHere, node, root, serverNode } from './support/command.ts';
import { temporaryFolder } from './support/project.ts';
import { RememberingProvider } from './support/remembering-provider.ts';

const TOOLS = `import type { Context } from 'mcpgen/runtime';

/**
 * Says who calls.
 * @tool whoami
 */
export function whoami(context: Context): string {
  const { subject, scopes = [], confirmation } = context.auth ?? {};
  return [subject, ...scopes, confirmation?.jkt].filter((word) => word !== undefined).join(' ');
}

/**
 * Writes a note.
 * @tool write_note
 * @scope notes.write notes.share
 */
export function writeNote(text: string): string {
  return \`wrote \${text}\`;
}
`;

const CONFIG = {
  typescript: { files: ['tools.ts'] },
  name: 'notes-mcp',
  auth: { scopes: ['notes.read'], implies: { 'notes.write': ['notes.share'] } },
  features: ['stdio', 'http', 'dpop'],
};

let folder: string;
let project: string;
let authorization: AuthorizationServer;
let server: StartedServer & { endpoint: string };
let endpoint: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  project = path.join(folder, 'notes-mcp');
  await writeFile(path.join(folder, 'tools.ts'), TOOLS);
  await writeFile(
    path.join(folder, 'mcpgen.config.json'),
    JSON.stringify({ ...CONFIG, output: 'notes-mcp' }),
  );
  const { code, stderr } = await mcpgenHere(['generate', folder]);
  if (code !== 0) throw new Error(stderr);
  await mkdir(path.join(project, 'node_modules'));
  await symlink(path.join(root, 'node_modules/jose'), path.join(project, 'node_modules/jose'));
  authorization = await startAuthorizationServer('notes.read notes.write notes.share');
  server = await serve();
  ({ endpoint } = server);
});

async function serve(more: Record<string, string> = {}): Promise<StartedServer & { endpoint: string }> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${String(port)}/mcp`;
  const env = { MCP_AUTH_ISSUER: authorization.issuer, MCP_AUTH_AUDIENCE: endpoint, ...more };
  return { ...(await startServer(project, { env, port })), endpoint };
}

afterAll(async () => {
  server.stop();
  authorization.close();
  await rm(folder, { recursive: true, force: true });
});

/** A client of a kind, whose every connection shares what the person has granted. */
interface Talk {
  connect: () => Promise<void>;
  call: (name: string, args?: Record<string, unknown>) => Promise<string>;
  /** With what the person's browser was sent back with. */
  finish: (answer: URLSearchParams) => Promise<void>;
}

const info = { name: 'mcpgen-tests', version: '1.0.0' };

function oldTalk(provider: RememberingProvider): Talk {
  let client = new OldClient(info);
  let transport: OldHttp | undefined;
  onTestFinished(() => client.close());
  return {
    connect: async () => {
      client = new OldClient(info);
      transport = new OldHttp(new URL(endpoint), { authProvider: provider });
      // Its types were not written for `exactOptionalPropertyTypes`.
      await client.connect(transport as unknown as Transport);
    },
    call: async (name, args = {}) => JSON.stringify(await client.callTool({ name, arguments: args })),
    finish: async (answer) => transport?.finishAuth(answer.get('code') ?? ''),
  };
}

function newTalk(provider: RememberingProvider, mode: 'legacy' | { pin: string }, url = endpoint): Talk {
  const open = (): NewClient => new NewClient(info, { versionNegotiation: { mode } });
  let client = open();
  let transport: NewHttp | undefined;
  onTestFinished(() => client.close());
  return {
    connect: async () => {
      client = open();
      transport = new NewHttp(new URL(url), { authProvider: provider });
      await client.connect(transport);
    },
    call: async (name, args = {}) => JSON.stringify(await client.callTool({ name, arguments: args })),
    finish: async (answer) => transport?.finishAuth(answer),
  };
}

/** The person agrees on the page that it was sent to last. */
async function agreed(provider: RememberingProvider, talk: Talk): Promise<URL> {
  const page = provider.visited.at(-1);
  if (page === undefined) throw new Error('The person was sent nowhere.');
  await talk.finish(await authorize(page, provider.redirectUrl));
  return page;
}

test.each<[string, (provider: RememberingProvider) => Talk]>([
  ['sdk 1.x', oldTalk],
  ['client 2.x, 2025-11-25', (provider) => newTalk(provider, 'legacy')],
  ['client 2.x, 2026-07-28', (provider) => newTalk(provider, { pin: '2026-07-28' })],
])('401, metadata, registration, PKCE, token, call, 403, step-up, call: %s', async (_, talkBy) => {
  const provider = new RememberingProvider();
  const talk = talkBy(provider);
  await expect(talk.connect()).rejects.toThrow(/nauthorized/);
  const first = await agreed(provider, talk);
  expect(Object.fromEntries(first.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    resource: endpoint,
    scope: 'notes.read',
  });
  await talk.connect();
  expect(await talk.call('whoami')).toContain('alice notes.read');
  await expect(talk.call('write_note', { text: 'hello' })).rejects.toThrow();
  const second = await agreed(provider, talk);
  expect(second.searchParams.get('scope')?.split(' ').sort()).toEqual([
    'notes.read',
    'notes.share',
    'notes.write',
  ]);
  expect(await talk.call('write_note', { text: 'hello' })).toContain('wrote hello');
  expect(provider.visited).toHaveLength(2);
});

test('without a word on whose tokens count it does not start over HTTP, and over stdio it does', async () => {
  const program = path.join(project, 'dist/main.js');
  // The state secret is of the feature ask, which this project lacks.
  const empty = { MCP_AUTH_ISSUER: undefined, MCP_AUTH_AUDIENCE: undefined, MCP_STATE_SECRET: undefined };
  const options = { cwd: project, env: empty, program: serverNode };
  const http = await node([program, '--transport', 'http', '--port', '0'], options);
  expect([http.code, http.stderr]).toEqual([2, expect.stringContaining('Set MCP_AUTH_ISSUER')]);
  // Its input is at an end.
  const stdio = await node([program], options);
  expect([stdio.code, stdio.stderr]).toEqual([0, expect.stringMatching(/^\S+: callers: anyone .*\n$/)]);
});

class BoundProvider extends RememberingProvider implements Pick<OAuthClientProvider, 'dpop'> {
  readonly session: DpopSession;

  constructor(session: DpopSession) {
    super();
    this.session = session;
  }

  dpop(): DpopSession {
    return this.session;
  }
}

test.each([
  ['2025-11-25', 'legacy' as const, {}],
  ['2026-07-28, with nonces', { pin: '2026-07-28' }, { MCP_AUTH_DPOP_NONCE: 'required' }],
])('a bound token, and calls with a proof each: %s', async (_, mode, env) => {
  const bound = await serve({ MCP_AUTH_DPOP: 'required', ...env });
  onTestFinished(bound.stop);
  const provider = new BoundProvider(await DpopSession.create());
  const talk = newTalk(provider, mode, bound.endpoint);
  await expect(talk.connect()).rejects.toThrow(/nauthorized/);
  await agreed(provider, talk);
  expect(provider.tokens()?.token_type).toBe('DPoP');
  await talk.connect();
  for (let calls = 0; calls < 3; calls++)
    expect(await talk.call('whoami')).toContain(`alice notes.read ${provider.session.thumbprint}`);
  expect(provider.visited).toHaveLength(1);

  // The token alone, as a thief would have it.
  const stolen = provider.tokens()?.access_token ?? '';
  for (const authorization of [`Bearer ${stolen}`, `DPoP ${stolen}`]) {
    const headers = {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const { status } = await fetch(bound.endpoint, { method: 'POST', headers, body: '{}' });
    expect(status).toBe(401);
  }
});
