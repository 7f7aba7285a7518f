import { expect, test } from 'vitest';
import type {
  HttpBinding,
  SecurityRequirement,
  UpstreamBinding,
} from '../../../templates/runtime/contract/bindings.ts';
import { CatalogStore } from '../../../templates/runtime/core/catalog-store.ts';
import { createServer } from '../../../templates/runtime/core/server-instance.ts';
import type { Handlers } from '../../../templates/runtime/definition.ts';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { findMissingSettings } from '../../../templates/runtime/main/api-settings.ts';

interface World {
  upstream?: Partial<UpstreamBinding>;
  /** In place of `upstream`. */
  several?: string[];
  /** By tool. */
  tools?: Record<string, Partial<HttpBinding>>;
  env?: Record<string, string>;
  handlers?: Handlers<object>;
  baseUrl?: string;
  listed?: string[];
}

function told({
  upstream = {},
  several,
  tools = {},
  env = {},
  handlers = {},
  baseUrl,
  listed,
}: World): string[] {
  const api = { servers: [{ url: 'https://api.test' }], securitySchemes: schemes, ...upstream };
  const bindings = {
    ...(several ? { upstreams: several.map((name) => ({ ...api, name })) } : { upstream: api }),
    tools: Object.fromEntries(
      Object.entries(tools).map(([name, binding]) => [
        name,
        { do: { kind: 'http' as const, method: 'GET', path: '/', parameters: [], ...binding } },
      ]),
    ),
    resources: {},
    resourceTemplates: {},
    prompts: {},
    completions: [],
  };
  const server = createServer({
    definition: { info: { name: 'n', version: '1' }, handlers },
    catalog: new CatalogStore('{"tools":[],"resources":[],"resourceTemplates":[],"prompts":[]}'),
    readBindings: () => JSON.stringify(bindings),
    env,
    limits: DEFAULT_LIMITS,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    report: () => undefined,
  });
  return findMissingSettings(server, bindings, (name) => listed?.includes(name) ?? true);
}

const schemes: UpstreamBinding['securitySchemes'] = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'API_KEY_KEY' } },
  other: { type: 'bearer', env: { token: 'BEARER_TOKEN_OTHER' } },
  digest: { type: 'unsupported', reason: 'It is Digest.' },
};
const key: { security: SecurityRequirement[] } = { security: [{ key: [] }] };
const needsKey = 'The API needs credentials: in the environment of this server set API_KEY_KEY (key).';

test.each<[string, World, string[]]>([
  ['nothing is needed', { tools: { a: {} } }, []],
  ['all is there', { tools: { a: key }, env: { API_KEY_KEY: 'x' } }, []],
  [
    'headers of no API of several',
    {
      several: ['CATS', 'DOGS'],
      tools: { a: { api: 'CATS' } },
      env: { API_HEADERS: 'X-A: a', API_HEADERS_DOGS: 'X-A: a' },
    },
    [
      'API_HEADERS is ignored: it goes with one API, and this server has several. Set API_HEADERS_CATS, API_HEADERS_DOGS instead.',
    ],
  ],
  ['headers of one of several', { several: ['CATS'], env: { API_HEADERS_CATS: 'X-A: a' } }, []],
  ['headers meet it', { tools: { a: key }, env: { API_HEADERS: 'X-Key: k' } }, []],
  [
    'others do not',
    { tools: { a: key }, env: { API_HEADERS: 'X-A: k' } },
    [
      'No tool can be called yet. The API needs credentials: in the environment of this server set API_KEY_KEY (key).',
    ],
  ],
  [
    'a header of the configuration lacks its variable',
    { upstream: { headers: { 'X-A': '${TEAM}' } }, tools: { a: {} } },
    ['No tool can be called yet. The API needs credentials: in the environment of this server set TEAM.'],
  ],
  [
    'a misspelt variable',
    {
      tools: { a: key },
      env: {
        API_KEY_KYE: 'x',
        API_TIMEOUTMS: '1',
        API_SERVER_X: '1',
        API_URL: 'x',
        API_CREDENTIALS: 'optional',
      },
    },
    ['unknown: API_KEY_KYE (did you mean API_KEY_KEY?), API_TIMEOUTMS (did you mean API_TIMEOUT_MS?).'],
  ],
  ['one like a variable that is set', { tools: { a: key }, env: { API_KEY_KYE: 'x', API_KEY_KEY: 'x' } }, []],
  ['nothing has to be', { tools: { a: key }, env: { API_CREDENTIALS: 'optional' } }, []],
  ['one lacks it', { tools: { a: key, b: {} } }, [`These tools can't be called yet: a. ${needsKey}`]],
  ['all lack it', { tools: { a: key, b: key } }, [`No tool can be called yet. ${needsKey}`]],
  [
    'by default of the API',
    { upstream: key, tools: { a: {}, b: { security: [] } } },
    [`These tools can't be called yet: a. ${needsKey}`],
  ],
  [
    'many',
    { tools: Object.fromEntries(['z', ...'abcdefg'].map((name) => [name, name === 'z' ? {} : key])) },
    [`These tools can't be called yet: a, b, c, d, e, and 2 more. ${needsKey}`],
  ],
  [
    'several ways',
    { tools: { a: { security: [{ key: [], other: [] }, { other: [] }] } } },
    [
      'No tool can be called yet. The API needs credentials: in the environment of this server set ' +
        'API_KEY_KEY (key) and BEARER_TOKEN_OTHER (other), or BEARER_TOKEN_OTHER (other).',
    ],
  ],
  [
    'one of several is there',
    { tools: { a: { security: [{ key: [] }, { other: [] }] } }, env: { BEARER_TOKEN_OTHER: 'x' } },
    [],
  ],
  ['anonymous access is allowed', { tools: { a: { security: [{ key: [] }, {}] } } }, []],
  ['we could not send it anyway', { tools: { a: { security: [{ digest: [] }] } } }, []],
  ['a hook may bring it', { tools: { a: key }, handlers: { beforeRequest: () => undefined } }, []],
  [
    'the project does it itself',
    { tools: { a: key, b: {} }, handlers: { tools: { a: () => 'done' } } as Handlers<object> },
    [],
  ],
  ['deselected', { tools: { a: key, b: {} }, listed: ['b'] }, []],
  [
    'no server',
    { upstream: { servers: [] }, tools: { a: {} } },
    [
      "No tool can be called yet. The API's document names no absolute server URL. Set API_BASE_URL in the environment " +
        'of this MCP server, or start it with --base-url.',
    ],
  ],
  [
    'no server, but a base URL',
    { upstream: { servers: [] }, tools: { a: {} }, baseUrl: 'http://x.test' },
    [],
  ],
  [
    'no such server',
    { tools: { a: {} }, env: { API_SERVER: '7' } },
    [expect.stringContaining('API_SERVER') as string],
  ],
  [
    'more reasons than are told',
    {
      upstream: {
        securitySchemes: Object.fromEntries(
          [1, 2, 3, 4, 5, 6, 7].map((n) => [`s${n}`, { type: 'bearer', env: { token: `T${n}` } }]),
        ),
      },
      tools: Object.fromEntries(
        [1, 2, 3, 4, 5, 6, 7].map((n) => [`t${n}`, { security: [{ [`s${n}`]: [] }] }]),
      ),
    },
    [
      ...[1, 2, 3, 4, 5].map(
        (n) =>
          `These tools can't be called yet: t${n}. The API needs credentials: in the environment of this server set T${n} (s${n}).`,
      ),
      "These tools can't be called yet: t6, t7. Each has its own reason, which a call tells.",
    ],
  ],
])('%s', (_what, world, want) => {
  expect(told(world)).toEqual(want);
});
