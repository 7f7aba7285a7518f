// Bearer tokens alone count: whatever is bound to a key of its client, or is no access token, is refused with the reason.
import { expect, test } from 'vitest';
import { discoverIssuer } from '../../../templates/runtime/oauth/ask-issuer.ts';
import { parseExchangeAnswer } from '../../../templates/runtime/oauth/on-behalf/token-exchange.ts';
import { refuseOtherKinds, refuseSenderConstrained } from '../../../templates/runtime/oauth/claims.ts';
import { CheckFailure, TokenRefusal } from '../../../templates/runtime/oauth/refusals.ts';
import { startGuarded } from './guarded.ts';
import { AUDIENCE, introspection, seconds, startIssuer } from './issuer.ts';

test.each<[claims: object]>([
  ...[{ cnf: { jkt: 'x' } }, { cnf: { 'x5t#S256': 'x' } }, { cnf: { jwk: {} } }, { cnf: { kid: 'x' } }].map(
    (claims): [object] => [claims],
  ),
  ...[null, {}, [], '', 'x', 0, false].map((cnf): [object] => [{ cnf }]),
  ...['refresh_token', 'DPoP', 'N_A', 'mac', '', 'Bearer ', null, 1, ['Bearer']].map((type): [object] => [
    { token_type: type },
  ]),
])('%j is no bearer token', (claims) => {
  expect(() => refuseSenderConstrained({ ...claims })).toThrow(TokenRefusal);
});

test.each([
  ...['Refresh', 'Offline', 'ID', 'Logout', 'DPoP', 'dpop+jwt', '', null, 1].map((typ) => ({ typ })),
  ...['id', 'refresh', 'refresh_token', 'id_token', null, ['access']].map((use) => ({ token_use: use })),
])('%j is no access token', (claims) => {
  expect(() => refuseOtherKinds(claims)).toThrow(/^The token is no access token/);
});

test.each([
  {},
  { token_type: 'Bearer', typ: 'Bearer' },
  { token_type: 'bearer', token_use: 'access' },
  { token_type: 'BEARER', token_use: 'access_token' },
  { typ: 'at+jwt' },
  { typ: 'JWT' },
])('%j is a bearer token', (claims) => {
  refuseSenderConstrained(claims);
  refuseOtherKinds(claims);
});

test('the reason is in the challenge, and the log names the issuer once', async () => {
  const issuer = await startIssuer();
  const server = await startGuarded(issuer);
  for (const sub of ['alice', 'bob']) {
    const { status, headers } = await server.withToken(await issuer.token({ sub, cnf: { jkt: 'x' } }));
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain(
      'Bearer error="invalid_token", error_description="The token is bound to a key of its client (cnf)',
    );
  }
  expect(server.told).toEqual([
    expect.stringContaining(`Tokens of ${issuer.url} are refused: they are bound`),
  ]);
  expect(server.counted.calls).toBe(0);
});

test('a token by the scheme DPoP is told that none counts', async () => {
  const issuer = await startIssuer();
  const server = await startGuarded(issuer);
  const authorization = `DPoP ${await issuer.token()}`;
  const { status, headers } = await server.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization });
  expect([status, headers['www-authenticate']]).toEqual([
    401,
    expect.stringMatching(
      /^Bearer error="invalid_token", error_description="This server verifies no DPoP proof/,
    ),
  ]);
});

test('the issuer may say so of a token that was good', async () => {
  const issuer = await startIssuer();
  issuer.opaque['opaque'] = { active: true, sub: 'bob', aud: AUDIENCE, token_type: 'Bearer' };
  let now = Date.now();
  const server = await startGuarded(issuer, { env: introspection(issuer), now: () => now });
  expect((await server.withToken('opaque')).status).toBe(200);
  issuer.opaque['opaque']['cnf'] = { jkt: 'x' };
  now += 31_000;
  expect((await server.withToken('opaque')).status).toBe(401);
});

const OWN = { issuer: 'https://own.test', subject: 'carol', scopes: ['read'], expiresAt: seconds(60) };

test.each<[what: string, found: typeof OWN, status: number]>([
  ['nothing of a key', OWN, 200],
  ['no key', Object.assign({ cnf: undefined }, OWN), 200],
  ['a key', Object.assign({ cnf: { jkt: 'x' } }, OWN), 401],
  ['a key in the claims', Object.assign({ claims: { cnf: null } }, OWN), 401],
  ['another type', Object.assign({ claims: { token_type: 'DPoP' } }, OWN), 401],
  ['a type of its own, which is its affair', Object.assign({ claims: { typ: 'key' } }, OWN), 200],
])('a check of the project that says %s', async (_, found, status) => {
  const server = await startGuarded(await startIssuer(), { verifyToken: () => found });
  expect((await server.withToken('own')).status).toBe(status);
  const line = expect.stringContaining('`verifyToken` took a token that was refused') as unknown;
  expect(server.told).toEqual(status === 200 ? [] : [line]);
});

test.each<[cnf: unknown]>([[{ jkt: 'x' }], [{ 'x5t#S256': 'x' }], [{}], [null]])(
  'a token for an API that is bound by %j is not sent',
  (cnf) => {
    const type = 'urn:ietf:params:oauth:token-type:access_token';
    const json = { access_token: 't', issued_token_type: type, token_type: 'Bearer', cnf };
    expect(() => parseExchangeAnswer({ status: 200, json }, 'own', new URL('https://id.test/token'))).toThrow(
      /the token is bound to a key \(cnf\)/,
    );
  },
);

test.each<[jwks: string, address: string | undefined, sent: boolean]>([
  ['https://id.test/jwks', '93.184.215.14', true],
  ['https://keys.test/jwks', '93.184.215.14', true],
  ['https://10.0.0.1/jwks', '93.184.215.14', false],
  ['http://127.0.0.1/jwks', '93.184.215.14', false],
  ['http://localhost/jwks', undefined, false],
  ['https://10.0.0.1/jwks', '10.0.0.2', true],
  ['https://168.63.129.16/jwks', '10.0.0.2', false],
])('keys at %s, of an issuer at %s: %s', async (jwks, address, sent) => {
  const json = { issuer: 'https://id.test', jwks_uri: jwks };
  const found = discoverIssuer('https://id.test', async () =>
    Promise.resolve({ status: 200, json, address }),
  );
  if (sent) expect((await found).keys?.url.href).toBe(jwks);
  else await expect(found).rejects.toThrow(CheckFailure);
});
