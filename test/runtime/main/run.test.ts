import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { judged } from '../../support/conversation.ts';
import { type FakeApi, startApi } from '../core/upstream-fake.ts';
import { runEach, startProject, type TestProject, writeProject } from './project.ts';

// The pause: the client forgets a progress handler when the answer comes in the same chunk.
const handlers = `{
  tools: { loud: () => { console.log('stray'); process.stdout.write('strayer\\n'); return 'quiet'; } },
  extraTools: [
    { name: 'slow', inputSchema: { type: 'object' }, handler: () => { console.error('slow begins'); return new Promise((resolve) => setTimeout(resolve, 200, 'slow')); } },
    { name: 'hang', inputSchema: { type: 'object' }, handler: (_, { signal }) => { console.error('hang begins'); signal.addEventListener('abort', () => console.error('hang is aborted')); return new Promise(() => setInterval(() => 1, 1000)); } },
    { name: 'leave', inputSchema: { type: 'object' }, handler: () => { setInterval(() => 1, 1000); return 'left'; } },
    { name: 'steps', inputSchema: { type: 'object' }, handler: async (_, { progress }) => { await progress(1, 2); await progress(2, 2); return 'there'; } },
  ],
}`;

const binding = (method: string, path: string, operationId?: string) => ({
  do: {
    kind: 'http' as const,
    method,
    path,
    ...(operationId === undefined ? {} : { operationId }),
    parameters: path.includes('{') ? [{ argument: 'petId', name: 'petId', in: 'path' as const }] : [],
  },
});

let api: FakeApi;
let project: TestProject;
beforeAll(async () => {
  api = await startApi((target) => (target === 'POST /pets' ? undefined : { json: { target } }));
  const template = 'pets://pets/{petId}';
  project = writeProject({
    handlers,
    catalog: {
      tools: [
        {
          name: 'getPet',
          description: 'A pet.',
          inputSchema: { type: 'object', properties: { petId: { type: 'integer' } }, required: ['petId'] },
          outputSchema: { type: 'object', properties: { target: { type: 'string' } } },
        },
        { name: 'addPet', inputSchema: { type: 'object' } },
        { name: 'loud', inputSchema: { type: 'object' } },
      ],
      resourceTemplates: [{ uriTemplate: template, name: 'pet' }],
      prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }],
    },
    bindings: {
      upstream: {
        servers: [],
        securitySchemes: { shop: { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'SHOP_KEY' } } },
      },
      tools: {
        getPet: { ...binding('GET', '/pets/{petId}'), tags: ['pets'] },
        addPet: binding('POST', '/pets', 'pets/add'),
        loud: binding('GET', '/loud'),
      },
      deselected: [
        {
          op: ['dropPet', 'pets/drop'],
          tag: ['admin'],
          path: ['/pets/{petId}/drop'],
          method: ['DELETE'],
        },
      ],
      resourceTemplates: {
        [template]: { do: { kind: 'tool', name: 'getPet' }, schemas: { petId: { type: 'integer' } } },
      },
      prompts: { greet: { kind: 'template', messages: [{ role: 'user', text: 'Greet {{who}}.' }] } },
      completions: [
        {
          ref: { kind: 'prompt', name: 'greet' },
          argument: 'who',
          from: { kind: 'values', values: ['Ann', 'Bob'] },
        },
      ],
    },
  });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  project.remove();
  await api.close();
});

/** The conversation every transport must carry. */
async function talk(client: Client): Promise<void> {
  expect(client.getServerVersion()).toMatchObject({ name: 'pets', version: '1.2.3' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'getPet',
    'addPet',
    'loud',
    'slow',
    'hang',
    'leave',
    'steps',
  ]);
  expect(await client.callTool({ name: 'getPet', arguments: { petId: 7 } })).toEqual({
    content: [{ type: 'text', text: '{"target":"GET /pets/7"}' }],
    structuredContent: { target: 'GET /pets/7' },
  });
  expect(await client.callTool({ name: 'getPet', arguments: { petId: 'x' } })).toMatchObject({
    isError: true,
  });
  await expect(client.callTool({ name: 'none' })).rejects.toThrow('Unknown tool: none');
  expect((await client.callTool({ name: 'loud' })).content).toEqual([{ type: 'text', text: 'quiet' }]);
  const { contents } = await client.readResource({ uri: 'pets://pets/8' });
  expect(contents).toMatchObject([{ uri: 'pets://pets/8', text: '{"target":"GET /pets/8"}' }]);
  const prompt = await client.getPrompt({ name: 'greet', arguments: { who: 'Ann' } });
  expect(prompt.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Greet Ann.' } }]);
  const completed = await client.complete({
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'who', value: 'b' },
  });
  expect(completed.completion.values).toEqual(['Bob']);
  // The SDK's `onprogress` loses what arrives in one piece with the answer.
  const steps: unknown[] = [];
  client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => void steps.push(params));
  await client.callTool({ name: 'steps', _meta: { progressToken: 'of steps' } });
  expect(steps).toEqual([1, 2].map((progress) => ({ progressToken: 'of steps', progress, total: 2 })));
  await client.setLoggingLevel('error');
  await client.ping();
}

test('the official client talks to it over stdio, and strays go to stderr', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [project.main],
    env: { API_BASE_URL: api.url },
    cwd: project.dir,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(judged(transport));
  await talk(client);
  await client.close();
  expect(stderr).toBe('stray\nstrayer\n');
});

const ALL = ['--transport', 'http', '--port', '0', '--sse', '--ws'];

/** A server on every transport that HTTP carries, and the URLs it names. */
async function startAll() {
  const started = startProject(project, [...ALL, '--base-url', api.url]);
  await expect.poll(() => started.output.stderr, { timeout: 10_000 }).toMatch(/serving .*\n/);
  const [, line = ''] = /^pets: serving (.*)\n/.exec(started.output.stderr) ?? [];
  const [http = '', sse = '', ws = ''] = line.split(', ');
  return { ...started, urls: { http, sse, ws } };
}

type Urls = Awaited<ReturnType<typeof startAll>>['urls'];

/** The official client on each of them. */
async function connectAll({ http, sse, ws }: Urls): Promise<Client[]> {
  vi.stubGlobal('WebSocket', WebSocket);
  const transports = [
    new StreamableHTTPClientTransport(new URL(http)),
    new SSEClientTransport(new URL(sse)),
    new WebSocketClientTransport(new URL(ws)),
  ];
  return Promise.all(
    transports.map(async (transport) => {
      const client = new Client({ name: 'test', version: '0' });
      await client.connect(judged(transport) as Parameters<Client['connect']>[0]);
      return client;
    }),
  );
}

test('one process serves several transports at once, and says where', async () => {
  const { child, output, exit, urls } = await startAll();
  const { port } = new URL(urls.http);
  expect(urls).toEqual({
    http: `http://127.0.0.1:${port}/mcp`,
    sse: `http://127.0.0.1:${port}/sse`,
    ws: `ws://127.0.0.1:${port}/ws`,
  });
  const clients = await connectAll(urls);
  await Promise.all(clients.map(talk));
  await Promise.all(clients.map(async (client) => client.close()));
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(output).toEqual({ stdout: '', stderr: expect.stringContaining('stray\nstrayer\n') });
});

test('SIGTERM ends it with clients on every transport, once they have their answers', async () => {
  const { child, output, exit, urls } = await startAll();
  const clients = await connectAll(urls);
  const closes = clients.slice(1).map(
    async (client) =>
      new Promise<void>((resolve) => {
        client.onclose = resolve;
        client.onerror = () => resolve();
      }),
  );
  const answers = clients.map(async (client) => client.callTool({ name: 'slow' }));
  await expect.poll(() => output.stderr.split('slow begins').length - 1).toBe(clients.length);
  child.kill('SIGTERM');
  for (const { content } of await Promise.all(answers))
    expect(content).toEqual([{ type: 'text', text: 'slow' }]);
  await Promise.all(closes);
  expect(await exit).toBe(0);
  await Promise.all(clients.map(async (client) => client.close()));
});

const hello = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};
const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const lines = (...messages: object[]) => messages.map((each) => `${JSON.stringify(each)}\n`).join('');
const idsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): { id: number } => JSON.parse(line))
    .map(({ id }) => id);

test('SIGTERM lets it finish what is under way', async () => {
  const { child, output, exit } = startProject(project);
  child.stdin.write(lines(hello, call(1, 'slow')));
  await expect.poll(() => output.stderr, { timeout: 10_000 }).toContain('slow begins');
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(idsIn(output.stdout)).toEqual([0, 1]);
});

test.each([
  ['a forgotten promise', "void Promise.reject(new Error('lost'))"],
  ['a forgotten async function', "void (async () => { throw new Error('lost'); })()"],
  ['a timer', "setTimeout(() => { throw new Error('lost'); })"],
  ['an event emitter', "setImmediate(() => new EventEmitter().emit('error', new Error('lost')))"],
  ['a callback', "readFile('/', () => { throw new Error('lost'); })"],
])('what %s of a handler throws is reported, ends nothing and is not told to clients', async (_, code) => {
  const careless = writeProject({
    loading: "import { EventEmitter } from 'node:events';\nimport { readFile } from 'node:fs';",
    handlers: `{ extraTools: [{ name: 'x', inputSchema: { type: 'object' }, handler: () => { ${code}; return 'ok'; } }] }`,
  });
  const { child, output, exit } = startProject(careless);
  child.stdin.write(lines(hello, call(1, 'x')));
  await expect
    .poll(() => output.stderr, { timeout: 10_000 })
    .toMatch(/^pets: error: Error: lost\n {4}at .*server\.js/s);
  child.stdin.end(lines({ jsonrpc: '2.0', id: 2, method: 'ping' }));
  expect(await exit).toBe(0);
  expect(idsIn(output.stdout)).toEqual([0, 1, 2]);
  expect(output.stdout).not.toContain('lost');
  careless.remove();
});

test('it goes on when nobody reads its stderr any more', async () => {
  const { child, output, exit } = startProject(project);
  child.stderr.destroy();
  child.stdin.write(lines(hello, call(1, 'loud')));
  await expect.poll(() => output.stdout, { timeout: 10_000 }).toContain('"id":1');
  child.stdin.end(lines(call(2, 'loud')));
  expect(await exit).toBe(0);
  expect(idsIn(output.stdout)).toEqual([0, 1, 2]);
});

/** A server over HTTP with an open session, and a way to call its tools. */
async function startHttp(args: string[] = []) {
  const started = startProject(project, ['--transport', 'http', '--port', '0', ...args]);
  await expect.poll(() => started.output.stderr, { timeout: 10_000 }).toMatch(/serving (http:\S+)\n/);
  const url = /serving (http:\S+)\n/.exec(started.output.stderr)?.[1] ?? '';
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = async (message: object, more = {}) =>
    fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(message) });
  const opened = await post(hello);
  await opened.text();
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  return { ...started, call: async (name: string) => (await post(call(1, name), session)).text() };
}

test('what a handler left behind does not keep it', async () => {
  const { child, exit, call } = await startHttp();
  expect(await call('leave')).toContain('left');
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  const busy = writeProject({ loading: 'setInterval(() => 1, 1000);' });
  expect(await startProject(busy, ['--port', 'x']).exit).toBe(2);
  expect(await startProject(busy, ['--version']).exit).toBe(0);
  busy.remove();
});

test('a second signal ends it at once', async () => {
  const { child, output, exit, call } = await startHttp();
  const cut = expect(call('hang')).rejects.toThrow('fetch failed');
  await expect.poll(() => output.stderr).toContain('hang begins');
  child.kill('SIGTERM');
  await expect.poll(() => output.stderr).toContain('pets: stopping');
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  await cut;
  // As it is when its time is over.
  expect(output.stderr).not.toContain('hang is aborted');
});

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const namesIn = (text: string) => {
  const answer: { result: { tools: { name: string }[] } } = JSON.parse(text.trim().split('\n')[1] ?? '');
  return answer.result.tools.map(({ name }) => name);
};

test.each([
  [
    ['--include', 'op:*Pet'],
    ['getPet', 'addPet'],
  ],
  [
    ['--include=op:getPet', '--include', 'op:slow'],
    ['getPet', 'slow'],
  ],
  [['--include', 'tag:pets'], ['getPet']],
  [['--include', 'path:/pets/**'], ['getPet']],
  [['--include', 'path:/pets/*', '--include', 'method:get'], ['getPet']],
  [['--include', 'method:post'], ['addPet']],
  [['--include', 'op:pets/*'], ['addPet']],
  [
    ['--exclude', 'method:GET'],
    ['addPet', 'slow', 'hang', 'leave', 'steps'],
  ],
  [
    ['--exclude', 'method:GET', '--exclude', 'op:slow', '--exclude', 'path:/pets'],
    ['hang', 'leave', 'steps'],
  ],
  [['--include', 'op:*Pet', '--exclude', 'tag:pets', '--exclude', 'method:DELETE'], ['addPet']],
])('%j selects %j', async (args, want) => {
  const { child, output, exit } = startProject(project, args);
  child.stdin.end(lines(hello, list));
  await exit;
  expect(namesIn(output.stdout)).toEqual(want);
  expect(output.stderr).toBe('');
});

const strict = ' MCP_SELECTORS=lenient makes this a warning.\n';

test.each([
  ['op:getPets', ' Did you mean op:getPet?'],
  ['op:pets/ad', ' Did you mean op:pets/add?'],
  ['tag:Pets', ' Did you mean tag:pets?'],
  ['tag:admi', ' Did you mean tag:admin?'],
  ['path:/pet', ' Did you mean path:/pets?'],
  ['op:nothing_like_it', ''],
])('%s names nothing of the source, which is refused unless lenient', async (selector, suggestion) => {
  const words = `The selector "${selector}" matches nothing.${suggestion}`;
  const args = ['--exclude', selector, '--exclude', 'op:slow'];
  const refused = startProject(project, args);
  expect(await refused.exit).toBe(2);
  expect(refused.output).toEqual({ stdout: '', stderr: `pets: ${words}${strict}` });
  const { child, output, exit } = startProject(project, args, { MCP_SELECTORS: 'lenient' });
  child.stdin.end(lines(hello, list));
  expect(await exit).toBe(0);
  expect(output.stderr).toBe(`pets: warning: ${words}\n`);
  expect(namesIn(output.stdout)).toContain('getPet');
});

test.each([
  ['method:PSOT', ' Did you mean method:POST?'],
  ['op:nothing*', ''],
  ['path:/owners/**', ''],
])('%s matches nothing, which is said', async (selector, suggestion) => {
  const { child, output, exit } = startProject(project, ['--exclude', selector]);
  child.stdin.end(lines(hello, list));
  expect(await exit).toBe(0);
  expect(output.stderr).toBe(`pets: warning: The selector "${selector}" matches nothing.${suggestion}\n`);
  expect(namesIn(output.stdout)).toContain('getPet');
});

test.each([
  'op:dropPet',
  'op:pets/drop',
  'tag:admin',
  'path:/pets/{petId}/drop',
  'method:DELETE',
  'op:drop*',
])('%s fits an operation that was left out when compiling, which is enough', async (selector) => {
  const { child, output, exit } = startProject(project, ['--exclude', selector, '--include', 'op:getPet']);
  child.stdin.end(lines(hello, list));
  expect(await exit).toBe(0);
  expect(output.stderr).toBe('');
  expect(namesIn(output.stdout)).toEqual(['getPet']);
});

test.each([
  ['', 'pets: warning: --read-only leaves nothing to serve: no tool that is left says readOnlyHint.\n'],
  ['annotations: { readOnlyHint: true }, ', ''],
])('--read-only says if it leaves nothing: a tool with %j', async (hints, want) => {
  const small = writeProject({
    handlers: `{ extraTools: [{ name: 'x', inputSchema: { type: 'object' }, ${hints}handler: () => 'ok' }] }`,
  });
  const { child, output, exit } = startProject(small, ['--read-only']);
  child.stdin.end(lines(hello));
  expect(await exit).toBe(0);
  expect(output.stderr).toBe(want);
  small.remove();
});

const nothing =
  '--include and --exclude leave nothing to serve. Kinds of include must all match, and exclude wins.';

test.each([
  [['--exclude', 'op:*', '--include', 'op:getPet'], nothing],
  [
    ['--include', 'method:PSOT'],
    `${nothing} The selector "method:PSOT" matches nothing. Did you mean method:POST?`,
  ],
  [
    ['--include', 'op:getPets'],
    `${nothing} The selector "op:getPets" matches nothing. Did you mean op:getPet?`,
  ],
  [
    ['--include', 'tag:admin'],
    `${nothing} The operations that they include were left out when the server was generated.`,
  ],
])('%j leaves nothing, which is refused unless lenient', async (args, words) => {
  const { output, exit } = startProject(project, args);
  expect(await exit).toBe(2);
  expect(output).toEqual({ stdout: '', stderr: `pets: ${words}${strict}` });
  const lenient = startProject(project, args, { MCP_SELECTORS: 'lenient' });
  lenient.child.stdin.end(lines(hello));
  expect(await lenient.exit).toBe(0);
  expect(lenient.output.stderr).toContain(`pets: warning: ${nothing}`);
});

test('a deselected tool can not be called, and its resource is gone', async () => {
  const { child, output, exit } = startProject(project, ['--exclude', 'op:getPet']);
  const templates = { jsonrpc: '2.0', id: 2, method: 'resources/templates/list' };
  child.stdin.end(lines(hello, call(1, 'getPet'), templates));
  await exit;
  expect(output.stdout).toContain('Unknown tool: getPet');
  expect(output.stdout).toContain('"This server has no resources."');
});

test('pages are as long as asked', async () => {
  const { child, output, exit } = startProject(project, ['--page-size', '2']);
  child.stdin.end(lines(hello, list));
  await exit;
  expect(namesIn(output.stdout)).toEqual(['getPet', 'addPet']);
  expect(output.stdout).toContain('"nextCursor"');
});

test.each([
  [['--help'], 'pets 1.2.3, an MCP server\n\nExamples:\n  pets  '],
  [['-h'], 'Exit codes: 0 fine, 1 the server failed, 2 the command line, the environment or src/handlers/'],
  [['--version'], '1.2.3\n'],
])('%j prints and ends', async (args, text) => {
  const { output, exit } = startProject(project, args);
  expect(await exit).toBe(0);
  expect(output.stdout).toContain(text);
  expect(output.stderr).toBe('');
});

const MISTAKES: [string[], NodeJS.ProcessEnv, string][] = [
  [['--transprot', 'http'], {}, 'Unknown option: --transprot. Did you mean --transport?'],
  [['--prot', '80'], {}, 'Unknown option: --prot. Did you mean --port?'],
  [['--http'], {}, 'Unknown option: --http. Did you mean --transport http?'],
  [['-port', '80'], {}, 'Unexpected argument: -port. Did you mean --port?'],
  [['http'], {}, 'Unexpected argument: http. Did you mean --transport http?'],
  [['--constructor'], {}, 'Unknown option: --constructor. See --help.'],
  [['--sse'], {}, '--sse goes with HTTP: give --transport http as well.'],
  [['--port', '8080'], {}, '--port goes with HTTP: give --transport http as well.'],
  [
    ['--transport', 'http', '--sse', '--path', '/messages'],
    {},
    '--path must begin with a slash, hold no blank, ? or #, and not be /healthz or /livez or /readyz or /.well-known/ai-catalog.json or /sse or /messages, but is',
  ],
  ...['tls-cert', 'tls-key', 'trusted-proxy', 'connections'].map(
    (flag): [string[], NodeJS.ProcessEnv, string] => [
      [`--${flag}`, 'x'],
      {},
      `--${flag} goes with HTTP: give --transport http as well.`,
    ],
  ),
  [['--ws=1'], {}, '--ws takes no value.'],
  [
    [],
    { MCP_PASS_HEADERS: 'X-A' },
    'MCP_PASS_HEADERS goes with HTTP, since messages on stdio have no headers',
  ],
  [
    ['--transport', 'http', '--pass-header', 'Authorization'],
    {},
    "--pass-header can't be Authorization: that proves",
  ],
  [
    [],
    { MCP_AUTH_ISSUER: 'https://id.example.com' },
    'MCP_AUTH_ISSUER is set. This server was generated without oauth. Set `auth` to `oauth` in the configuration',
  ],
  [['--port'], {}, '--port needs a value, as in --port 8080. See --help.'],
  [['--help=yes'], {}, '--help takes no value.'],
  [['--port', '1', '--port', '2'], {}, '--port is given twice.'],
  [['--transport', 'udp'], {}, '--transport must be stdio or http, not udp.'],
  ...[
    ['ws', 'ws', 'websocket'],
    ['websocket', 'ws', 'websocket'],
    ['sse', 'sse', 'sse'],
  ].map(([value = '', flag = '', feature = '']): [string[], NodeJS.ProcessEnv, string] => [
    ['--transport', value],
    {},
    `--transport must be stdio or http, not ${value}: it is --transport http --${flag}, with the feature ${feature}.`,
  ]),
  [['--transport', 'http', '--port', '70000'], {}, '--port must be a whole number, 0 to 65535, not 70000.'],
  [['--transport', 'http'], { PORT: 'x' }, 'PORT must be a whole number, 0 to 65535, not x.'],
  [['--transport', 'http', '--path', 'mcp'], {}, '--path must begin with a slash'],
  [['--page-size', '0'], {}, '--page-size must be a whole number, 1 or more, not 0.'],
  [['--rate-limit', 'on'], {}, '--rate-limit must be a whole number, 1 or more, or off, not on.'],
  [[], { API_TIMEOUT_MS: '60s' }, 'API_TIMEOUT_MS must be a whole number, 1 to 2147483647, not 60s.'],
  [[], { MCP_RATE_LIMIT: '-1' }, 'MCP_RATE_LIMIT must be a whole number, 1 or more, or off, not -1.'],
  [['--files', 'no/such/folder'], {}, '--files must be a folder that is there, not no/such/folder.'],
  [
    [],
    { MCP_FILES_ROOT: 'package.json' },
    'MCP_FILES_ROOT must be a folder that is there, not package.json.',
  ],
  [['--base-url', 'nonsense'], {}, '--base-url must be the base URL of the API, such as https://'],
  [[], { API_BASE_URL: 'nonsense' }, 'API_BASE_URL must be the base URL of the API, such as https://'],
  [
    [],
    { API_BASE_URL: 'ftp://ada:lovelace@a.example/v1?key=x' },
    'API_BASE_URL must be the base URL of the API, such as https://api.example.com/v1, not ftp://…@a.example/v1?….',
  ],
  [[], { MCP_ALLOWED_ORIGINS: 'https://a.example, *' }, 'MCP_ALLOWED_ORIGINS must hold origins such as'],
  [[], { MCP_MOCK: 'yes' }, 'MCP_MOCK must be 1 or 0, not yes.'],
  [['--mock=1'], {}, '--mock takes no value.'],
  [[], { API_CREDENTIALS: 'no' }, 'API_CREDENTIALS must be required or optional, not no.'],
  [[], { MCP_STATE_SECRET: 'short' }, 'MCP_STATE_SECRET must have 32 characters or more'],
  [[], { MCP_SELECTORS: 'loose' }, 'MCP_SELECTORS must be strict or lenient, not loose.'],
  [['--log-level', 'loud'], {}, '--log-level must be one of debug, info,'],
  [['--include', 'pets'], {}, 'The selector "pets" must be one of tag:, path:, op:, method: and a value.'],
];

let mistaken: Promise<{ code: number; stdout: string; stderr: string }[]> | undefined;

test.each(MISTAKES.map((row, at): [...typeof row, number] => [...row, at]))(
  '%j with %j is a mistake of usage',
  async (_args, _env, message, at) => {
    mistaken ??= runEach(
      project,
      MISTAKES.map(([args, env]) => ({ args, env })),
    );
    const { code, stdout, stderr } = (await mistaken)[at] ?? {};
    expect(code).toBe(2);
    expect(stderr).toContain(`pets: ${message}`);
    expect(stdout).toBe('');
  },
);

test('a mistake of usage ends the process', async () => {
  const { output, exit } = startProject(project, ['http']);
  expect(await exit).toBe(2);
  expect(output).toEqual({ stdout: '', stderr: expect.stringContaining('pets: Unexpected argument: http.') });
});

test('an address that is not ours ends it with 1, in words', async () => {
  const { output, exit } = startProject(project, [
    '--transport',
    'http',
    '--host',
    '192.0.2.1',
    '--port',
    '0',
  ]);
  expect(await exit).toBe(1);
  expect(output.stderr).toContain('pets: 192.0.2.1 is no address of this machine. Choose another by --host');
});

test('an address that others reach is said to be one', async () => {
  const { child, output, exit } = startProject(project, [
    '--transport',
    'http',
    '--host',
    '0.0.0.0',
    '--port',
    '0',
  ]);
  await expect
    .poll(() => output.stderr, { timeout: 10_000 })
    .toContain('bound to 0.0.0.0: whoever can reach it');
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
});

test('an empty variable is as good as none', async () => {
  const { child, output, exit } = startProject(project, [], {
    API_BASE_URL: '',
    PORT: '',
    MCP_RATE_LIMIT: '',
  });
  child.stdin.end(lines(hello));
  expect(await exit).toBe(0);
  expect([idsIn(output.stdout), output.stderr]).toEqual([[0], '']);
});

test.each([
  ['addPet', { API_TIMEOUT_MS: '50' }, 'did not answer within 0.05 seconds'],
  ['getPet', { API_RESPONSE_BYTES: '9' }, 'Shown: only its first 9 characters.'],
  ['getPet', { API_RESULT_CHARACTERS: '8' }, 'Shown: the first 8 of 24 characters.'],
])('%s with %j: %s', async (name, env, want) => {
  const { child, output, exit } = startProject(project, [], { API_BASE_URL: api.url, ...env });
  const params = { name, arguments: name === 'getPet' ? { petId: 1 } : {} };
  child.stdin.end(lines(hello, { ...call(1, name), params }));
  expect(await exit).toBe(0);
  expect(output.stdout).toContain(want);
});

test('--help names every variable that is read, and for what', async () => {
  const { output, exit } = startProject(project, ['--help']);
  await exit;
  const names = ['API_BASE_URL', 'API_TIMEOUT_MS', 'API_RESPONSE_BYTES', 'API_RESULT_CHARACTERS', 'SHOP_KEY'];
  for (const name of [...names, 'PORT', 'MCP_ALLOWED_ORIGINS', 'MCP_RATE_LIMIT']) {
    expect(output.stdout).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
  }
  expect(output.stdout).toContain('API key for the security scheme shop, sent as header X-Key.');
  expect(Math.max(...output.stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(110);
});

test('what the code of the user prints as it loads does not reach the protocol', async () => {
  const printing = writeProject({ loading: "console.log('loading'); process.stdout.write('raw\\n');" });
  const { child, output, exit } = startProject(printing);
  child.stdin.end(lines(hello));
  expect(await exit).toBe(0);
  expect([idsIn(output.stdout), output.stderr]).toEqual([[0], 'loading\nraw\n']);
  printing.remove();
});

test('a write to stdout that waits for its end is not left waiting', async () => {
  const waiting = writeProject({
    loading: "await new Promise((resolve) => process.stdout.write('once\\n', resolve));",
  });
  const { child, output, exit } = startProject(waiting);
  child.stdin.end(lines(hello));
  expect(await exit).toBe(0);
  expect([idsIn(output.stdout), output.stderr]).toEqual([[0], 'once\n']);
  waiting.remove();
});

test('code of the user that can not be loaded is told with its place', async () => {
  const broken = writeProject({ loading: "throw new Error('no such secret');" });
  const { output, exit } = startProject(broken);
  expect(await exit).toBe(1);
  expect(output.stderr).toMatch(/The server's code can't be loaded.*no such secret\n.*server\.js:1:7/s);
  broken.remove();
});

test.each([
  { over: 'stdio', args: [] },
  { over: 'HTTP', args: ['--transport', 'http', '--port', '0'] },
])(
  'functions that can not be loaded end the start over $over, each told once with its place',
  async ({ args }) => {
    const broken = writeProject({
      functions: {
        'app/one.js': "import './both.js';\n",
        'app/both.js': "\nthrow new Error('no such secret');\n",
        'app/other.js': "import { gone } from './fine.js';\n",
        'app/fine.js': "console.log('loading');\n",
        'app/newer.js': "import 'node:no-such-module';\n",
      },
    });
    const { output, exit } = startProject(broken, args);
    expect(await exit).toBe(1);
    expect(output.stdout).toBe('');
    expect(output.stderr).not.toContain('serving');
    expect(output.stderr).toMatch(
      /^loading\npets: app\/one\.js can't be loaded\. Error: no such secret\n.*both\.js:2:7/s,
    );
    expect(output.stderr).toMatch(/app\/other\.js can't be loaded\. .*'gone'/s);
    expect(output.stderr).toContain(
      `app/newer.js can't be loaded. No such built-in module: node:no-such-module. This is Node ${process.versions.node}: start the server with a newer one.\n`,
    );
    expect(output.stderr.match(/can't be loaded/g)).toHaveLength(3);
    broken.remove();
  },
);

test.each([
  { args: [], want: 'loading\n' },
  {
    args: ['--mock'],
    want: 'pets: No API and no function is called (--mock): answers are made up from examples and schemas.\n',
  },
])(
  'functions are loaded though the client leaves at once, but not for a mock: $args',
  async ({ args, want }) => {
    const project = writeProject({ functions: { 'app/one.js': "console.log('loading');\n" } });
    const { child, output, exit } = startProject(project, args);
    child.stdin.end(lines(hello));
    expect(await exit).toBe(0);
    expect([idsIn(output.stdout), output.stderr]).toEqual([[0], want]);
    project.remove();
  },
);

const nameTool = {
  catalog: { tools: [{ name: 'name', inputSchema: { type: 'object' as const } }] },
  bindings: {
    tools: {
      name: { do: { kind: 'function' as const, module: 'app/one.js', export: 'name', parameters: [] } },
    },
  },
};
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const one = 'export const name = () => globalThis.given;\n';

test('functions that are still loading do not keep it from listing, nor from ending', async () => {
  const endless = 'await new Promise(() => setInterval(() => 1, 1000));\n';
  const loading = writeProject({ ...nameTool, functions: { 'app/one.js': one, 'app/endless.js': endless } });
  const { child, output, exit } = startProject(loading);
  child.stdin.write(lines(hello, listTools));
  await expect.poll(() => idsIn(output.stdout), { timeout: 10_000 }).toEqual([0, 1]);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  loading.remove();
});

test('a call waits until all functions are loaded', async () => {
  const other = "globalThis.given = await new Promise((resolve) => setTimeout(resolve, 20, 'Ann'));\n";
  const loading = writeProject({ ...nameTool, functions: { 'app/one.js': one, 'app/other.js': other } });
  const { child, output, exit } = startProject(loading);
  child.stdin.end(lines(hello, call(1, 'name')));
  expect(await exit).toBe(0);
  expect(output.stdout).toContain('"text":"Ann"');
  loading.remove();
});

test('a call that waits for functions is refused if they can not be loaded', async () => {
  const broken = writeProject({
    ...nameTool,
    functions: { 'app/one.js': `throw new Error('no such secret');` },
  });
  const { child, output, exit } = startProject(broken);
  child.stdin.write(lines(hello, call(1, 'name')));
  expect(await exit).toBe(1);
  expect(output.stdout).toContain("The functions can't be loaded. The log of the server says why.");
  expect(output.stderr.match(/no such secret/g)).toHaveLength(1);
  broken.remove();
});

test('a `started` that throws ends the start, and is told with its place', async () => {
  const failing = writeProject({ handlers: "{ started: () => { throw new Error('no such file'); } }" });
  const { output, exit } = startProject(failing);
  expect(await exit).toBe(1);
  expect(output.stderr).toMatch(
    /^pets: `started` of src\/handlers\/ failed\. Error: no such file\n.*server\.js/s,
  );
  failing.remove();
});

test('a module of handlers that exports none is a mistake to mend first', async () => {
  const none = writeProject({ loading: "import { handlers as own } from './handlers.js'; own;" });
  writeFileSync(join(none.dir, 'dist/handlers.js'), 'export const handler = {};');
  const { output, exit } = startProject(none);
  expect(await exit).toBe(2);
  expect(output.stderr).toBe(
    'mcp server: src/handlers/index.ts must export `handlers`: `export const handlers = {};` at least.\n',
  );
  none.remove();
});

test('code of the user that does not fit is a mistake to mend first', async () => {
  const handlers = "{ tools: { getPets: () => 'x' } }";
  const misfit = writeProject({
    handlers,
    catalog: { tools: [{ name: 'getPet', inputSchema: { type: 'object' } }] },
  });
  const { output, exit } = startProject(misfit);
  expect(await exit).toBe(2);
  expect(output.stderr).toBe(
    "pets: The code in src/handlers/ can't be used:\n" +
      '- `tools["getPets"]`: there is no such tool of the document. Did you mean "getPet"?\n',
  );
  misfit.remove();
});

test('on a terminal it says what it is waiting for', () => {
  const terminal = writeProject({});
  writeFileSync(
    join(terminal.dir, 'dist/terminal.js'),
    "Object.defineProperty(process.stdin, 'isTTY', { value: true });\nawait import('./main.js');\n",
  );
  const main = join(terminal.dir, 'dist/terminal.js');
  const { stderr, status } = spawnSync(process.execPath, [main], {
    cwd: terminal.dir,
    input: '',
    encoding: 'utf8',
  });
  terminal.remove();
  expect([status, stderr]).toEqual([
    0,
    'pets: an MCP server, waiting for messages on stdin: clients start it themselves. ' +
      '--transport http serves over HTTP, --help says more.\n',
  ]);
});

test('a port that is taken, or data that is missing, ends it with 1', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const busy = startProject(project, ['--transport', 'http', '--port', port]);
  expect(await busy.exit).toBe(1);
  expect(busy.output.stderr).toBe(
    `pets: Port ${port} of 127.0.0.1 is in use, maybe by another copy of this server. ` +
      'Stop that, or choose another by --port; 0 is any free one. (EADDRINUSE)\n',
  );
  taken.close();

  const empty = writeProject({});
  rmSync(join(empty.dir, 'src'), { recursive: true });
  const { exit, output } = startProject(empty);
  expect(await exit).toBe(1);
  expect(output.stderr).toContain("pets: The server's data can't be read, so there is nothing to serve.");
  expect(output.stderr).not.toContain('    at ');
  empty.remove();
});

const keyed = {
  upstream: {
    servers: [{ url: 'https://api.test' }],
    security: [{ shop: [] }],
    securitySchemes: {
      shop: { type: 'apiKey' as const, in: 'header' as const, name: 'X-Key', env: { key: 'SHOP_KEY' } },
    },
  },
  tools: { getPet: binding('GET', '/pet') },
};
const missingKey =
  'pets: warning: No tool can be called yet. The API needs credentials: in the environment of this server set SHOP_KEY (shop).\n';

test('a missing credential is told on stderr, once, after the first answers', async () => {
  const lacking = writeProject({ bindings: keyed });
  const { child, output, exit } = startProject(lacking, [], { SHOP_KEY: '' });
  child.stdin.write(lines(hello));
  await expect.poll(() => output.stderr, { timeout: 10_000 }).toBe(missingKey);
  child.stdin.end(lines({ jsonrpc: '2.0', id: 1, method: 'ping' }));
  expect(await exit).toBe(0);
  expect([idsIn(output.stdout), output.stderr]).toEqual([[0, 1], missingKey]);
  lacking.remove();
});

test.each<[string[], NodeJS.ProcessEnv]>([
  [['--mock'], {}],
  [[], { MCP_MOCK: '1' }],
])('%j with %j answers without the API, its address or its credentials', async (args, env) => {
  const nowhere = writeProject({
    catalog: { tools: [{ name: 'getPet', inputSchema: { type: 'object' } }] },
    bindings: { ...keyed, upstream: { ...keyed.upstream, servers: [] } },
    mock: {
      answers: { 'GET /pet': { status: 200, mediaType: 'application/json', example: 0 } },
      examples: [{ id: 7 }],
      schemas: {},
    },
    handlers: `{ beforeRequest: ({ url }) => console.error(url.href) }`,
  });
  const { child, output, exit } = startProject(nowhere, args, env);
  child.stdin.end(lines(hello, call(1, 'getPet')));
  expect(await exit).toBe(0);
  expect(output.stdout).toContain('"content":[{"type":"text","text":"{\\"id\\":7}"}]');
  expect(output.stderr).toBe(`pets: ${mocking}\nhttp://mock.invalid/pet\n`);
  nowhere.remove();
});

const mocking = 'No API and no function is called (--mock): answers are made up from examples and schemas.';
