// A person signs in to an API over stdio: official clients, an authorization server that others wrote, and an emitted server.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Check } from '../../src/doctor/check.ts';
import { MODERN_REVISION } from '../support/message-checks.ts';
import {
  type AuthorizationServer,
  clickThrough,
  startAuthorizationServer,
} from './support/authorization-server.ts';
import { mcpgenHere, serverNode } from './support/command.ts';
import { folderForTest, temporaryFolder } from './support/project.ts';
import { connect, type Line } from './support/talker.ts';

const LINES: Line[] = [
  { generation: 'sdk 1.x', transport: 'stdio', revision: '2025-11-25' },
  { generation: 'client 2.x', transport: 'stdio', revision: '2025-11-25' },
  { generation: 'client 2.x', transport: 'stdio', revision: MODERN_REVISION },
];
const MODERN = LINES.slice(2) as [Line];
const RESOURCE = 'https://notes.example';
const PAGE = /^error: Nothing was sent: the API needs its user to sign in\. Ask the user to open (http:\S+)/;
const BOTH = 'notes:read notes:write';

/** Returns the folder of the project, in one of its own. */
async function compile(document: object, ...args: string[]): Promise<string> {
  const cwd = await temporaryFolder();
  writeFileSync(path.join(cwd, 'notes.json'), JSON.stringify(document));
  const { code, stderr } = await mcpgenHere(['openapi', 'notes.json', '-o', 'out', ...args], { cwd });
  if (code !== 0) throw new Error(stderr);
  return path.join(cwd, 'out');
}

/** Seconds: a token is used for half of them. */
const LIFE = 4;

let authorization: AuthorizationServer;
let keys: ReturnType<typeof createRemoteJWKSet>;
let project: string;
/** Answers with the scopes of a token of the authorization server, if they are enough. */
const api = createServer(({ method, headers }, response) => {
  const { issuer } = authorization;
  const token = String(headers['authorization']).replace(/^Bearer /, '');
  void jwtVerify(token, keys, { issuer, audience: RESOURCE })
    .then(({ payload }) => {
      const scopes = String(payload['scope']).split(' ').sort();
      const isAllowed = scopes.includes(method === 'GET' ? 'notes:read' : 'notes:write');
      response.writeHead(isAllowed ? 200 : 403, { 'content-type': 'application/json' });
      response.end(JSON.stringify(scopes.join(' ')));
    })
    .catch(() => response.writeHead(401).end());
});

beforeAll(async () => {
  authorization = await startAuthorizationServer(BOTH, LIFE);
  keys = createRemoteJWKSet(new URL(`${authorization.issuer}/jwks`));
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const operation = (operationId: string, scope: string) => ({
    operationId,
    security: [{ account: [scope] }],
    responses: { 200: { description: 'Fine.' } },
  });
  const account = {
    type: 'openIdConnect',
    openIdConnectUrl: `${authorization.issuer}/.well-known/openid-configuration`,
    'x-mcp': { login: { resource: RESOURCE } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1.0.0' },
    servers: [{ url: `http://127.0.0.1:${(api.address() as AddressInfo).port}` }],
    paths: { '/notes': { get: operation('read', 'notes:read'), post: operation('add', 'notes:write') } },
    components: { securitySchemes: { account } },
  };
  project = await compile(document, '--feature', 'login');
});

afterAll(async () => {
  authorization.close();
  api.close().closeAllConnections();
  await rm(path.dirname(project), { recursive: true, force: true });
});

/** A person with a state folder of their own. */
async function makePerson() {
  const cwd = project;
  const state = await folderForTest();
  const main = path.join(project, 'dist/main.js');
  const env = { PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: state, OAUTH_CLIENT_ID_ACCOUNT: 'notes' };
  return {
    /** A server, and its client. */
    start: (line: Line, more: Record<string, string> = {}, show?: (url: string) => void) => {
      const stdio = { command: serverNode, args: [main], env: { ...env, ...more }, cwd };
      return connect(line, { stdio, origin: '' }, show);
    },
    doctor: async (check = 'login') => {
      const { stdout } = await mcpgenHere(['doctor', '.', '--json'], { cwd, env });
      const { result } = JSON.parse(stdout) as { result: { checks: Check[] } };
      return result.checks.find(({ name }) => name === check);
    },
    /** `notes-mcp <command>`: its last line. */
    run: async (command: string) => {
      const child = spawn(serverNode, [main, command], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      let last = '';
      for await (const line of createInterface(child.stdout)) {
        const [url] = /http:\S+/.exec((last = line)) ?? [];
        if (url !== undefined) await clickThrough(new URL(url));
      }
      return last;
    },
    filesWith: (end: string) => {
      const logins = path.join(state, 'mcpgen-logins');
      const names = readdirSync(logins).filter((name) => name.endsWith(end));
      return names.map((name) => path.join(logins, name));
    },
  };
}

test.each([
  ['code', true],
  ['code', false],
  ['device', true],
  ['device', false],
])(
  'each client signs in by the flow %s, and again for more scopes; it shows pages: %j',
  async (flow, shows) => {
    const { start } = await makePerson();
    const agree = (url = ''): Promise<URL> => clickThrough(new URL(url));
    const show = shows ? (url: string): void => void agree(url) : undefined;
    const answers = LINES.map(async (line) => {
      const talker = await start(line, { MCP_LOGIN_FLOW: flow }, show);
      const call = async (name: string): Promise<string> => {
        const text = await talker.call(name);
        if (shows) return text;
        expect(text).toContain(
          flow === 'code' ? ' in a browser on this machine, then' : ' in a browser and enter',
        );
        await agree(PAGE.exec(text)?.[1]);
        return talker.call(name);
      };
      return [await call('read'), await call('add'), await talker.call('read')];
    });
    const want = ['notes:read', BOTH, BOTH].map((text) => JSON.stringify(text));
    expect(await Promise.all(answers)).toEqual(LINES.map(() => want));
  },
);

test('two processes share a login that ends soon: each refresh token is spent once, and none outlives the logout', async () => {
  const { start, run, doctor, filesWith } = await makePerson();
  expect(await doctor()).toMatchObject({
    state: 'failed',
    says: expect.stringMatching(/: account: not signed in\.$/),
  });
  expect(await run('login')).toMatch(/^account: signed in until 20/);
  expect(await doctor()).toMatchObject({ state: 'ok', says: expect.stringContaining('; scopes: notes:') });
  const [file = ''] = filesWith('.json');
  const login = readFileSync(file, 'utf8');
  writeFileSync(file, login.replaceAll(/\["notes:read.*?\]/g, '[]'));
  const next = 'sign in: `node dist/main.js login` in the folder';
  expect(await doctor('credentials')).toMatchObject({
    says: 'read: the API needs its user to sign in',
    next,
  });
  writeFileSync(file, login);
  const refreshTokenOf = (): string =>
    (/"refresh":"([^"]+)"/.exec(readFileSync(file, 'utf8')) ?? [])[1] ?? '';
  const spent = [refreshTokenOf()];
  const talkers = await Promise.all([LINES[0], LINES[2]].map((line) => start(line as Line)));
  for (let round = 0; round < 2; round++) {
    await sleep(LIFE * 500 + 100);
    const calls = talkers.flatMap(({ call }) => Array.from({ length: 25 }, () => call('read')));
    // Who spends one twice loses the whole login there.
    expect(new Set(await Promise.all(calls))).toEqual(new Set([JSON.stringify(BOTH)]));
    spent.push(refreshTokenOf());
  }
  expect(new Set(spent).size).toBe(3);
  const { RefreshToken } = authorization.provider;
  expect(await RefreshToken.find(spent[2] ?? '')).toBeDefined();
  expect(await run('logout')).toBe('account: signed out.');
  expect([await RefreshToken.find(spent[2] ?? ''), filesWith('')]).toEqual([undefined, []]);
  expect(await talkers[0]?.call('read')).toMatch(PAGE);
});

test.each<[step: string, grant: 'login' | 'renewal', at: 'asked' | 'answered', isKept: boolean]>([
  ['the code is on its way', 'login', 'asked', false],
  ['the tokens come', 'login', 'answered', false],
  ['the refresh token is on its way', 'renewal', 'asked', true],
  ['the new tokens come', 'renewal', 'answered', false],
])('a server that is killed while %s stops nobody', async (_, grant, at, isKept) => {
  const { start, run, filesWith } = await makePerson();
  const remember = { MCP_LOGIN_REMEMBER: '1' };
  if (grant === 'renewal') {
    await run('login');
    const [file = ''] = filesWith('.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"until":\d+/, '"until":0'));
  }
  const { client, call } = await start(...MODERN, remember);
  const closed = new Promise<void>((resolve) => (client.onclose = resolve));
  const kill = (): void => void process.kill((client.transport as StdioClientTransport).pid ?? 0, 'SIGKILL');
  authorization.onTokens = (step) => {
    if (step !== at) return Promise.resolve();
    kill();
    return new Promise(() => undefined);
  };
  const text = await call('read').catch(() => '');
  const [, page = ''] = PAGE.exec(text) ?? [];
  if (grant === 'login') await clickThrough(new URL(page)).catch(() => undefined);
  await closed;
  authorization.onTokens = () => Promise.resolve();
  // Nobody waits in a test until a lock is stale.
  if (grant === 'renewal') for (const lock of filesWith('.lock')) utimesSync(lock, 0, 0);
  const next = await start(...MODERN, remember);
  const first = await next.call('read');
  if (!isKept) await clickThrough(new URL(PAGE.exec(first)?.[1] ?? ''));
  expect(isKept ? first : await next.call('read')).toContain('notes:read');
  expect(filesWith('').length).toBe(1);
});
