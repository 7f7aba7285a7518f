// The origins that each credential is sent to, whatever the environment chooses.
import { expect, test } from 'vitest';
import { mapCredentialOrigins } from '../../src/model/credential-origins.ts';
import type {
  HttpBinding,
  SecuritySchemeBinding,
  ServerBinding,
  UpstreamBinding,
} from '../../src/model/bindings.ts';

const key: SecuritySchemeBinding = { type: 'apiKey', in: 'header', name: 'X', env: { key: 'API_KEY_K' } };
const request = (rest: Partial<HttpBinding> = {}): HttpBinding => ({
  kind: 'http',
  method: 'GET',
  path: '/a',
  parameters: [],
  security: [{ k: [] }],
  ...rest,
});
const api = (servers: ServerBinding[], rest: Partial<UpstreamBinding> = {}): UpstreamBinding => ({
  servers,
  securitySchemes: { k: key },
  ...rest,
});
const originsOfKey = (servers: ServerBinding[], own?: ServerBinding[]) =>
  mapCredentialOrigins([api(servers)], [request(own === undefined ? {} : { servers: own })])['API_KEY_K'];

const at = (...urls: string[]): ServerBinding[] => urls.map((url) => ({ url }));
const variable = (url: string, name: string, value: object): ServerBinding => ({
  url,
  variables: { [name]: value },
});

test.each<
  [what: string, servers: ServerBinding[], own: ServerBinding[] | undefined, want: string[] | undefined]
>([
  ['a path', at('https://a.example/v1'), undefined, ['https://a.example']],
  ['case, and the default port', at('HTTPS://A.Example:443/'), undefined, ['https://a.example']],
  ['userinfo', at('https://a.example@evil.example/'), undefined, ['https://evil.example']],
  ['a backslash', at('https://evil.example\\@a.example/'), undefined, ['https://evil.example']],
  ['tabs and line breaks', at('https:/\t/ev\nil.example/'), undefined, ['https://evil.example']],
  ['letters of no ASCII', at('https://аpi.example'), undefined, ['https://xn--pi-6kc.example']],
  ['a dot at the end', at('https://a.example./'), undefined, ['https://a.example.']],
  [
    'every server',
    at('https://a.example', 'http://b.example:81/x'),
    undefined,
    ['http://b.example:81', 'https://a.example'],
  ],
  ['none', [], undefined, undefined],
  ['a relative one', at('/v1'), undefined, undefined],
  ['an own server', at('https://a.example'), at('https://b.example'), ['https://b.example']],
  ['an own relative server', at('https://a.example'), at('/v2'), ['https://a.example']],
  ['an own server of no scheme', at('https://a.example'), at('//evil.example/v2'), ['https://evil.example']],
  [
    'the same, where only the environment knows the API',
    at('/'),
    at('\\\\evil.example'),
    ['https://evil.example'],
  ],
  [
    'values that a variable may have',
    [variable('https://{r}.example', 'r', { default: 'a', enum: ['a', 'b'] })],
    undefined,
    ['https://a.example', 'https://b.example'],
  ],
  [
    'a variable that may be anything',
    [variable('https://{r}.example/x', 'r', { default: 'a' })],
    undefined,
    ['https://a.example', 'https://{r}.example'],
  ],
  [
    'a variable without a value',
    [variable('https://{r}.example/x', 'r', {})],
    undefined,
    ['https://{r}.example'],
  ],
  [
    'a variable of the path',
    [variable('https://a.example/{v}', 'v', { default: 'b' })],
    undefined,
    ['https://a.example'],
  ],
  [
    'a variable of the path with a host in it',
    [variable('https://a.example{v}', 'v', { default: '@evil.example', enum: ['@evil.example'] })],
    undefined,
    ['https://evil.example'],
  ],
  [
    'a whole URL in a variable',
    [variable('{u}/v1', 'u', { default: 'https://a.example' })],
    undefined,
    ['https://a.example', '{u}'],
  ],
  [
    'letters that a shell would read',
    [variable("https://{r}';$(x)\u202e.example", 'r', {})],
    undefined,
    ['https://{r}%27%3b%24%28x%29%202e.example'],
  ],
])('%s', (_what, servers, own, want) => {
  expect(originsOfKey(servers, own)).toEqual(want);
});

test('a variable with very many values counts as its template', () => {
  const values = Array.from({ length: 300 }, (_, index) => `v${index}`);
  const server = variable('https://{r}.example', 'r', { default: 'v0', enum: values });
  expect(originsOfKey([server])).toEqual(['https://v0.example', 'https://{r}.example']);
});

test('tokens go to the API, client secrets to the token endpoint or the metadata', () => {
  const env = { token: 'T', clientId: 'I', clientSecret: 'S', scopes: 'C' };
  const sentTo = (scheme: object) =>
    mapCredentialOrigins(
      [api(at('https://a.example'), { securitySchemes: { k: { type: 'oauth2', env, ...scheme } } })],
      [request()],
    );
  expect(sentTo({ tokenUrl: 'https://id.example/token' })).toEqual({
    API_HEADERS: ['https://a.example'],
    S: ['https://id.example'],
    T: ['https://a.example'],
    requests: ['https://a.example'],
  });
  expect(sentTo({ metadataUrl: 'https://m.example/x' })).toMatchObject({ S: ['https://m.example'] });
  expect(sentTo({})).not.toHaveProperty('S');
  const login = {
    authorizationUrl: 'https://id.example/a',
    tokenUrl: 'https://t.example/t',
    resource: 'https://r.example',
  };
  const issuers = ['https://id.example', 'https://t.example'];
  expect(sentTo({ login })).toMatchObject({ I: issuers, S: issuers });
});

test('other schemes go by the variable that holds the secret; a certificate goes nowhere without TLS', () => {
  const schemes: Record<string, SecuritySchemeBinding> = {
    basic: { type: 'basic', env: { username: 'U', password: 'P' } },
    bearer: { type: 'bearer', env: { token: 'B' } },
    http: { type: 'http', scheme: 'x', env: { authorization: 'A' } },
    tls: { type: 'mutualTLS', env: { cert: 'C', key: 'K', passphrase: 'Q' } },
    none: { type: 'unsupported', reason: 'x' },
  };
  const security = [Object.fromEntries(Object.keys(schemes).map((name) => [name, []]))];
  const all = api(at('http://a.example'), { securitySchemes: schemes, security });
  const { security: _own, ...rest } = request();
  void _own;
  expect(Object.keys(mapCredentialOrigins([all], [rest]))).toEqual([
    'A',
    'API_HEADERS',
    'B',
    'P',
    'requests',
  ]);
});

test('an own server may have credentials of its own, which are read by its host', () => {
  const own = request({ servers: at('https://files.example') });
  expect(mapCredentialOrigins([api(at('https://a.example'))], [request(), own])).toEqual({
    API_HEADERS: ['https://a.example'],
    API_HEADERS_FILES_EXAMPLE: ['https://files.example'],
    API_KEY_K: ['https://a.example', 'https://files.example'],
    API_KEY_K_FILES_EXAMPLE: ['https://files.example'],
    requests: ['https://a.example', 'https://files.example'],
  });
});

test('a URL that holds a secret is a credential, and only requests of its API count', () => {
  const one = api(at('https://user:word@a.example'), { name: 'ONE' });
  const other = api(at('https://b.example?key=1'), { name: 'OTHER' });
  expect(mapCredentialOrigins([one, other], [request({ api: 'ONE', security: [] })])).toEqual({
    API_BASE_URL_ONE: ['https://a.example'],
    API_HEADERS_ONE: ['https://a.example'],
    requests: ['https://a.example'],
  });
});

test('schemes that are sent if set count, for operations that say nothing and those with their own', () => {
  const k2: SecuritySchemeBinding = { ...key, env: { key: 'API_KEY_2' } };
  const both = api(at('https://a.example'), { securitySchemes: { k: key, k2 }, ifSet: ['k'] });
  const { security: _, ...silent } = request();
  void _;
  expect(mapCredentialOrigins([both], [silent])).toMatchObject({ API_KEY_K: ['https://a.example'] });
  const elsewhere = { ...silent, servers: at('https://b.example'), ifSet: ['k2'] };
  const sentTo = mapCredentialOrigins([both], [elsewhere, request({ security: [] })]);
  expect(sentTo).not.toHaveProperty('API_KEY_K');
  expect(sentTo).toMatchObject({ API_KEY_2: ['https://b.example'] });
});

test('variables in fixed headers go to the servers of the API alone', () => {
  const fixed = api(at('https://a.example'), { headers: { 'X-A': 'a ${ONE} $${TWO}' } });
  const sentTo = mapCredentialOrigins([fixed], [request({ servers: at('https://b.example') })]);
  expect([sentTo['ONE'], sentTo['TWO']]).toEqual([['https://a.example'], undefined]);
});

test('a variable that holds the value of an argument goes where its operation goes', () => {
  const known = { x: { env: 'X_SECRET' }, y: { value: 'y' } };
  const own = request({ known, servers: at('https://b.example') });
  const sentTo = mapCredentialOrigins([api(at('https://a.example'))], [request(), own]);
  expect(sentTo['X_SECRET']).toEqual(['https://b.example']);
});
