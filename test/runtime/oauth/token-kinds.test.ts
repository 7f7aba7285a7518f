// Bearer tokens alone count: whatever is bound to a key of its client, or is no access token, is refused with the reason.
import { expect, test } from 'vitest';
import { startGuarded } from './guarded.ts';
import { seconds, startIssuer } from './issuer.ts';

test.each<[claims: object, status: number]>([
  ...[{ jkt: 'x' }, { 'x5t#S256': 'x' }, { jwk: {} }, { kid: 'x' }, null, {}, [], '', 'x', 0, false].map(
    (cnf): [object, number] => [{ cnf }, 401],
  ),
  ...['refresh_token', 'DPoP', 'N_A', 'mac', '', 'Bearer ', null, 1, ['Bearer']].map(
    (type): [object, number] => [{ token_type: type }, 401],
  ),
  ...['Refresh', 'Offline', 'ID', 'Logout', 'DPoP', 'dpop+jwt', '', null, 1].map((typ): [object, number] => [
    { typ },
    401,
  ]),
  ...['id', 'refresh', 'refresh_token', 'id_token', null, ['access']].map((use): [object, number] => [
    { token_use: use },
    401,
  ]),
  [{}, 200],
  [{ token_type: 'Bearer', typ: 'Bearer' }, 200],
  [{ token_type: 'bearer', token_use: 'access' }, 200],
  [{ token_type: 'BEARER', token_use: 'access_token' }, 200],
  [{ typ: 'at+jwt' }, 200],
  [{ typ: 'JWT' }, 200],
])('a token with the claims %j: %i', async (claims, status) => {
  const issuer = await startIssuer();
  const server = await startGuarded(issuer);
  expect((await server.withToken(await issuer.token({ ...claims }))).status).toBe(status);
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
  const line = expect.stringContaining('A token that `verifyToken` saw was refused') as unknown;
  expect(server.reported).toEqual(status === 200 ? [] : [line]);
});
