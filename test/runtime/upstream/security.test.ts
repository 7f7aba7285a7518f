import { allFeatures } from '../../../templates/runtime/all-features.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import type {
  SecurityRequirement,
  SecuritySchemeBinding,
  UpstreamBinding,
} from '../../../templates/runtime/contract/bindings.ts';
import { createUpstreamClient } from '../../../templates/runtime/upstream/upstream-client.ts';
import { defaultUpstreamLimits } from '../../../templates/runtime/contract/feature.ts';
import { toToolResult } from '../../../templates/runtime/upstream/tool-result.ts';
import { call, headerOf, httpServer, rawServer, refusal } from './loopback.ts';

const schemes: Record<string, SecuritySchemeBinding> = {
  head: { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'API_KEY_HEAD' } },
  query: { type: 'apiKey', in: 'query', name: 'api key', env: { key: 'API_KEY_QUERY' } },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid', env: { key: 'API_KEY_COOKIE' } },
  basic: { type: 'basic', env: { username: 'BASIC_USERNAME_B', password: 'BASIC_PASSWORD_B' } },
  bearer: { type: 'bearer', env: { token: 'BEARER_TOKEN_B' } },
  shared: { type: 'http', scheme: 'SharedAccessKey', env: { authorization: 'AUTHORIZATION_S' } },
  mtls: { type: 'unsupported', reason: 'mutualTLS' },
};

const all = {
  API_KEY_HEAD: 'head-secret',
  API_KEY_QUERY: 'query secret',
  API_KEY_COOKIE: 'cookie-secret',
  BASIC_USERNAME_B: 'ada',
  BASIC_PASSWORD_B: 'lovelace',
  BEARER_TOKEN_B: 'bearer-secret',
};

/** Credentials of a request, in one line. */
async function sent(
  security: SecurityRequirement[] | undefined,
  env: Record<string, string>,
  more: { api?: Partial<UpstreamBinding> } = {},
): Promise<string> {
  const upstream = await rawServer();
  const binding = security === undefined ? {} : { security };
  await call(
    upstream.url,
    binding,
    {},
    { api: { securitySchemes: schemes, ...more.api }, settings: { env } },
  );
  await upstream.close();
  const [request] = upstream.requests;
  const headers = ['X-Key', 'Cookie', 'Authorization'].map((name) => headerOf(request, name));
  return [request?.line.split(' ')[1], ...headers].filter((one) => one !== undefined).join(' | ');
}

test.each<[SecurityRequirement[] | undefined, Record<string, string>, string]>([
  [undefined, all, '/'],
  [[], all, '/'],
  [[{ head: [] }], all, '/ | head-secret'],
  [[{ query: [] }], all, '/?api%20key=query%20secret'],
  [[{ head: [] }], { API_CREDENTIALS: 'optional' }, '/'],
  [[{ head: [], bearer: [] }], { API_CREDENTIALS: 'optional', API_KEY_HEAD: 'head-secret' }, '/'],
  [[{ head: [] }], { API_CREDENTIALS: 'optional', API_KEY_HEAD: 'head-secret' }, '/ | head-secret'],
  [[{ cookie: [] }], all, '/ | sid=cookie-secret'],
  [[{ basic: [] }], all, `/ | Basic ${Buffer.from('ada:lovelace').toString('base64')}`],
  [[{ basic: [] }], { BASIC_USERNAME_B: 'token' }, `/ | Basic ${Buffer.from('token:').toString('base64')}`],
  [[{ bearer: [] }], all, '/ | Bearer bearer-secret'],
  [[{ bearer: [] }], { BEARER_TOKEN_B: 'Bearer x' }, '/ | Bearer x'],
  [[{ shared: [] }], { AUTHORIZATION_S: 'name=a, sig=b' }, '/ | SharedAccessKey name=a, sig=b'],
  [[{ shared: [] }], { AUTHORIZATION_S: 'sharedaccesskey  x' }, '/ | SharedAccessKey x'],
  [[{ shared: [] }], { AUTHORIZATION_S: 'SharedAccessKeyish' }, '/ | SharedAccessKey SharedAccessKeyish'],
  // OR: the first whose credentials are all there
  [[{ head: [] }, { bearer: [] }], all, '/ | head-secret'],
  [[{ head: [] }, { bearer: [] }], { BEARER_TOKEN_B: 't' }, '/ | Bearer t'],
  // AND
  [[{ head: [], bearer: [] }], all, '/ | head-secret | Bearer bearer-secret'],
  [[{ head: [], bearer: [] }, { query: [] }], { API_KEY_HEAD: 'x', API_KEY_QUERY: 'q' }, '/?api%20key=q'],
  // anonymous is allowed, credentials at hand are used
  [[{}, { head: [] }], {}, '/'],
  [[{}, { head: [] }], all, '/ | head-secret'],
  // known, but nothing is sent
  [[{ mtls: [] }], {}, '/'],
  [[{ mtls: [] }, { head: [] }], all, '/ | head-secret'],
  [[{ undescribed: [] }], {}, '/'],
])('%j', async (security, env, want) => {
  expect(await sent(security, env)).toBe(want);
});

const basicOf = (pair: string): string => `/ | Basic ${Buffer.from(pair).toString('base64')}`;
const files = [{ url: 'https://files.test/up' }];

test.each<[string, Record<string, string>, string]>([
  ['the same, when nothing else is set', {}, basicOf('ada:lovelace')],
  ['of the host', { BASIC_USERNAME_B_FILES_TEST: 'bob', BASIC_PASSWORD_B_FILES_TEST: 'x' }, basicOf('bob:x')],
  ['never half and half', { BASIC_USERNAME_B_FILES_TEST: 'bob' }, basicOf('bob:')],
  ['of another host', { BASIC_USERNAME_B_OTHER_TEST: 'bob' }, basicOf('ada:lovelace')],
  ['empty is unset', { BASIC_USERNAME_B_FILES_TEST: '' }, basicOf('ada:lovelace')],
])('credentials where an operation has a server of its own: %s', async (_what, more, want) => {
  const upstream = await rawServer();
  const options = { api: { securitySchemes: schemes }, settings: { env: { ...all, ...more } } };
  const binding = { security: [{ basic: [] }] };
  await call(upstream.url, { ...binding, servers: files }, {}, options);
  await call(upstream.url, binding, {}, options);
  await upstream.close();
  const [own, others] = upstream.requests.map((request) => `/ | ${headerOf(request, 'Authorization') ?? ''}`);
  expect([own, others]).toEqual([want, basicOf('ada:lovelace')]);
});

test.each<[SecurityRequirement[], Record<string, string>, string[]]>([
  [[{ head: [] }], {}, ['API_KEY_HEAD']],
  [[{ head: [] }], { API_KEY_HEAD: '' }, ['API_KEY_HEAD']],
  [[{ head: [], bearer: [] }], { API_KEY_HEAD: 'known-value' }, ['BEARER_TOKEN_B']],
  [[{ basic: [] }, { query: [] }], {}, ['BASIC_USERNAME_B', 'BASIC_PASSWORD_B', 'API_KEY_QUERY', ', or ']],
])(
  'without credentials for %j nothing is sent, and the variables are named',
  async (security, env, words) => {
    const upstream = await rawServer();
    const options = { api: { securitySchemes: schemes }, settings: { env } };
    const error = await refusal(call(upstream.url, { security }, {}, options));
    await upstream.close();
    expect(error.code).toBe('credentials');
    for (const word of words) expect(error.message).toContain(word);
    expect(error.message).not.toContain('known-value');
    expect(upstream.requests).toEqual([]);
  },
);

test('an argument can not take the place of a credential', async () => {
  const upstream = await rawServer();
  const parameters = [
    { argument: 'a', name: 'X-Key', in: 'header' as const },
    { argument: 'b', name: 'api key', in: 'query' as const },
  ];
  const security = [{ head: [], query: [] }];
  const options = { api: { securitySchemes: schemes }, settings: { env: all } };
  await call(upstream.url, { parameters, security }, { a: 'mine', b: 'mine' }, options);
  await upstream.close();
  expect(upstream.requests[0]?.line).toBe('GET /?api%20key=query%20secret HTTP/1.1');
  expect(headerOf(upstream.requests[0], 'X-Key')).toBe('head-secret');
});

test('a credential with a line break is refused without being shown', async () => {
  const env = { API_KEY_HEAD: 'top\nsecret' };
  const options = { api: { securitySchemes: schemes }, settings: { env } };
  const error = await refusal(call('http://127.0.0.1:1', { security: [{ head: [] }] }, {}, options));
  expect(error.message).not.toContain('secret');
});

test('what the API echoes of a credential is taken out', async () => {
  const upstream = await httpServer((request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: 'bad token', seen: request.headers }));
  });
  const options = { api: { securitySchemes: schemes }, settings: { env: all } };
  const security = [{ head: [], bearer: [], basic: [] }];
  const answer = await call(upstream.url, { security }, {}, options);
  await upstream.close();
  const text = JSON.stringify(
    toToolResult(answer, { kind: 'http', method: 'GET', path: '/', parameters: [] }),
  );
  expect(text).toContain('[redacted]');
  for (const secret of ['head-secret', 'bearer-secret', 'lovelace']) expect(text).not.toContain(secret);
});

test('the URL an answer names holds no credential', async () => {
  const upstream = await rawServer();
  const options = { api: { securitySchemes: schemes }, settings: { env: all } };
  const answer = await call(
    upstream.url.replace('//', '//me:pw@'),
    { security: [{ query: [] }] },
    {},
    options,
  );
  await upstream.close();
  expect(answer.url).toBe(`${upstream.url}/`);
});

/** An authorization server and an API in one, which counts. */
async function oauthServer(life: number, options: { refuseBasic?: boolean; refuseFirst?: boolean } = {}) {
  const tokenRequests: string[] = [];
  let issued = 0;
  const server = await httpServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      if (request.url !== '/token') {
        const isRefused = options.refuseFirst === true && request.headers.authorization === 'Bearer token-1';
        response.writeHead(isRefused ? 401 : 200, { 'content-type': 'text/plain' });
        response.end(request.headers.authorization);
        return;
      }
      tokenRequests.push(`${request.headers.authorization ?? '-'} ${body}`);
      const isRefused = options.refuseBasic === true && request.headers.authorization !== undefined;
      response.writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' });
      if (isRefused) response.end('{"error":"invalid_client"}');
      else response.end(JSON.stringify({ access_token: `token-${++issued}`, expires_in: life }));
    });
  });
  const scheme: SecuritySchemeBinding = {
    type: 'oauth2',
    tokenUrl: `${server.url}/token`,
    env: { token: 'TOKEN', clientId: 'ID', clientSecret: 'SECRET', scopes: 'SCOPES' },
  };
  const api = {
    servers: [{ url: server.url }],
    securitySchemes: { oauth: scheme },
    security: [{ oauth: ['read'] }],
  };
  return { server, api, tokenRequests };
}

const get = { kind: 'http' as const, method: 'GET', path: '/', parameters: [] };
const clientEnv = { ID: 'my id', SECRET: 's:cret' };

test('client credentials: one token for many calls, fetched once', async () => {
  const { server, api, tokenRequests } = await oauthServer(3600);
  const client = createUpstreamClient(api, {
    features: allFeatures,
    env: clientEnv,
    limits: defaultUpstreamLimits,
  });
  const together = await Promise.all([client.call(get, {}, {}), client.call(get, {}, {})]);
  const later = await client.call(get, {}, {});
  await server.close();
  expect([...together, later].map((one) => one.body)).toEqual(
    Array(3).fill({ kind: 'text', text: 'Bearer [redacted]' }),
  );
  const basic = Buffer.from('my+id:s%3Acret').toString('base64');
  expect(tokenRequests).toEqual([`Basic ${basic} grant_type=client_credentials&scope=read`]);
});

test('client credentials go in the body where Basic is refused', async () => {
  const { server, api, tokenRequests } = await oauthServer(3600, { refuseBasic: true });
  const env = { ...clientEnv, SCOPES: 'a b' };
  const answer = await createUpstreamClient(api, {
    features: allFeatures,
    env,
    limits: defaultUpstreamLimits,
  }).call(get, {}, {});
  await server.close();
  expect(answer.status).toBe(200);
  expect(tokenRequests[1]).toBe(
    '- grant_type=client_credentials&scope=a+b&client_id=my+id&client_secret=s%3Acret',
  );
});

test.each<['basic' | 'body', 'basic' | 'body', string]>([
  ['basic', 'basic', 'basic basic'],
  ['body', 'body', 'basic body body'],
  ['body', 'basic', 'basic body body basic'],
  ['basic', 'body', 'basic basic body'],
])('where %s works, and then %s, a renewal begins with what worked', async (before, after, want) => {
  const tried: string[] = [];
  let takes = before;
  const server = await httpServer((request, response) => {
    if (request.url !== '/token') return void response.end();
    const way = request.headers.authorization === undefined ? 'body' : 'basic';
    tried.push(way);
    response.writeHead(way === takes ? 200 : 400);
    response.end(JSON.stringify(way === takes ? { access_token: 'token', expires_in: 0 } : {}));
  });
  const env = { token: 'TOKEN', clientId: 'ID', clientSecret: 'SECRET', scopes: 'SCOPES' };
  const oauth = { type: 'oauth2' as const, tokenUrl: `${server.url}/token`, env };
  const client = createUpstreamClient(
    { servers: [{ url: server.url }], securitySchemes: { oauth } },
    { features: allFeatures, env: clientEnv, limits: defaultUpstreamLimits },
  );
  // Of one client, whatever it asks for.
  await client.call({ ...get, security: [{ oauth: ['read'] }] }, {}, {});
  takes = after;
  await client.call({ ...get, security: [{ oauth: ['write'] }] }, {}, {});
  await server.close();
  expect(tried.join(' ')).toBe(want);
});

test('a token that the API refuses is fetched anew, once', async () => {
  const { server, api, tokenRequests } = await oauthServer(3600, { refuseFirst: true });
  const client = createUpstreamClient(api, {
    features: allFeatures,
    env: clientEnv,
    limits: defaultUpstreamLimits,
  });
  const answer = await client.call(get, {}, {});
  await server.close();
  expect([answer.status, tokenRequests.length]).toEqual([200, 2]);
});

test('an expired token is not used again', async () => {
  const { server, api, tokenRequests } = await oauthServer(0);
  const client = createUpstreamClient(api, {
    features: allFeatures,
    env: clientEnv,
    limits: defaultUpstreamLimits,
  });
  await client.call(get, {}, {});
  await client.call(get, {}, {});
  await server.close();
  expect(tokenRequests).toHaveLength(2);
});

test('a token is renewed half a minute before it ends', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, api, tokenRequests } = await oauthServer(90);
  const client = createUpstreamClient(api, {
    features: allFeatures,
    env: clientEnv,
    limits: defaultUpstreamLimits,
  });
  const counts: number[] = [];
  for (const later of [0, 59_000, 2_000]) {
    vi.setSystemTime(Date.now() + later);
    await client.call(get, {}, {});
    counts.push(tokenRequests.length);
  }
  await server.close();
  expect(counts).toEqual([1, 1, 2]);
});

test('a token endpoint that is not there is told from an API that is not', async () => {
  const { server, api, tokenRequests } = await oauthServer(1);
  await server.close();
  const client = createUpstreamClient(api, {
    features: allFeatures,
    env: clientEnv,
    limits: defaultUpstreamLimits,
  });
  const error = await refusal(client.call(get, {}, {}));
  expect([error.code, error.message, tokenRequests]).toEqual([
    'token',
    `The OAuth token endpoint at ${server.url} could not be used (ECONNREFUSED), and the API was not called. ` +
      'Try again later; a ready token, set as TOKEN in the environment of this MCP server, does without it.',
    [],
  ]);
});

test('a token endpoint that refuses is named without the secret, and the API is not called', async () => {
  const server = await httpServer((request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'invalid_client', you: request.headers.authorization }));
  });
  const { api } = await oauthServer(1).then(async (one) => {
    await one.server.close();
    return one;
  });
  const scheme: SecuritySchemeBinding = {
    type: 'oauth2',
    tokenUrl: `${server.url}/token`,
    env: { token: 'TOKEN', clientId: 'ID', clientSecret: 'SECRET', scopes: 'SCOPES' },
  };
  const client = createUpstreamClient(
    { ...api, securitySchemes: { oauth: scheme } },
    { features: allFeatures, env: clientEnv, limits: defaultUpstreamLimits },
  );
  const error = await refusal(client.call(get, {}, {}));
  await server.close();
  expect(error.code).toBe('token');
  expect(error.message).toContain('invalid_client');
  expect(error.message).toContain('SECRET');
  expect(error.message).not.toContain('s:cret');
});
