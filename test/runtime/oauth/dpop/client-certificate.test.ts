// Tokens that are bound to a client certificate count over connections with it, where this process ends TLS (RFC 8705).
import { X509Certificate, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../../../templates/runtime/contract/feature.ts';
import { assertMtlsHasTls, readHttpSettings } from '../../../../templates/runtime/main/start-http.ts';
import { startGuarded, initialize } from '../guarded.ts';
import { startIssuer } from '../issuer.ts';
import { newProver } from './prover.ts';

const file = (name: string): string =>
  fileURLToPath(new URL(`../../../support/tls/${name}`, import.meta.url));
const read = (name: string): Buffer => readFileSync(file(name));
const ca = read('authority.pem');
const pair = { cert: read('client.pem'), key: read('client-key.pem') };
/** Signed by the same authority. */
const stranger = { cert: read('server.pem'), key: read('server-key.pem') };
const thumbprint = hash('sha256', new X509Certificate(pair.cert).raw, 'base64url');

const MTLS = { MCP_AUTH_MTLS: 'allowed' };
const TLS = { cert: file('server.pem'), key: file('server-key.pem') };

async function open(env: Record<string, string> = MTLS, tls: object = { ...TLS, asksClients: true }) {
  const issuer = await startIssuer();
  const server = await startGuarded(issuer, { env, tls: { ...TLS, ...tls } });
  /** The answer to a request over the connections of `agent`. */
  const post = async (agent: Agent, headers: Record<string, string>) =>
    new Promise<string>((resolve, reject) => {
      const fields = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const options = { method: 'POST', ca, agent, headers: { ...fields, ...headers } };
      request(`${server.url}/mcp`, options, (response) => {
        response.resume();
        const challenge = String(response.headers['www-authenticate'] ?? '');
        response.on('end', () =>
          resolve(`${response.statusCode} ${/error_description="([^"]*)/.exec(challenge)?.[1] ?? ''}`.trim()),
        );
      })
        .on('error', reject)
        .end(JSON.stringify(initialize));
    });
  const bound = (cnf: object = { 'x5t#S256': thumbprint }) => issuer.token({ cnf });
  return { ...server, issuer, post, bound };
}

function newAgent(own: object = {}): Agent {
  const agent = new Agent({ keepAlive: true, maxCachedSessions: 10, ...own });
  onTestFinished(() => agent.destroy());
  return agent;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ELSEWHERE = '401 The token is bound to a client certificate, which this connection does not have.';

test('it counts over connections with its certificate, and over no other', async () => {
  const { post, bound, counted } = await open();
  const token = await bound();
  const own = newAgent(pair);
  expect([await post(own, bearer(token)), await post(own, bearer(token))]).toEqual(['200', '200']);
  // A new connection, which TLS resumes.
  own.destroy();
  expect(await post(own, bearer(token))).toBe('200');
  const none = newAgent();
  for (const agent of [none, none, newAgent(stranger)])
    expect(await post(agent, bearer(token))).toBe(ELSEWHERE);
  expect(await post(own, { authorization: `DPoP ${token}` })).toMatch(
    /^401 This server verifies no DPoP proof/,
  );
  expect(counted.calls).toBe(0);
});

test('plain tokens need no certificate', async () => {
  const { post, issuer } = await open();
  const token = await issuer.token();
  expect(await post(newAgent(), bearer(token))).toBe('200');
  expect(await post(newAgent(pair), bearer(token))).toBe('200');
});

test('with DPoP too, a token may need both', async () => {
  const { post, bound } = await open({ ...MTLS, MCP_AUTH_DPOP: 'allowed' });
  const prover = await newProver();
  const token = await bound({ jkt: prover.jkt, 'x5t#S256': thumbprint });
  expect(await post(newAgent(pair), await prover.headers(token))).toBe('200');
  expect(await post(newAgent(), await prover.headers(token))).toBe(ELSEWHERE);
  expect(await post(newAgent(pair), bearer(token))).toMatch(/^401 The token is bound to a key/);
});

test('where DPoP is required, a certificate alone is not enough', async () => {
  const { post, bound } = await open({ ...MTLS, MCP_AUTH_DPOP: 'required' });
  expect(await post(newAgent(pair), bearer(await bound()))).toMatch(
    /^401 The token is not bound to a key by DPoP/,
  );
});

test('where clients are not asked for a certificate, such tokens are refused', async () => {
  const { post, bound } = await open({}, {});
  expect(await post(newAgent(pair), bearer(await bound()))).toMatch(
    /^401 The token is bound to a key of its client/,
  );
});

test('without TLS of its own the server does not start', () => {
  const start = (env: Record<string, string>): unknown => {
    const http = readHttpSettings(new Map(), env);
    assertMtlsHasTls({ http }, env);
    return http.tls;
  };
  expect(() => start(MTLS)).toThrow(UsageError);
  expect(() => start(MTLS)).toThrow('MCP_AUTH_MTLS needs MCP_TLS_CERT');
  const files = { MCP_TLS_CERT: TLS.cert, MCP_TLS_KEY: TLS.key };
  expect(start({ ...MTLS, ...files })).toMatchObject({ asksClients: true });
  expect(start(files)).not.toMatchObject({ asksClients: true });
});

test('the metadata say so', async () => {
  const { issuer } = await open();
  const { send } = await startGuarded(issuer, { env: MTLS });
  const { json } = await send('GET', '/.well-known/oauth-protected-resource', {});
  expect(json()).toMatchObject({ tls_client_certificate_bound_access_tokens: true });
  expect(json()).not.toHaveProperty('dpop_signing_alg_values_supported');
});
