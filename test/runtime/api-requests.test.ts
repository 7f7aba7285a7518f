/** Arguments in, the request that an API receives out. */
import { expect, test } from 'vitest';
import type { Body, Parameter } from '../../templates/runtime/types.ts';
import { type ApiParts, openApi, type Received, requestOf } from './api.ts';

/** The place of one parameter `color` on the wire, or the refusal. */
async function place(parameter: Partial<Parameter>, value: unknown): Promise<string> {
  const one = { argument: 'color', name: 'color', in: 'query', ...parameter } as Parameter;
  const path = one.in === 'path' ? '/p{color}' : '/p';
  const request = await requestOf({ binding: { path, parameters: [one] } }, { color: value });
  if (typeof request === 'string') return request;
  const { target, headers } = request;
  return one.in === 'header'
    ? String(headers['color'])
    : one.in === 'cookie'
      ? String(headers['cookie'])
      : target;
}

const inPath = (name: string): Parameter => ({ argument: name, name, in: 'path' });

test.each<[path: string, args: object, want: RegExp, more?: Partial<Parameter>]>([
  ['/f/{id}', { id: '.' }, /^Refused: .*"\." or "\.\."/],
  ['/f/{id}', { id: '..' }, /^Refused: /],
  ['/f/{id}/x', { id: '..' }, /^Refused: /],
  ['/f/{id}', { id: '%2e%2E' }, /^Refused: /],
  ['/f/{id}', { id: '..;' }, /^Refused: /],
  ['/f/{id}', { id: '%2e%2E;x' }, /^Refused: /],
  ['/f/{a}{b}', { a: '.', b: '.' }, /^Refused: /],
  ['/f/.{a}', { a: '.' }, /^Refused: /],
  ['/f/{a}.{b}', { a: 'x', b: '' }, /^Refused: .* needs a value for "b"/],
  ['/f/{id}', { id: '' }, /^Refused: .* needs a value for "id"/],
  ['/f/{id}', { id: null }, /needs a value for "id"/],
  ['/f/{id}', { id: [] }, /needs a value for "id"/],
  ['/f/{id}', { id: {} }, /needs a value for "id"/],
  ['/f/{id}', {}, /needs a value for "id"/],
  ['/f/{id}', { id: '../etc' }, /^Refused: /],
  ['/f/{id}', { id: 'a\\..\\b' }, /^Refused: /],
  ['/f/{id}', { id: 'a/../b' }, /^Refused: /, { allowReserved: true }],
  ['/f/{id}', { id: 'a/..;x/b' }, /^Refused: /, { allowReserved: true }],
  ['/f/{id}', { id: '..%3b/b' }, /^Refused: /, { allowReserved: true }],
  ['/f/{id}', { id: '//' }, /needs a value for "id"/, { allowReserved: true }],
])('the path %s with %j is refused, and nothing is sent', async (path, args, want, more) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = names.map((name) => ({ ...inPath(name), ...more }));
  const refusal = await requestOf({ binding: { path, parameters } }, args);
  expect(refusal).toMatch(want);
  expect(refusal).toContain(path);
});

test.each([
  ['..etc', '/f/..etc'],
  ['...', '/f/...'],
  ['.a', '/f/.a'],
  ['%2F', '/f/%252F'],
])('the path argument %j is sent', async (id, target) => {
  expect(await requestOf({ binding: { path: '/f/{id}', parameters: [inPath('id')] } }, { id })).toMatchObject(
    { target },
  );
});

test.each<[Partial<Parameter>, unknown, RegExp]>([
  [{ in: 'header' }, 'a\r\nX-Evil: 1', /"color" can't be sent: it must not hold line breaks/],
  [{ in: 'header' }, 'a\0b', /"color" can't be sent/],
  [{ in: 'cookie', allowReserved: true }, 'a\r\nb', /^color=a%0D%0Ab$/],
  [{ name: 'Host', in: 'header' }, 'evil.example', /^undefined$/],
])('%j with %j', async (parameter, value, want) => {
  expect(await place(parameter, value)).toMatch(want);
});

test.each<[what: string, path: string, query: object, base: string, want: string]>([
  ['a query of the document', '/x?mode=a&v', {}, '', '/x?mode=a&v'],
  ['an argument of the same name', '/x?mode=a', { mode: 'b' }, '', '/x?mode=b'],
  ['a query of the server', '/x', { mode: 'b' }, '/v1?key=1', '/v1/x?key=1&mode=b'],
  ['all of them', '/x?fixed=1', { mode: 'b' }, '/v1/?key=1', '/v1/x?key=1&fixed=1&mode=b'],
  ['a fragment', '/x#part', {}, '', '/x'],
  ['characters that no path has', '/a b/ü"', {}, '', '/a%20b/%C3%BC%22'],
])('%s: %s', async (_, path, args, base, target) => {
  const upstream = await openApi();
  const binding = { path, parameters: [{ argument: 'mode', name: 'mode', in: 'query' as const }] };
  await (await openApi({ baseUrl: upstream.url + base, binding })).call(args);
  expect(upstream.requests.map((request) => request.target)).toEqual([target]);
});

test('API_BASE_URL, --base-url and an operation that has a server', async () => {
  const [flag, variable, operation] = await Promise.all([openApi(), openApi(), openApi()]);
  const binding = { servers: [{ url: operation.url }] };
  await (await openApi({ binding })).call();
  await (await openApi({ binding, env: { API_BASE_URL: variable.url } })).call();
  await (await openApi({ binding, env: { API_BASE_URL: variable.url }, baseUrl: flag.url })).call();
  expect([flag, variable, operation].map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
});

test.each([
  [undefined, 'application/json, */*;q=0.8'],
  [['application/json'], 'application/json'],
  [['application/xml', 'application/json'], 'application/xml;q=0.9, application/json'],
  [['image/png', 'image/jpeg'], 'image/png, image/jpeg'],
])('the headers of a request that accepts %j', async (accept, want) => {
  const { headers } = (await requestOf({
    binding: { result: accept === undefined ? {} : { accept } },
  })) as Received;
  const { host, connection, ...others } = headers;
  expect([host, connection]).toEqual([expect.stringContaining('127.0.0.1'), 'keep-alive']);
  expect(others).toEqual({ accept: want, 'accept-encoding': 'gzip, br', 'user-agent': 'test/1.2.3' });
});

const whole = (kind: string, mediaType: string, more: object = {}): Body => ({
  kind,
  mediaType,
  argument: 'body',
  ...more,
});
const flat = (kind: string, names: string[], more: object = {}): Body => ({
  kind,
  mediaType: kind === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
  properties: names.map((name) => ({ argument: `${name}_arg`, name })),
  ...more,
});

// Bodies of documents: test/wire/bodies.test.ts.
test.each<[Body, object, type: string | undefined, content: string]>([
  [whole('json', 'application/*'), { body: 1 }, 'application/json', '1'],
  [flat('json', ['__proto__']), { ['__proto___arg']: 1 }, 'application/json', '{"__proto__":1}'],
  [
    flat('form', ['constructor'], { encoding: {} }),
    { constructor_arg: 'x' },
    'application/x-www-form-urlencoded',
    'constructor=x',
  ],
  [whole('text', '*/*'), { body: 1 }, 'text/plain', '1'],
  [whole('text', 'text/plain; charset=ISO-8859-1'), { body: 'ä' }, 'text/plain; charset=utf-8', '\xc3\xa4'],
  [whole('binary', 'image/png'), { body: 'AAEC_w' }, 'image/png', '\0\x01\x02\xff'],
  [whole('binary', 'image/png'), { body: 'AAEC\r\n/w==\n' }, 'image/png', '\0\x01\x02\xff'],
  [whole('binary', '*/*'), { body: 'AA' }, 'application/octet-stream', '\0'],
  [
    whole('binary', 'image/gif', { alternatives: ['image/png'] }),
    { body: 'data:image/png;base64,/w==' },
    'image/png',
    '\xff',
  ],
  [whole('binary', 'text/plain'), { body: 'DATA:text/plain;charset=utf-8;base64,YSBi' }, 'text/plain', 'a b'],
  [whole('binary', 'image/png', { required: true }), {}, 'image/png', ''],
])('the body %j of %o', async (body, args, type, content) => {
  const request = (await requestOf({ binding: { method: 'POST', body } }, args)) as Received;
  expect([request.headers['content-type'], request.body]).toEqual([type, content]);
  expect(request.headers['content-length']).toBe(String(content.length));
});

test.each<[Body, object, RegExp]>([
  [whole('form', 'application/x-www-form-urlencoded'), { body: [1] }, /body must be an object/],
  [flat('json', ['a', 'b'], { required: true, minProperties: 1 }), {}, /needs at least 1 of: a_arg, b_arg/],
  ...['not base64!', 'AAAAA', 'A=AA', 'data:image/png;base64,***', 'data:nocomma', 'data:,%F', 7].map(
    (value): [Body, object, RegExp] => [
      whole('binary', 'image/png'),
      { body: value },
      /"body" must hold bytes/,
    ],
  ),
])('the body %j of %j is refused', async (body, args, want) => {
  expect(await requestOf({ binding: { method: 'POST', body } }, args)).toMatch(want);
});

test('a POST without a body says so, a DELETE says nothing', async () => {
  const lengths = await Promise.all(
    ['POST', 'DELETE'].map(
      async (method) => ((await requestOf({ binding: { method } })) as Received).headers['content-length'],
    ),
  );
  expect(lengths).toEqual(['0', undefined]);
});

// Credentials.

const SCHEMES = {
  head: { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'KEY_HEAD' } },
  query: { type: 'apiKey', in: 'query', name: 'api key', env: { key: 'KEY_QUERY' } },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid', env: { key: 'KEY_COOKIE' } },
  basic: { type: 'basic', env: { username: 'USERNAME', password: 'PASSWORD' } },
  bearer: { type: 'bearer', env: { token: 'TOKEN' } },
  shared: { type: 'http', scheme: 'SharedAccessKey', env: { authorization: 'SHARED' } },
  mtls: { type: 'unsupported', reason: 'mutualTLS is not supported' },
} as const;
const ALL = {
  KEY_HEAD: 'head-secret',
  KEY_QUERY: 'query secret',
  KEY_COOKIE: 'cookie-secret',
  USERNAME: 'ada',
  PASSWORD: 'lovelace',
  TOKEN: 'bearer-secret',
};
const secured = (parts: ApiParts, env: Record<string, string>): ApiParts => ({
  ...parts,
  api: { securitySchemes: SCHEMES as never, ...parts.api },
  env,
});
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

test.each<
  [security: Record<string, string[]>[] | undefined, env: Record<string, string>, want: string | RegExp]
>([
  [[{ query: [] }], ALL, '/a?api%20key=query%20secret'],
  [[{ cookie: [] }], ALL, '/a sid=cookie-secret'],
  [[{ basic: [] }], ALL, `/a ${basic('ada:lovelace')}`],
  [[{ basic: [] }], { USERNAME: 'token' }, `/a ${basic('token:')}`],
  [[{ bearer: [] }], ALL, '/a Bearer bearer-secret'],
  [[{ bearer: [] }], { TOKEN: 'bearer x' }, '/a Bearer x'],
  [[{ shared: [] }], { SHARED: 'name=a, sig=b' }, '/a SharedAccessKey name=a, sig=b'],
  [[{ shared: [] }], { SHARED: 'sharedaccesskey  x' }, '/a SharedAccessKey x'],
  [[{ head: [], bearer: [] }], ALL, '/a head-secret Bearer bearer-secret'],
  [[{ head: [] }, { bearer: [] }], ALL, '/a head-secret'],
  [[{ head: [] }, { bearer: [] }], { TOKEN: 't' }, '/a Bearer t'],
  [[{}, { bearer: [] }], { TOKEN: 't' }, '/a Bearer t'],
  [[{}, { bearer: [] }], { API_CREDENTIALS: 'required' }, /set TOKEN \(bearer\)/],
  [[{ mtls: [] }, { bearer: [] }], { TOKEN: 't' }, '/a Bearer t'],
  [[{}, { bearer: [] }], {}, '/a'],
  [[{ mtls: [] }], {}, '/a'],
  [[{ head: [] }], { API_CREDENTIALS: 'optional' }, '/a'],
  [[{ head: [] }], {}, /^Nothing was sent: .* set KEY_HEAD \(head\)/],
  [[{ head: [], bearer: [] }], { KEY_HEAD: 'head-secret' }, /set TOKEN \(bearer\)/],
  [[{ basic: [] }, { query: [] }], {}, /USERNAME and PASSWORD \(basic\), or KEY_QUERY \(query\)/],
  [[{ head: [] }], { KEY_HEAD: 'top\nsecret' }, /"X-Key" can't be sent/],
])('security %j with %j', async (security, env, want) => {
  const request = await requestOf(secured({ binding: security === undefined ? {} : { security } }, env));
  const shown =
    typeof request === 'string'
      ? request
      : [request.target, ...['x-key', 'cookie', 'authorization'].map((name) => request.headers[name])]
          .filter(Boolean)
          .join(' ');
  expect(shown).toEqual(typeof want === 'string' ? want : expect.stringMatching(want));
  expect(shown).not.toContain('top');
});

test('an argument can not take the place of a credential', async () => {
  const parameters: Parameter[] = [
    { argument: 'a', name: 'X-Key', in: 'header' },
    { argument: 'b', name: 'api key', in: 'query' },
    { argument: 'c', name: 'sid', in: 'cookie' },
  ];
  const binding = { parameters, security: [{ head: [], query: [], cookie: [] }] };
  const request = (await requestOf(secured({ binding }, ALL), {
    a: 'mine',
    b: 'mine',
    c: 'mine',
  })) as Received;
  expect([request.target, request.headers['x-key'], request.headers['cookie']]).toEqual([
    '/a?api%20key=query%20secret',
    'head-secret',
    'sid=cookie-secret',
  ]);
});

test('a user and password of the base URL', async () => {
  const { url, requests } = await openApi();
  const { call } = await openApi({ baseUrl: url.replace('//', '//a%20b:p%40w@') });
  await call();
  expect(requests[0]?.headers['authorization']).toBe(basic('a b:p@w'));
});

test('headers of the configuration and of API_HEADERS', async () => {
  const headers = { 'X-A': 'a $${b}', 'X-B': 'Token ${WORD}', 'X-C': '${GONE}', 'X-D': 'old' };
  const env = { WORD: 'word-secret', API_HEADERS: 'x-d: new\\nX-E:  e ' };
  expect(await requestOf({ api: { headers }, env })).toMatch(/^Nothing was sent: .*X-C.*GONE/);
  const optional = (await requestOf({
    api: { headers },
    env: { ...env, API_CREDENTIALS: 'optional' },
  })) as Received;
  expect(['x-a', 'x-b', 'x-c', 'x-d', 'x-e'].map((name) => optional.headers[name])).toEqual([
    'a ${b}',
    'Token word-secret',
    undefined,
    'new',
    'e',
  ]);
  const broken = await requestOf({
    api: { headers: { 'X-A': '${WORD}' } },
    env: { WORD: 'word\r\nX-Evil: 1' },
  });
  expect(broken).toMatch(/"X-A" can't be sent/);
  expect(broken).not.toContain('Evil');
});
