// `upstreamCredentials`: credentials of callers by the project's own code.
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { SecuritySchemeBinding } from '../../../../templates/runtime/contract/bindings.ts';

import type {
  Handlers,
  CredentialsRequest,
  CallerCredentials,
} from '../../../../templates/runtime/definition.ts';
import { ToolError } from '../../../../templates/runtime/protocol/json-rpc.ts';
import { seconds } from '../issuer.ts';
import { BEARER, startBehalf } from './behalf.ts';

/** The token of the caller, for hooks that would let it out. */
const box = { token: '' };
const own = { BEARER_TOKEN_USER: 'server-token' };

/** The hook, and what it was asked. */
function asking(answer: (request: CredentialsRequest, count: number) => unknown) {
  const asked: CredentialsRequest[] = [];
  const handlers: Handlers<object> = {
    upstreamCredentials: (request) => {
      asked.push(request);
      return answer(request, asked.length) as CallerCredentials;
    },
  };
  return { asked, handlers };
}

test('it is told who calls and what is needed, and nothing of the token', async () => {
  const { asked, handlers } = asking(() => ({ token: 'of-alice' }));
  const { issuer, authorizations, call, audit } = await startBehalf({ handlers, exchanges: false, env: own });
  const token = await issuer.token();
  await call(token);
  const [request] = asked;
  expect(request).toMatchObject({
    caller: { issuer: issuer.url, subject: 'alice', clientId: 'client', scopes: ['read'] },
    scheme: 'user',
    type: 'bearer',
    scopes: [],
    origin: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
  expect(request?.signal).toBeInstanceOf(AbortSignal);
  expect(JSON.stringify(asked)).not.toContain(token);
  expect(JSON.stringify(asked)).not.toContain(token.split('.')[2]);
  expect(authorizations()).toEqual(['Bearer of-alice']);
  expect(audit).toMatchObject([{ subject: 'alice', onBehalf: ['user'], outcome: 'ok' }]);
  expect(JSON.stringify(audit)).not.toContain('of-alice');
});

test.each<[SecuritySchemeBinding, CallerCredentials, string]>([
  [BEARER, { token: 'abcdef' }, 'Authorization: Bearer abcdef'],
  [{ type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'K' } }, { apiKey: 'abcdef' }, 'X-Key: abcdef'],
  [
    { type: 'basic', env: { username: 'U', password: 'P' } },
    { username: 'a', password: 'b' },
    'Authorization: Basic YTpi',
  ],
  [{ type: 'basic', env: { username: 'U', password: 'P' } }, { username: 'a' }, 'Authorization: Basic YTo='],
  [
    { type: 'http', scheme: 'Shared', env: { authorization: 'A' } },
    { authorization: 'abcdef' },
    'Authorization: Shared abcdef',
  ],
  [
    {
      type: 'oauth2',
      tokenUrl: 'http://127.0.0.1:9/',
      env: { token: 'T', clientId: 'I', clientSecret: 'S', scopes: 'C' },
    },
    { token: 'abcdef' },
    'Authorization: Bearer abcdef',
  ],
])('%j by %j: %s', async (scheme, credentials, want) => {
  const { handlers } = asking(() => credentials);
  // The server's own must not be mixed in.
  const env = { P: 'server-password', K: 'server-key', I: 'server-id', S: 'server-secret' };
  const { issuer, sent, call } = await startBehalf({
    handlers,
    env,
    schemes: { user: scheme },
    exchanges: false,
  });
  await call(await issuer.token());
  expect(sent[0]?.headers).toContain(want);
});

test.each<[string, Record<string, string>, string, number]>([
  ['whose variable is not set', {}, 'set TENANT, or API_CREDENTIALS=optional', 0],
  ['that may be missing', { API_CREDENTIALS: 'optional' }, '"content"', 1],
  ['whose variable is set', { TENANT: 'north-9' }, '"content"', 1],
])('a header of the configuration %s', async (_, env, words, count) => {
  const { handlers } = asking(() => ({ token: 'of-alice' }));
  const headers = { 'X-Tenant': '${TENANT}' };
  const { issuer, sent, call } = await startBehalf({ handlers, exchanges: false, env, headers });
  expect(await call(await issuer.token())).toContain(words);
  expect(sent).toHaveLength(count);
});

test.each<[string, unknown]>([
  ['another shape', { apiKey: 'x' }],
  ['a text', 'token'],
  ['an empty token', { token: '' }],
  ['null', null],
  ['no time', { token: 'x', expiresAt: 'soon' }],
  ['a time that is over', { token: 'x', expiresAt: 1 }],
  ['a time in milliseconds', { token: 'x', expiresAt: Date.now() + 60_000 }],
])('%s is reported, and refuses the call', async (_, answer) => {
  const { handlers } = asking(() => answer);
  const { issuer, sent, reported, call } = await startBehalf({ handlers, exchanges: false, env: own });
  expect(await call(await issuer.token())).toContain('The API was not called');
  expect(String(reported[0])).toContain('`upstreamCredentials` must answer { token } for the scheme user');
  expect(sent).toEqual([]);
});

test.each<[string, (words: string) => Error, told: RegExp, reports: string[]]>([
  ['on purpose', (words) => new ToolError(words), /Link it first \(\[redacted\], \[redacted\]\)/, []],
  [
    'by mistake',
    (words) => new Error('no vault', { cause: new Error(words) }),
    /The API was not called: credentials of its caller could not be looked for\./,
    ['`upstreamCredentials` failed: no vault: Link it first ([redacted], [redacted])'],
  ],
])('what it throws %s: who learns of it, without secrets', async (_, errorOf, told, reports) => {
  const box = { token: '' };
  const { handlers } = asking(() => {
    throw errorOf(`Link it first (${box.token}, ${own.BEARER_TOKEN_USER})`);
  });
  const { issuer, sent, reported, call, audit } = await startBehalf({ handlers, env: own });
  box.token = await issuer.token();
  const answer = await call(box.token);
  expect(answer).toMatch(told);
  expect(answer).not.toContain(box.token);
  expect(reported).toEqual(reports);
  expect(inspect(reported)).not.toContain(box.token);
  expect(sent).toEqual([]);
  expect(audit).toMatchObject([{ outcome: 'tool-error' }]);
});

test.each<[string, Handlers<object>]>([
  [
    'a hook refuses the request',
    {
      beforeRequest: () => {
        throw new Error('closed today');
      },
    },
  ],
  [
    'a hook puts the token of the caller into it',
    { beforeRequest: (request) => void request.headers.set('X-Own', box.token) },
  ],
])('where %s, the audit log names nobody on whose behalf it was sent', async (_, hooks) => {
  const { handlers } = asking(() => ({ token: 'of-alice' }));
  const started = await startBehalf({ handlers: { ...handlers, ...hooks }, exchanges: false });
  box.token = await started.issuer.token();
  await started.call(box.token);
  expect(started.sent).toEqual([]);
  expect(started.audit).toMatchObject([{ subject: 'alice', outcome: 'tool-error' }]);
  expect(started.audit[0]).not.toHaveProperty('onBehalf');
});

test.each<[string, Record<string, string>, { onBehalf?: 'required' | 'optional' }, string[]]>([
  ['by default', {}, {}, []],
  ['by the configuration', {}, { onBehalf: 'optional' }, ['Bearer server-token']],
  ['by the environment', { MCP_AUTH_ON_BEHALF: 'optional' }, {}, ['Bearer server-token']],
  ['required by the environment', { MCP_AUTH_ON_BEHALF: 'required' }, { onBehalf: 'optional' }, []],
  ['required by the configuration', { MCP_AUTH_ON_BEHALF: 'optional' }, { onBehalf: 'required' }, []],
  ['whatever API_CREDENTIALS says', { API_CREDENTIALS: 'optional' }, {}, []],
])('who has none is refused, or left to the server: %s', async (_, env, auth, want) => {
  const { handlers } = asking(() => undefined);
  const options = { handlers, auth, env: { ...own, ...env }, exchanges: false };
  const { issuer, authorizations, audit, call } = await startBehalf(options);
  const text = await call(await issuer.token());
  expect(authorizations()).toEqual(want);
  expect(text.includes('has no credentials of this one for user')).toBe(want.length === 0);
  expect(audit[0]?.['onBehalf']).toBeUndefined();
});

test('who has none gets an exchanged token, where there is an exchange', async () => {
  const { handlers } = asking(({ caller }) => (caller.subject === 'alice' ? { token: 'given' } : undefined));
  const { issuer, authorizations, call } = await startBehalf({ handlers });
  for (const sub of ['alice', 'bob']) await call(await issuer.token({ sub }));
  expect(authorizations()).toEqual(['Bearer given', 'Bearer api-token-of-bob-1']);
});

test.each<[string, object, number]>([
  ['are asked for again without an end', {}, 3],
  ['are kept until their end', { expiresAt: seconds(60) }, 1],
])('credentials %s', async (_, rest, want) => {
  const { asked, handlers } = asking(() => ({ token: 'given', ...rest }));
  const { issuer, call } = await startBehalf({ handlers, exchanges: false });
  const token = await issuer.token();
  for (let count = 0; count < 3; count++) await call(token);
  expect(asked).toHaveLength(want);
});

test('calls of one caller at a time ask once, and those of another by themselves', async () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const { asked, handlers } = asking(async ({ caller }) => {
    await gate;
    // Later calls find the cached answer.
    return { token: `of-${caller.subject}`, expiresAt: seconds(60) };
  });
  const { issuer, authorizations, call } = await startBehalf({ handlers, exchanges: false });
  const tokens = [await issuer.token(), await issuer.token({ sub: 'bob' })];
  const calls = Array.from({ length: 20 }, (_, index) => call(tokens[index % 2] ?? ''));
  await expect.poll(() => asked.length).toBe(2);
  release();
  await Promise.all(calls);
  expect(asked).toHaveLength(2);
  expect(authorizations().sort()).toEqual([
    ...Array<string>(10).fill('Bearer of-alice'),
    ...Array<string>(10).fill('Bearer of-bob'),
  ]);
});

test('its signal is aborted when the call is given up', async () => {
  const { asked, handlers } = asking(() => new Promise(() => undefined));
  const env = { API_TIMEOUT_MS: '50' };
  const { issuer, call } = await startBehalf({ handlers, exchanges: false, env, limits: { timeoutMs: 50 } });
  await call(await issuer.token());
  expect(asked[0]?.signal.aborted).toBe(true);
});

test('of several ways in the first counts that the caller has credentials for', async () => {
  const key: SecuritySchemeBinding = { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'K' } };
  const { asked, handlers } = asking(({ scheme }) => (scheme === 'user' ? { token: 'given' } : undefined));
  const { issuer, sent, call } = await startBehalf({
    handlers,
    exchanges: false,
    schemes: { key, user: BEARER },
    security: [{ key: [] }, { user: [] }],
    env: { K: 'server-key' },
    auth: { onBehalf: 'optional' },
  });
  await call(await issuer.token());
  expect(asked.map(({ scheme }) => scheme)).toEqual(['key', 'user']);
  expect(sent[0]?.headers).toContain('Authorization: Bearer given');
  expect(sent[0]?.headers.join()).not.toContain('server-key');
});

test('an operation that needs nothing asks nobody', async () => {
  const { asked, handlers } = asking(() => ({ token: 'given' }));
  const { issuer, authorizations, call } = await startBehalf({ handlers, security: [] });
  await call(await issuer.token());
  expect([asked, authorizations()]).toEqual([[], [undefined]]);
});

test.each<[what: string, values: CallerCredentials | undefined, sent: (string | undefined)[]]>([
  ['the caller’s go out', { token: 'of-alice' }, ['Bearer of-alice']],
  ['the server’s own never stand in', undefined, [undefined]],
])('a scheme that nothing demands: %s', async (_what, values, sent) => {
  const { handlers } = asking(() => values);
  const { issuer, authorizations, call } = await startBehalf({
    handlers,
    exchanges: false,
    env: own,
    ifSet: ['user'],
  });
  await call(await issuer.token());
  expect(authorizations()).toEqual(sent);
});
