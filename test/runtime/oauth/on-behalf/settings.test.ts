// Settings for credentials of callers in environment and configuration, and the words of refusals.
import { expect, test } from 'vitest';
import type {
  SecuritySchemeBinding,
  UpstreamBinding,
} from '../../../../templates/runtime/contract/bindings.ts';
import type { OnBehalfMode } from '../../../../templates/runtime/definition.ts';
import { openOnBehalf } from '../../../../templates/runtime/oauth/on-behalf/index.ts';
import {
  parseExchangeSettings,
  parseOnBehalfMode,
} from '../../../../templates/runtime/oauth/on-behalf/exchange-settings.ts';
import { ON_BEHALF_VARIABLES } from '../../../../templates/runtime/contract/auth-variables.ts';

const LEAST = {
  MCP_AUTH_EXCHANGE_URI: 'https://id.test/token',
  MCP_AUTH_EXCHANGE_CLIENT_ID: 'client',
  MCP_AUTH_EXCHANGE_CLIENT_SECRET: 'secret',
};
const type = 'urn:ietf:params:oauth:token-type:access_token';

test('the least', () => {
  expect(parseExchangeSettings({})).toBeUndefined();
  expect(parseExchangeSettings(LEAST)).toEqual({
    url: new URL('https://id.test/token'),
    clientId: 'client',
    clientSecret: 'secret',
    clientAuth: 'basic',
    audience: [],
    resource: [],
    scopes: [],
    subjectTokenType: type,
    requestedTokenType: type,
  });
});

test.each<[Record<string, string>, string]>([
  [{ MCP_AUTH_EXCHANGE_URI: 'http://id.test/token' }, 'MCP_AUTH_EXCHANGE_URI must be an https URL'],
  [{ MCP_AUTH_EXCHANGE_URI: 'https://u:p@id.test/' }, 'MCP_AUTH_EXCHANGE_URI must be an https URL'],
  [
    { MCP_AUTH_EXCHANGE_CLIENT_ID: '' },
    'needs MCP_AUTH_EXCHANGE_CLIENT_ID and MCP_AUTH_EXCHANGE_CLIENT_SECRET',
  ],
  [{ MCP_AUTH_EXCHANGE_CLIENT_SECRET: '' }, 'needs MCP_AUTH_EXCHANGE_CLIENT_ID and'],
  [{ MCP_AUTH_EXCHANGE_CLIENT_AUTH: 'jwt' }, 'MCP_AUTH_EXCHANGE_CLIENT_AUTH must be basic or body, not jwt.'],
  [{ MCP_AUTH_EXCHANGE_RESOURCE: '/v1' }, 'MCP_AUTH_EXCHANGE_RESOURCE must hold absolute URIs'],
  [{ MCP_AUTH_EXCHANGE_RESOURCE: 'https://a.test/#x' }, 'MCP_AUTH_EXCHANGE_RESOURCE must hold absolute URIs'],
  [{ MCP_AUTH_EXCHANGE_TOKEN_TYPE: 'saml2' }, 'MCP_AUTH_EXCHANGE_TOKEN_TYPE must be access_token or jwt'],
  [{ MCP_AUTH_EXCHANGE_SUBJECT_TYPE: 'id' }, 'MCP_AUTH_EXCHANGE_SUBJECT_TYPE must be access_token or jwt'],
  [{ MCP_AUTH_EXCHANGE_URI: '' }, 'MCP_AUTH_EXCHANGE_CLIENT_ID goes with MCP_AUTH_EXCHANGE_URI'],
])('%j', (env, words) => {
  expect(() => parseExchangeSettings({ ...LEAST, ...env })).toThrow(words);
});

test('the secret is in no message', () => {
  for (const name of Object.keys(LEAST))
    for (const value of ['', 'ftp://x'])
      try {
        parseExchangeSettings({ ...LEAST, MCP_AUTH_EXCHANGE_CLIENT_SECRET: 'se-cret', [name]: value });
      } catch (thrown) {
        expect(String(thrown)).not.toContain('se-cret');
      }
});

test('required or optional', () => {
  expect(
    ['', 'required', 'optional'].map((MCP_AUTH_ON_BEHALF) => parseOnBehalfMode({ MCP_AUTH_ON_BEHALF })),
  ).toEqual([undefined, 'required', 'optional']);
  expect(() => parseOnBehalfMode({ MCP_AUTH_ON_BEHALF: 'yes' })).toThrow(
    'must be required or optional, not yes',
  );
});

test('each variable that is read is told of', () => {
  const told = new Set(ON_BEHALF_VARIABLES.map(({ name }) => name));
  const read = new Set<string>();
  const env = new Proxy<Record<string, string>>(LEAST, {
    get: (target, name: string) => {
      read.add(name);
      return target[name];
    },
  });
  parseExchangeSettings(env);
  parseOnBehalfMode(env);
  expect([...read].sort()).toEqual([...told].sort());
});

const bearer: SecuritySchemeBinding = { type: 'bearer', env: { token: 'T' } };
const key: SecuritySchemeBinding = { type: 'apiKey', in: 'query', name: 'k', env: { key: 'K' } };

function api(name: string | undefined): UpstreamBinding {
  return {
    servers: [],
    securitySchemes: { user: bearer, key },
    ...(name === undefined ? {} : { name }),
  };
}

const way = () => ({ token: 'x' });

test.each<[OnBehalfMode | undefined, Record<string, object> | undefined, typeof way | undefined, string]>([
  [undefined, { user: {} }, undefined, 'MCP_AUTH_EXCHANGE_URI is not set'],
  [undefined, { user: {} }, way, 'MCP_AUTH_EXCHANGE_URI is not set'],
  ['required', undefined, undefined, 'nothing brings their credentials'],
])('%s, %j, %s without an exchange ends the start', (onBehalf, exchange, hook, words) => {
  const definition = {
    ...(onBehalf === undefined ? {} : { onBehalf }),
    ...(exchange === undefined ? {} : { exchange }),
  };
  const rest = { bindings: {}, upstreamCredentials: hook, report: () => undefined };
  expect(() => openOnBehalf({ definition, env: {}, ...rest })).toThrow(words);
});

test('required by the environment, too, and not where a handler brings them', () => {
  const env = { MCP_AUTH_ON_BEHALF: 'required' };
  const rest = { definition: {}, env, bindings: {}, report: () => undefined };
  expect(() => openOnBehalf({ ...rest, upstreamCredentials: undefined })).toThrow('nothing brings');
  expect(openOnBehalf({ ...rest, upstreamCredentials: way })).toBeTypeOf('function');
  expect(openOnBehalf({ ...rest, env: {}, upstreamCredentials: undefined })).toBeUndefined();
});

test.each(ON_BEHALF_VARIABLES.map(({ name }) => name).filter((name) => !name.endsWith('_URI')))(
  '%s, where nothing comes of it, ends the start',
  (name) => {
    const value = name === 'MCP_AUTH_ON_BEHALF' ? 'optional' : 'jwt';
    const rest = { definition: {}, bindings: {}, upstreamCredentials: undefined, report: () => undefined };
    expect(() => openOnBehalf({ ...rest, env: { [name]: value } })).toThrow(name);
  },
);

function open(apis: UpstreamBinding[], exchange?: Record<string, object>) {
  const [first] = apis;
  const bindings = apis.length > 1 ? { upstreams: apis } : first === undefined ? {} : { upstream: first };
  const definition = exchange === undefined ? {} : { exchange };
  return openOnBehalf({
    definition,
    env: LEAST,
    bindings,
    upstreamCredentials: undefined,
    report: () => undefined,
  });
}

test.each<[UpstreamBinding[], Record<string, object> | undefined]>([
  [[api(undefined)], undefined],
  [[api(undefined)], { user: {} }],
  [[api('A'), api('B')], { 'A/user': {}, user: {} }],
])('%#: rules that can be used', (apis, exchange) => {
  expect(open(apis, exchange)).toBeTypeOf('function');
});

test.each<[UpstreamBinding[], Record<string, object> | undefined, string]>([
  [
    [api(undefined)],
    { usr: {} },
    '"usr", and no security scheme that sends a token has this name. Did you mean "user"?',
  ],
  [[api(undefined)], { key: {} }, '`auth.exchange` names "key"'],
  [[api('A'), api('B')], { 'C/user': {} }, '`auth.exchange` names "C/user"'],
  [
    [api('A'), api('B')],
    undefined,
    'this server has several APIs: `auth.exchange` of its configuration must say',
  ],
])('%#: rules that can not', (apis, exchange, words) => {
  expect(() => open(apis, exchange)).toThrow(words);
});
