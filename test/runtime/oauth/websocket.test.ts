// A WebSocket is opened by a token, acts for its caller, and ends with it.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createServer } from '../../../templates/runtime/core/server-instance.ts';
import { MemoryState } from '../../../templates/runtime/core/shared-state.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import { DEFAULT_LIMITS as limits } from '../../../templates/runtime/contract/feature.ts';
import { createIssuerClient } from '../../../templates/runtime/oauth/ask-issuer.ts';
import { AUTH_LIMITS, parseAuthSettings } from '../../../templates/runtime/oauth/settings.ts';
import { openTokenBinding } from '../../../templates/runtime/oauth/dpop/index.ts';
import * as runtime from '../../../templates/runtime/oauth/index.ts';
import { ResourceGuard } from '../../../templates/runtime/oauth/resource-guard.ts';
import { serveHttp } from '../../../templates/runtime/transports/http/serve-http.ts';
import { WebSocketTransport } from '../../../templates/runtime/transports/websocket/websocket-transport.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { newCatalog } from '../core/harness.ts';
import { newProver } from './dpop/prover.ts';
import { initialize } from './guarded.ts';
import { AUDIENCE, introspection, type Issuer, seconds, startIssuer } from './issuer.ts';

const report = (): void => undefined;

async function serve(issuer: Issuer, more: { scopes?: string[]; env?: Record<string, string> } = {}) {
  const counted = { calls: 0 };
  const { scopes = [] } = more;
  const auth = { runtime: () => Promise.resolve(runtime), scopes };
  const handler = (): string => `call ${(counted.calls += 1)}`;
  const tools = [{ name: 'x', inputSchema: { type: 'object' as const }, scopes: ['write'], handler }];
  const server = createServer({
    definition: { info: { name: 'test', version: '1' }, auth, handlers: { extraTools: tools } },
    catalog: newCatalog({}),
    readBindings: () => '{"tools":{}}',
    env: {},
    limits,
    report,
  });
  const env = { MCP_AUTH_ISSUER: issuer.url, MCP_AUTH_AUDIENCE: AUDIENCE, ...more.env };
  const settings = parseAuthSettings(env);
  const { resource } = settings;
  const started = Date.now() - 60_000;
  let isOpen = false;
  const now = (): number => (isOpen ? Date.now() : started);
  const binding = openTokenBinding({ env, resource, paths: ['/ws'], shared: new MemoryState(), now });
  isOpen = true;
  const guard = new ResourceGuard({
    definition: auth,
    info: server.info,
    settings,
    binding,
    ask: createIssuerClient({}),
    paths: ['/ws'],
    scopes: ['write'],
    limits: { ...AUTH_LIMITS, introspectionMs: 10 },
    report,
  });
  const transport = new WebSocketTransport({
    core: createCheckedCore(server),
    limits,
    rules: { host: '127.0.0.1', allowedOrigins: [], path: '/ws' },
    openSession: () => new Session(),
    guard,
    report,
  });
  const options = { host: '127.0.0.1', port: 0, limits, upgrade: transport.upgrade };
  const listener = await serveHttp(async (_, response) => void response.end(), options);
  onTestFinished(async () => void (await Promise.all([transport.stop(), listener.close()])));
  const connect = (headers: Record<string, string>): WebSocket => {
    const client = new WebSocket(`${listener.url.replace('http', 'ws')}/ws`, 'mcp', { headers });
    // Of a refused one: it is terminated before it was open.
    client.on('error', () => undefined);
    onTestFinished(() => client.terminate());
    return client;
  };
  return { connect, counted };
}

test.each<[string, (issuer: Issuer) => Promise<Record<string, string>>, number]>([
  ['no token', () => Promise.resolve({}), 401],
  ['an expired one', async (i) => ({ authorization: `Bearer ${await i.token({ exp: seconds(-60) })}` }), 401],
  ['one for others', async (i) => ({ authorization: `Bearer ${await i.token({ aud: 'x' })}` }), 401],
  [
    'a foreign origin',
    async (i) => ({ authorization: `Bearer ${await i.token()}`, origin: 'https://evil.test' }),
    403,
  ],
])('a socket with %s is not opened', async (_, headersOf, status) => {
  const issuer = await startIssuer();
  const { connect } = await serve(issuer);
  const client = connect(await headersOf(issuer));
  const [, response] = (await once(client, 'unexpected-response')) as [unknown, IncomingMessage];
  expect(response.statusCode).toBe(status);
  const challenge = response.headers['www-authenticate'];
  expect(challenge?.startsWith('Bearer ') ?? false).toBe(status === 401);
});

async function ask(client: WebSocket, message: object): Promise<unknown> {
  client.send(JSON.stringify(message));
  const [data] = (await once(client, 'message')) as [Buffer];
  return JSON.parse(String(data));
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } };

test.each([
  ['read', { error: { code: -32600, data: { requiredScopes: ['write'] } } }, 0],
  ['write', { result: { content: [{ text: 'call 1' }] } }, 1],
])('a call by a token with the scope %s', async (scope, answer, calls) => {
  const issuer = await startIssuer();
  const { connect, counted } = await serve(issuer);
  const client = connect({ authorization: `Bearer ${await issuer.token({ scope })}` });
  await once(client, 'open');
  await ask(client, initialize);
  client.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  expect(await ask(client, call)).toMatchObject(answer);
  expect(counted.calls).toBe(calls);
});

test('a socket ends with its token', async () => {
  const issuer = await startIssuer();
  const { connect } = await serve(issuer);
  // Taken for its tolerance, and over at once.
  const client = connect({ authorization: `Bearer ${await issuer.token({ exp: seconds(-2) })}` });
  const [code, reason] = (await once(client, 'close')) as [number, Buffer];
  expect([code, String(reason)]).toEqual([1008, 'The token has expired.']);
});

test('a socket goes on from look to look, and is closed when its token is revoked', async () => {
  const issuer = await startIssuer();
  issuer.opaque['opaque'] = { active: true, sub: 'bob', aud: AUDIENCE };
  const { connect } = await serve(issuer, { env: introspection(issuer) });
  const client = connect({ authorization: 'Bearer opaque' });
  await once(client, 'open');
  const looks = () => issuer.asked.filter((path) => path === '/introspect').length;
  const opened = looks();
  await vi.waitUntil(() => looks() >= opened + 3);
  expect(await ask(client, initialize)).toMatchObject({ id: 'i', result: {} });
  issuer.opaque['opaque'] = { active: false };
  const [code, reason] = (await once(client, 'close')) as [number, Buffer];
  expect([code, String(reason)]).toEqual([1008, 'The token is not valid any more.']);
});

test('a socket is not opened without the scopes of every request', async () => {
  const issuer = await startIssuer();
  const { connect } = await serve(issuer, { scopes: ['base'] });
  const client = connect({ authorization: `Bearer ${await issuer.token({ scope: 'write' })}` });
  const [, response] = (await once(client, 'unexpected-response')) as [unknown, IncomingMessage];
  expect(response.statusCode).toBe(403);
  expect(response.headers['www-authenticate']).toContain('scope="base write"');
});

test.each(['wss://mcp.test/ws', 'https://mcp.test/ws'])(
  'a socket is opened by a bound token with a proof for %s, once',
  async (htu) => {
    const issuer = await startIssuer();
    const prover = await newProver();
    const { connect } = await serve(issuer, {
      env: { MCP_AUTH_DPOP: 'allowed', MCP_AUTH_RESOURCE: 'https://mcp.test' },
    });
    const headers = await prover.headers(await issuer.token({ cnf: { jkt: prover.jkt } }), {
      htm: 'GET',
      htu,
    });
    const client = connect(headers);
    await once(client, 'open');
    // The socket goes on without further proofs.
    expect(await ask(client, initialize)).toMatchObject({ id: 'i', result: {} });
    const [, response] = (await once(connect(headers), 'unexpected-response')) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toMatch(/^DPoP error="invalid_dpop_proof"/);
  },
);
