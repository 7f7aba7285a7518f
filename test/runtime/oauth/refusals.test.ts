// Tokens that must not count: what each is refused by, and that no handler ran.
import { expect, test } from 'vitest';
import { startGuarded } from './guarded.ts';
import { AUDIENCE, type Issuer, newKey, seconds, startIssuer } from './issuer.ts';
import { modernCall } from './modern-call.ts';

type Make = (issuer: Issuer) => string | Promise<string>;

/** The parts of a good token, one of them replaced. */
async function forged(issuer: Issuer, at: number, make: (part: string) => string): Promise<string> {
  const parts = (await issuer.token()).split('.');
  return parts.map((part, index) => (index === at ? make(part) : part)).join('.');
}

const json = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString());
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signed by a stranger, with a header that says where to find the stranger's key. */
async function bringing(issuer: Issuer, headerOf: (jwk: object) => Record<string, unknown>): Promise<string> {
  const stranger = await newKey('stranger');
  return issuer.token({}, headerOf(stranger.publicJwk), stranger);
}

const REFUSED: [name: string, make: Make, words: string][] = [
  ['no token but text', () => 'hello', 'The token is no JWT.'],
  ['an encrypted token', () => 'a.b.c.d.e', 'The token is no JWT.'],
  ['another payload', (i) => forged(i, 1, (part) => base64({ ...json(part), sub: 'root' })), 'signature'],
  ['an empty signature', (i) => forged(i, 2, () => ''), 'signature'],
  ['a payload that is no JSON', (i) => forged(i, 1, () => 'AAAA'), 'who issued'],
  [
    'another algorithm than its key has',
    (i) => forged(i, 0, (p) => base64({ ...json(p), alg: 'RS256' })),
    'key',
  ],
  ['an unknown kid', (i) => i.token({}, { kid: 'other' }), 'key'],
  ['a kid that is a path', (i) => i.token({}, { kid: '../../dev/null' }), 'key'],
  ['jwk', (i) => bringing(i, (jwk) => ({ jwk })), 'key'],
  ['jku', (i) => bringing(i, () => ({ jku: `${i.url}/evil` })), 'key'],
  ['jwk with a kid of the issuer', (i) => bringing(i, (jwk) => ({ jwk, kid: 'first' })), 'signature'],
  ['critical headers', (i) => forged(i, 0, (p) => base64({ ...json(p), crit: ['x'], x: 1 })), 'signature'],
  ['type JWT', (i) => i.token({}, { typ: 'JWT' }), 'MCP_AUTH_PLAIN_JWT=1 at the server'],
  ['a type that is a number', (i) => forged(i, 0, (p) => base64({ ...json(p), typ: 7 })), 'at+jwt.'],
  ['expired', (i) => i.token({ exp: seconds(-6) }), 'expired'],
  ['ending in milliseconds', (i) => i.token({ exp: Date.now() + 60_000 }), 'in seconds'],
  ['never expiring', (i) => i.token({ exp: undefined }), 'when it expires'],
  ['not valid yet', (i) => i.token({ nbf: seconds(30) }), 'not valid yet'],
  ['issued in the future', (i) => i.token({ iat: seconds(30) }), 'future'],
  ['no audience', (i) => i.token({ aud: undefined }), 'audience'],
  ['another audience', (i) => i.token({ aud: 'https://other.test/mcp' }), 'audience'],
  ['an audience with a slash', (i) => i.token({ aud: `${AUDIENCE}/` }), 'audience'],
  ['the origin alone as audience', (i) => i.token({ aud: 'https://mcp.test' }), 'audience'],
  ['another issuer', (i) => i.token({ iss: 'https://evil.test' }), 'another issuer'],
  ['no issuer', (i) => i.token({ iss: undefined }), 'who issued'],
  ['no subject', (i) => i.token({ sub: undefined }), 'whom it is about'],
];

test.each(REFUSED)('%s: 401', async (_, make, words) => {
  const issuer = await startIssuer();
  const { post, withToken, counted, server, reported } = await startGuarded(issuer);
  const token = await make(issuer);
  const { status, headers, text } = await withToken(token);
  expect([status, server.gauges.get('mcp_sessions')?.()]).toEqual([401, 0]);
  const challenge = String(headers['www-authenticate']);
  expect(challenge).toMatch(/^Bearer error="invalid_token", error_description="/);
  expect(challenge).toContain(
    'resource_metadata="https://mcp.test/.well-known/oauth-protected-resource/mcp"',
  );
  expect(challenge).toContain(words);
  const called = await post(...modernCall('x', { authorization: `Bearer ${token}` }));
  expect([called.status, counted.calls]).toEqual([401, 0]);
  expect(issuer.asked.filter((path) => path === '/evil')).toEqual([]);
  // Neither who asks nor who runs the server reads the token anywhere.
  expect(token.length > 10 && [text, challenge, ...reported].join('\n').includes(token)).toBe(false);
});

test.each<[string, Record<string, string | undefined>, string, number, string]>([
  ['none', {}, '/mcp', 401, 'Bearer scope="read write", resource_metadata='],
  [
    'another scheme',
    { authorization: 'Basic YTpi' },
    '/mcp',
    401,
    'Bearer scope="read write", resource_metadata=',
  ],
  ['an empty one', { authorization: 'Bearer ' }, '/mcp', 401, 'error="invalid_token"'],
  ['two', { authorization: 'Bearer a b' }, '/mcp', 401, 'error="invalid_token"'],
  ['in the query', {}, '/mcp?access_token=TOKEN', 400, 'error="invalid_request"'],
])('a token that is not sent as it should be: %s', async (_, headers, path, status, challenge) => {
  const issuer = await startIssuer();
  const { send, counted } = await startGuarded(issuer);
  const token = await issuer.token();
  const put = (text: string): string => text.replace('TOKEN', token);
  const { authorization } = headers;
  const sent = authorization === undefined ? {} : { authorization: put(authorization) };
  const answer = await send('POST', put(path), sent, '{}');
  expect([answer.status, counted.calls]).toEqual([status, 0]);
  expect(answer.headers['www-authenticate']).toContain(challenge);
});
