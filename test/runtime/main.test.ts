// A server as its operator starts it: what flags, variables and .env do, what is said, and how it ends.
import { execFileSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import https from 'node:https';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { api } from '../../templates/runtime/call-api.ts';
import type { ServerDefinition } from '../../templates/runtime/feature.ts';
import { changes } from '../../templates/runtime/features/changes.ts';
import { sse } from '../../templates/runtime/features/sse.ts';
import { tls } from '../../templates/runtime/features/tls.ts';
import { trustedProxies } from '../../templates/runtime/features/trusted-proxies.ts';
import { websocket } from '../../templates/runtime/features/websocket.ts';
import { createHandler, http, readHttpOptions } from '../../templates/runtime/http.ts';
import { run } from '../../templates/runtime/run.ts';
import type { Server } from '../../templates/runtime/server.ts';
import { CORE_SETTINGS, LIMITS } from '../../templates/runtime/settings.ts';
import type { ExtraTool } from '../../templates/runtime/types.ts';
import { httpServer } from '../support/loopback.ts';
import { makeServer, resetLimits } from './core.ts';
import { call, callHead, gate, hello, makeHttpClient, modern, modernCall, modernHead } from './client.ts';
import { ping, ready } from './client.ts';

beforeAll(() => {
  resetLimits();
  LIMITS.httpDrainMs = 2_000;
});
afterAll(resetLimits);

const pem = (name: string): string => fileURLToPath(new URL(`../support/tls/${name}`, import.meta.url));

const binding = (method: string, path: string, tags?: string[], operationId?: string) => ({
  do: { kind: 'http', method, path, operationId, parameters: [] },
  tags,
});
const GENERATED = {
  'catalog.json': JSON.stringify({
    tools: ['getPet', 'addPet'].map((name) => ({
      name,
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: name === 'getPet' },
    })),
    resources: [],
    resourceTemplates: [],
    prompts: [],
  }),
  'bindings.json': JSON.stringify({
    upstream: { servers: [{ url: 'https://pets.example' }], securitySchemes: {} },
    tools: {
      getPet: binding('GET', '/pets/{petId}', ['pets']),
      addPet: binding('POST', '/pets', undefined, 'pets/add'),
    },
    refuses: { MCP_AUTH_ISSUER: 'oauth', '--mock': 'mock' },
    resources: {},
    resourceTemplates: {},
    prompts: {},
    completions: [],
    deselected: [
      { op: ['dropPet', 'pets/drop'], tag: ['admin'], path: ['/pets/{petId}/drop'], method: ['DELETE'] },
    ],
  }),
};

interface Parts extends Partial<ServerDefinition> {
  env?: Record<string, string>;
  home?: URL;
  handler?: ExtraTool['handler'];
  load?: () => Promise<{ server: ServerDefinition }>;
  /** While the code is loaded. */
  onLoad?: (stdout: PassThrough) => void;
}

/** `run` in this process, with streams and signals of its own. */
function start(
  args: string[] = [],
  { env = {}, home, handler = () => 'done', load, onLoad, ...definition }: Parts = {},
) {
  const output = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof output) => {
    const stream = new PassThrough();
    stream.setEncoding('utf8').on('data', (text: string) => (output[name] += text));
    return stream;
  };
  const stdin = new PassThrough();
  const exits: unknown[] = [];
  const host = Object.assign(new EventEmitter(), {
    ...{ stdin, stdout: sink('stdout'), stderr: sink('stderr'), env },
    argv: ['node', 'main.js', ...args],
    exit: (code?: number) => void exits.push(code ?? 'late'),
  });
  const tool = {
    name: 'x',
    inputSchema: { type: 'object' as const },
    annotations: { readOnlyHint: true },
    handler,
  };
  const info = { name: 'pets', version: '1.2.3' };
  const handlers = { extraTools: [tool] };
  const server = {
    info,
    generated: GENERATED,
    features: [api(), http(), tls(), trustedProxies(), changes()],
    handlers,
    ...definition,
  };
  const code = run(
    load ?? (async () => (onLoad?.(host.stdout), { server })),
    host as unknown as NodeJS.Process,
    home && { home },
  );
  onTestFinished(async () => {
    host.emit('SIGTERM');
    await code;
  });
  return { host, stdin, output, exits, code };
}

/** What a client on stdio is answered, and what the log has. */
async function talk(args: string[], parts: Parts = {}, ...messages: object[]) {
  const { stdin, output, code } = start(args, parts);
  stdin.end([hello(), ready, ...messages].map((message) => `${JSON.stringify(message)}\n`).join(''));
  const exit = await code;
  const answers = output.stdout.split('\n').filter((line) => line.startsWith('{'));
  const replies = answers.map(
    (line) =>
      JSON.parse(line) as {
        id?: unknown;
        result?: { tools?: { name: string }[]; content?: { text: string }[] };
      },
  );
  return { exit, replies, ...output };
}

async function startHttp(args: string[] = [], parts: Parts = {}) {
  const started = start(['--transport', 'http', '--port', '0', ...args], parts);
  await expect.poll(() => started.output.stderr).toMatch(/serving (https?:\S+)\n/);
  const url = new URL(/serving (https?:\S+)\n/.exec(started.output.stderr)?.[1] ?? '');
  return { ...started, url, port: Number(url.port), client: makeHttpClient(url.origin) };
}

// The start and the end.

test('over stdio it answers, says what holds, and strays of code go to the log', async () => {
  const handler = (): string => {
    it.host.stdout.write('stray\n');
    return 'quiet';
  };
  const it = start([], { handler, onLoad: (stdout) => void stdout.write('loading\n') });
  it.stdin.write(`${JSON.stringify(hello())}\n${JSON.stringify(ready)}\n${JSON.stringify(call)}\n`);
  await expect.poll(() => it.output.stdout).toContain('quiet');
  it.stdin.end(JSON.stringify(ping));
  expect(await it.code).toBe(0);
  expect(
    it.output.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: unknown }).id),
  ).toEqual(['open', 2, 1]);
  expect(it.output.stderr).toBe(
    'loading\npets: callers: anyone · read-only: off · confirm: off · API: https://pets.example\nstray\n',
  );
  // What code left open keeps the process no longer.
  await expect.poll(() => it.exits).toEqual(['late']);
});

test('what nobody catches is reported, and ends nothing', async () => {
  const it = start();
  it.stdin.write(`${JSON.stringify(hello())}\n`);
  await expect.poll(() => it.output.stderr).toContain('pets: callers');
  for (const event of ['uncaughtException', 'unhandledRejection'])
    it.host.emit(event, new Error(`lost by ${event}`));
  it.stdin.end(JSON.stringify(ping));
  expect(await it.code).toBe(0);
  expect(it.output.stdout).toContain('"id":1');
  expect(it.output.stderr).toMatch(/pets: error: Error: lost by uncaughtException\n {4}at /);
  expect(it.output.stderr).toContain('pets: error: Error: lost by unhandledRejection');
});

test('a client that reads slowly gets what was answered before the end', async () => {
  const it = start([], { handler: () => 'long'.repeat(100_000) });
  it.host.stdout.pause();
  it.stdin.end([hello(), ready, call].map((message) => `${JSON.stringify(message)}\n`).join(''));
  const ended = it.code.then(() => 'ended');
  expect(await Promise.race([ended, sleep(300, 'waits')])).toBe('waits');
  it.host.stdout.resume();
  expect(await it.code).toBe(0);
  expect(it.output.stdout).toMatch(/long"\}\].*\}\n$/);
});

test('an ending of `started` that fails is in the log', async () => {
  const started = () => () => {
    throw new Error('no end');
  };
  const { exit, stderr } = await talk([], { handlers: { started } });
  expect(exit).toBe(0);
  expect(stderr).toMatch(/^pets: error: Error: no end\n {4}at /m);
});

test('a second signal ends it at once, and what lingers is cut off', async () => {
  const it = await startHttp([], { handler: () => new Promise(() => undefined) });
  Object.assign(LIMITS, { httpDrainMs: 300 });
  onTestFinished(() => void Object.assign(LIMITS, { httpDrainMs: 2_000 }));
  const cut = expect(it.client.post(modernCall, callHead)).rejects.toThrow();
  await sleep(50);
  it.host.emit('SIGINT');
  await expect.poll(() => it.output.stderr).toContain('pets: stopping');
  expect(it.exits).toEqual([]);
  it.host.emit('SIGTERM');
  expect(it.exits).toEqual([0]);
  await cut;
  expect(await it.code).toBe(0);
});

test.each<[string, Parts, number, RegExp]>([
  [
    'code that can not be loaded',
    { load: () => Promise.reject(new Error('no such secret')) },
    1,
    /^mcp server: error: Error: no such secret\n {4}at .*main\.test/s,
  ],
  [
    'a `started` that throws',
    { handlers: { started: () => Promise.reject(new Error('no such file')) } },
    1,
    /pets: error: Error: no such file\n/,
  ],
  [
    'code that does not fit',
    { handlers: { tools: { getPets: () => 'x' } } as object },
    2,
    /^pets: src\/handlers\/: there is no tool "getPets" to replace\.\n$/,
  ],
  [
    'a feature that tools need',
    { features: [], generated: { ...GENERATED, 'bindings.json': '{"requires":["api"]}' } },
    2,
    /^pets: src\/server\.ts lacks the feature api/,
  ],
  [
    'a variable of a feature',
    {
      env: { MCP_AUTH_ISSUER: 'a' },
      generated: { ...GENERATED, 'bindings.json': '{"refuses":{"MCP_AUTH_ISSUER":"oauth"}}' },
    },
    2,
    /^pets: MCP_AUTH_ISSUER needs oauth, and this server was generated without it\./,
  ],
])('%s ends the start in words', async (_, parts, exit, words) => {
  const { output, code } = start([], parts);
  expect(await code).toBe(exit);
  expect(output.stderr).toMatch(words);
  expect(output.stdout).toBe('');
});

test.each<[string[], Record<string, string>, RegExp]>([
  [[], { API_TIMEOUT_MS: 'abc' }, /^pets: API_TIMEOUT_MS must be a whole number, 1 to \d+, not abc\.\n$/],
  [['--base-url', 'pets'], {}, /^pets: --base-url must be the base URL of the API/],
  [[], { API_CREDENTIALS: 'no' }, /^pets: API_CREDENTIALS must be required or optional, not no\.\n$/],
])('%j and %j end the start', async (args, env, words) => {
  const { output, code } = start(args, { env });
  expect(await code).toBe(2);
  expect(output.stderr).toMatch(words);
});

test('a flag without a value is unset', async () => {
  const read = (flags: object) => readHttpOptions({ flags, env: {} } as unknown as Server);
  expect(read({ host: '', port: '', path: '' })).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    path: '/mcp',
  });
  expect((await talk(['--transport='], {}, ping)).replies.map(({ id }) => id)).toEqual(['open', 1]);
});

test.each<[string, unknown]>([
  ['no text', { toString: () => ({}) }],
  ['nothing', undefined],
])('%s that is thrown is reported', async (_, thrown) => {
  const { host, output, code } = start([], { load: () => Promise.reject(thrown as Error) });
  expect(await code).toBe(1);
  expect(() => host.emit('uncaughtException', Object.create(null))).not.toThrow();
  expect(output.stderr).toContain('error: ');
});

test('ports and addresses that can not be had end it with 1, in words', async () => {
  const taken = createServer();
  onTestFinished(() => void taken.close());
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const port = String((taken.address() as { port: number }).port);
  for (const [address, reason] of [
    [['127.0.0.1', port], 'EADDRINUSE'],
    [['192.0.2.1', '0'], 'EADDRNOTAVAIL'],
    [['nowhere.invalid', '0'], '(?:ENOTFOUND|EAI_AGAIN)'],
  ] as const) {
    const it = start(['--transport', 'http', '--host', address[0], '--port', address[1]]);
    expect(await it.code).toBe(1);
    expect(it.output.stderr).toMatch(
      new RegExp(
        `^pets: ${address.join(':')} can't be used \\(${reason}\\)\\. Choose another by --port or --host\\.$`,
        'm',
      ),
    );
  }
});

test('on a terminal it says what it is waiting for', async () => {
  const it = start();
  Object.assign(it.stdin, { isTTY: true });
  it.stdin.end();
  await it.code;
  expect(it.output.stderr).toContain(
    'pets: waits for messages on stdin: clients start it themselves. --help says more.\n',
  );
});

test.each<[string[], string]>([
  [['--help'], 'pets 1.2.3, an MCP server\n'],
  [['-h'], 'Exit codes: 0 fine, 1 the server failed, 2 the command line, the environment or src/handlers/'],
  [['--version'], '1.2.3\n'],
])('%j prints and ends', async (args, text) => {
  const { output, code } = start(args);
  expect(await code).toBe(0);
  expect(output.stdout).toContain(text);
  expect(output.stderr).toBe('');
});

test('help names every flag, variable and limit', async () => {
  const { output, code } = start(['--help']);
  await code;
  for (const flag of [
    'transport <stdio|http>',
    'port <n>',
    'include <selector>',
    'read-only, MCP_READ_ONLY ',
    'base-url <url>',
    'dotenv <file>',
    'help ',
  ])
    expect(output.stdout).toContain(`  --${flag}`);
  for (const variable of ['API_TIMEOUT_MS', 'MCP_ALLOWED_ORIGINS'])
    expect(output.stdout).toMatch(new RegExp(`^  ${variable} +\\w`, 'm'));
  for (const variable of ['PORT', 'MCP_READ_ONLY', 'MCP_RATE_LIMIT', 'API_BASE_URL', 'MCP_DOTENV'])
    expect(output.stdout).toMatch(new RegExp(`^  --[^,]+, ${variable} +\\w`, 'm'));
  for (const [name, limit] of Object.entries(LIMITS)) expect(output.stdout).toContain(`${name} ${limit}`);
  expect(output.stdout).toContain('Limits, fixed except callsPerMinute (--rate-limit): bodyBytes ');
});

// Flags and variables.

test.each<[string[], Record<string, string>, string]>([
  [['--transprot', 'http'], {}, "Unknown option '--transprot'. Did you mean --transport?"],
  [['--constructor'], {}, "Unknown option '--constructor'. See --help."],
  [['http'], {}, "Unexpected argument 'http'."],
  [['mock'], {}, 'mock needs mock, and this server was generated without it. Add it: npx mcpgen'],
  [['--port'], {}, "'--port <value>' argument missing"],
  [['--transport', 'udp'], {}, '--transport must be stdio or http, not udp.'],
  [['--transport', 'http', '--port', '70000'], {}, '--port must be a whole number, 0 to 65535, not 70000.'],
  [['--transport', 'http', '--path', '/healthz'], {}, 'and be none of /healthz, /livez, /readyz'],
  [
    ['--transport', 'http'],
    { MCP_ALLOWED_ORIGINS: 'https://a.example, *' },
    'MCP_ALLOWED_ORIGINS must hold origins such as',
  ],
  [
    ['--transport', 'http'],
    { MCP_ALLOWED_HOSTS: 'a.example:80' },
    'MCP_ALLOWED_HOSTS must hold names without ports',
  ],
  [
    ['--transport', 'http'],
    { MCP_TRUSTED_PROXIES: 'proxy.example' },
    'MCP_TRUSTED_PROXIES must hold addresses or blocks, not proxy.example.',
  ],
  [['--transport', 'http'], { MCP_TRUSTED_PROXIES: '10.0.0.0/33' }, 'MCP_TRUSTED_PROXIES'],
  // Anybody could name the address by which it is counted.
  [['--transport', 'http'], { MCP_TRUSTED_PROXIES: '0.0.0.0/0' }, 'MCP_TRUSTED_PROXIES'],
  [
    ['--transport', 'http'],
    { MCP_TLS_CERT: pem('server.pem'), MCP_TLS_KEY: pem('client-key.pem') },
    "MCP_TLS_CERT and its key can't be used: ",
  ],
  [
    ['--transport', 'http'],
    { MCP_TLS_KEY: pem('server-key.pem') },
    'MCP_TLS_KEY is set, and its certificate is not',
  ],
  [
    ['--mock'],
    {},
    '--mock needs mock, and this server was generated without it. Add it: npx mcpgen generate',
  ],
  [
    ['--transport', 'http'],
    { MCP_DRAIN_DELAY_MS: '1.5' },
    'MCP_DRAIN_DELAY_MS must be a whole number, 0 to 3600000, not 1.5.',
  ],
  [['--page-size', '0'], {}, '--page-size must be a whole number, 1 or more, not 0.'],
  [['--rate-limit', 'on'], {}, '--rate-limit must be a whole number, 1 or more'],
  [['--repair', 'no'], {}, '--repair must be on or off, not no.'],
  [[], { MCP_READ_ONLY: 'yes' }, 'MCP_READ_ONLY must be 0 or 1, not yes.'],
  [[], { MCP_SELECTORS: 'loose' }, 'MCP_SELECTORS must be strict or lenient, not loose.'],
  [['--log-level', 'loud'], {}, '--log-level must be'],
  [['--include', 'pets'], {}, 'The selector "pets" must be one of tag:, path:, op:, method: and a value.'],
  [['--exclude', 'op:getPets'], {}, 'The selector "op:getPets" matches nothing. Did you mean op:getPet?'],
  [
    ['--include=op:addPet', '--include=tag:pets'],
    {},
    'Nothing matches each kind of --include that is given: op:, tag:.',
  ],
  [['--exclude', 'tag:Pets'], {}, 'Did you mean tag:pets?'],
  [['--exclude', 'method:POS'], {}, 'Did you mean method:POST?'],
])('%j with %j is a mistake of usage', async (args, env, words) => {
  const { output, code } = start(args, { env });
  expect(await code).toBe(2);
  expect(output.stderr).toContain('pets: ');
  expect(output.stderr).toContain(words);
  expect(output.stdout).toBe('');
});

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
/** What the compiler wrote that the server restricts. */
const guarded = (guards: { readOnly: boolean }) => {
  const catalog = { ...(JSON.parse(GENERATED['catalog.json']) as object), guards };
  return { ...GENERATED, 'catalog.json': JSON.stringify(catalog) };
};

test.each<[string[], Parts, string[]]>([
  [[], {}, ['getPet', 'addPet', 'x']],
  [
    [],
    { env: { API_BASE_URL: '', PORT: '', MCP_RATE_LIMIT: '', MCP_READ_ONLY: '', MCP_SELECTORS: '' } },
    ['getPet', 'addPet', 'x'],
  ],
  [['--include', 'op:*Pet'], {}, ['getPet', 'addPet']],
  [['--include=op:getPet', '--include', 'op:x'], {}, ['getPet', 'x']],
  [['--include', 'tag:pets'], {}, ['getPet']],
  [['--include', 'path:pets/**'], {}, ['getPet']],
  [['--include', 'path:/pets/*', '--include', 'method:get'], {}, ['getPet']],
  [['--exclude', 'method:GET', '--exclude', 'op:x'], {}, ['addPet']],
  [['--include', 'op:*Pet', '--exclude', 'tag:pets', '--exclude', 'method:DELETE'], {}, ['addPet']],
  [
    ['--exclude', 'op:dropPet', '--exclude', 'tag:admin', '--exclude', 'op:pets/drop', '--exclude', 'op:x'],
    {},
    ['getPet', 'addPet'],
  ],
  [
    ['--exclude', 'op:getPets', '--exclude', 'op:x'],
    { env: { MCP_SELECTORS: 'lenient' } },
    ['getPet', 'addPet'],
  ],
  [['--read-only'], {}, ['getPet', 'x']],
  [[], { env: { MCP_READ_ONLY: '1' } }, ['getPet', 'x']],
  [[], { env: { MCP_READ_ONLY: '0' }, readOnly: true }, ['getPet', 'x']],
  [[], { readOnly: false, generated: guarded({ readOnly: true }) }, ['getPet', 'x']],
  [['--page-size', '2'], {}, ['getPet', 'addPet']],
])('%j with %j lists %j', async (args, parts, want) => {
  const { exit, replies } = await talk(args, parts, list);
  expect([exit, replies.at(-1)?.result?.tools?.map(({ name }) => name)]).toEqual([0, want]);
});

test.each<[string[], string, number]>([
  [[], '', 4],
  [['1'], '', 1],
  [[], '2', 2],
  [['2'], '1', 1],
  [['off'], '2', 2],
])('of the limits %j and %j the lower one counts', async (flag, variable, want) => {
  const args = flag.flatMap((limit) => ['--rate-limit', limit]);
  const messages = [2, 3, 4, 5].map((id) => ({ ...call, id }));
  const { replies } = await talk(args, { env: { MCP_RATE_LIMIT: variable } }, ...messages);
  expect(replies.filter(({ result }) => result?.content !== undefined)).toHaveLength(want);
});

test('any variable that is empty is as good as none', async () => {
  const read = async (env: Record<string, string | undefined>) => {
    const reported: unknown[] = [];
    const server = makeServer({ env, flags: { transport: 'http' } }, reported);
    await server.start();
    await server.close();
    return [server.describe(), server.settings, readHttpOptions(server), reported];
  };
  const { features } = makeServer({}, []);
  const settings = [...CORE_SETTINGS, ...features.flatMap((feature) => feature.settings ?? [])];
  const names = settings.flatMap(({ variable = [] }) => variable);
  const set = (value?: string) => ({
    ...Object.fromEntries(names.map((name) => [name, value])),
    // The default is a port that others may use.
    MCP_METRICS_PORT: 'off',
  });
  expect(names.length).toBeGreaterThan(30);
  expect(await read(set(''))).toEqual(await read(set()));
});

test.each<[string, string[]]>([
  ['HTTPS://App.Example', ['https://app.example']],
  [' https://a.example ,,http://b.example:8080', ['https://a.example', 'http://b.example:8080']],
  ['vscode-webview://abc', ['vscode-webview://abc']],
  ['', []],
])('MCP_ALLOWED_ORIGINS=%j is read as browsers write origins', (value, want) => {
  const { allowedOrigins } = readHttpOptions({
    flags: {},
    env: { MCP_ALLOWED_ORIGINS: value },
  } as unknown as Server);
  expect(allowedOrigins).toEqual(want);
});

test('settings of HTTP', () => {
  const read = (flags: object, env: object = {}) => readHttpOptions({ flags, env } as unknown as Server);
  expect(read({})).toEqual({
    host: '127.0.0.1',
    path: '/mcp',
    port: 3000,
    allowedOrigins: [],
    allowedHosts: [],
    drainMs: 0,
  });
  expect(read({ host: '[::1]', port: '1', path: '/' }, { PORT: '2' })).toMatchObject({
    host: '::1',
    port: 1,
    path: '/',
  });
  expect(read({}, { MCP_ALLOWED_HOSTS: '[::1],Other.Example' }).allowedHosts).toEqual([
    '[::1]',
    'other.example',
  ]);
});

// The file of variables.

const SEEN = ['ONE', 'TWO', 'NODE_OPTIONS', 'TLS_CERT_SHOP', 'TLS_KEY_SHOP'];

/** A project's folder, and the variables that its code sees. */
function makeHome() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpgen-home-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{}');
  const read = async (args: string[] = [], env: Record<string, string> = {}, from = folder) => {
    const handler = () =>
      Object.fromEntries(SEEN.filter((name) => Object.hasOwn(env, name)).map((name) => [name, env[name]]));
    const { exit, replies, stderr } = await talk(
      args,
      { env, handler, home: pathToFileURL(`${from}/`) },
      call,
    );
    return { exit, stderr, seen: JSON.parse(replies.at(-1)?.result?.content?.[0]?.text ?? '{}') as object };
  };
  return { folder, file: join(folder, '.env'), read };
}

test('the .env beside package.json is read, and the environment wins unless it is empty', async () => {
  const { file, read } = makeHome();
  writeFileSync(file, '\uFEFFexport ONE="from the file" # so\nTWO=file\n');
  const { seen, stderr } = await read([], { TWO: 'real' });
  expect(seen).toEqual({ ONE: 'from the file', TWO: 'real' });
  expect(stderr).toContain(`: variables are also read from ${file}\n`);
  expect((await read([], { TWO: '' })).seen).toMatchObject({ TWO: 'file' });
  expect((await read([], { MCP_DOTENV: '' })).seen).toMatchObject({ TWO: 'file' });
});

test('a relative path of the .env starts at its folder, and a key that looks like one is none', async () => {
  const { folder, file, read } = makeHome();
  writeFileSync(file, 'ONE=./x\nAPI_KEY_TWO=./x\n');
  const env: Record<string, string> = {};
  await read([], env);
  expect(env).toEqual({ ONE: join(folder, 'x'), API_KEY_TWO: './x' });
});

test('another file may be named, which is read instead', async () => {
  const { folder, file, read } = makeHome();
  writeFileSync(file, 'TWO=beside\n');
  const other = join(folder, 'other.env');
  writeFileSync(other, 'ONE=other\n');
  for (const [args, env] of [
    [['--dotenv', other], {}],
    [[`--dotenv=${other}`], { MCP_DOTENV: '/none' }],
    [[], { MCP_DOTENV: other }],
  ] as [string[], Record<string, string>][])
    expect((await read(args, env)).seen).toEqual({ ONE: 'other' });
});

test('variables of Node, the loader and the file itself come from the environment alone', async () => {
  const { file, read } = makeHome();
  const names = ['LD_PRELOAD', 'MCP_DOTENV', 'NODE_OPTIONS', 'Path', 'node_extra_ca_certs'];
  writeFileSync(file, `${names.map((name) => `${name}=x\n`).join('')}ONE=1\n`);
  const { seen, stderr } = await read();
  expect(seen).toEqual({ ONE: '1' });
  for (const name of names)
    expect(stderr).toContain(`.env can't set ${JSON.stringify(name)}, so that is ignored.`);
});

test('paths in the file count from its folder', async () => {
  const { folder, file, read } = makeHome();
  writeFileSync(file, 'TLS_CERT_SHOP=./certs/a.pem\nTLS_KEY_SHOP="-----BEGIN"\n');
  expect((await read()).seen).toEqual({
    TLS_CERT_SHOP: join(folder, 'certs/a.pem'),
    TLS_KEY_SHOP: '-----BEGIN',
  });
});

test.each<[string, (path: string) => unknown, string]>([
  ['a folder', (path) => mkdirSync(path), 'it is not a regular file'],
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
  ['a path that leads nowhere', () => undefined, 'ENOENT'],
])('%s is a mistake of usage', async (_, make, reason) => {
  const { folder, read } = makeHome();
  const file = join(folder, 'x.env');
  make(file);
  const { exit, stderr } = await read(['--dotenv', file]);
  expect(exit).toBe(2);
  expect(stderr).toContain(`${file} can't be read: ${reason}`);
});

test('below node_modules, and without package.json, no file is read', async () => {
  const { folder, file, read } = makeHome();
  writeFileSync(file, 'ONE=1\n');
  const installed = join(folder, 'node_modules/pets');
  mkdirSync(installed, { recursive: true });
  for (const name of ['.env', 'package.json']) cpSync(join(folder, name), join(installed, name));
  expect((await read([], {}, installed)).seen).toEqual({});
  symlinkSync(installed, join(folder, 'linked'));
  expect((await read([], {}, join(folder, 'linked'))).seen).toEqual({});
  rmSync(join(folder, 'package.json'));
  expect((await read()).seen).toEqual({});
});

// The server that listens.

/** What is answered on one connection, up to its end. */
async function exchangeRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

const PROBE = 'GET /livez HTTP/1.1\r\nHost: a\r\n';

test.each<[string, string, number[]]>([
  ['that may be followed', `${PROBE}\r\n`, [200, 200]],
  ['that says so', `${PROBE}Connection: close\r\n\r\n`, [200]],
  [
    'that would change the protocol',
    `GET /ws HTTP/1.1\r\nHost: a\r\nConnection: close, Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    [403],
  ],
  [
    'whose head is too long',
    `GET /livez HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
    [431],
  ],
  [
    'whose body is too long',
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n`,
    [413],
  ],
])('behind a request %s', async (_, first, want) => {
  const { port } = await startHttp();
  const answer = await exchangeRaw(port, `${first}${PROBE}Connection: close\r\n\r\n`);
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))).toEqual(want);
});

test.each([
  ['as it came', undefined],
  ['as it came, beside `next`', () => undefined],
  ['read by a parser', json],
])('the handler mounts in a server of the person: a body %s', async (_, third) => {
  const extraTools = [{ name: 'x', inputSchema: { type: 'object' }, handler: () => 'done' }];
  const definition = {
    info: { name: 'pets', version: '1.2.3' },
    generated: GENERATED,
    handlers: { extraTools },
  };
  const handle = await createHandler({ ...definition, features: [api(), http()] }, { env: {} });
  const { url, close } = await httpServer((request, response) => {
    if (third !== json) return void handle(request, response, third);
    void json(request).then((body) => handle(request, response, body));
  });
  onTestFinished(() => {
    handle.end();
    return close();
  });
  const client = makeHttpClient(url);
  expect((await client.post(modernCall, callHead)).text).toContain('done');
});

test('connections over the limit are closed before they are heard, and one that ends makes room', async () => {
  LIMITS.connections = 2;
  onTestFinished(() => void (LIMITS.connections = 4_000));
  const { port } = await startHttp();
  const silent = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  onTestFinished(() => silent.forEach((socket) => socket.destroy()));
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  // The connection is reset.
  const ask = () => exchangeRaw(port, `${PROBE}Connection: close\r\n\r\n`).catch(() => '');
  expect(await ask()).toBe('');
  silent[0]?.destroy();
  await expect.poll(ask).toContain('200 OK');
});

test('an address that others reach is said to be one', async () => {
  const { output } = await startHttp(['--host', '0.0.0.0']);
  expect(output.stderr).toContain('pets: warning: bound to 0.0.0.0: whoever can reach it');
  expect((await startHttp()).output.stderr).not.toContain('warning');
});

test('with a certificate it serves HTTPS, and reads it again on SIGHUP', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(folder, name)) as [string, string];
  cpSync(pem('server.pem'), cert);
  cpSync(pem('server-key.pem'), key);
  const { url, port, output, host, code } = await startHttp(['--tls-cert', cert], {
    env: { MCP_TLS_KEY: key },
  });
  expect(url.protocol).toBe('https:');
  const fingerprintOf = async (): Promise<unknown> => {
    const request = https.get({
      port,
      path: '/readyz',
      ca: readFileSync(pem('authority.pem')),
      rejectUnauthorized: false,
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
    return (response.socket as TLSSocket).getPeerCertificate().fingerprint256;
  };
  const first = await fingerprintOf();
  writeFileSync(cert, 'no certificate');
  process.emit('SIGHUP');
  expect(await fingerprintOf()).toBe(first);
  expect(output.stderr).toContain('pets: error: ');
  cpSync(pem('client.pem'), cert);
  cpSync(pem('client-key.pem'), key);
  process.emit('SIGHUP');
  expect(await fingerprintOf()).not.toBe(first);
  host.emit('SIGTERM');
  expect(await code).toBe(0);
});

test('SIGTERM ends it with clients on every transport, once they have their answers', async () => {
  const { open: release, opened } = gate();
  let calls = 0;
  const handler = () => (calls++, opened.then(() => 'late'));
  const features = [api(), http(), sse(), websocket()];
  const it = await startHttp(['--sse', '--ws'], { handler, features });
  const { client } = it;
  const session = await client.open();
  const heard = await client.listen(session);
  const subscription = await client.stream(
    modern('subscriptions/listen', { notifications: {} }),
    modernHead('subscriptions/listen'),
  );
  const events = await client.listen({}, '/sse');
  const endpoint = (await events.next())?.data ?? '';
  const socket = new WebSocket(`ws://127.0.0.1:${it.port}/ws`, 'mcp');
  const [texts, closed] = [[] as string[], once(socket, 'close')];
  socket.on('message', (data: Buffer) => texts.push(data.toString()));
  await once(socket, 'open');
  const head = { 'content-type': 'application/json' };
  for (const message of [hello(), ready, call]) {
    await client.send('POST', endpoint, head, JSON.stringify(message));
    socket.send(JSON.stringify(message));
  }
  const answers = [client.post(call, session), client.post(modernCall, callHead)];
  await expect.poll(() => calls).toBe(4);
  it.host.emit('SIGTERM');
  await expect.poll(() => it.output.stderr).toContain('pets: stopping');
  release();
  for (const answer of answers) expect((await answer).text).toContain('late');
  expect(await it.code).toBe(0);
  // Connections that are cut off at the end of the time would break off.
  await Promise.all([heard, subscription, events].map(({ rest }) => rest()));
  expect([heard, subscription, events].map(({ seen }) => seen.isWhole)).toEqual([true, true, true]);
  expect(events.seen.text).toContain('late');
  expect([texts.at(-1), (await closed)[0]]).toEqual([expect.stringContaining('late'), 1001]);
});

test('SIGTERM lets a call finish whose client is gone', async () => {
  const { open: release, opened } = gate();
  const calls: string[] = [];
  const handler = async () => {
    calls.push('begun');
    await opened;
    await sleep(50);
    calls.push('done');
    return 'late';
  };
  const it = await startHttp([], { handler });
  const session = await it.client.open();
  const client = request(new URL('/mcp', it.url), {
    method: 'POST',
    agent: false,
    headers: {
      ...session,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
  });
  client.on('error', () => undefined).end(JSON.stringify(call));
  await expect.poll(() => calls).toEqual(['begun']);
  client.destroy();
  it.host.emit('SIGTERM');
  await expect.poll(() => it.output.stderr).toContain('pets: stopping');
  release();
  expect(await it.code).toBe(0);
  expect(calls).toEqual(['begun', 'done']);
  expect(it.output.stderr).not.toContain('cut off');
});

test('while it drains it is not ready, takes calls and closes their connections; then it ends', async () => {
  const { open: release, opened } = gate();
  let calls = 0;
  const it = await startHttp([], {
    env: { MCP_DRAIN_DELAY_MS: '300' },
    handler: () => (calls++ === 0 ? opened.then(() => 'late') : 'quick'),
  });
  const { client, output, code } = it;
  const late = client.post(modernCall, callHead);
  await expect.poll(() => calls).toBe(1);
  it.host.emit('SIGTERM');
  await expect.poll(async () => (await client.send('GET', '/readyz', {})).status).toBe(503);
  const during = await client.post(modernCall, { ...callHead, connection: 'keep-alive' });
  expect([during.status, during.headers.connection]).toEqual([200, 'close']);
  expect((await client.post(hello())).status).toBe(200);
  expect(output.stderr).toContain(
    'pets: draining: /readyz answers 503, and requests are taken for 300 ms more\n',
  );
  await expect.poll(() => output.stderr).toContain('pets: stopping\n');
  release();
  expect((await late).text).toContain('late');
  expect(await code).toBe(0);
  await expect(client.post(modernCall, callHead)).rejects.toThrow('ECONNREFUSED');
});
