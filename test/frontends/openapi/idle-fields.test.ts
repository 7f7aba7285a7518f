/** Fields of a Parameter Object and of OAuth flows that count elsewhere alone are told. */
import { expect, test } from 'vitest';
import { read, withOperation } from './reading.ts';

const string = { type: 'string' };
const json = { 'application/json': { schema: string } };

test.each<[parameter: object, told: string[]]>([
  [{ in: 'query', schema: string, allowEmptyValue: true, style: 'form', explode: true }, []],
  [{ in: 'query', content: json }, []],
  [{ in: 'header', schema: string, allowEmptyValue: true }, ['allowEmptyValue']],
  [{ in: 'cookie', schema: string, allowEmptyValue: true }, ['allowEmptyValue']],
  [{ in: 'header', schema: string, allowEmptyValue: false }, []],
  [{ in: 'query', schema: string, content: json }, ['content']],
  [{ in: 'query', content: json, style: 'form', explode: false }, ['style', 'explode']],
  [{ in: 'query', content: { ...json, 'text/plain': {} } }, ['content/text~1plain']],
])('a parameter: %j', async (parameter, fields) => {
  const { told } = await read(withOperation({ parameters: [{ name: 'q', ...parameter }] }));
  expect(told).toEqual(
    fields.map((field) => `info field-without-effect /paths/~1a/get/parameters/0/${field}`),
  );
});

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
