/** What features bring to requests: servers of operations, several APIs, known arguments, and members that only answers have. */
import { expect, test } from 'vitest';
import type { HttpBinding } from '../../templates/runtime/types.ts';
import { openApi, type Received, requestOf, startApi, textOf } from './api.ts';

const HEADER = { argument: 'a', name: 'X-A', in: 'header' } as const;

test.each<[known: object, env: Record<string, string>, args: object, want: string | RegExp | undefined]>([
  [{ a: { value: 'fixed' } }, {}, {}, 'fixed'],
  [{ a: { value: 'fixed' } }, {}, { a: 'given' }, 'fixed'],
  [{ a: { value: 'fixed', env: 'A' } }, { A: 'set' }, {}, 'set'],
  [{ a: { env: 'A', isJson: true } }, { A: '["x","y"]' }, {}, 'x,y'],
  [{ a: { env: 'A' } }, {}, {}, /"a" from the variable A, which is not set/],
  [{ a: { env: 'A', isJson: true } }, { A: '[' }, {}, /variable A, sent as "a", must hold JSON/],
])('known arguments %j with %j and %j', async (known, env, args, want) => {
  const binding = { parameters: [HEADER], known } as Partial<HttpBinding>;
  const request = await requestOf({ binding, env }, args);
  if (want instanceof RegExp) expect(request).toMatch(want);
  else expect((request as Received).headers['x-a']).toBe(want);
});

test.each([
  ['API_TOKEN', 'secret-of-it', '[redacted]'],
  ['REGION', 'value-of-it', 'value-of-it'],
])('an answer that repeats the value of %s', async (variable, value, want) => {
  const binding = { parameters: [HEADER], known: { a: { env: variable } } } as Partial<HttpBinding>;
  const answer = ({ headers }: Received) => ({ body: String(headers['x-a']) });
  const { call } = await openApi({ binding, env: { [variable]: value }, answer });
  expect(textOf(await call())).toContain(want);
});

const SCHEME = { type: 'basic', env: { username: 'NAME', password: 'WORD' } };
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

test.each<[what: string, env: Record<string, string>, want: (string | undefined)[]]>([
  [
    'nothing of the API',
    { API_HEADERS: 'X-H: of-api', NAME: 'n', WORD: 'w' },
    [basic('n:w'), undefined, undefined],
  ],
  [
    'credentials of its own, as a group',
    { NAME: 'n', WORD: 'w', NAME_HOST: 'm' },
    [basic('m:'), undefined, undefined],
  ],
])('another host than the API gets %s', async (_, env, want) => {
  const other = await startApi(() => ({ status: 204 }));
  const suffix = `_${new URL(other.url).host.replace(/\W/g, '_')}`;
  const { call, requests } = await openApi({
    api: { securitySchemes: { basic: SCHEME }, headers: { 'X-Fixed': 'of-the-configuration' } },
    binding: { servers: [{ url: other.url }], security: [{ basic: [] }] },
    env: Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name.replace(/_HOST$/, suffix), value]),
    ),
  });
  await call();
  expect(requests).toEqual([]);
  const { headers } = other.requests[0] as Received;
  expect([headers['authorization'], headers['x-h'], headers['x-fixed']]).toEqual(want);
});

test('each of several APIs has its own address, server and headers', async () => {
  const [one, two] = await Promise.all([
    startApi(() => ({ status: 204 })),
    startApi(() => ({ status: 204 })),
  ]);
  const apis = [
    { name: 'ONE', servers: [{ url: one.url }], securitySchemes: {} },
    {
      name: 'TWO',
      servers: [{ url: `${two.url}/{v}` }, { url: 'https://two.invalid' }],
      securitySchemes: {},
    },
  ];
  const { call } = await openApi({
    bindings: { upstreams: apis },
    binding: { api: 'TWO' },
    env: {
      API_SERVER_TWO_V: 'v2',
      API_HEADERS_TWO: 'X-H: two',
      API_HEADERS: 'X-H: all',
    },
  });
  await call();
  expect(one.requests).toEqual([]);
  expect(two.requests).toMatchObject([{ target: '/v2/a', headers: { 'x-h': 'two' } }]);
  const { server } = await openApi({ bindings: { upstreams: apis }, baseUrl: one.url });
  await expect(server.start()).rejects.toThrow(
    /--base-url would move every API\. Set API_BASE_URL_ONE, API_BASE_URL_TWO\./,
  );
});

test('members that only answers have are accepted, and not sent', async () => {
  const cat = { type: 'object', properties: { name: {} }, additionalProperties: false };
  const readOnly = {
    properties: { body: { names: ['id'], properties: { kin: { items: { names: ['id'] } } } } },
  };
  const request = (await requestOf(
    {
      input: { type: 'object', properties: { body: { ...cat, properties: { name: {}, kin: {} } } } },
      binding: {
        method: 'POST',
        body: { kind: 'json', mediaType: 'application/json', argument: 'body', readOnly },
      },
    },
    { body: { id: 1, name: 'a', kin: [{ id: 2, name: 'b' }] } },
  )) as Received;
  expect(request.body).toBe('{"name":"a","kin":[{"name":"b"}]}');
});

test('a body of more parts than a server sends is refused', async () => {
  const body = { kind: 'multipart', mediaType: 'multipart/form-data', argument: 'body' };
  const refusal = await requestOf(
    { binding: { method: 'POST', body } },
    { body: { t: Array(10_001).fill('x') } },
  );
  expect(refusal).toMatch(/more than 10000 parts/);
});
