// RFC 8693 as the server speaks it: what it asks, what it takes for an answer, and for whom.
import { expect, test, vi } from 'vitest';
import type { Handlers as AnyHandlers } from '../../../../templates/runtime/types.ts';
import { seconds } from '../issuer.ts';
import { startBehalf } from './behalf.ts';
import { CLIENT, issued, issuedFor } from './token-endpoint.ts';

type Handlers = AnyHandlers<object>;

const access = 'urn:ietf:params:oauth:token-type:access_token';

test("the API is sent a token that was exchanged for the caller's, once while it lasts", async () => {
  const { issuer, endpoint, authorizations, call } = await startBehalf();
  const token = await issuer.token();
  for (let count = 0; count < 3; count++) expect(await call(token)).toContain('"status":200');
  expect(endpoint.faults).toEqual([]);
  expect(endpoint.requests).toEqual([
    {
      subject: 'alice',
      subjectToken: token,
      clientAuth: 'basic',
      form: {
        grant_type: ['urn:ietf:params:oauth:grant-type:token-exchange'],
        subject_token: [token],
        subject_token_type: [access],
        requested_token_type: [access],
        audience: ['https://api.example.com'],
      },
    },
  ]);
  expect(authorizations()).toEqual(Array(3).fill(`Bearer ${issuedFor('alice', 1)}`));
});

test.each<[string, Record<string, string>, object, object]>([
  [
    'several audiences, resources and scopes',
    {
      MCP_AUTH_EXCHANGE_AUDIENCE: 'a, b',
      MCP_AUTH_EXCHANGE_RESOURCE: 'https://api.example.com/v1,urn:x:y',
      MCP_AUTH_EXCHANGE_SCOPES: 'one  two',
    },
    {},
    {
      audience: ['a', 'b'],
      resource: ['https://api.example.com/v1', 'urn:x:y'],
      scope: ['one two'],
    },
  ],
  [
    "a rule of the scheme before the environment's",
    { MCP_AUTH_EXCHANGE_RESOURCE: 'urn:general', MCP_AUTH_EXCHANGE_SCOPES: 'general' },
    { user: { audience: ['own'], scopes: ['pets'] } },
    { audience: ['own'], resource: ['urn:general'], scope: ['pets'] },
  ],
])('%s', async (_, env, exchange, form) => {
  const auth = Object.keys(exchange).length === 0 ? {} : { exchange: exchange as Record<string, object> };
  const { issuer, endpoint, call } = await startBehalf({ env, auth });
  await call(await issuer.token());
  expect(endpoint.faults).toEqual([]);
  expect(endpoint.requests[0]?.form).toMatchObject(form);
});

test('scopes of neither are those of the operation', async () => {
  const schemes = {
    oauth: {
      type: 'oauth2' as const,
      env: { token: 'T', clientId: 'I', clientSecret: 'S', scopes: 'C' },
    },
  };
  const { issuer, endpoint, call } = await startBehalf({ schemes, security: [{ oauth: ['pets:read'] }] });
  await call(await issuer.token());
  expect(endpoint.requests[0]?.form['scope']).toEqual(['pets:read']);
});

test('two subjects never meet, a hundred calls at once', async () => {
  const { issuer, endpoint, sent, authorizations, call } = await startBehalf();
  endpoint.answer = async ({ subject }) => {
    await new Promise((resolve) => setImmediate(resolve));
    return issued(`api-token-of-${subject}`);
  };
  const subjects = Array.from({ length: 100 }, (_, index) => (index % 3 === 0 ? 'alice' : 'bob'));
  const tokens = { alice: await issuer.token({ sub: 'alice' }), bob: await issuer.token({ sub: 'bob' }) };
  await Promise.all(subjects.map((subject) => call(tokens[subject as 'alice' | 'bob'])));
  expect(endpoint.requests.map(({ subject }) => subject).sort()).toEqual(['alice', 'bob']);
  const count = (subject: string): number =>
    authorizations().filter((each) => each === `Bearer api-token-of-${subject}`).length;
  expect([sent.length, count('alice'), count('bob')]).toEqual([100, 34, 66]);
});

test.each<[string, object, object, number]>([
  ['another token of the same caller', {}, { jti: 'k', exp: seconds(120), iat: seconds(-2) }, 1],
  ['another subject', {}, { sub: 'bob' }, 2],
  ['fewer scopes', { scope: 'read write' }, { scope: 'read' }, 2],
  ['another client', {}, { client_id: 'other' }, 2],
  ['another tenant', { org: 'a' }, { org: 'b' }, 2],
])('%s: %j then %j is asked for %i times', async (_, first, second, want) => {
  const { issuer, endpoint, call } = await startBehalf();
  for (const claims of [first, second]) await call(await issuer.token({ ...claims }));
  expect(endpoint.requests).toHaveLength(want);
});

test.each<[string, unknown, number, number]>([
  ['within half a minute of its end', 3600, 3_571, 2],
  ['a short one: until half of its life', 20, 9, 1],
  ['a short one: after half of its life', 20, 11, 2],
  ['it does not say: five minutes', undefined, 260, 1],
  ['it does not say: after five minutes', undefined, 280, 2],
  ['what is no number counts as nothing said', 'soon', 280, 2],
])('an exchanged token is used %s', async (_, life, later, want) => {
  const { issuer, endpoint, call } = await startBehalf();
  endpoint.answer = () => issued('api-token', { expires_in: life });
  const token = await issuer.token({ exp: seconds(7_200) });
  const at = Date.now();
  await call(token);
  vi.useFakeTimers({ toFake: ['Date'], now: at + later * 1000 });
  try {
    await call(token);
  } finally {
    vi.useRealTimers();
  }
  expect(endpoint.requests).toHaveLength(want);
});

test('one that the API refuses is exchanged anew, once', async () => {
  const behalf = await startBehalf({ status: (_, count) => (count === 2 || count > 3 ? 401 : 200) });
  const { issuer, endpoint, authorizations, call } = behalf;
  const token = await issuer.token();
  await call(token);
  expect(await call(token)).toContain('"status":200');
  expect(await call(token)).toContain('may have been revoked');
  expect(authorizations()).toEqual([1, 1, 2, 2, 3].map((count) => `Bearer ${issuedFor('alice', count)}`));
  expect(endpoint.requests).toHaveLength(3);
});

test.each<[string, ReturnType<typeof issued>, string]>([
  [
    'revoked',
    { status: 400, json: { error: 'invalid_grant' } },
    '(invalid_grant), and gave no token. The caller may have to sign in again',
  ],
  ['not for us', { status: 401, json: { error: 'invalid_client' } }, 'check MCP_AUTH_EXCHANGE_'],
  ['down', { status: 503, text: 'down' }, 'answered 503, and gave no token'],
  ['no JSON', { status: 200, text: '<html>' }, 'it holds no token'],
  ['no token', issued(undefined), 'it holds no token'],
  ['a token with a line break', issued('a\r\nX: y'), 'it holds no token'],
  [
    'a refresh token',
    issued('api', { issued_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }),
    'issued_token_type',
  ],
  ['not to be borne', issued('api', { token_type: 'N_A' }), 'token_type'],
  ['bound to a key', issued('api', { token_type: 'DPoP' }), 'token_type'],
])(
  'an answer that is %s becomes an error, is not kept, and the API is not called',
  async (_, answer, words) => {
    const { issuer, endpoint, sent, call } = await startBehalf({
      env: { BEARER_TOKEN_USER: "the server's" },
    });
    endpoint.answer = (_request, count) => (count === 1 ? answer : issued('api'));
    const token = await issuer.token();
    const text = await call(token);
    expect(text).toContain('"isError":true');
    expect(text).toContain(JSON.stringify(words).slice(1, -1));
    expect(sent).toEqual([]);
    await call(token);
    expect(sent).toHaveLength(1);
  },
);

test('one that can not be reached is told as such', async () => {
  const env = { MCP_AUTH_EXCHANGE_URI: 'http://127.0.0.1:9/token' };
  const { issuer, sent, call } = await startBehalf({ env });
  const text = await call(await issuer.token());
  expect(text).toMatch(/http:\/\/127\.0\.0\.1:9\/token could not be asked \(\w+\)\. Try again later\./);
  expect(sent).toEqual([]);
});

test('no secret is told, whatever the token endpoint says', async () => {
  const { issuer, endpoint, reported, audit, call } = await startBehalf();
  const token = await issuer.token();
  const basic = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64');
  endpoint.answer = () => ({
    status: 400,
    json: { error: 'invalid_grant', error_description: `${token} ${CLIENT.secret} ${basic}` },
  });
  const told = JSON.stringify([await call(token), reported, await audit()]);
  for (const secret of [token, CLIENT.secret, basic]) expect(told).not.toContain(secret);
});

test('an exchanged token that the API shows is shown to nobody', async () => {
  const { issuer, authorizations, call } = await startBehalf();
  const text = await call(await issuer.token());
  expect(authorizations()).toEqual([`Bearer ${issuedFor('alice', 1)}`]);
  expect(text).toContain('[redacted]');
  expect(text).not.toContain(issuedFor('alice', 1));
});

test.each<[string, object]>([
  ['the scheme is not among the rules', { exchange: { other: { audience: ['x'] } } }],
  ['it sends no token', {}],
])("the server's own credentials count where %s", async (_, auth) => {
  const schemes = {
    user: { type: 'apiKey' as const, in: 'header' as const, name: 'x-key', env: { key: 'API_KEY_USER' } },
    other: { type: 'bearer' as const, env: { token: 'BEARER_TOKEN_OTHER' } },
  };
  const env = { API_KEY_USER: 'own-key' };
  const { issuer, endpoint, sent, call } = await startBehalf({ schemes, auth, env });
  await call(await issuer.token());
  expect(sent[0]?.headers).toMatchObject({ 'x-key': 'own-key' });
  expect(endpoint.requests).toEqual([]);
});

// With code of the project that looks for credentials.

const own = { BEARER_TOKEN_USER: 'token-of-the-server' };

test('who has none gets an exchanged token', async () => {
  const upstreamCredentials: Handlers['upstreamCredentials'] = ({ caller }) =>
    caller.subject === 'alice' ? { token: 'found' } : undefined;
  const { issuer, authorizations, call } = await startBehalf({ handlers: { upstreamCredentials } });
  for (const sub of ['alice', 'bob']) await call(await issuer.token({ sub }));
  expect(authorizations()).toEqual(['Bearer found', 'Bearer api-token-of-bob-1']);
});

test('an operation that needs nothing asks nobody', async () => {
  let asked = 0;
  const upstreamCredentials = () => (asked++, { token: 'found' });
  const { issuer, authorizations, call } = await startBehalf({
    handlers: { upstreamCredentials },
    security: [],
  });
  await call(await issuer.token());
  expect([asked, authorizations()]).toEqual([0, [undefined]]);
});

test.each<[string, { token: string } | undefined, (string | undefined)[]]>([
  ["the caller's are sent", { token: 'of-alice' }, ['Bearer of-alice']],
  ["the server's never stand in", undefined, [undefined]],
])('of a scheme that nothing demands %s', async (_, values, sent) => {
  const { issuer, authorizations, call } = await startBehalf({
    ...{ handlers: { upstreamCredentials: () => values }, exchanges: false, env: own, ifSet: ['user'] },
  });
  await call(await issuer.token());
  expect(authorizations()).toEqual(sent);
});

test.each<[string, Handlers, unknown]>([['that was sent', {}, ['user']]])(
  'the audit log says on whose behalf a request was made %s',
  async (_, hooks, onBehalf) => {
    const handlers = { upstreamCredentials: () => ({ token: 'of-alice' }), ...hooks };
    const { issuer, call, audit } = await startBehalf({ handlers, exchanges: false });
    await call(await issuer.token());
    const [line] = await audit();
    expect([line?.['subject'], line?.['onBehalf']]).toEqual(['alice', onBehalf]);
    expect(JSON.stringify(line)).not.toContain('of-alice');
  },
);
