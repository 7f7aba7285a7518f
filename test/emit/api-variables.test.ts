import { expect, test } from 'vitest';
import type { UpstreamBinding } from '../../src/model/bindings.ts';
import { listUpstreamVariables } from '../../src/emit/api-variables.ts';

const oauth = { token: 'T', clientId: 'I', clientSecret: 'S', scopes: 'O' };

/** `name=default! description`, with `!` where it is required. */
function rows(upstream: Partial<UpstreamBinding>): string[] {
  return listUpstreamVariables({ servers: [], securitySchemes: {}, ...upstream }).map(
    ({ name, description, required, default: value = '' }) =>
      `${name}=${value}${required ? '!' : ''} ${description}`,
  );
}

test.each<[string, Partial<UpstreamBinding>, (string | RegExp)[]]>([
  ['no server', {}, [/^API_BASE_URL=! /]],
  [
    'one server',
    { servers: [{ url: 'https://a.test' }] },
    ['API_BASE_URL=https://a.test Base URL of the API; replaces the one of the document, path included.'],
  ],
  [
    'one of several APIs',
    {
      name: 'PETS',
      servers: [{ url: 'https://{to}.test', variables: { to: {} } }, { url: 'https://a.test' }],
      otherServers: [{ url: 'https://b.test' }],
    },
    [
      /^API_BASE_URL_PETS= Base URL of the API PETS; /,
      /^API_SERVER_PETS_TO= /,
      /^API_HEADERS_PETS= .* API PETS, /,
      /^API_BASE_URL_PETS_B_TEST= .* Without it API_BASE_URL_PETS, /,
      /^API_HEADERS_PETS_B_TEST= .* API_HEADERS_PETS is not for them/,
    ],
  ],
  [
    'several servers, with variables',
    {
      servers: [
        {
          url: 'https://{region}.a.test/{x y}',
          variables: { region: { default: 'eu', enum: ['eu', 'us'] }, 'x y': {} },
        },
        { url: 'https://b.test', description: 'Sandbox' },
      ],
    },
    [
      'API_BASE_URL= Base URL of the API; replaces those of the document, https://eu.a.test/{x y} first, path included. The document has also https://b.test (Sandbox).',
      'API_SERVER_REGION=eu Value of {region} in the server URL https://{region}.a.test/{x y}: eu, us.',
      'API_SERVER_X_Y= Value of {x y} in the server URL https://{region}.a.test/{x y}.',
    ],
  ],
  [
    'a variable of several servers, alike and not',
    {
      servers: [
        {
          url: 'https://{r}.a.test/{v}',
          variables: { r: { default: 'eu', enum: ['eu', 'us'] }, v: { default: '1' } },
        },
      ],
      otherServers: [
        {
          url: 'https://{R}.c.test/{v}',
          variables: { R: { default: 'us', enum: ['eu', 'us'] }, v: { default: '1', enum: ['1'] } },
        },
      ],
    },
    [
      /^API_BASE_URL=/,
      'API_SERVER_R= Value of {r} in the server URL https://{r}.a.test/{v} and https://{R}.c.test/{v}: eu, us.',
      'API_SERVER_V=1 Value of {v} in the server URL https://{r}.a.test/{v} and https://{R}.c.test/{v}.',
      /^API_BASE_URL_US_C_TEST=/,
      /^API_HEADERS_US_C_TEST=/,
    ],
  ],
  [
    'a server of operations',
    {
      servers: [{ url: 'https://a.test' }],
      otherServers: [{ url: 'https://files.a.test' }],
      securitySchemes: { k: { type: 'apiKey', in: 'header', name: 'X-K', env: { key: 'API_KEY_K' } } },
    },
    [
      /^API_BASE_URL=/,
      /^API_KEY_K=/,
      /^API_CREDENTIALS= required: /,
      /^API_BASE_URL_FILES_A_TEST= Base URL in place of https:\/\/files\.a\.test.* with _FILES_A_TEST at the end\.$/,
      /^API_HEADERS_FILES_A_TEST=/,
    ],
  ],
  [
    'a client certificate',
    { securitySchemes: { s: { type: 'mutualTLS', env: { cert: 'C', key: 'K', passphrase: 'P' } } } },
    [/^API_BASE_URL=/, /^C= Client certificate/, /^K= /, /^P= /, /^API_CREDENTIALS= required: /],
  ],
  [
    'metadata',
    { securitySchemes: { s: { type: 'oauth2', metadataUrl: 'https://id.test/m', env: oauth } } },
    [/^API_BASE_URL=/, /^I=/, /^S=/, /^O=/, /^T=/, /^API_CREDENTIALS= required: /],
  ],
])('the variables of an API: %s', (_what, upstream, want) => {
  expect(rows(upstream)).toEqual(
    want.map((one) => (typeof one === 'string' ? one : (expect.stringMatching(one) as unknown))),
  );
});
