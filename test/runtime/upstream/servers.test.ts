import { expect, test } from 'vitest';
import type { ServerBinding } from '../../../templates/runtime/bindings.ts';
import { defaultUpstreamLimits, UpstreamError } from '../../../templates/runtime/upstream/index.ts';
import { composeRequest } from '../../../templates/runtime/upstream/compose-request.ts';

interface Places {
  flag?: string;
  env?: string;
  compiled?: string;
  operation?: ServerBinding[];
  api?: ServerBinding[];
}

function url({ flag, env, compiled, operation, api }: Places): string {
  const settings = {
    env: env === undefined ? {} : { API_BASE_URL: env },
    limits: defaultUpstreamLimits,
    ...(flag === undefined ? {} : { baseUrl: flag }),
    ...(compiled === undefined ? {} : { defaultBaseUrl: compiled }),
  };
  const servers = operation === undefined ? {} : { servers: operation };
  return composeRequest(
    { servers: api ?? [], securitySchemes: {} },
    { kind: 'http', method: 'GET', path: '/pets', parameters: [], ...servers },
    {},
    settings,
  ).url;
}

const api = [{ url: 'https://api.test/v1' }, { url: 'https://second.test' }];

test.each<[string, Places, string]>([
  ['the first of the document', { api }, 'https://api.test/v1/pets'],
  ['the operation', { api, operation: [{ url: 'https://op.test/' }] }, 'https://op.test/pets'],
  ['chosen when compiling', { api, compiled: 'http://c.test/c' }, 'http://c.test/c/pets'],
  [
    'environment over compiled',
    { api, compiled: 'http://c.test', env: 'http://e.test/e/' },
    'http://e.test/e/pets',
  ],
  [
    'flag over all',
    { api, operation: api, env: 'http://e.test', flag: 'http://f.test' },
    'http://f.test/pets',
  ],
  ['empty is unset', { api, flag: '', env: '' }, 'https://api.test/v1/pets'],
  ['relative operation server', { api, operation: [{ url: '/v2' }] }, 'https://api.test/v2/pets'],
  [
    'relative against the environment',
    { api, operation: [{ url: '/v2' }], env: 'http://e.test/x' },
    'http://e.test/v2/pets',
  ],
  ['relative root replaced whole', { api: [{ url: '/api/v3' }], env: 'http://e.test' }, 'http://e.test/pets'],
  [
    'a query of the server stays',
    { api: [{ url: 'https://api.test/v1?key=1' }] },
    'https://api.test/v1/pets?key=1',
  ],
  [
    'variables',
    {
      api: [
        {
          url: '{scheme}://{region}.api.test:{port}/{base}',
          variables: {
            scheme: { default: 'https' },
            region: { default: 'eu', enum: ['eu', 'us'] },
            port: { default: '8443' },
            base: { default: 'v2' },
          },
        },
      ],
    },
    'https://eu.api.test:8443/v2/pets',
  ],
])('%s', (_, places, want) => {
  expect(url(places)).toBe(want);
});

test.each<[string, Places]>([
  ['no server at all', {}],
  ['only a relative one', { api: [{ url: '/api' }] }],
  ['relative operation and relative root', { api: [{ url: '/api' }], operation: [{ url: '/v2' }] }],
  ['a variable without a value', { api: [{ url: 'https://{tenant}.test' }] }],
  [
    'a variable named like a prototype member',
    { api: [{ url: 'https://{constructor}.test', variables: {} }] },
  ],
  ['not HTTP', { env: 'file:///etc/passwd' }],
  ['not a URL', { env: 'localhost' }],
])('%s: says to set API_BASE_URL', (_, places) => {
  expect(() => url(places)).toThrow(UpstreamError);
  expect(() => url(places)).toThrow(/API_BASE_URL/);
});
