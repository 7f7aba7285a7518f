// People sign in to the API: the flows against an issuer of its own, what a client shows, and what nobody but the issuer may do.
import { createHash } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LiveServer } from '../../src/serve/live-server.ts';
import { api } from '../../templates/runtime/call-api.ts';
import type { ServerDefinition } from '../../templates/runtime/feature.ts';
import { operationServers } from '../../templates/runtime/features/operation-servers.ts';
import { login as loginFeature } from '../../templates/runtime/features/login/index.ts';
import { LOGIN_LIMITS } from '../../templates/runtime/features/login/pending.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { json, type Received, type Reply, startApi, textOf, type ToolResult } from './api.ts';
import { makeClient, makeServer } from './core.ts';
import { gate, META, MODERN } from './client.ts';

const NAMES = { token: 'TOKEN', clientId: 'CLIENT', clientSecret: 'SECRET', scopes: 'SCOPES' };

/** What tests look at of a message. */
interface Message {
  id?: unknown;
  method?: string;
  params: Record<string, string>;
  result?: ToolResult & Answered;
  error?: { message: string };
}
interface Answered {
  resultType?: string;
  requestState?: string;
  inputRequests?: Record<string, { method: string; params: Record<string, string> }>;
}

interface World {
  env?: Record<string, string>;
  flags?: Record<string, string | boolean>;
  /** Of the scheme. Default: both URLs of the issuer. */
  login?: (issuer: string) => object;
  metadata?: (issuer: string) => object;
  /** Instead of tokens. */
  token?: (form: URLSearchParams, count: number) => Reply | undefined | Promise<Reply | undefined>;
  /** The status of revocations. */
  revocation?: number;
  /** The issuer answers nothing. */
  isDown?: (target: string) => boolean;
  device?: (issuer: string) => object;
  life?: number;
  status?: (request: Received) => number;
  revision?: string;
  capabilities?: object;
  /** What the client does with a question. */
  answer?: (url: string) => 'accept' | 'decline' | Promise<'accept' | 'decline'>;
}

/** An API with two tools of other scopes, its issuer, a server between them and a client of it. */
async function open(world: World = {}) {
  const {
    env = {},
    flags = {},
    life = 3600,
    status = () => 200,
    capabilities = {},
    revision = '2025-11-25',
  } = world;
  const folder = temporaryFolder();
  const codes = new Map<string, URLSearchParams>();
  const used: string[] = [];
  const grants: URLSearchParams[] = [];
  const authorizations: Received['headers'][string][] = [];
  const answerAt = async ({ target, body, headers }: Received): Promise<Reply> => {
    if (target.includes('/.well-known/'))
      return world.metadata ? json(world.metadata(issuer.url)) : { status: 404 };
    const form = new URLSearchParams(body);
    if (target === '/revoke') {
      grants.push(form);
      // It revokes refresh tokens alone.
      const isAccess = form.get('token_type_hint') === 'access_token';
      const spared = { ...json({ error: 'unsupported_token_type' }), status: 400 };
      return isAccess && world.revocation === undefined ? spared : { status: world.revocation ?? 200 };
    }
    if (target === '/device') return json(world.device?.(issuer.url) ?? {});
    grants.push(form);
    authorizations.push(headers['authorization']);
    const reply = await world.token?.(form, grants.length);
    if (reply !== undefined) return reply;
    const refused = { ...json({ error: 'invalid_grant' }), status: 400 };
    if (form.get('grant_type') === 'authorization_code') {
      const asked = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const isSame = asked?.get('redirect_uri') === form.get('redirect_uri');
      if (asked?.get('code_challenge') !== challenge || !isSame) return refused;
    } else if (form.get('grant_type') === 'refresh_token') {
      const refresh = form.get('refresh_token') ?? '';
      if (used.includes(refresh)) return refused;
      used.push(refresh);
    }
    const number = grants.length;
    return json({
      access_token: `access-number-${number}`,
      refresh_token: `refresh-number-${number}`,
      expires_in: life,
      token_type: 'Bearer',
    });
  };
  const issuer = await startApi((request, _, response) => {
    if (world.isDown?.(request.target) === true) response.destroy();
    else
      void answerAt(request).then(({ status = 200, headers, body }) =>
        response.writeHead(status, headers).end(body),
      );
    return undefined;
  });
  const api = await startApi((request) => ({
    ...json({ seen: request.headers['authorization'] ?? null }),
    status: status(request),
  }));
  const login = world.login?.(issuer.url) ?? {
    authorizationUrl: `${issuer.url}/authorize?tenant=a`,
    tokenUrl: `${issuer.url}/token`,
  };
  const scheme = { type: 'oauth2', env: NAMES, login, source: 'login' };
  const bind = (path: string, scope: string) => ({
    do: { kind: 'http', method: 'GET', path, parameters: [], security: [{ oauth: [scope] }] },
  });
  const staging = { name: 'staging', url: api.url.replace('127.0.0.1', 'localhost') };
  const servers = [{ url: api.url }, staging];
  const reported: unknown[] = [];
  /** A server, in a process of its own as it were, and its client. */
  const connect = async ({
    env: ofServer,
    flags: more,
    login: other,
  }: Pick<World, 'env' | 'flags' | 'login'> = {}) => {
    const schemeOfServer = { ...scheme, ...(other && { login: other(issuer.url) }) };
    const server = makeServer(
      {
        catalog: { tools: ['read', 'write'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
        bindings: {
          upstream: { servers, securitySchemes: { oauth: schemeOfServer } },
          tools: { read: bind('/a', 'pets:read'), write: bind('/b', 'pets:write') },
        },
        env: { CLIENT: 'my client', XDG_STATE_HOME: folder, ...env, ...ofServer },
        flags: { ...flags, ...more },
      },
      reported,
    );
    await server.start();
    onTestFinished(() => server.close());
    const sent: Message[] = [];
    const asked: Record<string, string>[] = [];
    let clientSend: (message: unknown) => Promise<unknown> = () => Promise.resolve();
    const { send } = makeClient(server, sent, undefined, (message) => {
      const { id, method, params } = message as Message;
      if (method !== 'elicitation/create') return;
      asked.push(params);
      void Promise.resolve(world.answer?.(params['url'] ?? '') ?? 'accept').then((action) =>
        clientSend({ jsonrpc: '2.0', id, result: { action } }),
      );
    });
    clientSend = send;
    let id = 0;
    const isModern = revision === MODERN;
    const envelope = {
      _meta: { [`${META}protocolVersion`]: MODERN, [`${META}clientCapabilities`]: capabilities },
    };
    if (!isModern) {
      await send({
        jsonrpc: '2.0',
        id: ++id,
        method: 'initialize',
        params: { protocolVersion: revision, capabilities, clientInfo: { name: 'c', version: '0' } },
      });
      await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    }
    const call = async (name = 'read', more: object = {}): Promise<ToolResult & Answered> => {
      const params = { name, arguments: {}, ...(isModern && envelope), ...more };
      const reply = (await send({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params })) as Message;
      if (reply.result === undefined) throw new Error(reply.error?.message ?? 'no answer');
      return reply.result;
    };
    /** `petstore-mcp <name>`: what it prints. */
    const command = async (
      name: string,
      onLine: (line: string) => void = () => undefined,
      stop = new Promise<void>(() => undefined),
    ) => {
      const { commands } = server.features.find((feature) => feature.name === 'login') ?? {};
      const lines: string[] = [];
      const write = (line: string): void => {
        lines.push(line);
        onLine(line);
      };
      await commands?.[name]?.run(server, { write, stop });
      return lines.join('');
    };
    return { call, command, sent, asked, close: () => server.close() };
  };
  /** What the issuer does when the person agrees: the address to which it sends the browser. */
  const consent = async (
    startUrl: string,
    change: (answer: URL, asked: URLSearchParams) => void = () => undefined,
  ): Promise<URL> => {
    const page = await fetch(startUrl);
    const link = (/href="([^"]+)"/.exec(await page.text())?.[1] ?? '').replace(/&#(\d+);/g, (_, code) =>
      String.fromCharCode(Number(code)),
    );
    const request = new URL(link).searchParams;
    const code = `code-${codes.size}-${Math.random()}`;
    codes.set(code, request);
    const answer = new URL(request.get('redirect_uri') ?? '');
    answer.searchParams.set('code', code);
    answer.searchParams.set('state', request.get('state') ?? '');
    change(answer, request);
    return answer;
  };
  const agree = async (startUrl: string, change?: Parameters<typeof consent>[1]) =>
    fetch(await consent(startUrl, change));
  const tokensSent = () => api.requests.map(({ headers }) => headers['authorization']);
  return {
    api,
    issuer,
    consent,
    agree,
    grants,
    authorizations,
    tokensSent,
    reported,
    folder,
    connect,
    ...(await connect()),
  };
}

const addressIn = (result: ToolResult): string => /http:\/\/\S+?(?=[ ,]|$)/.exec(textOf(result))?.[0] ?? '';

/** Signs in by the address in the error of a first call. */
async function signIn(opened: Awaited<ReturnType<typeof open>>, name?: string) {
  const refused = await opened.call(name);
  expect(refused.isError).toBe(true);
  return opened.agree(addressIn(refused));
}

const DEVICE = (issuer: string) => ({
  device_code: 'device-code-of-it',
  user_code: 'ABCD-EFGH\u202e!',
  verification_uri: `${issuer}/activate`,
  verification_uri_complete: `${issuer}/activate?code=ABCD-EFGH`,
  interval: 0.01,
});
const byDevice = (issuer: string) => ({
  deviceAuthorizationUrl: `${issuer}/device`,
  tokenUrl: `${issuer}/token`,
});

const ERAS = ['2025-11-25', MODERN];

test.each(ERAS)(
  'in %s a client that can not ask is named the page, and the next call goes on',
  async (revision) => {
    const opened = await open({ revision, env: { SECRET: 's:cret-of-it' } });
    const first = await opened.call();
    expect(textOf(first)).toMatch(
      /^Nothing was sent: the API needs its user to sign in\. Ask the user to open http:\/\/127\.0\.0\.1:\d+\/[\w-]{22} in a browser/,
    );
    const start = await fetch(addressIn(first));
    expect(start.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(start.headers.get('referrer-policy')).toBe('no-referrer');
    expect(textOf(await opened.call())).toBe(textOf(first));
    expect(await start.text()).toContain(
      `wants to call ${opened.api.url}/ for you. It asks for these scopes: pets:read.`,
    );
    const done = await opened.agree(addressIn(first));
    expect([done.status, await done.text()]).toEqual([
      200,
      expect.stringContaining('You may close this page'),
    ]);
    expect(textOf(await opened.call())).toContain('[redacted]');
    expect(opened.tokensSent()).toEqual(['Bearer access-number-1']);
    const [grant] = opened.grants;
    expect(Object.fromEntries(grant ?? [])).toMatchObject({
      grant_type: 'authorization_code',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    });
    expect(opened.authorizations).toEqual([
      `Basic ${Buffer.from('my+client:s%3Acret-of-it').toString('base64')}`,
    ]);
  },
);

test('the request asks for a code with PKCE, and keeps the query of the document; without --remember nothing is written', async () => {
  const opened = await open();
  let asked = new URLSearchParams();
  await opened.agree(addressIn(await opened.call()), (_, request) => (asked = request));
  expect(Object.fromEntries(asked)).toMatchObject({
    tenant: 'a',
    response_type: 'code',
    client_id: 'my client',
    scope: 'pets:read',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{22}$/),
  });
  expect(asked.has('resource')).toBe(false);
  expect(readdirSync(opened.folder)).toEqual([]);
});

const ASKS = { elicitation: { url: {} } };

test('a client of 2025-11-25 that shows pages is asked once by all calls that wait, and told the end', async () => {
  const opened: Awaited<ReturnType<typeof open>> = await open({
    capabilities: ASKS,
    answer: async (url) => {
      setTimeout(() => void opened.agree(url), 20);
      return 'accept' as const;
    },
  });
  const reports = { _meta: { progressToken: 'p' } };
  const results = await Promise.all([opened.call(), opened.call(), opened.call('read', reports)]);
  expect(opened.sent.find(({ method }) => method === 'notifications/progress')?.params).toMatchObject({
    message: 'waits until the user has signed in',
  });
  expect(results.map(({ isError }) => isError === true)).toEqual([false, false, false]);
  expect(opened.asked).toMatchObject([{ mode: 'url', elicitationId: expect.any(String) }]);
  const ends = opened.sent.filter(({ method }) => method === 'notifications/elicitation/complete');
  expect(ends.map(({ params }) => params['elicitationId'])).toEqual([opened.asked[0]?.['elicitationId']]);
});

test.each(ERAS)('in %s who declines is asked again by the next call', async (revision) => {
  const opened = await open({ revision, capabilities: ASKS, answer: () => 'decline' });
  let result = await opened.call();
  if (revision === MODERN) {
    const [key = ''] = Object.keys(result.inputRequests ?? {});
    result = await opened.call('read', {
      requestState: result.requestState,
      inputResponses: { [key]: { action: 'decline' } },
    });
  }
  expect(textOf(result)).toContain('the user did not agree');
  const again = await opened.call();
  expect(revision === MODERN ? again.resultType : opened.asked.length).toBe(
    revision === MODERN ? 'input_required' : 2,
  );
});

test('a call that has waited long enough says where to finish, and the login stays', async () => {
  const before = { ...LOGIN_LIMITS };
  onTestFinished(() => void Object.assign(LOGIN_LIMITS, before));
  LOGIN_LIMITS.waitMs = 30;
  const opened = await open({ capabilities: ASKS });
  const first = await opened.call();
  expect(textOf(first)).toMatch(
    /^Nothing was sent: the user has not signed in\. Ask the user to open http:\S+ in a browser/,
  );
  await opened.agree(addressIn(first));
  expect((await opened.call()).isError).toBeUndefined();
  expect(opened.asked.length).toBe(1);
});

/** The time of the server; the API and the issuer have their own. */
function pass(seconds: number): void {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() + seconds * 1000);
}

test('50 calls with a token that has ended renew it once, and the refresh token rotates', async () => {
  const opened = await open({ life: 100 });
  await signIn(opened);
  for (const round of [2, 3]) {
    pass(101);
    const results = await Promise.all(Array.from({ length: 50 }, () => opened.call()));
    expect(results.every(({ isError }) => isError !== true)).toBe(true);
    expect(opened.grants.length).toBe(round);
  }
  expect(opened.grants.slice(1).map((form) => form.get('refresh_token'))).toEqual([
    'refresh-number-1',
    'refresh-number-2',
  ]);
});

test('a token that ends in the middle of a call is renewed, also by itself and without a new refresh token', async () => {
  const statuses = [401, 200, 401];
  const first = { refresh_token: 'the-only-one' };
  const opened = await open({
    token: (_, count) =>
      json({ access_token: 'the-same-token', expires_in: 3600, ...(count === 1 && first) }),
    status: () => statuses.pop() ?? 200,
  });
  await signIn(opened);
  for (let calls = 0; calls < 3; calls++) expect((await opened.call()).isError).toBeUndefined();
  const spent = opened.grants.map((form) => form.get('refresh_token'));
  expect(spent).toEqual([null, 'the-only-one', 'the-only-one']);
});

test.each([-60, 60])('a clock that jumps by %i s loses no call', async (jump) => {
  let now = 0;
  const endOf: Record<string, number> = {};
  const opened = await open({
    life: 100,
    token: (_, count) => void (endOf[`Bearer access-number-${count}`] = now + 100),
    status: ({ headers }) => (now < (endOf[String(headers['authorization'])] ?? 0) ? 200 : 401),
  });
  await signIn(opened);
  pass(jump);
  for (now = 5; now < 300; now += 5) {
    pass(5);
    expect((await opened.call()).isError).toBeUndefined();
  }
  expect(opened.grants.length).toBeLessThanOrEqual(6);
});

test('an issuer that is down is named, ends no login, and is asked again', async () => {
  let isDown = true;
  const opened = await open({ life: 100, login: byIssuer, metadata: SILENT, isDown: () => isDown });
  const failure = /^The API was not called: http:\S+ could not be asked \(ECONNRESET\)\. Try again later\.$/;
  expect(textOf(await opened.call())).toMatch(failure);
  isDown = false;
  const page = addressIn(await opened.call());
  isDown = true;
  expect((await opened.agree(page)).status).toBe(400);
  isDown = false;
  await signIn(opened);
  pass(101);
  isDown = true;
  expect(textOf(await opened.call())).toMatch(failure);
  isDown = false;
  expect((await opened.call()).isError).toBeUndefined();
  expect(opened.grants.map((form) => form.get('grant_type'))).toEqual([
    'authorization_code',
    'refresh_token',
  ]);
});

test.each([400, 200])('a refresh token that is refused by %i leads to a new sign-in', async (status) => {
  const opened = await open({
    status: () => 401,
    token: (form) =>
      form.get('grant_type') === 'refresh_token'
        ? { ...json({ error: 'invalid_grant' }), status }
        : undefined,
  });
  await signIn(opened);
  expect(textOf(await opened.call())).toContain('needs its user to sign in');
});

test.each([{ token_type: 'mac' }, { access_token: '' }])(
  'an answer with %j signs nobody in',
  async (change) => {
    const opened = await open({ token: () => json({ access_token: 'of-a-kind', ...change }) });
    const answer = await signIn(opened);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('no bearer token')]);
  },
);

test.each<Partial<World>>([{}, { login: byDevice, device: () => DEVICE('http://127.0.0.1') }])(
  'nobody can sign in when the time is over',
  async (world) => {
    const before = { ...LOGIN_LIMITS };
    onTestFinished(() => void Object.assign(LOGIN_LIMITS, before));
    LOGIN_LIMITS.openMs = 30;
    const token = (): Reply => ({ ...json({ error: 'authorization_pending' }), status: 400 });
    const { command } = await open({ token, ...world });
    await expect(command('login')).rejects.toThrow(
      'oauth: The time for signing in is over. Run `login` again.',
    );
  },
);

test('a login ends with its server, and with its command', async () => {
  const opened = await open();
  const page = addressIn(await opened.call());
  await opened.close();
  await expect(fetch(page)).rejects.toThrow('fetch failed');
  const command = opened.command('login', undefined, Promise.resolve());
  await expect(command).rejects.toThrow('oauth: The sign-in was ended. Run `login` again.');
});

test('metadata of OpenID Connect are found, below the path of the issuer', async () => {
  const opened = await open({
    login: (issuer) => ({ issuer: `${issuer}/tenant` }),
    metadata: (issuer) => ({ ...SILENT(issuer), issuer: `${issuer}/tenant` }),
    isDown: (target) => /^\/\.well-known|\/openid-configuration\/./.test(target),
  });
  expect((await signIn(opened)).status).toBe(200);
});

const withIss = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  authorization_response_iss_parameter_supported: true,
  scopes_supported: ['offline_access'],
});
const byIssuer = (issuer: string) => ({ issuer });
/** It does not name itself. */
const SILENT = (issuer: string) => ({
  ...withIss(issuer),
  authorization_response_iss_parameter_supported: false,
  revocation_endpoint: `${issuer}/revoke`,
});

const names = (members: object): World => ({
  login: byIssuer,
  metadata: (issuer) => ({ ...withIss(issuer), ...members }),
});

test.each<[what: string, World, iss: (issuer: string) => string, refusal?: RegExp]>([
  [
    'another issuer',
    {},
    () => 'https://evil.example',
    /must be http:..127\.0\.0\.1:\d+, or what x-mcp\.login\.issuer says; it is https:..evil\.example\)/,
  ],
  ['its issuer, as promised', names({}), (issuer) => issuer],
])('an answer that names %s', async (_, world, iss, refusal) => {
  const opened = await open(world);
  const name = iss(opened.issuer.url);
  const answer = await opened.agree(addressIn(await opened.call()), ({ searchParams }) =>
    name === '' ? undefined : searchParams.set('iss', name),
  );
  expect(await answer.text()).toMatch(refusal ?? /You are signed in/);
  expect([answer.status, opened.grants.length]).toEqual(refusal ? [400, 0] : [200, 1]);
  expect((await opened.call()).isError).toBe(refusal && true);
});

test('who waits hears that the person refused, and how to begin again', async () => {
  const refuse = (url: string): void =>
    void opened.agree(url, (answer) => answer.searchParams.set('error', 'access_denied'));
  const opened: Awaited<ReturnType<typeof open>> = await open({
    capabilities: ASKS,
    answer: (url) => (setTimeout(refuse, 20, url), 'accept'),
  });
  const refused = 'Signing in was refused (access_denied).';
  expect(textOf(await opened.call())).toBe(`The API was not called: ${refused} Call again to sign in anew.`);
  const command = opened.command('login', (line) => refuse(firstLink(line)));
  await expect(command).rejects.toThrow(`oauth: ${refused} Run \`login\` again.`);
  expect(opened.grants).toEqual([]);
});

const DEVICE_FLOW = { 'login-flow': 'device' };

test('a document without a flow for devices ends the start with --login-flow device', async () => {
  await expect(open({ flags: DEVICE_FLOW })).rejects.toThrow(
    "--login-flow can't be device: the API has no flow for devices.",
  );
  await open({ flags: DEVICE_FLOW, env: { CLIENT: '' } });
});

test.each<[string, World]>([
  ['another issuer', names({ issuer: 'https://evil.example' })],
  ['no flow for devices: leave out --login-flow device', { ...names({}), flags: DEVICE_FLOW }],
])('nobody signs in: %s', async (words, world) => {
  expect(textOf(await (await open(world)).call())).toContain(words);
});

test('the fixed place of a client that an issuer knows', async () => {
  const opened = await open({ flags: { 'login-redirect': 'http://localhost/signed/in' } });
  let asked = new URLSearchParams();
  await opened.agree(addressIn(await opened.call()), (_, request) => (asked = request));
  expect(asked.get('redirect_uri')).toMatch(/^http:\/\/localhost:\d+\/signed\/in$/);
  await expect(open({ env: { MCP_LOGIN_REDIRECT: 'http://evil.example/' } })).rejects.toThrow(
    'MCP_LOGIN_REDIRECT must be like',
  );
  // Port 80 is no free one.
  const { call } = await open({ flags: { 'login-redirect': 'http://127.0.0.1:80/callback' } });
  expect(textOf(await call())).toMatch(/port 80 of this machine|http:\/\/127\.0\.0\.1\//);
});

test.each([400, 200])(
  'on a device the person enters a code; what is not over is answered by %i',
  async (status) => {
    const before = { ...LOGIN_LIMITS };
    onTestFinished(() => void Object.assign(LOGIN_LIMITS, before));
    LOGIN_LIMITS.slowDownMs = 5;
    const errors = ['authorization_pending', 'slow_down', 'away'];
    const answer = (error: string): Reply => ({
      ...json({ error }),
      status: error === 'away' ? 503 : status,
    });
    const opened = await open({
      capabilities: ASKS,
      login: (issuer) => ({ ...byDevice(issuer), resource: 'https://api.test' }),
      device: DEVICE,
      token: (_, count) => (errors[count - 1] === undefined ? undefined : answer(errors[count - 1] ?? '')),
    });
    expect((await opened.call()).isError).toBeUndefined();
    expect(opened.asked[0]).toMatchObject({
      url: `${opened.issuer.url}/activate?code=ABCD-EFGH`,
      message: 'The API needs you to sign in. Open the page in a browser and enter the code ABCD-EFGH.',
    });
    expect(opened.grants.map((form) => form.get('resource'))).toEqual(Array(4).fill('https://api.test'));
    expect(JSON.stringify(opened.sent)).not.toContain('device-code-of-it');
  },
);

test.each(['access_denied', 'expired_token'])('on a device, %s ends the login', async (error) => {
  const opened = await open({
    capabilities: ASKS,
    login: byDevice,
    device: DEVICE,
    token: () => ({ ...json({ error }), status: 400 }),
  });
  const result = await opened.call();
  expect(textOf(result)).toMatch(
    error === 'access_denied' ? /refused \(access_denied\)/ : /time for signing in is over/,
  );
});

test('no text that a client or a log reads has a secret', async () => {
  const opened = await open({
    env: { SECRET: 's3cret-of-the-client' },
    token: (form, count) =>
      count === 1
        ? undefined
        : { ...json({ error: `bad ${form.get('refresh_token')} s3cret-of-the-client` }), status: 500 },
    status: () => 401,
  });
  await signIn(opened);
  const results = [await opened.call(), await opened.call()];
  const seen = JSON.stringify([results, opened.sent, opened.reported]);
  for (const secret of ['access-number', 'refresh-number', 's3cret-of-the-client'])
    expect(seen).not.toContain(secret);
});

test('over HTTP a server that people sign in to does not start, unless a token is set', async () => {
  await expect(open({ flags: { transport: 'http' } })).rejects.toThrow(
    /^CLIENT: people sign in to the API over stdio only/,
  );
  await open({ flags: { transport: 'http' }, env: { TOKEN: 'ready-token' } });
});

test('mock answers need no login', async () => {
  const opened = await open({ flags: { mock: true } });
  expect([(await opened.call()).isError, opened.api.requests]).toEqual([undefined, []]);
});

test('a ready token wins, and a missing client is named', async () => {
  const ready = await open({ env: { TOKEN: 'ready-token' } });
  await ready.call();
  expect(ready.tokensSent()).toEqual(['Bearer ready-token']);
  const missing = await open({ env: { CLIENT: '' } });
  expect(textOf(await missing.call())).toContain('set CLIENT (oauth)');
  const misspelt = await open({ flags: { scheme: 'oaut' } });
  for (const { command } of [missing, misspelt])
    await expect(command('whoami')).rejects.toThrow(
      /^Nobody signs in\. .* This server has oauth \(CLIENT\)\.$/,
    );
});

const firstLink = (line: string): string => /http:\/\/\S+/.exec(line)?.[0] ?? '';
const signInByCommand = ({ command, agree }: Awaited<ReturnType<typeof open>>): Promise<string> =>
  command('login', (line) => void (line.includes('open http') && agree(firstLink(line))));
const filesIn = (folder: string): string[] => readdirSync(join(folder, 'mcpgen-logins'));

test('login keeps the login for servers that start later; whoami shows it, logout revokes it', async () => {
  const opened = await open({
    login: byIssuer,
    metadata: SILENT,
  });
  await expect(opened.command('whoami')).rejects.toThrow('oauth: not signed in.');
  const told = await signInByCommand(opened);
  expect(told).toMatch(
    /^oauth: open http:\/\/127\.0\.0\.1:\d+\/[\w-]{22} in a browser on this machine\.\noauth: signed in until 20\S+Z, renewed when needed; scopes: pets:read, pets:write, offline_access\.\n$/,
  );
  const [file = '', ...others] = filesIn(opened.folder);
  expect(others).toEqual([]);
  if (process.platform !== 'win32')
    expect([
      statSync(join(opened.folder, 'mcpgen-logins')).mode & 0o777,
      statSync(join(opened.folder, 'mcpgen-logins', file)).mode & 0o777,
    ]).toEqual([0o700, 0o600]);
  const later = await opened.connect();
  expect((await later.call()).isError).toBeUndefined();
  expect((await later.call('write')).isError).toBeUndefined();
  const shown = await later.command('whoami');
  expect(shown).toContain('renewed when needed; scopes: pets:read, pets:write, offline_access.');
  expect(told + shown).not.toContain('-number-');
  expect(await later.command('logout')).toBe('oauth: signed out.\n');
  expect(opened.grants.slice(-2).map((form) => form.get('token'))).toEqual([
    'refresh-number-1',
    'access-number-1',
  ]);
  expect(filesIn(opened.folder)).toEqual([]);
  expect((await (await opened.connect()).call()).isError).toBe(true);
});

/** As if its time were over. */
function endLogin(folder: string): string {
  const file = join(folder, 'mcpgen-logins', filesIn(folder)[0] ?? '');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"until":\d+/, '"until":0'));
  return file;
}

test.each([[['.lock']], [['.lock', '.lock.of-another']], [['.lock', '.draft']]])(
  'a process that was killed while it renewed the login, and left %j, stops nobody',
  async (ends) => {
    const opened = await open({ flags: { remember: true } });
    await signIn(opened);
    const file = endLogin(opened.folder);
    for (const end of ends) {
      writeFileSync(file + end, '{"binding":');
      utimesSync(file + end, new Date(0), new Date(0));
    }
    const { call } = await opened.connect();
    expect([(await call()).isError, opened.grants.length]).toEqual([undefined, 2]);
    expect(filesIn(opened.folder).filter((name) => /\.(?:lock|draft)$/.test(name))).toEqual([]);
  },
);

test('a remembered login is for its client, its issuer and its API alone', async () => {
  const opened = await open({ flags: { remember: true } });
  await signIn(opened);
  const [file = ''] = filesIn(opened.folder);
  expect(readFileSync(join(opened.folder, 'mcpgen-logins', file), 'utf8')).toContain('access-number-1');
  for (const other of [
    { env: { CLIENT: 'another' } },
    { env: { API_BASE_URL: opened.api.url.replace('127.0.0.1', 'localhost') } },
    { env: { SCOPES: 'all' } },
    // A document with another `authorizationUrl` alone.
    { login: (issuer: string) => ({ authorizationUrl: `${issuer}/other`, tokenUrl: `${issuer}/token` }) },
  ])
    expect((await (await opened.connect(other)).call()).isError).toBe(true);
  expect((await (await opened.connect()).call()).isError).toBeUndefined();
});

const UNREVOKED =
  'oauth: forgotten here, but not revoked: no metadata name an endpoint for it (x-mcp.login.issuer).';

test.each([true, false])(
  'a server that runs follows the commands of a terminal; it remembers: %j',
  async (remember) => {
    const opened = await open({ flags: { remember } });
    await signIn(opened);
    const { command } = await opened.connect();
    await signInByCommand({ ...opened, command });
    expect((await opened.call('write')).isError).toBeUndefined();
    await expect(command('logout')).rejects.toThrow(UNREVOKED);
    expect(textOf(await opened.call())).toContain('needs its user to sign in');
    expect([filesIn(opened.folder), opened.grants.length]).toEqual([[], 2]);
  },
);

test('logout says what the authorization server did not revoke', async () => {
  const opened = await open({
    login: byIssuer,
    metadata: SILENT,
    flags: { remember: true },
    revocation: 503,
  });
  await signIn(opened);
  await expect(opened.command('logout')).rejects.toThrow(
    /^oauth: forgotten here, but not revoked: the authorization server answered 503\.$/,
  );
  expect(opened.grants.slice(1).map((form) => form.get('token'))).toEqual([
    'refresh-number-1',
    'access-number-1',
  ]);
});

test('a token without an end that nobody can renew is used until the API refuses it', async () => {
  let status = 200;
  const opened = await open({
    token: () => json({ access_token: 'endless-token', token_type: 'bearer' }),
    status: () => status,
  });
  await signIn(opened);
  pass(30 * 24 * 3600);
  expect((await opened.call()).isError).toBeUndefined();
  status = 401;
  expect(textOf(await opened.call())).toContain('needs its user to sign in');
});

test('a login without a refresh token is not said to be renewed, and is over at its end', async () => {
  const reply = { access_token: 'short-token', token_type: 'bearer', expires_in: 100 };
  const opened = await open({ token: () => json(reply) });
  expect(await signInByCommand(opened)).toMatch(/signed in until 20\S+Z; scopes: pets:read, pets:write\.\n$/);
  expect(await opened.command('whoami')).toMatch(/^oauth: signed in until 20\S+Z; scopes/);
  pass(101);
  await expect(opened.command('whoami')).rejects.toThrow(
    /^oauth: not signed in: the login ended at 20\S+Z\.$/,
  );
});

test('a lock that another process has taken over stays', async () => {
  let lock = '';
  const opened = await open({
    flags: { remember: true },
    token: (form) => {
      if (form.get('grant_type') === 'refresh_token') writeFileSync(lock, 'of another process');
      return undefined;
    },
  });
  await signIn(opened);
  lock = `${endLogin(opened.folder)}.lock`;
  expect((await (await opened.connect()).call()).isError).toBeUndefined();
  expect(readFileSync(lock, 'utf8')).toBe('of another process');
});

test.each([true, false])(
  'a login that ends while tokens are renewed stays; it is remembered: %j',
  async (remember) => {
    const [asked, released] = [gate(), gate()];
    let status = 200;
    const opened = await open({
      flags: { remember },
      token: async (form) => {
        if (form.get('grant_type') !== 'refresh_token') return undefined;
        asked.open();
        await released.opened;
        return json({ access_token: 'renewed-token', token_type: 'Bearer', expires_in: 3600 });
      },
      status: ({ headers }) => (headers['authorization'] === 'Bearer access-number-1' ? status : 200),
    });
    await signIn(opened);
    const page = addressIn(await opened.call('write'));
    status = 401;
    const first = opened.call();
    await asked.opened;
    const agreed = opened.agree(page);
    await vi.waitFor(() => expect(opened.grants.length).toBe(3));
    // The answer to the code is on its way.
    await new Promise((resolve) => setTimeout(resolve, 100));
    released.open();
    expect([(await first).isError, (await agreed).status]).toEqual([undefined, 200]);
    expect((await opened.call('write')).isError).toBeUndefined();
    expect(opened.tokensSent().at(-1)).toBe('Bearer access-number-3');
  },
);

test('scopes that were not granted are not asked for again by each call, and whoami does not show them', async () => {
  const opened = await open({
    flags: { remember: true },
    token: (_, count) =>
      json({ access_token: `token-${count}`, token_type: 'Bearer', scope: count === 1 ? '' : 'pets:write' }),
  });
  await signIn(opened);
  expect((await opened.call()).isError).toBeUndefined();
  expect(await opened.command('whoami')).toContain('; scopes: none.');
  await signIn(opened, 'write');
  expect((await opened.call('read')).isError).toBeUndefined();
  expect(await opened.command('whoami')).toContain('; scopes: pets:write.');
});

test('a login that can not be written is used, and the log says so in a line', async () => {
  const opened = await open({ flags: { remember: true } });
  writeFileSync(join(opened.folder, 'mcpgen-logins'), '');
  expect((await signIn(opened)).status).toBe(200);
  expect((await opened.call()).isError).toBeUndefined();
  expect(opened.reported).toEqual([expect.stringMatching(/^The login can't be kept in .* \(ENOTDIR\)\.$/)]);
});

test('a renewed login that can not be written takes the place of the file', async () => {
  const opened = await open({ flags: { remember: true } });
  await signIn(opened);
  mkdirSync(`${endLogin(opened.folder)}.draft`);
  for (let calls = 0; calls < 2; calls++) expect((await opened.call()).isError).toBeUndefined();
  expect([opened.reported.length, opened.grants.length]).toEqual([1, 2]);
});

test.each(['', '{', '[]', '{"tokens":1}'])('a login file with %j is none', async (text) => {
  const opened = await open({ flags: { remember: true } });
  await signIn(opened);
  const file = join(opened.folder, 'mcpgen-logins', filesIn(opened.folder)[0] ?? '');
  writeFileSync(file, text);
  const later = await opened.connect();
  expect(textOf(await later.call())).toContain('needs its user to sign in');
  writeFileSync(`${file}.draft`, '');
  await later.command('logout');
  expect(filesIn(opened.folder)).toEqual([]);
});

test('a call goes on when the person has signed in, also if the client never answers the question', async () => {
  const opened: Awaited<ReturnType<typeof open>> = await open({
    capabilities: ASKS,
    answer: (url) => {
      setTimeout(() => void opened.agree(url), 20);
      return new Promise(() => undefined);
    },
  });
  expect((await opened.call()).isError).toBeUndefined();
});

test('an issuer that takes the secret in the body alone gets it there', async () => {
  const opened = await open({
    env: { SECRET: 'a-secret' },
    token: (form) =>
      form.has('client_secret') ? undefined : { ...json({ error: 'invalid_client' }), status: 401 },
  });
  expect((await signIn(opened)).status).toBe(200);
  expect(opened.authorizations).toEqual([expect.stringMatching(/^Basic /), undefined]);
});

test('a relative state folder is ignored', async () => {
  const home = temporaryFolder();
  vi.stubEnv('HOME', home).stubEnv('USERPROFILE', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const opened = await open({ env: { XDG_STATE_HOME: 'relative/state', LOCALAPPDATA: home } });
  await signInByCommand(opened);
  expect(readdirSync(home).length).toBe(1);
});

test('a login outlives a reload of the server, and is for no other API', async () => {
  const opened = await open();
  const other = await startApi(() => json({}));
  const login = {
    authorizationUrl: `${opened.issuer.url}/authorize`,
    tokenUrl: `${opened.issuer.url}/token`,
  };
  const scheme = { type: 'oauth2', env: NAMES, login, source: 'login' };
  const define = (url: string, ...otherServers: object[]): ServerDefinition => ({
    info: { name: 'live', version: '1' },
    features: [api(), operationServers(), loginFeature()],
    generated: {
      'catalog.json': JSON.stringify({
        tools: [{ name: 'read', inputSchema: { type: 'object' } }],
        ...{ resources: [], resourceTemplates: [], prompts: [] },
      }),
      'bindings.json': JSON.stringify({
        upstream: {
          ...{ servers: [{ url }], otherServers },
          ...{ security: [{ oauth: ['a'] }], securitySchemes: { oauth: scheme } },
        },
        tools: {
          read: { do: { kind: 'http', method: 'GET', path: '/a', parameters: [], servers: otherServers } },
        },
        ...{ resources: {}, resourceTemplates: {}, prompts: {}, completions: [] },
      }),
    },
  });
  const atHost = { [`CLIENT_${new URL(other.url).host.replaceAll(/\W/g, '_')}`]: 'client there' };
  const start = async (definition: ServerDefinition, client: object, flags: Record<string, string>) => {
    const env = { XDG_STATE_HOME: opened.folder, ...client };
    const live = new LiveServer(definition, { env, flags, report: () => undefined }, () => undefined);
    await live.start();
    onTestFinished(() => live.close());
    const { send } = makeClient(live, []);
    const clientInfo = { name: 'c', version: '0' };
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello });
    const call = async (): Promise<ToolResult> => {
      const params = { name: 'read', arguments: {} };
      const reply = await send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      return (reply as Required<Message>).result;
    };
    return { live, call };
  };
  const { live, call } = await start(define(opened.api.url), { CLIENT: 'my client', ...atHost }, {});
  await opened.agree(addressIn(await call()));
  await live.replace(define(opened.api.url));
  expect((await call()).isError).toBeUndefined();
  const elsewhere = define(opened.api.url, { url: other.url });
  for (const [next, client] of [
    [define(other.url), 'my+client'],
    [elsewhere, 'client+there'],
  ] as const) {
    await live.replace(next);
    const page = await fetch(addressIn(await call()));
    expect(await page.text()).toContain(`client_id=${client}`);
  }
  const shared = await start(elsewhere, atHost, { transport: 'http' });
  expect(textOf(await shared.call())).toBe('Nothing was sent: people sign in to the API over stdio only.');
  expect([other.requests, opened.grants.length]).toEqual([[], 1]);
});
