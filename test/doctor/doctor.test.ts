// `doctor` over set-ups that are broken in one way each: it names the cause and the next step, and keeps secrets.
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Check } from '../../src/doctor/check.ts';
import { type Desk, makeDesk } from '../install/support.ts';

let desk: Desk;
const closers: (() => void)[] = [];
beforeEach(async () => {
  desk = await makeDesk();
});
afterEach(() => {
  closers.splice(0).forEach((close) => close());
});

async function listen(
  server: {
    listen: (port: number, host: string) => unknown;
    address: () => unknown;
    close: () => unknown;
  },
  host = '127.0.0.1',
): Promise<number> {
  server.listen(0, host);
  await once(server as unknown as NodeJS.EventEmitter, 'listening');
  closers.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function api(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  closers.push(() => server.closeAllConnections());
  return `http://127.0.0.1:${String(await listen(server))}/v1`;
}

const SECRET = 'hush-4d2c1b0a9f8e7d6c';

const pets: RequestListener = (request, response) => {
  if (request.headers['x-shop-key'] !== SECRET) response.statusCode = 401;
  response.setHeader('content-type', 'application/json').end('{"pets":[],"available":1,"orders":[]}');
};

async function examine(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ exitCode: number; checks: Check[]; find: (name: string) => Check; said: string }> {
  const { exitCode, stdout, stderr } = await desk.run(['doctor', 'pets', '--json', ...args], { env });
  expect(stdout + stderr).not.toContain(SECRET);
  const { result } = JSON.parse(stdout) as { result: { checks: Check[] } };
  const find = (name: string): Check => {
    const found = result.checks.find((check) => check.name === name);
    if (found === undefined) throw new Error(`There is no check ${name}.`);
    return found;
  };
  return { exitCode, checks: result.checks, find, said: stdout };
}

/** All failed checks, by name. */
function failures(checks: readonly Check[]): string[] {
  return checks.filter(({ state }) => state === 'failed').map(({ name }) => name);
}

test('a server that works has no problem', async () => {
  const url = await api(pets);
  desk.lay(join(desk.cwd, 'pets/.env'), `API_BASE_URL=${url}\nAPI_KEY_SHOPKEY=${SECRET}\n`);
  await desk.run(['install', 'pets', '--client', 'cursor']);
  const { exitCode, checks, find } = await examine({});
  expect(failures(checks)).toEqual([]);
  expect(exitCode).toBe(0);
  expect(checks.map(({ name }) => name)).toEqual([
    ...['Node.js', 'project', 'lock', 'build', 'base URL', 'start', 'credentials', 'client Cursor'],
  ]);
  expect(find('credentials').says).toMatch(/is answered$/);
  expect(find('client Cursor').says).toBe('"petstore-mcp" in home/.cursor/mcp.json');
});

test('variables of credentials that are not set are named, though a tool is answered without them', async () => {
  const url = await api((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"pets":[],"available":1,"orders":[]}');
  });
  const { exitCode, find } = await examine({ API_BASE_URL: url, API_KEY_SHOPKEY: '' });
  expect(exitCode).toBe(0);
  expect(find('credentials').says).toMatch(/is answered; not set: API_KEY_SHOPKEY$/);
  const set = await examine({ API_BASE_URL: url, API_KEY_SHOPKEY: SECRET });
  expect(set.find('credentials').says).toMatch(/is answered$/);
});

test('a server that all clients start with --mock needs no API, but the feature', async () => {
  await desk.run(['install', 'pets', '--client', 'cursor,codex', '--', '--mock']);
  const without = await examine(NO_API);
  expect(failures(without.checks)).toEqual(['start']);
  expect(without.find('start').says).toContain('mcpgen generate --feature mock');
  await desk.run(['generate', 'pets', '--feature', 'mock']);
  const { exitCode, checks, find } = await examine(NO_API);
  expect(failures(checks)).toEqual([]);
  expect(exitCode).toBe(0);
  expect(find('base URL').says).toContain('--mock');
  expect(find('credentials')).toMatchObject({ state: 'skipped', says: find('base URL').says });

  await desk.run(['install', 'pets', '--client', 'cursor', '--name', 'real']);
  expect(failures((await examine(NO_API)).checks)).toEqual(['base URL']);
});

interface Broken {
  what: string;
  /** Breaks it, and returns the environment. */
  break: () => Promise<Record<string, string>> | Record<string, string>;
  check: string;
  says: RegExp;
  next: RegExp;
  args?: string[];
}

const inProject = (path: string): string => join(desk.cwd, 'pets', path);

const NO_API = { API_BASE_URL: 'http://127.0.0.1:9' };

const BROKEN: Broken[] = [
  {
    what: 'no build',
    break: () => (rmSync(inProject('dist'), { recursive: true }), NO_API),
    check: 'build',
    says: /dist\/main\.js does not exist/,
    next: /mcpgen generate pets/,
  },
  {
    what: 'a handler that was not built',
    break: () => (writeFileSync(inProject('src/handlers/extra.ts'), 'export const a = 1;\n'), NO_API),
    check: 'build',
    says: /src\/handlers\/extra\.ts has changed since dist\/ was built/,
    next: /mcpgen generate pets/,
  },
  {
    what: 'a lock with marks of a merge',
    break: () => (writeFileSync(inProject('mcpgen.lock'), '<<<<<<< HEAD\n{}\n'), NO_API),
    check: 'lock',
    says: /mcpgen\.lock/,
    next: /./,
  },
  {
    what: 'a catalog that is missing',
    break: () => (rmSync(inProject('src/generated/catalog.json')), NO_API),
    check: 'project',
    says: /src\/generated\/catalog\.json is missing/,
    next: /mcpgen generate pets/,
  },
  {
    what: 'handlers that throw',
    break: () => {
      writeFileSync(
        inProject('dist/handlers/index.js'),
        "export const handlers = {};\nthrow new Error('no database');\n",
      );
      return NO_API;
    },
    check: 'start',
    says: /no database/,
    next: /node dist\/main\.js/,
  },
  {
    what: 'an API that does not run',
    break: () => ({ API_BASE_URL: `http://ada:${SECRET}@127.0.0.1:9/v1?key=${SECRET}` }),
    check: 'base URL',
    says: /127\.0\.0\.1:9.*: it refuses connections/,
    next: /API_BASE_URL/,
  },
  {
    what: 'a base URL that is none',
    break: () => ({ API_BASE_URL: 'petstore' }),
    check: 'base URL',
    says: /API_BASE_URL is not a URL/,
    next: /set API_BASE_URL in \.env/,
  },
  {
    what: 'credentials that are wrong',
    break: async () => ({ API_BASE_URL: await api(pets), API_KEY_SHOPKEY: `${SECRET}x` }),
    check: 'credentials',
    says: /the API answers 401/,
    next: /Check API_KEY_SHOPKEY/,
  },
  {
    what: 'a client that starts the project where it was',
    break: () => {
      const entry = { command: process.execPath, args: ['/gone/pets/dist/main.js'] };
      desk.lay(desk.path('zed'), JSON.stringify({ context_servers: { 'petstore-mcp': entry } }));
      return NO_API;
    },
    check: 'client Zed',
    says: /starts \/gone\/pets\/dist\/main\.js, which does not exist/,
    next: /mcpgen install pets --client zed --scope user --name petstore-mcp --force/,
  },
  {
    what: 'a client with a Node.js that is gone, and a name that a shell would run',
    break: () => {
      const entry = { command: '/gone/bin/node', args: [inProject('dist/main.js')] };
      desk.lay(desk.path('gemini'), JSON.stringify({ mcpServers: { 'x$(id)': entry } }));
      return NO_API;
    },
    check: 'client Gemini CLI',
    says: /"x\$\(id\)" in .* starts \/gone\/bin\/node/,
    next: /mcpgen install .* --name 'x\$\(id\)' /,
  },
  {
    what: 'a client whose file is broken',
    break: () => (desk.lay(desk.path('windsurf'), '{ "mcpServers": '), NO_API),
    check: 'client Windsurf',
    says: /mcp_config\.json:1:17: it is no JSON/,
    next: /Correct it there/,
  },
];

test.each(BROKEN)('$what', async ({ break: prepare, check, says, next, args = [] }) => {
  const { exitCode, find } = await examine(await prepare(), ...args);
  expect(find(check)).toEqual({
    name: check,
    state: 'failed',
    says: expect.stringMatching(says) as string,
    next: expect.stringMatching(next) as string,
  });
  expect(exitCode).toBe(1);
});

test('nothing is sent to an origin that the lock does not name, and no server is started', async () => {
  let requests = 0;
  const url = await api((request, response) => {
    requests += 1;
    pets(request, response);
  });
  const file = join(desk.cwd, 'pets/src/generated/bindings.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/https:\/\/[\w.]+/g, new URL(url).origin));
  const { checks, find } = await examine({ API_KEY_SHOPKEY: SECRET });
  expect(find('requests')).toMatchObject({
    state: 'failed',
    says: expect.stringContaining(url.slice(0, -3)) as string,
  });
  expect(checks.map(({ name }) => name)).not.toContain('start');
  expect(requests).toBe(0);
});

test('--no-code runs nothing, and asks nothing of addresses that the project names', async () => {
  let asked = 0;
  const url = await api((request, response) => {
    asked += 1;
    pets(request, response);
  });
  writeFileSync(inProject('.env'), `API_BASE_URL=${url}\n`);
  rmSync(inProject('mcpgen.config.json'), { force: true });
  writeFileSync(
    inProject('mcpgen.config.json'),
    JSON.stringify({ source: `${url}/openapi.yaml`, output: '.' }),
  );
  const { find } = await examine({}, '--no-code');
  expect(asked).toBe(0);
  expect(find('base URL').says).toContain('the address comes from the project');
  for (const name of ['base URL', 'start', 'credentials']) expect(find(name).state).toBe('skipped');
  expect((await examine({ API_BASE_URL: url }, '--no-code')).find('base URL').state).toBe('ok');
});

test('names and answers of a project control no terminal', async () => {
  const file = inProject('src/generated/bindings.json');
  const { tools, upstream } = JSON.parse(readFileSync(file, 'utf8')) as {
    tools: Record<string, { do: object }>;
    upstream: object;
  };
  const apis = [{ ...upstream, name: 'pets\u001b]0;owned\u0007\n✓ all is well' }];
  writeFileSync(file, JSON.stringify({ tools, apis }));
  const { stdout } = await desk.run(['doctor', 'pets', '--no-code']);
  expect(stdout).not.toMatch(/[\u001b\u0007]|^✓ all is well/m);
});
