/** `mcpgen serve --watch`: files change, and clients that are connected see what came of it. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { judged } from '../support/conversation.ts';
import { mcpgenHere } from './support/command.ts';
import { folderForTest } from './support/project.ts';
import { layOut, main, replaceFile, Said, startWatching } from './support/watched.ts';

const GREET = (words: string, description = 'Greets.'): string => `
import { next } from './count.ts';
/** ${description} @tool */
export function greet(): string { return '${words} ' + next(); }
`;

const FUNCTIONS = {
  'package.json': '{ "name": "greetings", "version": "1.0.0", "type": "module" }',
  'src/count.ts': 'let count = 0;\nexport function next(): number { return (count += 1); }\n',
  'src/greet.ts': GREET('hello'),
};

interface Changes {
  client: Client;
  /** Lists that clients were told of, each time. */
  told: string[];
  /** Resolves with the next that they are told. */
  next: () => Promise<void>;
}

function watchingClient(): Changes {
  const client = new Client({ name: 'mcpgen-tests', version: '1.0.0' });
  const told: string[] = [];
  let tell = (): void => undefined;
  const hear = (list: string): void => {
    told.push(list);
    tell();
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => hear('tools'));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => hear('resources'));
  return {
    client,
    told,
    next: () => new Promise((resolve) => (tell = resolve)),
  };
}

async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

test('functions over stdio', { timeout: 120_000 }, async () => {
  const folder = await folderForTest();
  await layOut(folder, FUNCTIONS);
  const greet = path.join(folder, 'src/greet.ts');
  const { client, told, next } = watchingClient();
  const args = [main, 'serve', 'src/**/*.ts', '--watch'];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd: folder,
    stderr: 'pipe',
  });
  const stderr = new Said(transport.stderr as Readable);
  await client.connect(judged(transport));
  await stderr.until(/^greetings-mcp: callers: anyone · read-only: off · .*\n/m);
  const call = async (name: string): Promise<unknown> => (await client.callTool({ name })).structuredContent;
  expect(client.getServerCapabilities()).toMatchObject({
    tools: { listChanged: true },
    resources: { listChanged: true },
    prompts: { listChanged: true },
  });
  expect(await call('greet')).toEqual({ result: 'hello 1' });

  // A description: clients are told. A module that did not change goes on with what it holds.
  let hearing = next();
  await replaceFile(greet, GREET('hello', 'Greets anew.'));
  expect(await stderr.round()).toMatch(/^✓ src\/greet\.ts changed · 1 tool · notified clients of tools · /);
  await hearing;
  expect((await client.listTools()).tools).toMatchObject([{ name: 'greet', description: 'Greets anew.' }]);
  expect(await call('greet')).toEqual({ result: 'hello 2' });

  // A changed function body sends no notification, and the next call runs it. Saved as editors do.
  await replaceFile(greet, GREET('good day', 'Greets anew.'));
  expect(await stderr.round()).toMatch(/^✓ src\/greet\.ts changed · 1 tool · [\d.]+m?s$/m);
  expect(await call('greet')).toEqual({ result: 'good day 3' });
  expect(told).toEqual(['tools']);

  // A file that comes into a folder of its own, and one that goes.
  hearing = next();
  await layOut(folder, { 'src/more/wave.ts': "/** @tool */\nexport const wave = (): string => 'waves';\n" });
  expect(await stderr.round()).toMatch(/^✓ src\/more\/wave\.ts changed · 2 tools/);
  await hearing;
  expect(await call('wave')).toEqual({ result: 'waves' });
  hearing = next();
  await rm(path.join(folder, 'src/more'), { recursive: true });
  expect(await stderr.round()).toMatch(/^✓ src\/more\/wave\.ts changed · 1 tool/);
  await hearing;
  expect(await toolNames(client)).toEqual(['greet']);

  // Broken: the last good server goes on. Mended: nothing has changed.
  await replaceFile(greet, `${GREET('good day', 'Greets anew.')}export const broken: number = 'text';\n`);
  const broken = await stderr.round();
  expect(broken).toMatch(/src\/greet\.ts:5:14 - error .*TS2322/s);
  expect(broken).toMatch(/^✗ src\/greet\.ts changed · the server continues unchanged · /m);
  expect(await call('greet')).toEqual({ result: 'good day 4' });
  await replaceFile(greet, GREET('good day', 'Greets anew.'));
  expect(await stderr.round()).toMatch(/^✓ src\/greet\.ts changed · 1 tool · [\d.]+m?s$/m);
  expect(await call('greet')).toEqual({ result: 'good day 5' });

  expect(told).toEqual(['tools', 'tools', 'tools']);
  await client.close();
});

const DOCUMENT = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
servers: [{ url: 'https://pets.example' }]
paths:
  /pets:
    get: { operationId: listPets, responses: { '200': { description: All, content: { application/json: {} } } } }
    post:
      operationId: addPet
      requestBody: { content: { application/json: { schema: { $ref: './pet.yaml' } } } }
      responses: { '201': { description: Added } }
`;

test('a document and what it refers to, over HTTP', { timeout: 60_000 }, async () => {
  const folder = await folderForTest();
  const pet = (property: string): string => `type: object\nproperties: { ${property}: { type: string } }\n`;
  await layOut(folder, { 'pets.yaml': DOCUMENT, 'pet.yaml': pet('name') });
  const args = ['serve', 'pets.yaml', '--watch', '--transport', 'http', '--port', '0'];
  const { stderr, interrupt } = startWatching(args, folder);
  const [url = ''] = /http:\S+/.exec(await stderr.until(/serving http:\S+\n/)) ?? [];
  const { client, told, next } = watchingClient();
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(judged(transport));
  const { sessionId } = transport;

  const hearing = next();
  await replaceFile(path.join(folder, 'pet.yaml'), pet('nickname'));
  expect(await stderr.round()).toMatch(
    /^✓ pet\.yaml changed · 2 tools, 1 resource · notified clients of tools/m,
  );
  await hearing;
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === 'addPet')?.inputSchema.properties).toHaveProperty('nickname');

  expect(transport.sessionId).toBe(sessionId);
  expect(told).toEqual(['tools']);
  await client.close();
  expect(await interrupt()).toBe(0);
});

test('without a first server it waits over HTTP for a change', { timeout: 60_000 }, async () => {
  const folder = await folderForTest();
  await layOut(folder, { 'pets.yaml': 'openapi: 3.1.0\n' });
  const args = ['serve', 'pets.yaml', '--watch', '--transport', 'http', '--port', '0'];
  const http = startWatching(args, folder);
  await http.stderr.until(/Waiting for a change/);
  await layOut(folder, { 'pets.yaml': DOCUMENT.replace("{ $ref: './pet.yaml' }", '{}') });
  await http.stderr.until(/serving http/);
  expect(await http.interrupt()).toBe(0);
});

test('a project goes on with what its configuration names', { timeout: 120_000 }, async () => {
  const folder = await folderForTest();
  const document = DOCUMENT.replace("{ $ref: './pet.yaml' }", '{}');
  await layOut(folder, { 'pets.yaml': document });
  const compiled = await mcpgenHere(['openapi', 'pets.yaml', '-o', 'server'], { cwd: folder });
  expect(compiled.code, compiled.stderr).toBe(0);
  const args = ['serve', 'server', '--watch', '--transport', 'http', '--port', '0'];
  const { stderr, interrupt } = startWatching(args, folder);
  const [url = ''] = /http:\S+/.exec(await stderr.until(/serving http:\S+\n/)) ?? [];
  const { client, next } = watchingClient();
  await client.connect(judged(new StreamableHTTPClientTransport(new URL(url))));
  const hearing = next();
  // The names that the project has given stay.
  await replaceFile(
    path.join(folder, 'pets.yaml'),
    document.replace('addPet', 'add').replace('{ description: Added }', '{ description: More }'),
  );
  expect(await stderr.round()).toMatch(/^✓ pets\.yaml changed · 2 tools/m);
  await layOut(folder, {
    'server/mcpgen.config.json': '{ "source": "../pets.yaml", "exclude": ["method:GET"] }',
  });
  expect(await stderr.round()).toMatch(
    /^✓ server\/mcpgen\.config\.json changed · 1 tool · notified clients/m,
  );
  await hearing;
  expect(await toolNames(client)).toEqual(['addPet']);
  await client.close();
  expect(await interrupt()).toBe(0);

  await layOut(folder, { 'server/src/handlers/more.ts': 'export const more = 1;\n' });
  const refused = await mcpgenHere(args, { cwd: folder });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('without the code in server/src/handlers');
  expect(refused.stderr).toContain('`mcpgen serve server/mcpgen.config.json --watch`');
  expect(refused.stderr).toContain('`mcpgen generate server --watch`');
});

const CLOCK = (version: number, begin = ''): string => `
/** @started */
export function begin(): () => void {
  ${begin}
  console.error('begun ${version}.');
  return () => console.error('ended ${version}.');
}
/** @tool */
export const version = (): number => ${version};
`;

test('what @started began ends once its successor has begun', { timeout: 120_000 }, async () => {
  const folder = await folderForTest();
  await layOut(folder, { ...FUNCTIONS, 'src/clock.ts': CLOCK(1) });
  const args = ['serve', 'src/clock.ts', '--watch', '--transport', 'http', '--port', '0'];
  const { stderr, interrupt } = startWatching(args, folder);
  const [url = ''] = /http:\S+/.exec(await stderr.until(/serving http:\S+\n/)) ?? [];
  const { client } = watchingClient();
  await client.connect(judged(new StreamableHTTPClientTransport(new URL(url))));
  const version = async (): Promise<unknown> =>
    (await client.callTool({ name: 'version' })).structuredContent;
  const clock = path.join(folder, 'src/clock.ts');
  await replaceFile(clock, CLOCK(2));
  expect(await stderr.round()).toMatch(/begun 2\.\nended 1\.\n/);
  expect(await version()).toEqual({ result: 2 });

  // One that can't begin takes nobody's place, and nothing of the other ends.
  await replaceFile(clock, CLOCK(3, "throw new Error('not now');"));
  const failed = await stderr.until(/The server goes on with what it had: .*not now/);
  expect(failed).not.toMatch(/begun|ended/);
  expect(await version()).toEqual({ result: 2 });
  await replaceFile(clock, CLOCK(4));
  expect(await stderr.round()).toMatch(/begun 4\.\nended 2\.\n/);
  await client.close();
  expect(await interrupt()).toBe(0);
  expect(stderr.text.match(/(?:begun|ended) \d/g)).toEqual([
    'begun 1',
    'begun 2',
    'ended 1',
    'begun 4',
    'ended 2',
    'ended 4',
  ]);
});
