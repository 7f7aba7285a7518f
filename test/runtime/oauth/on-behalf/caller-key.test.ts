// Cached credentials are used only for the same caller.
import { expect, test } from 'vitest';
import type { AuthInfo } from '../../../../templates/runtime/definition.ts';
import { callerKey } from '../../../../templates/runtime/oauth/on-behalf/held-credentials.ts';

const alice: AuthInfo = {
  issuer: 'https://id.test',
  subject: 'alice',
  clientId: 'client',
  scopes: ['a', 'b'],
  expiresAt: 1,
  claims: { org: 'x', exp: 1, roles: { one: 1, two: 2 } },
};

test.each<[string, Partial<AuthInfo>, boolean]>([
  ['a later token', { expiresAt: 2, claims: { ...alice.claims, exp: 2, iat: 1, nbf: 1, jti: 'j' } }, true],
  [
    'the same in another order',
    { scopes: ['b', 'a'], claims: { roles: { two: 2, one: 1 }, org: 'x' } },
    true,
  ],
  ['another subject', { subject: 'bob' }, false],
  ['the same subject of another issuer', { issuer: 'https://other.test' }, false],
  ['another client', { clientId: 'other' }, false],
  ['fewer scopes', { scopes: ['a'] }, false],
  ['another claim', { claims: { ...alice.claims, org: 'y' } }, false],
  ['a name that runs into the next', { issuer: 'https://id.test","alice', subject: '' }, false],
])('%s: the same %s', (_, other, isSame) => {
  expect(callerKey({ ...alice, ...other }) === callerKey(alice)).toBe(isSame);
});
