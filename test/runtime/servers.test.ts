// The address of a request: flag, variables, and servers of the document.
import { expect, test } from 'vitest';
import { operationServers } from '../../templates/runtime/features/operation-servers.ts';
import type { ChangeSetup } from '../../templates/runtime/call-api.ts';
import { makeRequest } from '../../templates/runtime/request.ts';
import { type ApiServer, type HttpBinding, ToolError } from '../../templates/runtime/types.ts';

interface Places {
  flag?: string;
  /** `API_BASE_URL`, or all of the environment. */
  env?: string | Record<string, string>;
  compiled?: string;
  operation?: ApiServer[];
  api?: ApiServer[];
  /** Of one of several APIs. */
  name?: string;
}

function url({ flag, env, compiled, operation, api, name }: Places): string {
  const change = operationServers().parts?.['setups']?.['servers'] as ChangeSetup;
  const variables = typeof env === 'string' ? { API_BASE_URL: env } : (env ?? {});
  const binding: HttpBinding = {
    kind: 'http',
    method: 'GET',
    path: '/pets',
    parameters: [],
    ...(operation !== undefined && { servers: operation }),
  };
  const setup = {
    api: { servers: api ?? [], securitySchemes: {}, ...(name !== undefined && { name }) },
    env: variables,
    baseUrl: flag || (variables['API_BASE_URL'] ? undefined : compiled),
    userAgent: '',
    parameters: {},
    bodies: {},
    credentials: {},
  };
  return makeRequest(binding, {}, change(setup, binding)).url.href;
}

const api = [{ url: 'https://api.test/v1' }, { url: 'https://second.test' }];

test.each<[string, Places, string]>([
  ['the first of the document', { api }, 'https://api.test/v1/pets'],
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
  [
    'a path that begins like a host stays at the override',
    { api, operation: [{ url: 'https://api.test//other.test/v2' }], env: 'http://e.test/e' },
    'http://e.test//other.test/v2/pets',
  ],
  [
    'one of several: its own',
    { api, name: 'PETS', env: { API_BASE_URL_PETS: 'http://e.test' } },
    'http://e.test/pets',
  ],
  [
    "one of several: not the others', nor that of all",
    {
      api,
      name: 'PETS',
      env: { API_BASE_URL: 'http://e.test', API_BASE_URL_SHOP: 'http://e.test' },
    },
    'https://api.test/v1/pets',
  ],
  [
    'one of several: the host of an operation',
    {
      api,
      name: 'PETS',
      operation: [{ url: 'https://op.test' }],
      env: { API_BASE_URL_PETS_OP_TEST: 'http://e.test', API_BASE_URL_OP_TEST: 'http://no.test' },
    },
    'http://e.test/pets',
  ],
  ['relative operation server', { api, operation: [{ url: '/v2' }] }, 'https://api.test/v2/pets'],
  [
    'relative against the environment',
    { api, operation: [{ url: '/v2' }], env: 'http://e.test/x' },
    'http://e.test/v2/pets',
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

const regional = {
  url: 'https://{region}.api.test/{base-path}',
  variables: { region: { default: 'eu', enum: ['eu', 'us'] }, 'base-path': {} },
};
const files = [{ url: 'https://files.test:8443/up' }];

test.each<[Record<string, string>, Places, string]>([
  // variables of a server's URL
  [{ API_SERVER_BASE_PATH: 'v2/x' }, { api: [regional] }, 'https://eu.api.test/v2/x/pets'],
  [
    { API_SERVER_BASE_PATH: 'v2', API_SERVER_REGION: 'us' },
    { api: [regional] },
    'https://us.api.test/v2/pets',
  ],
  [{ API_SERVER_BASE_PATH: 'v2' }, { api, operation: [regional] }, 'https://eu.api.test/v2/pets'],
  // the host of an operation's own
  [{ API_BASE_URL_FILES_TEST_8443: 'http://f.test/u' }, { api, operation: files }, 'http://f.test/u/pets'],
  [{ API_BASE_URL: 'http://e.test/e' }, { api, operation: files }, 'http://e.test/e/pets'],
  [
    { API_BASE_URL_EU_API_TEST: 'http://f.test', API_SERVER_REGION: 'us' },
    { api, operation: [regional] },
    'http://f.test/pets',
  ],
  // a base URL that is the document's own moves nothing
  [{ API_BASE_URL: 'https://api.test/v1' }, { api, operation: files }, 'https://files.test:8443/up/pets'],
  [{ API_BASE_URL: 'http://e.test' }, { api: [regional], operation: files }, 'http://e.test/pets'],
  // at the API's own address another path is another path
  [
    { API_BASE_URL: 'http://e.test/e' },
    { api, operation: [{ url: 'https://api.test/v2?a=1' }] },
    'http://e.test/v2/pets?a=1',
  ],
])('%j: %j', (env, places, want) => {
  expect(url({ ...places, env })).toBe(want);
});

test.each<[Record<string, string>, Places, RegExp]>([
  [
    { API_SERVER_REGION: 'mars', API_SERVER_BASE_PATH: 'x' },
    { api: [regional] },
    /API_SERVER_REGION .*(?:must be one of|to one of) eu, us/,
  ],
  [{}, { api: [regional] }, /\{base-path\}.* set API_SERVER_BASE_PATH/],
])('%j is refused: %j', (env, places, want) => {
  expect(() => url({ ...places, env })).toThrow(ToolError);
  expect(() => url({ ...places, env })).toThrow(want);
});

test.each<[string, Places]>([
  ['no server at all', {}],
  ['relative operation and relative root', { api: [{ url: '/api' }], operation: [{ url: '/v2' }] }],
  [
    'a variable named like a prototype member',
    { api: [{ url: 'https://{constructor}.test', variables: {} }] },
  ],
  ['not HTTP', { env: 'file:///etc/passwd' }],
])('%s: says to set API_BASE_URL', (_, places) => {
  expect(() => url(places)).toThrow(ToolError);
  expect(() => url(places)).toThrow(/API_BASE_URL|set API_SERVER_/);
});
