// OAuth at the front door of the core: what the tables of test/runtime/oauth do not say.
import { hash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Feature, HttpExchange } from '../../templates/runtime/feature.ts';
import { dpop } from '../../templates/runtime/features/dpop/index.ts';
import { oauth } from '../../templates/runtime/features/oauth/index.ts';
import type { ScopeOptions } from '../../templates/runtime/features/oauth/scopes.ts';
import { readAuthSettings } from '../../templates/runtime/features/oauth/settings.ts';
import type { Context, Handlers } from '../../templates/runtime/types.ts';
import { newProver } from '../runtime/oauth/dpop/prover.ts';
import { AUDIENCE, type Issuer, startIssuer } from '../runtime/oauth/issuer.ts';
import {
  callHead,
  type Fields,
  hello,
  makeHttpClient,
  modern,
  modernCall,
  modernHead,
  ready,
} from './client.ts';
import { makeServer, type Parts } from './core.ts';
import { listen, serve } from './http.ts';

type Handler = (args: object, context: Context) => unknown;
interface Opened extends Omit<Parts, 'features' | 'handlers'> {
  options?: ScopeOptions;
  handlers?: Handlers<object>;
  handler?: Handler;
  scopes?: string[];
  issuer?: Issuer;
  features?: Feature[];
}

/** A server with the tool `x`, an issuer, and heads of tokens with scopes. */
async function open({ options, handler = () => 'done', scopes, ...parts }: Opened = {}) {
  const { issuer = await startIssuer(), features = [], handlers, env } = parts;
  const reported: unknown[] = [];
  const calls: string[] = [];
  const tool = {
    name: 'x',
    inputSchema: { type: 'object' as const },
    ...(scopes && { scopes }),
    handler: (args: object, context: Context) => {
      calls.push('x');
      return handler(args, context);
    },
  };
  const server = makeServer(
    {
      ...parts,
      features: [oauth(options), ...features],
      flags: { transport: 'http', 'rate-limit': 'off', ...parts.flags },
      env: { MCP_AUTH_ISSUER: issuer.url, MCP_AUTH_AUDIENCE: AUDIENCE, ...env },
      handlers: { ...handlers, extraTools: [tool, ...(handlers?.extraTools ?? [])] },
    },
    reported,
  );
  const client = makeHttpClient((await serve({ server }, reported)).url);
  const as = async (scope: string, claims: object = {}): Promise<Fields> => ({
    authorization: `Bearer ${await issuer.token({ scope, ...claims })}`,
  });
  return { ...client, issuer, server, reported, calls, as };
}

const challengeOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['www-authenticate']).replace(/, resource_metadata.*/, '');

// Scopes.

const BASE: Opened = {
  options: { scopes: ['base'], implies: { root: ['base', 'write'] } },
  scopes: ['write'],
};

test.each<[string, string, number, string]>([
  ['POST', 'read', 403, 'base'],
  ['GET', 'read', 403, 'base'],
  ['DELETE', 'read', 403, 'base'],
  ['POST', 'base', 403, 'base write'],
  ['POST', 'base write', 200, ''],
  ['POST', 'root', 200, ''],
])('%s with the scopes %j: %i', async (method, scope, status, challenge) => {
  const { send, as, calls } = await open(BASE);
  const head = { ...callHead, ...(await as(scope)), 'content-type': 'application/json', accept: '*/*' };
  const answer = await send(method, '/mcp', head, method === 'POST' ? JSON.stringify(modernCall) : undefined);
  expect([answer.status, calls.length]).toEqual([status, status === 200 ? 1 : 0]);
  if (status === 200) return;
  expect(challengeOf(answer)).toMatch(/^Bearer error="insufficient_scope"/);
  expect(challengeOf(answer)).toContain(`scope="${challenge}`);
  expect(answer.json.error).toMatchObject({ code: -32600, data: { requiredScopes: challenge.split(' ') } });
});

test('lists show no scopes, and a client is asked for those of all items first', async () => {
  const { post, as } = await open({ scopes: ['write'] });
  const listed = await post(modern('tools/list'), { ...modernHead('tools/list'), ...(await as('')) });
  expect([listed.status, listed.text.includes('write')]).toEqual([200, false]);
  expect(challengeOf(await post(modernCall, callHead))).toBe('Bearer scope="write"');
});

const work = { kind: 'none' };
const CATALOG = {
  resources: [{ uri: 'a://listed', name: 'listed' }],
  resourceTemplates: [{ uriTemplate: 'a://of/{id}', name: 'made' }],
  prompts: [{ name: 'asked', arguments: [{ name: 'word' }] }],
};
const BINDINGS = {
  resources: { 'a://listed': { do: work, scopes: ['resource'] } },
  resourceTemplates: { 'a://of/{id}': { do: work, scopes: ['template'] } },
  prompts: { asked: { kind: 'template', messages: [], scopes: ['prompt'] } },
};
const HANDLERS: Handlers<object> = {
  resources: { 'a://listed': { name: 'listed', read: () => 'read', scopes: ['more'] } },
  resourceTemplates: { 'a://own/{id}': { name: 'own', read: () => 'read', scopes: ['owned'] } },
  prompts: { asked: { handler: () => 'said', scopes: ['spoken'] } },
  extraTools: [
    { name: 'calling', inputSchema: { type: 'object' }, handler: (_, { call }) => call('x' as never) },
  ],
  started: () => undefined,
};

test.each<[string, object, string[]]>([
  ['tools/call', { name: 'calling' }, ['tool']],
  ['resources/read', { uri: 'a://listed' }, ['resource', 'more']],
  ['resources/read', { uri: 'a://of/1' }, ['template']],
  ['resources/read', { uri: 'a://own/1' }, ['owned']],
  ['resources/subscribe', { uri: 'a://listed' }, ['resource', 'more']],
  ['prompts/get', { name: 'asked' }, ['prompt', 'spoken']],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'asked' }, argument: { name: 'word', value: '' } },
    ['prompt', 'spoken'],
  ],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'a://own/{id}' }, argument: { name: 'id', value: '' } },
    ['owned'],
  ],
])('%s %j needs %j', async (method, params, scopes) => {
  const completions = { asked: { word: () => [] } };
  const parts = { catalog: CATALOG, bindings: BINDINGS, handlers: { ...HANDLERS, completions } };
  const { post, open: openSession, as } = await open({ ...parts, scopes: ['tool'] });
  const session = await openSession(undefined, await as(''));
  const ask = async (scope: string) =>
    post({ jsonrpc: '2.0', id: 1, method, params }, { ...session, ...(await as(scope)) });
  for (const scope of ['', scopes.slice(1).join(' ')]) {
    const refused = await ask(scope);
    expect([refused.status, refused.json.error]).toMatchObject([403, { data: { requiredScopes: scopes } }]);
  }
  const { status, json } = await ask(scopes.join(' '));
  // The template that nothing does work for is not there for anyone.
  expect([status, json.error?.code === -32600]).toEqual([200, false]);
});

test('the rest of a stream needs the scopes of the request that it answers', async () => {
  const handler: Handler = async (_, context) => {
    await context.log('info', 'first');
    return 'the answer';
  };
  const { open: openSession, stream, listen, as } = await open({ scopes: ['write'], handler });
  const session = await openSession('2025-11-25', await as('write'));
  const message = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x', arguments: {} } };
  const whole = await stream(message, { ...session, ...(await as('write')) });
  await expect.poll(() => whole.seen.text).toContain('the answer');
  const resume = async (scope: string) =>
    listen({ ...session, ...(await as(scope)), 'last-event-id': '1-0' });
  expect((await resume('')).status).toBe(403);
  const again = await resume('write');
  await expect.poll(() => again.seen.text).toContain('the answer');
});

test('over HTTP+SSE an answer needs the scopes of its own token, and of that of the stream', async () => {
  const { begin, as } = await open({
    scopes: ['write'],
    flags: { sse: true },
  });
  const openStream = async (scope: string) => {
    const response = await begin('GET', '/sse', { accept: 'text/event-stream', ...(await as(scope)) });
    onTestFinished(() => void response.destroy());
    const seen = { text: '' };
    response.setEncoding('utf8').on('data', (chunk: string) => (seen.text += chunk));
    await expect.poll(() => seen.text).toContain('endpoint');
    const [, path = ''] = /data: (\S+)/.exec(seen.text) ?? [];
    const say = async (message: object, own: string): Promise<void> => {
      const head = { 'content-type': 'application/json', ...(await as(own)) };
      await begin('POST', path, head, JSON.stringify(message));
    };
    await say(hello('2024-11-05'), scope);
    await expect.poll(() => seen.text).toContain('protocolVersion');
    await say(ready, scope);
    return { seen, say };
  };
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'x', arguments: {} } };
  for (const [ofStream, own, want] of [
    ['', 'write', 'insufficient'],
    ['write', '', 'insufficient'],
    ['write', 'write', 'done'],
  ] as const) {
    const { seen, say } = await openStream(ofStream);
    await say(call, own);
    await expect.poll(() => seen.text).toContain('"id":7');
    expect(seen.text.includes('"text":"done"'), `${ofStream}, ${own}`).toBe(want === 'done');
  }
});

test('a stream of a narrower token is refused, or ends, when a wider one subscribes in its session', async () => {
  const {
    open: openSession,
    listen,
    post,
    as,
  } = await open({ catalog: CATALOG, bindings: BINDINGS, handlers: HANDLERS });
  const session = await openSession(undefined, await as(''));
  const narrow = await listen({ ...session, ...(await as('')) });
  expect(narrow.status).toBe(200);
  const message = { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'a://listed' } };
  expect((await post(message, { ...session, ...(await as('resource more')) })).status).toBe(200);
  await expect.poll(() => narrow.seen.isOver).toBe(true);
  expect((await listen({ ...session, ...(await as('resource')) })).status).toBe(403);
  expect((await listen({ ...session, ...(await as('more resource')) })).status).toBe(200);
});

test('so does one of a narrower token when a wider one makes a task, of which it would hear', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const long = {
    ...{ name: 'long', inputSchema: { type: 'object' as const }, scopes: ['write'] },
    execution: { taskSupport: 'optional' as const },
    handler: async (_: object, { log }: Context) => {
      await log('info', 'first');
      await released;
      await log('info', 'secret');
    },
  };
  const { open: openSession, listen, post, as } = await open({ handlers: { extraTools: [long] } });
  const session = await openSession(undefined, await as('write'));
  const refused = await listen({ ...session, ...(await as('', { sub: 'mallory' })) });
  expect(refused.status).toBe(404);
  const narrow = await listen({ ...session, ...(await as('')) });
  expect(narrow.status).toBe(200);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'long', task: {} } };
  const created = await post(call, { ...session, ...(await as('write')) });
  expect(created.json.result).toMatchObject({ task: { status: 'working' } });
  await narrow.rest();
  expect(narrow.seen.text).not.toContain('first');
  expect((await listen({ ...session, ...(await as('')) })).status).toBe(403);
  const wide = await listen({ ...session, ...(await as('write')) });
  release();
  await expect.poll(() => wide.seen.text).toContain('secret');
});

test('two tokens in one session: each request has the rights of its own', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const {
    open: openSession,
    post,
    as,
    calls,
  } = await open({
    scopes: ['write'],
    handlers: {
      extraTools: [
        {
          name: 'wait',
          inputSchema: { type: 'object' },
          handler: async (_, { call }) => {
            await held;
            return call('x' as never);
          },
        },
      ],
    },
  });
  const session = await openSession(undefined, await as('write'));
  const message = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'wait' } };
  const narrow = post(message, { ...session, ...(await as('')) });
  // A wider token of the same caller comes while the first call runs.
  await post(ready, { ...session, ...(await as('write')) });
  release();
  expect([(await narrow).status, calls]).toEqual([403, []]);
});

// The token is shown nowhere.

test.each([
  ['the name of a tool', (token: string) => token],
  ['a part of one', (token: string) => `x${token.slice(20, 60)}`],
])('an error shows nothing of a token that is %s', async (_, make) => {
  const { post, issuer } = await open();
  const token = await issuer.token();
  const name = make(token);
  const { text } = await post(modern('tools/call', { name }), {
    ...modernHead('tools/call', name),
    authorization: `Bearer ${token}`,
  });
  expect(text).toContain('Unknown tool: ');
  expect(text).toContain('[redacted]');
  expect(text).not.toContain(token.slice(30, 40));
});

// Settings and starts.

const LEAST = { MCP_AUTH_ISSUER: 'https://id.test', MCP_AUTH_AUDIENCE: 'https://mcp.test/mcp' };

test.each<[Record<string, string>, string]>([
  [{ MCP_AUTH_ISSUER: '' }, 'Set MCP_AUTH_ISSUER'],
  [{ MCP_AUTH_ISSUER: 'http://id.test' }, 'MCP_AUTH_ISSUER must be an https URL'],
  [{ MCP_AUTH_ISSUER: 'https://u:hidden@id.test' }, 'MCP_AUTH_ISSUER must be an https URL'],
  [{ MCP_AUTH_ISSUER: 'https://id.test?tenant=1' }, 'without a query'],
  [{ MCP_AUTH_AUDIENCE: 'api://mcp' }, 'MCP_AUTH_RESOURCE is not set'],
  [{ MCP_AUTH_JWKS_URI: 'http://id.test/jwks' }, 'MCP_AUTH_JWKS_URI must be an https URL'],
  [
    { MCP_AUTH_JWKS_URI: 'https://a.test/jwks', MCP_AUTH_ISSUER: 'https://a.test,https://b.test' },
    'goes with one issuer',
  ],
  [{ MCP_AUTH_PLAIN_JWT: 'yes' }, 'MCP_AUTH_PLAIN_JWT must be 0 or 1, not yes'],
  [{ MCP_AUTH_INTROSPECTION_URI: 'https://id.test/i' }, 'go together'],
])('%j is refused', (env, words) => {
  const read = (): unknown => readAuthSettings({ ...LEAST, ...env });
  expect(read).toThrow(words);
  expect(read).not.toThrow('hidden');
});

test('a server does not start with credentials of callers without their feature', async () => {
  const handlers = { upstreamCredentials: () => undefined };
  await expect(open({ handlers })).rejects.toThrow('lacks the feature exchange');
});

test('over stdio nobody needs a token, and no setting is read', async () => {
  const reported: unknown[] = [];
  const server = makeServer({ features: [oauth()], env: { MCP_AUTH_ISSUER: 'nonsense' } }, reported);
  await server.start();
  expect([server.describe(), reported]).toEqual([expect.stringContaining('callers: anyone'), []]);
});

test('a server that has not started admits nobody', async () => {
  const server = makeServer({ features: [oauth()], flags: { transport: 'http' } }, []);
  const admit = server.features.find(({ name }) => name === 'oauth')?.admit;
  const exchange = { request: { headers: {} }, path: '/mcp', client: '' } as unknown as HttpExchange;
  await expect(async () => admit?.(exchange)).rejects.toMatchObject({ status: 503 });
});

test.each(['https://10.0.0.1/jwks', 'https://169.254.169.254/jwks', 'https://[::1]/jwks'])(
  'metadata of an issuer elsewhere must not name keys in the network of the server: %s',
  async (jwks) => {
    const { askIssuer } = await import('../../templates/runtime/features/issuer-client.ts');
    const namedBy = new URL('https://93.184.215.14/.well-known/openid-configuration');
    await expect(askIssuer(new URL(jwks), { namedBy })).rejects.toThrow(
      'which is in the network of this server',
    );
  },
);

test('an issuer that is on this machine may name keys beside it', async () => {
  const [issuer, other] = [await startIssuer(), await startIssuer()];
  issuer.metadata = { jwks_uri: `${other.url}/jwks` };
  other.keys = issuer.keys;
  const { post, as } = await open({ issuer });
  expect((await post(modernCall, { ...callHead, ...(await as('')) })).status).toBe(200);
});

// Client certificates, over TLS that this process ends.

const file = (name: string): string => fileURLToPath(new URL(`../support/tls/${name}`, import.meta.url));
const read = (name: string): Buffer => readFileSync(file(name));

test.each<[string, Record<string, string>, boolean, Record<string, number>]>([
  ['a certificate', {}, false, { own: 200, none: 401, stranger: 401 }],
  ['a certificate and a key', { MCP_AUTH_DPOP: 'allowed' }, true, { own: 200, none: 401 }],
  ['a certificate, where DPoP is required', { MCP_AUTH_DPOP: 'required' }, false, { own: 401 }],
  ['a certificate, which is not asked for', { MCP_AUTH_MTLS: 'off' }, false, { own: 401 }],
])('a token that is bound to %s counts over its connections alone', async (_, more, isProved, statuses) => {
  const issuer = await startIssuer();
  const env = {
    ...{ MCP_AUTH_ISSUER: issuer.url, MCP_AUTH_AUDIENCE: AUDIENCE, MCP_AUTH_MTLS: 'allowed' },
    ...{ MCP_TLS_CERT: file('server.pem'), MCP_TLS_KEY: file('server-key.pem'), PORT: '0', ...more },
  };
  const url = await listen(
    makeServer(
      { env, flags: { transport: 'http' }, features: [oauth(), dpop(() => Date.now() - 1_000)] },
      [],
    ),
  );
  const pair = { cert: read('client.pem'), key: read('client-key.pem') };
  const pairs = { own: pair, none: {}, stranger: { cert: read('server.pem'), key: read('server-key.pem') } };
  const prover = await newProver();
  const thumbprint = hash('sha256', new X509Certificate(pair.cert).raw, 'base64url');
  const token = await issuer.token({ cnf: { 'x5t#S256': thumbprint, ...(isProved && { jkt: prover.jkt }) } });
  const statusWith = async (own: object): Promise<number | undefined> => {
    const agent = new Agent({ ca: read('authority.pem'), ...own });
    onTestFinished(() => agent.destroy());
    const headers = {
      ...(isProved ? await prover.headers(token) : { authorization: `Bearer ${token}` }),
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    };
    return new Promise((resolve, reject) => {
      request(url, { method: 'POST', agent, headers }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end(JSON.stringify(hello()));
    });
  };
  for (const [name, status] of Object.entries(statuses))
    expect([name, await statusWith(pairs[name as keyof typeof pairs])]).toEqual([name, status]);
});

test('a task is seen by the scopes of its call only', async () => {
  const { post, as } = await open({
    handlers: {
      extraTools: [
        {
          ...{ name: 'long', inputSchema: { type: 'object' }, scopes: ['write'] },
          execution: { taskSupport: 'optional' },
          handler: () => 'done',
        },
      ],
    },
  });
  const declared = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  };
  const ask = async (method: string, params: object, name: string, scope: string) =>
    post(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: declared } },
      { ...modernHead(method, name), ...(await as(scope)) },
    );
  const { json } = await ask('tools/call', { name: 'long' }, 'long', 'write');
  const taskId = String(json.result?.['taskId']);
  for (const [method, more] of [
    ['tasks/get', {}],
    ['tasks/update', { inputResponses: {} }],
    ['tasks/cancel', {}],
  ] as const) {
    const [refused, taken] = [
      await ask(method, { taskId, ...more }, taskId, 'other'),
      await ask(method, { taskId, ...more }, taskId, 'write'),
    ];
    expect([method, refused.status, taken.status]).toEqual([method, 403, 200]);
  }
});
