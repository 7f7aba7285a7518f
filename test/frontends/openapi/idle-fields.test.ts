/** Fields of OAuth flows that count elsewhere alone are told. */
import { expect, test } from 'vitest';
import { read, withOperation } from './reading.ts';

const flow = { tokenUrl: 'https://a.b/t', scopes: {} };

test.each<[flows: object, told: string[]]>([
  [
    { clientCredentials: flow, deviceAuthorization: { ...flow, deviceAuthorizationUrl: 'https://a.b/d' } },
    [],
  ],
  [
    {
      authorizationCode: { ...flow, authorizationUrl: 'https://a.b/a' },
      deviceAuthorization: { scopes: {}, tokenUrl: 'https://a.b/x', deviceAuthorizationUrl: 'https://a.b/d' },
    },
    ['deviceAuthorization'],
  ],
  [{ 'x-own': flow }, []],
  [{ clientCredential: flow }, ['clientCredential']],
])('flows: %j', async (flows, names) => {
  const securitySchemes = { own: { type: 'oauth2', flows } };
  const { told } = await read(
    withOperation({ security: [{ own: [] }] }, { components: { securitySchemes } }),
  );
  const at = '/components/securitySchemes/own/flows';
  expect(told).toEqual(names.map((name) => `info field-without-effect ${at}/${name}`));
});
