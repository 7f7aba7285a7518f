// Tokens that are bound to a key are admitted by DPoP, each request by a proof of its own, and others by Bearer.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { call, ping } from '../../client.ts';
import { type GuardedOptions, initialize, startGuarded } from '../guarded.ts';
import { AUDIENCE, introspection, seconds, startIssuer } from '../issuer.ts';
import { type Prover, newProver } from './prover.ts';

const ALLOWED = { MCP_AUTH_DPOP: 'allowed' };
const REQUIRED = { MCP_AUTH_DPOP: 'required' };

async function open(env: Record<string, string> = ALLOWED, more: GuardedOptions = {}) {
  const issuer = await startIssuer();
  const prover = await newProver();
  const server = await startGuarded(issuer, { ...more, env });
  const bound = (claims = {}) => issuer.token({ cnf: { jkt: prover.jkt }, ...claims });
  return { ...server, issuer, prover, bound };
}

const ALGS = 'ES256 ES384 ES512 PS256 PS384 PS512 RS256 RS384 RS512 EdDSA Ed25519';
const METADATA = 'https://mcp.test/.well-known/oauth-protected-resource/mcp';

test('each request of a session proves the key', async () => {
  const { prover, bound, post, send, listen, counted } = await open();
  const token = await bound();
  const opened = await post(initialize, await prover.headers(token));
  expect(opened.status).toBe(200);
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const get = { htm: 'GET' };
  const end = { htm: 'DELETE' };
  const without = { ...session, authorization: `DPoP ${token}` };
  for (const answer of [
    await post(call, without),
    await listen(without),
    await send('DELETE', '/mcp', without),
  ])
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      expect.stringMatching(
        /^DPoP error="invalid_dpop_proof", error_description="The header DPoP is missing/,
      ),
    ]);
  expect(counted.calls).toBe(0);
  expect((await post(call, { ...session, ...(await prover.headers(token)) })).status).toBe(200);
  expect((await listen({ ...session, ...(await prover.headers(token, get)) })).status).toBe(200);
  expect((await send('DELETE', '/mcp', { ...session, ...(await prover.headers(token, end)) })).status).toBe(
    204,
  );
  expect(counted.calls).toBe(1);
});

test('handlers learn that the token is bound, and nothing of the proof', async () => {
  const seen: unknown[] = [];
  const { prover, bound, post, issuer } = await open(ALLOWED, {
    handler: ({ auth }) => void seen.push(auth),
  });
  const token = await bound();
  const proof = await prover.prove(token);
  const { headers } = await post(initialize, { authorization: `DPoP ${token}`, dpop: proof });
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  await post(call, { ...session, ...(await prover.headers(token)) });
  await post(call, { ...session, authorization: `Bearer ${await issuer.token()}` });
  expect(seen).toEqual([
    expect.objectContaining({ subject: 'alice', confirmation: { jkt: prover.jkt } }),
    expect.not.objectContaining({ confirmation: expect.anything() as unknown }),
  ]);
  expect(JSON.stringify(seen)).not.toContain(proof.slice(0, 40));
});

test('the scheme belongs to the token', async () => {
  const { prover, bound, post, withToken, issuer, counted } = await open();
  const token = await bound();
  const plain = await issuer.token();
  const challenged = async (answer: ReturnType<typeof post>) => {
    const { status, headers } = await answer;
    return `${status} ${String(headers['www-authenticate'])}`;
  };
  expect(await challenged(withToken(token))).toBe(
    '401 Bearer error="invalid_token", error_description="The token is bound to a key: send it by the scheme DPoP, with a proof.", ' +
      `scope="read write", resource_metadata="${METADATA}", DPoP resource_metadata="${METADATA}", algs="${ALGS}"`,
  );
  expect(await challenged(post(ping, await prover.headers(plain)))).toBe(
    '401 DPoP error="invalid_token", error_description="The token is not bound to a key: send it by the scheme Bearer.", ' +
      `scope="read write", resource_metadata="${METADATA}", algs="${ALGS}"`,
  );
  // Also when both are known to be good.
  expect((await withToken(plain)).status).toBe(200);
  expect((await post(initialize, await prover.headers(token))).status).toBe(200);
  expect((await withToken(token)).status).toBe(401);
  expect((await post(ping, await prover.headers(plain))).status).toBe(401);
  expect(await challenged(post(ping))).toBe(
    `401 Bearer scope="read write", resource_metadata="${METADATA}", DPoP resource_metadata="${METADATA}", algs="${ALGS}"`,
  );
  expect(await challenged(post(ping, { authorization: 'DPoP ,' }))).toMatch(
    /^401 DPoP error="invalid_token"/,
  );
  expect(counted.calls).toBe(0);
});

test('a scope that is missing is demanded by the scheme of the token', async () => {
  const { prover, bound, post, issuer } = await open(ALLOWED, { auth: { scopes: ['base'] } });
  const { status, headers } = await post(initialize, await prover.headers(await bound()));
  expect([status, headers['www-authenticate']]).toEqual([
    403,
    expect.stringMatching(/^DPoP error="insufficient_scope".* scope="base/),
  ]);
  const plain = await post(initialize, { authorization: `Bearer ${await issuer.token()}` });
  expect(plain.headers['www-authenticate']).toMatch(/^Bearer error="insufficient_scope"/);
});

test('where DPoP is required, plain tokens are refused, whoever checks them', async () => {
  const own = { issuer: 'https://own.test', subject: 'carol', scopes: ['read'], expiresAt: seconds(60) };
  const { prover, bound, post, withToken, issuer, send } = await open(REQUIRED, {
    verifyToken: (token) => (token === 'own' ? own : undefined),
  });
  for (const token of [await issuer.token(), 'own']) {
    const { status, headers } = await withToken(token);
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      expect.stringMatching(/^DPoP error="invalid_token", error_description="The token is not bound/),
    ]);
  }
  expect((await post(ping)).headers['www-authenticate']).toMatch(/^DPoP scope="read write"/);
  expect((await post(initialize, await prover.headers(await bound()))).status).toBe(200);
  const { json } = await send('GET', '/.well-known/oauth-protected-resource', {});
  expect(json).toMatchObject({
    dpop_signing_alg_values_supported: ALGS.split(' '),
    dpop_bound_access_tokens_required: true,
  });
});

test('a proof counts once, whatever else differs', async () => {
  const { prover, bound, post } = await open();
  const [first, second] = [await bound(), await bound({ scope: 'read write' })];
  const headers = await prover.headers(first, { jti: 'once' });
  expect((await post(ping, headers)).status).toBe(400);
  const again = await post(initialize, headers);
  expect([again.status, again.headers['www-authenticate']]).toEqual([
    401,
    expect.stringContaining(
      'error="invalid_dpop_proof", error_description="The proof was used before (jti).',
    ),
  ]);
  expect((await post(initialize, await prover.headers(second, { jti: 'once' }))).status).toBe(401);
  // Another client may have chosen the same.
  const other = await newProver();
  const theirs = await bound({ cnf: { jkt: other.jkt } });
  expect((await post(initialize, await other.headers(theirs, { jti: 'once' }))).status).toBe(200);
});

test('a proof that was refused is not used up', async () => {
  const { prover, bound, post } = await open();
  const token = await bound();
  expect((await post(initialize, await prover.headers(token, { jti: 'j', htm: 'GET' }))).status).toBe(401);
  expect((await post(initialize, await prover.headers(token, { jti: 'j' }))).status).toBe(200);
});

test('what was used is asked of all nodes, and nothing is admitted while they can not be asked', async () => {
  const asked: [string, number][] = [];
  let takeOnce = async (...question: [string, number]) => Promise.resolve(asked.push(question) === 1);
  const env = { ...ALLOWED, MCP_NODES: '2', MCP_REDIS_URL: 'redis://127.0.0.1' };
  const { prover, bound, post, reported } = await open(env, {
    takeOnce: async (...question) => takeOnce(...question),
  });
  const token = await bound();
  expect((await post(initialize, await prover.headers(token, { iat: seconds(-100) }))).status).toBe(200);
  expect((await post(initialize, await prover.headers(token))).status).toBe(401);
  expect(asked.map(([key]) => key)).toEqual([
    expect.stringMatching(/^dpop:[\w-]{43}$/),
    expect.stringMatching(/^dpop:[\w-]{43}$/),
  ]);
  // Until the proof is too old.
  expect(asked[0]?.[1]).toBeGreaterThan(198_000);
  expect(asked[0]?.[1]).toBeLessThan(203_000);
  takeOnce = () => Promise.reject(new Error('Redis is away'));
  const { status, headers } = await post(initialize, await prover.headers(token));
  expect([status, headers['retry-after']]).toEqual([503, '5']);
  expect(reported.map(String)).toEqual([expect.stringContaining('Redis is away')]);
});

test('a proof from before the start of the process needs a nonce of it', async () => {
  const { prover, bound, post } = await open(ALLOWED, { ranMs: 5_000 });
  const token = await bound();
  const old = { iat: seconds(-10) };
  const { status, headers } = await post(initialize, await prover.headers(token, old));
  expect([status, headers['www-authenticate']]).toEqual([
    401,
    expect.stringContaining('DPoP error="use_dpop_nonce"'),
  ]);
  const nonce = headers['dpop-nonce'];
  expect((await post(initialize, await prover.headers(token, { ...old, nonce: 'x' }))).status).toBe(401);
  const answer = await post(initialize, await prover.headers(token, { ...old, nonce }));
  expect([answer.status, answer.headers['dpop-nonce']]).toEqual([200, undefined]);
  expect((await post(initialize, await prover.headers(token))).status).toBe(200);
});

test('nonces: each proof needs one of the last five minutes, and each answer has the next', async () => {
  let now = Date.now();
  const env = {
    ...ALLOWED,
    MCP_AUTH_DPOP_NONCE: 'required',
    MCP_STATE_SECRET: 'x'.repeat(32),
    MCP_NODES: '1',
  };
  const { prover, bound, post, issuer } = await open(env, { now: () => now });
  const token = await bound({ exp: seconds(3_600) });
  const send = async (nonce: unknown, more = {}) => {
    const answer = await post(initialize, await prover.headers(token, { nonce, iat: now / 1000, ...more }));
    const [, error = ''] = /DPoP error="(\w+)"/.exec(String(answer.headers['www-authenticate'])) ?? [];
    return { says: `${answer.status} ${error}`, next: answer.headers['dpop-nonce'] };
  };
  const { says, next } = await send(undefined);
  expect([says, next]).toEqual(['401 use_dpop_nonce', expect.stringMatching(/^[\w-]{30}$/)]);
  expect(await send(next)).toEqual({ says: '200 ', next });
  // Others are challenged with one, or not at all.
  expect((await post(ping)).headers['dpop-nonce']).toBe(next);
  expect(
    (await post(initialize, { authorization: `Bearer ${await issuer.token()}` })).headers,
  ).not.toHaveProperty('dpop-nonce');
  const foreign = [
    'x',
    7,
    '',
    randomBytes(22).toString('base64url'),
    String(next).slice(0, -1),
    await nonceOf({ MCP_STATE_SECRET: 'y'.repeat(32) }),
    await nonceOf({ MCP_STATE_SECRET: 'x'.repeat(32), MCP_AUTH_AUDIENCE: 'https://other.test/mcp' }),
    await nonceOf({}),
  ];
  for (const nonce of foreign) expect((await send(nonce)).says).toBe('401 use_dpop_nonce');
  // Another node of the same secret.
  expect((await send(await nonceOf({ MCP_STATE_SECRET: 'x'.repeat(32) }))).says).toBe('200 ');
  // A proof that is wrong anyway is told so.
  expect((await send('x', { htm: 'GET' })).says).toBe('401 invalid_dpop_proof');
  now += 299_000;
  const later = await send(next);
  expect(later.says).toBe('200 ');
  expect(later.next).not.toBe(next);
  now += 2_000;
  expect((await send(next)).says).toBe('401 use_dpop_nonce');
  expect((await send(later.next)).says).toBe('200 ');
});

/** That of another server. */
async function nonceOf(env: Record<string, string>): Promise<unknown> {
  const { post } = await open({ ...ALLOWED, MCP_AUTH_DPOP_NONCE: 'required', ...env });
  return (await post(ping)).headers['dpop-nonce'];
}

test.each<[what: string, claims: object, more?: object]>([
  ['by its type', { token_type: 'DPoP' }],
  ['as a bearer token, which introspection may say', { token_type: 'Bearer' }],
  ['without a type', {}],
])('an opaque token is bound by the answer about it: %s', async (_, claims) => {
  const prover = await newProver();
  const opaque = await openOpaque(prover, claims);
  expect((await opaque.post(initialize, await prover.headers('opaque'))).status).toBe(200);
  expect((await opaque.withToken('opaque')).status).toBe(401);
  expect((await opaque.post(initialize, { authorization: 'DPoP opaque' })).status).toBe(401);
});

async function openOpaque(prover: Prover, claims: object, options: GuardedOptions = {}) {
  const issuer = await startIssuer();
  issuer.opaque['opaque'] = { active: true, sub: 'bob', aud: AUDIENCE, cnf: { jkt: prover.jkt }, ...claims };
  const server = await startGuarded(issuer, { env: { ...ALLOWED, ...introspection(issuer) }, ...options });
  return { ...server, issuer };
}

test.each<[cnf: unknown]>([[{ 'x5t#S256': 'x' }], [{ jkt: 'x', 'x5t#S256': 'x' }], [{ jkt: 7 }], [null]])(
  'what is not verified refuses the token: %j',
  async (cnf) => {
    const { issuer, post, withToken, prover } = await open();
    const token = await issuer.token({ cnf });
    for (const answer of [await withToken(token), await post(initialize, await prover.headers(token))])
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        expect.stringContaining('error="invalid_token", error_description="The token is bound to a key'),
      ]);
  },
);

test('a token that becomes bound is not admitted without a proof, on a connection that it was good on either', async () => {
  const prover = await newProver();
  let now = Date.now();
  const { issuer, withToken, post } = await openOpaque(prover, { cnf: undefined }, { now: () => now });
  expect((await withToken('opaque')).status).toBe(200);
  Object.assign(issuer.opaque['opaque'] ?? {}, { cnf: { jkt: prover.jkt } });
  now += 31_000;
  expect((await withToken('opaque')).status).toBe(401);
  expect((await post(initialize, await prover.headers('opaque'))).status).toBe(200);
  expect((await withToken('opaque')).status).toBe(401);
});

test.each<[what: string, more: object]>([
  ['beside its claims', { own: true }],
  ['in its claims', { own: false }],
])('a check of the project may say that a token is bound: %s', async (_, { own }: { own?: boolean }) => {
  const issuer = await startIssuer();
  const prover = await newProver();
  const cnf = { jkt: prover.jkt };
  const auth = { issuer: 'https://own.test', subject: 'carol', scopes: ['read'], expiresAt: seconds(60) };
  const verifyToken = () => ({ ...auth, ...(own === true ? { cnf } : { claims: { cnf } }) });
  const { post, withToken } = await startGuarded(issuer, { env: ALLOWED, verifyToken });
  expect((await post(initialize, await prover.headers('own'))).status).toBe(200);
  expect((await withToken('own')).status).toBe(401);
});

test('`Host` decides nothing, and the query is no part of the URL', async () => {
  const { prover, bound, send } = await open();
  const token = await bound();
  const post = async (claims: object, host: string, path = '/mcp') => {
    const head = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', host };
    const own = await prover.headers(token, claims);
    return (await send('POST', path, { ...head, ...own }, JSON.stringify(initialize))).status;
  };
  expect(await post({ htu: 'https://evil.test/mcp' }, 'localhost')).toBe(401);
  expect(await post({ htu: 'http://localhost/mcp' }, 'localhost')).toBe(401);
  expect(await post({}, 'localhost', '/mcp?surface=tools')).toBe(200);
  expect(await post({ htu: `${AUDIENCE}?surface=tools` }, 'localhost')).toBe(200);
});

test('pages may send proofs and read nonces', async () => {
  const { send } = await open(ALLOWED, {
    rules: { host: '127.0.0.1', allowedOrigins: ['https://app.test'] },
  });
  const { headers } = await send('OPTIONS', '/mcp', { origin: 'https://app.test' });
  expect(headers['access-control-allow-headers']).toMatch(/\bDPoP\b/);
  expect(headers['access-control-expose-headers']).toMatch(/\bDPoP-Nonce\b/);
});

test('over HTTP+SSE both URLs are proved, and each for itself', async () => {
  const { issuer, prover, listen, send } = await open(ALLOWED, { flags: { sse: true } });
  const token = await issuer.token({ cnf: { jkt: prover.jkt } });
  const at = async (path: string, htm: string) =>
    prover.headers(token, { htm, htu: `https://mcp.test${path}` });
  expect((await listen(await at('/mcp', 'GET'), '/sse')).status).toBe(401);
  const { data = '' } = (await (await listen(await at('/sse', 'GET'), '/sse')).next()) ?? {};
  expect(data).toContain('/messages?sessionId=');
  const post = async (headers: Record<string, string>) =>
    send('POST', data, { 'content-type': 'application/json', ...headers }, JSON.stringify(initialize));
  expect((await post(await at('/sse', 'POST'))).status).toBe(401);
  expect((await post({ authorization: `DPoP ${token}` })).status).toBe(401);
  expect((await post(await at('/messages', 'POST'))).status).toBe(202);
});

test.each<[env: Record<string, string>, words: string]>([
  [{ MCP_AUTH_DPOP: 'on' }, 'MCP_AUTH_DPOP must be off or allowed or required, not on'],
  [{ ...ALLOWED, MCP_AUTH_DPOP_NONCE: '1' }, 'MCP_AUTH_DPOP_NONCE must be off or required, not 1'],
  [{ MCP_AUTH_DPOP_NONCE: 'required' }, 'MCP_AUTH_DPOP_NONCE goes with MCP_AUTH_DPOP'],
  [{ MCP_AUTH_MTLS: 'required' }, 'MCP_AUTH_MTLS must be off or allowed, not required'],
  [{ ...ALLOWED, MCP_NODES: '2' }, 'MCP_AUTH_DPOP with several nodes (MCP_NODES) needs MCP_REDIS_URL'],
  [{ ...ALLOWED, MCP_NODES: 'two' }, 'MCP_NODES must be a whole number'],
])('%j does not start', async (env, words) => {
  await expect(open(env)).rejects.toThrow(words);
});

test('nonces of several nodes need one secret', async () => {
  const env = { ...ALLOWED, MCP_AUTH_DPOP_NONCE: 'required', MCP_NODES: '2', MCP_STATE_SECRET: '' };
  await expect(open(env, { takeOnce: () => true })).rejects.toThrow('needs MCP_STATE_SECRET');
});
