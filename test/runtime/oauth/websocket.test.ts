// A WebSocket is opened by a token, acts for its caller, and ends with it.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { call, ready } from '../client.ts';
import { newProver } from './dpop/prover.ts';
import { type GuardedOptions, initialize, startGuarded } from './guarded.ts';
import { AUDIENCE, introspection, type Issuer, seconds, startIssuer } from './issuer.ts';

async function open(issuer: Issuer, options: GuardedOptions = {}) {
  const tool = { scopes: ['write'] };
  const server = await startGuarded(issuer, { flags: { ws: true }, scopes: ['write'], tool, ...options });
  const connect = (headers: Record<string, string>): WebSocket => {
    const client = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, 'mcp', { headers });
    // Of a refused one: it is terminated before it was open.
    client.on('error', () => undefined);
    onTestFinished(() => client.terminate());
    return client;
  };
  const refusal = async (headers: Record<string, string>): Promise<string> => {
    const [, response] = (await once(connect(headers), 'unexpected-response')) as [unknown, IncomingMessage];
    return `${response.statusCode} ${response.headers['www-authenticate'] ?? ''}`;
  };
  return { ...server, connect, refusal };
}

async function ask(client: WebSocket, message: object): Promise<unknown> {
  client.send(JSON.stringify(message));
  const [data] = (await once(client, 'message')) as [Buffer];
  return JSON.parse(String(data));
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test.each<[string, (issuer: Issuer) => Promise<Record<string, string>>, GuardedOptions, RegExp]>([
  ['no token', async () => ({}), {}, /^401 Bearer /],
  ['an expired one', async (i) => bearer(await i.token({ exp: seconds(-60) })), {}, /^401 Bearer /],
  [
    'none of the scopes of every request',
    async (i) => bearer(await i.token({ scope: 'write' })),
    { auth: { scopes: ['base'] } },
    /^403 Bearer .*scope="base write"/,
  ],
])('a socket with %s is not opened', async (_, headersOf, options, words) => {
  const issuer = await startIssuer();
  const { refusal } = await open(issuer, options);
  expect(await refusal(await headersOf(issuer))).toMatch(words);
});

test.each([
  ['read', { error: { code: -32600, data: { requiredScopes: ['write'] } } }, 0],
  ['write', { result: { content: [{ text: 'done' }] } }, 1],
])('a call by a token with the scope %s', async (scope, answer, calls) => {
  const issuer = await startIssuer();
  const { connect, counted } = await open(issuer);
  const client = connect(bearer(await issuer.token({ scope })));
  await once(client, 'open');
  await ask(client, initialize);
  client.send(JSON.stringify(ready));
  expect(await ask(client, call)).toMatchObject(answer);
  expect(counted.calls).toBe(calls);
});

test('a socket goes on from look to look, and is closed when its token is revoked', async () => {
  const issuer = await startIssuer();
  issuer.opaque['opaque'] = { active: true, sub: 'bob', aud: AUDIENCE };
  const { connect } = await open(issuer, { env: introspection(issuer), authLimits: { introspectionMs: 10 } });
  const client = connect(bearer('opaque'));
  await once(client, 'open');
  const looks = () => issuer.asked.filter((path) => path === '/introspect').length;
  const opened = looks();
  await vi.waitUntil(() => looks() >= opened + 3);
  expect(await ask(client, initialize)).toMatchObject({ id: 'open', result: {} });
  issuer.opaque['opaque'] = { active: false };
  await once(client, 'close');
});

test.each(['wss://mcp.test/ws', 'https://mcp.test/ws'])(
  'a socket is opened by a bound token with a proof for %s, once',
  async (htu) => {
    const issuer = await startIssuer();
    const prover = await newProver();
    const env = { MCP_AUTH_DPOP: 'allowed', MCP_AUTH_RESOURCE: 'https://mcp.test' };
    const { connect, refusal } = await open(issuer, { env });
    const token = await issuer.token({ cnf: { jkt: prover.jkt } });
    const headers = await prover.headers(token, { htm: 'GET', htu });
    const client = connect(headers);
    await once(client, 'open');
    // The socket goes on without further proofs.
    expect(await ask(client, initialize)).toMatchObject({ id: 'open', result: {} });
    expect(await refusal(headers)).toMatch(/^401 DPoP error="invalid_dpop_proof"/);
  },
);
