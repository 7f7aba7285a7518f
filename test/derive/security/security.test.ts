import { expect, test } from 'vitest';
import type { Operation, SecurityScheme, SourceModel } from '../../../src/model/source-model.ts';
import type { SecurityRequirement } from '../../../src/model/bindings.ts';
import { derive, deriveTool, operation, origin, source } from '../support.ts';

const schemes: Record<string, SecurityScheme> = {
  oauth: { origin, type: 'oauth2', tokenUrl: 'https://e.com/token', scopes: {} },
  openId: { origin, type: 'openIdConnect', url: 'https://e.com' },
  key: { origin, type: 'apiKey', in: 'header', name: 'X-Key' },
};

test.each<[string, SecurityRequirement[] | undefined, SecurityRequirement[] | undefined, string[]]>([
  ['none', undefined, undefined, []],
  ['the API’s', [{ oauth: ['read'] }], undefined, ['read']],
  ['the operation’s replace them', [{ oauth: ['read'] }], [{ oauth: ['write'] }], ['write']],
  ['none for the operation', [{ oauth: ['read'] }], [], []],
  ['all of one alternative', undefined, [{ oauth: ['a', 'b'], openId: ['b', 'c'] }], ['a', 'b', 'c']],
  [
    'the first alternative that has some',
    undefined,
    [{ key: [] }, { oauth: ['a'] }, { oauth: ['b'] }],
    ['a'],
  ],
  ['anyone may call', undefined, [{ oauth: ['a'] }, {}], []],
  ['roles of another scheme are none', undefined, [{ key: ['admin'] }], []],
])('scopes: %s', (_what, api, own, want) => {
  const rest: Partial<SourceModel> = {
    securitySchemes: schemes,
    ...(api === undefined ? {} : { security: api }),
  };
  expect(deriveTool(operation('GET /x', own === undefined ? {} : { security: own }), rest).scopes).toEqual(
    want,
  );
});

test('x-mcp scopes override, the operation’s over the API’s', () => {
  const rest = { securitySchemes: schemes, security: [{ oauth: ['read'] }], xMcp: { scopes: ['api'] } };
  expect(deriveTool(operation('GET /x'), rest).scopes).toEqual(['api']);
  expect(deriveTool(operation('GET /x', { xMcp: { scopes: [] } }), rest).scopes).toEqual([]);
});

test('a scheme that no operation needs is asked of nobody', () => {
  const rest = { securitySchemes: schemes, security: [{ key: [] }] };
  const open = operation('GET /open', { security: [] });
  const schemesFor = (...served: Operation[]) =>
    Object.keys(derive(source(served, rest)).model.upstream?.securitySchemes ?? {});
  expect([schemesFor(open), schemesFor(open, operation('GET /x'))]).toEqual([[], ['key']]);
});

const schemesOf = (securitySchemes: Record<string, SecurityScheme>) => {
  const security = [Object.fromEntries(Object.keys(securitySchemes).map((name) => [name, []]))];
  const { model, problems } = derive(
    source([operation('GET /x')], { securitySchemes, security, servers: [{ url: 'https://e.com' }] }),
  );
  return { schemes: model.upstream?.securitySchemes, problems };
};

const oauthEnv = {
  token: 'BEARER_TOKEN_MY_SCHEME1',
  clientId: 'OAUTH_CLIENT_ID_MY_SCHEME1',
  clientSecret: 'OAUTH_CLIENT_SECRET_MY_SCHEME1',
  scopes: 'OAUTH_SCOPES_MY_SCHEME1',
};

test.each<[string, SecurityScheme, unknown, string[]]>([
  [
    'apiKey',
    { origin, type: 'apiKey', in: 'query', name: 'k' },
    { type: 'apiKey', in: 'query', name: 'k', env: { key: 'API_KEY_MY_SCHEME1' } },
    [],
  ],
  [
    'bearer',
    { origin, type: 'http', scheme: 'Bearer' },
    { type: 'bearer', env: { token: 'BEARER_TOKEN_MY_SCHEME1' } },
    [],
  ],
  [
    'basic',
    { origin, type: 'http', scheme: 'basic' },
    { type: 'basic', env: { username: 'BASIC_USERNAME_MY_SCHEME1', password: 'BASIC_PASSWORD_MY_SCHEME1' } },
    [],
  ],
  [
    'digest',
    { origin, type: 'http', scheme: 'digest' },
    { type: 'unsupported', reason: expect.stringContaining('digest') },
    ['unsupported-security-scheme'],
  ],
  [
    'mutualTLS',
    { origin, type: 'mutualTLS' },
    {
      type: 'mutualTLS',
      env: {
        cert: 'TLS_CERT_MY_SCHEME1',
        key: 'TLS_KEY_MY_SCHEME1',
        passphrase: 'TLS_PASSPHRASE_MY_SCHEME1',
      },
    },
    [],
  ],
  [
    'openIdConnect',
    { origin, type: 'openIdConnect', url: 'https://id.test/.well-known/openid-configuration' },
    { type: 'oauth2', metadataUrl: 'https://id.test/.well-known/openid-configuration', env: oauthEnv },
    ['token-endpoint-elsewhere'],
  ],
  [
    'another HTTP scheme',
    { origin, type: 'http', scheme: 'SharedAccessKey' },
    { type: 'http', scheme: 'SharedAccessKey', env: { authorization: 'AUTHORIZATION_MY_SCHEME1' } },
    [],
  ],
  [
    'an HTTP scheme that signs requests',
    { origin, type: 'http', scheme: 'DPoP' },
    { type: 'unsupported', reason: expect.stringContaining('DPoP') },
    ['unsupported-security-scheme'],
  ],
  [
    'oauth2 with a token URL and metadata',
    { origin, type: 'oauth2', tokenUrl: 'https://e.com/token', metadataUrl: 'https://e.com/m', scopes: {} },
    { type: 'oauth2', tokenUrl: 'https://e.com/token', env: oauthEnv },
    [],
  ],
  [
    'oauth2 with metadata alone',
    { origin, type: 'oauth2', metadataUrl: 'https://e.com/m', scopes: {} },
    { type: 'oauth2', metadataUrl: 'https://e.com/m', env: oauthEnv },
    [],
  ],
  [
    'oauth2',
    { origin, type: 'oauth2', tokenUrl: 'https://e.com/token', scopes: {} },
    {
      type: 'oauth2',
      tokenUrl: 'https://e.com/token',
      env: oauthEnv,
    },
    [],
  ],
])('environment of %s', (_what, scheme, want, problems) => {
  expect(schemesOf({ 'my-Scheme1': scheme })).toEqual({ schemes: { 'my-Scheme1': want }, problems });
});

const clashing = { origin, type: 'apiKey', in: 'query', name: 'k' } as const;
/** The first eight digits of SHA-256 of each name. */
const hashes = { 'my-key': '5E78863E', my_key: '7D4C1443' };

test('schemes that would share a variable have names of their own, whatever their order', () => {
  const want = {
    'my-key': { env: { key: `API_KEY_MY_KEY_${hashes['my-key']}` } },
    my_key: { env: { key: `API_KEY_MY_KEY_${hashes.my_key}` } },
    other: { env: { key: 'API_KEY_OTHER' } },
  };
  for (const names of [
    ['my_key', 'my-key', 'other'],
    ['other', 'my-key', 'my_key'],
  ]) {
    const { schemes: found, problems } = schemesOf(Object.fromEntries(names.map((name) => [name, clashing])));
    expect(found).toMatchObject(want);
    expect(problems).toEqual(['environment-name-clash', 'environment-name-clash']);
  }
});

test.each([
  ['one that sorts before it', ['my_key'], 'my-key'],
  ['one that sorts behind it', ['my-key'], 'my_key'],
  ['a third', ['my-key', 'my_key'], 'my.key'],
  ['one without a Latin letter', ['密钥'], 'キー'],
  ['one that others would be numbered like', ['my-key', 'my_key'], 'my_key_2'],
])("a scheme that is added gets no variable that was another's: %s", (_, names, added) => {
  const keysOf = (all: string[]): [string, string][] => {
    const { schemes: found = {} } = schemesOf(Object.fromEntries(all.map((name) => [name, clashing])));
    return Object.entries(found).flatMap(([name, one]) =>
      one.type === 'apiKey' ? [[one.env.key, name]] : [],
    );
  };
  const before = new Map(keysOf(names));
  const after = keysOf([...names, added]);
  expect(after).toHaveLength(names.length + 1);
  expect(new Set(after.map(([variable]) => variable)).size).toBe(after.length);
  for (const [variable, name] of after) expect(before.get(variable) ?? name).toBe(name);
});

test('schemes of one suffix but other variables do not clash', () => {
  const { problems } = schemesOf({
    a_b: { origin, type: 'apiKey', in: 'query', name: 'k' },
    'a-b': { origin, type: 'http', scheme: 'bearer' },
  });
  expect(problems).toEqual([]);
});

test('only schemes that the operations need are bound, with a scheme nobody defined', () => {
  const { model } = derive(
    source([operation('GET /x', { security: [{ key: [] }, { ghost: [] }] })], { securitySchemes: schemes }),
  );
  expect(Object.keys(model.upstream?.securitySchemes ?? {})).toEqual(['key', 'ghost']);
  expect(model.upstream?.securitySchemes['ghost']).toMatchObject({ type: 'unsupported' });
});

test('the base URL replaces the servers', () => {
  const given = source([operation('GET /x', { servers: [{ url: 'https://own.example.com' }] })]);
  expect(derive(given).model.upstream?.servers).toEqual([{ url: 'https://api.example.com/v1' }]);
  const { model } = derive(given, { baseUrl: 'http://localhost:1' });
  expect(model.upstream?.servers).toEqual([{ url: 'http://localhost:1' }]);
  // A test must not write to the real API (ADR 10).
  expect(model.tools[0]?.binding).not.toHaveProperty('servers');
});

const flows = { authorizationUrl: 'https://id.test/authorize', tokenUrl: 'https://id.test/token' };
const openIdUrl = 'https://id.test/.well-known/openid-configuration';

test.each<[string, SecurityScheme, object | undefined]>([
  ['the flow with a code', { origin, type: 'oauth2', scopes: {}, login: flows }, flows],
  [
    'the flow for devices',
    { origin, type: 'oauth2', scopes: {}, login: { deviceAuthorizationUrl: '/device', tokenUrl: '/token' } },
    { deviceAuthorizationUrl: 'https://e.com/device', tokenUrl: 'https://e.com/token' },
  ],
  ['OpenID Connect', { origin, type: 'openIdConnect', url: openIdUrl }, { metadataUrl: openIdUrl }],
  [
    'a code without a token URL',
    { origin, type: 'oauth2', scopes: {}, login: { authorizationUrl: 'https://id.test' } },
    undefined,
  ],
  [
    'client credentials alone',
    { origin, type: 'oauth2', scopes: {}, tokenUrl: 'https://id.test/token' },
    undefined,
  ],
  ...['javascript:alert(1)', 'file:///etc/passwd', 'http://id.test/authorize', 'data:text/html,x'].map(
    (authorizationUrl): [string, SecurityScheme, undefined] => [
      authorizationUrl,
      { origin, type: 'oauth2', scopes: {}, login: { tokenUrl: authorizationUrl, authorizationUrl } },
      undefined,
    ],
  ),
])('where people sign in by %s', (what, scheme, want) => {
  const given = source([operation('GET /x')], {
    securitySchemes: { k: scheme },
    security: [{ k: [] }],
    servers: [{ url: 'https://e.com' }],
  });
  const from = (features: string[]) => derive(given, { features, baseUrl: 'https://e.com' });
  const schemeOf = (features: string[]) => from(features).model.upstream?.securitySchemes['k'];
  expect(schemeOf(['stdio'])).not.toHaveProperty('login');
  expect(schemeOf(['login'])).toEqual({
    ...schemeOf(['stdio']),
    ...(want && { login: want, source: 'login' }),
  });
  const isRefused = 'login' in scheme && scheme.login?.tokenUrl === scheme.login?.authorizationUrl;
  const refusals = from(['login']).messages.filter((message) => message.includes('https only'));
  expect(refusals.length).toBe(isRefused && /^https?:/.test(what) ? 2 : 0);
});
