/** How a request travels: retries, redirects, bounds of time, failures of the network, hooks, and calls by code. */
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '../../templates/runtime/call-api.ts';
import { ProtocolError, ToolError } from '../../templates/runtime/types.ts';
import { rawServer } from '../support/loopback.ts';
import { type Answer, openApi, json, type Reply, textOf } from './api.ts';

const empty = (status: number, headers: Reply['headers'] = {}): Reply => ({ status, headers });
const linesOf = (requests: { method: string; target: string }[]): string[] =>
  requests.map(({ method, target }) => `${method} ${target}`);

test.each<[method: string, status: number, headers: Record<string, string>, want: number]>([
  ['GET', 503, {}, 3],
  ['DELETE', 503, {}, 3],
  ['QUERY', 503, {}, 3],
  ['POST', 503, {}, 1],
  ['GET', 500, {}, 1],
  ['GET', 502, {}, 3],
  ['GET', 429, {}, 1],
  ['GET', 429, { 'retry-after': '0' }, 3],
  ['GET', 429, { 'retry-after': new Date().toUTCString() }, 3],
  ['GET', 503, { 'retry-after': '3600' }, 1],
  ['GET', 503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }, 1],
])('%s and %i with %j: %i requests', async (method, status, headers, want) => {
  const { call, requests } = await openApi({ binding: { method }, answer: () => empty(status, headers) });
  expect(textOf(await call())).toContain(`The API answered ${status}`);
  expect(requests).toHaveLength(want);
});

test('a passing failure is not told of', async () => {
  const answer: Answer = (_request, index, response) => {
    if (index === 0) response.destroy();
    return index === 0 ? undefined : index === 1 ? empty(503) : json({ a: 1 });
  };
  expect(await (await openApi({ answer })).call()).toMatchObject({ structuredContent: { a: 1 } });
});

test('a write that was answered is not repeated, and one that may have been done says so', async () => {
  const unreadable = await openApi({
    binding: { method: 'PUT' },
    answer: () => ({ ...json({ a: 1 }), headers: { 'content-encoding': 'zstd' } }),
  });
  expect(textOf(await unreadable.call())).toContain('may have taken effect');
  expect(unreadable.requests).toHaveLength(1);
  const gone = await openApi({
    binding: { method: 'DELETE' },
    answer: (_request, index, response) => {
      if (index === 0) response.destroy();
      return index === 0 ? undefined : empty(404);
    },
  });
  expect(textOf(await gone.call())).toMatch(/404 Not Found\n.*This answers a repetition/s);
  expect(gone.requests).toHaveLength(2);
});

const redirect = (location: string, status = 302): Reply => empty(status, { location });
const whole = { kind: 'json', mediaType: 'application/json', argument: 'body' };

test.each<[method: string, status: number, want: string[]]>([
  ['GET', 301, ['GET /a', 'GET /next?x=1']],
  ['GET', 302, ['GET /a', 'GET /next?x=1']],
  ['HEAD', 307, ['HEAD /a', 'HEAD /next?x=1']],
  ['POST', 303, ['POST /a', 'GET /next?x=1']],
  ['POST', 307, ['POST /a', 'POST /next?x=1']],
  ['POST', 308, ['POST /a', 'POST /next?x=1']],
  ['POST', 301, ['POST /a']],
  ['POST', 302, ['POST /a']],
  ['GET', 304, ['GET /a']],
])('%s and %i within the origin', async (method, status, want) => {
  const { call, requests } = await openApi({
    binding: { method, body: whole },
    answer: (_request, index) => (index === 0 ? redirect('next?x=1', status) : json({})),
    env: { API_HEADERS: 'X-Key: key-secret' },
  });
  const result = await call({ body: 1 });
  expect(linesOf(requests)).toEqual(want);
  expect(result.isError).toBe(want.length === 1 ? true : undefined);
  for (const { headers } of requests) expect(headers['x-key']).toBe('key-secret');
  if (want[1]?.startsWith('GET'))
    expect(requests[1]?.headers['content-type']).toBe(method === 'GET' ? 'application/json' : undefined);
  if (want[1]?.startsWith('POST')) expect(requests[1]?.body).toBe('1');
});

test.each(['OTHER/x', 'file:///etc/passwd', 'http://169.254.169.254/', 'http://'])(
  'a redirect to %s is not followed',
  async (location) => {
    const other = await openApi();
    const { call, requests } = await openApi({
      answer: () => redirect(location.replace('OTHER', other.url)),
    });
    expect(textOf(await call())).toContain('302 Found\nlocation: ');
    expect([requests.length, other.requests.length]).toEqual([1, 0]);
  },
);

test('redirects without end', async () => {
  const { call, requests } = await openApi({ answer: (_request, index) => redirect(`/${index + 1}`) });
  expect(textOf(await call())).toContain('more than 5 times');
  expect(requests).toHaveLength(6);
});

test.each<[what: string, start: string]>([
  ['before the answer', ''],
  ['in its middle', 'abc'],
])('an API that hangs %s', async (_, start) => {
  const answer: Answer = (_request, _index, response) => {
    if (start !== '') response.writeHead(200, { 'content-length': '10' }).write(start);
    return undefined;
  };
  const { call, requests } = await openApi({ answer, env: { API_TIMEOUT_MS: '100' } });
  expect(textOf(await call())).toMatch(/did not answer within 0\.1 seconds/);
  expect(requests).toHaveLength(1);
});

test('pauses between requests end with the time of the call', async () => {
  const { call, requests } = await openApi({
    answer: () => empty(503, { 'retry-after': '2' }),
    env: { API_TIMEOUT_MS: '1000' },
  });
  expect(textOf(await call())).toContain('503');
  expect(requests).toHaveLength(1);
});

test('a cancelled call ends its request', async () => {
  let closed: (() => void) | undefined;
  const end = new Promise<void>((resolve) => (closed = resolve));
  const outcomes: unknown[] = [];
  const opened = await openApi({
    answer: (_request, _index, response) => {
      response.on('close', () => closed?.());
      void opened.notify('notifications/cancelled', { requestId: 2 });
      return undefined;
    },
    handlers: {
      aroundCall: async (_: object, next: () => Promise<{ cause?: string }>) => {
        const outcome = await next();
        outcomes.push(outcome.cause);
        return outcome;
      },
    },
  });
  await opened.call().catch(() => undefined);
  await end;
  expect(outcomes).toEqual(['cancelled']);
});

test.each<[what: string, reply: string, want: RegExp]>([
  ['resets', '', /\(ECONNRESET\)\. Try again later/],
  [
    'breaks off in the body',
    'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
    /\(ECONNRESET\)\. Try again later/,
  ],
  [
    'is no HTTP',
    'SSH-2.0-OpenSSH_9.6\r\n\r\n',
    /\(HPE_\w+\)\. Its address may be wrong.* may have taken effect/,
  ],
  [
    'has endless headers',
    `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
    /\(HPE_\w+\)\. Its address may be wrong/,
  ],
  ['switches protocols', 'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', /switched protocols/],
  [
    'says gzip and is not',
    'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 7\r\n\r\nno gzip',
    /\(Z_DATA_ERROR\)\. Try again later/,
  ],
  [
    'has an unknown coding',
    'HTTP/1.1 200 OK\r\nContent-Encoding: zstd-9\r\nContent-Length: 1\r\n\r\nx',
    /content coding "zstd-9"/,
  ],
])('an API that %s', async (_, reply, want) => {
  const { url, close } = await rawServer((_request, socket) => void socket.end(reply, 'latin1'));
  onTestFinished(close);
  const { call } = await openApi({ baseUrl: url, binding: { method: 'POST', path: '/secret?path=1' } });
  const result = await call();
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toMatch(want);
  expect(textOf(result)).toContain(`The API at ${url} could not be used`);
  expect(textOf(result)).not.toContain('/secret');
});

test('nobody listens, or nobody has the name', async () => {
  const refusing = await openApi({ baseUrl: 'http://127.0.0.1:1', binding: { method: 'POST' } });
  expect(textOf(await refusing.call())).toMatch(/ECONNREFUSED.*API_BASE_URL/);
  const nameless = await openApi({ baseUrl: 'http://no-such-host.invalid', binding: { method: 'POST' } });
  expect(textOf(await nameless.call())).toMatch(/(?:ENOTFOUND|EAI_AGAIN).*API_BASE_URL/);
});

test('a kept connection that ends as a POST arrives is not used twice', async () => {
  const { call, requests } = await openApi({
    binding: { method: 'POST' },
    answer: (_request, index, response) => {
      if (index === 0) return empty(204);
      response.destroy();
      return undefined;
    },
  });
  await call();
  expect(textOf(await call())).toContain('(ECONNRESET)');
  expect(requests).toHaveLength(2);
});

test('an answer before the request was read is an answer', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n');
    });
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { call } = await openApi({
    baseUrl,
    binding: { method: 'POST', body: { ...whole, kind: 'text' } },
    env: { API_TIMEOUT_MS: '50000' },
  });
  expect(textOf(await call({ body: 'x'.repeat(32_000_000) }))).toContain('413');
});

// Hooks.

test('beforeRequest may change every part', async () => {
  const seen: unknown[] = [];
  const { call, requests } = await openApi({
    binding: { method: 'POST', body: whole },
    handlers: {
      beforeRequest: (request: {
        tool?: string;
        method: string;
        url: URL;
        headers: Headers;
        body?: unknown;
      }) => {
        seen.push(request.tool);
        request.method = 'PUT';
        request.url.searchParams.set('signed', 'yes');
        request.headers.set('X-Signature', 'abc');
        request.body = `${String(request.body)}23`;
      },
    },
  });
  await call({ body: 1 });
  expect(requests).toMatchObject([
    {
      method: 'PUT',
      target: '/a?signed=yes',
      body: '123',
      headers: { 'x-signature': 'abc', 'content-length': '3' },
    },
  ]);
  expect(seen).toEqual(['tool']);
});

test('afterResponse may replace the answer', async () => {
  const { call } = await openApi({
    answer: () => json({ a: 1 }),
    handlers: {
      afterResponse: (answer: object, { url }: { url: URL }) => ({
        ...answer,
        body: { kind: 'text', text: url.pathname },
      }),
    },
  });
  expect((await call()).content).toEqual([{ type: 'text', text: '/a' }]);
});

test('what afterResponse removes from the value is in no text', async () => {
  const remove = ({ body }: { body: { value: Record<string, unknown> } }): void =>
    void delete body.value['owner'];
  const { call } = await openApi({
    answer: () => json('{ "a": 1, "owner": "Ann" }'),
    handlers: { afterResponse: remove },
  });
  expect(await call()).toMatchObject({
    content: [{ type: 'text', text: '{"a":1}' }],
    structuredContent: { a: 1 },
  });
});

test('a hook may bring the credentials that the environment lacks', async () => {
  const api = {
    securitySchemes: { key: { type: 'bearer', env: { token: 'TOKEN' } } },
    security: [{ key: [] }],
  };
  const bring = ({ headers }: { headers: Headers }): void => headers.set('Authorization', 'Custom x');
  const bringing = await openApi({ api, handlers: { beforeRequest: bring } });
  await bringing.call();
  expect(bringing.requests[0]?.headers['authorization']).toBe('Custom x');
  const { call, requests } = await openApi({ api });
  expect(textOf(await call())).toContain('TOKEN');
  expect(requests).toEqual([]);
});

test.each(['beforeRequest', 'afterResponse'])('what %s throws is an error without secrets', async (hook) => {
  const fail = (...args: { headers?: unknown }[]): never => {
    const request = args.at(-1);
    throw new Error(`no: ${request?.headers instanceof Headers ? request.headers.get('x-key') : ''}`);
  };
  const { call } = await openApi({ env: { API_HEADERS: 'X-Key: key-secret' }, handlers: { [hook]: fail } });
  expect(await call()).toEqual({ content: [{ type: 'text', text: 'no: [redacted]' }], isError: true });
});

test('credentials that a hook brings are in no answer', async () => {
  const { call } = await openApi({
    handlers: {
      beforeRequest: ({ headers }: { headers: Headers }) =>
        headers.set('Authorization', 'Bearer of-the-hook'),
    },
    answer: ({ headers }) => json({ said: headers['authorization'], bare: 'of-the-hook' }, { status: 401 }),
  });
  expect(textOf(await call())).not.toContain('of-the-hook');
});

test.each<[thrown: unknown, want: object, cause: string, reports: number]>([
  [new ProtocolError(-32602, 'no'), { error: { code: -32602, message: 'no' } }, 'refused', 0],
  [
    new TypeError('key-secret'),
    { result: { isError: true, content: [{ text: '[redacted]' }] } },
    'handler',
    1,
  ],
  [new ToolError('no'), { result: { isError: true, content: [{ text: 'no' }] } }, 'api', 0],
])('a hook that throws: %o', async (thrown, want, cause, reports) => {
  let outcome: { cause?: string } = {};
  const { ask, reported } = await openApi({
    env: { API_HEADERS: 'X-Key: key-secret' },
    handlers: {
      beforeRequest: () => Promise.reject(thrown as Error),
      aroundCall: async (_: object, next: () => Promise<object>) => (outcome = await next()),
    },
  });
  expect(await ask('tools/call', { name: 'tool', arguments: {} })).toMatchObject(want);
  expect(outcome.cause).toBe(cause);
  expect(reported).toHaveLength(reports);
  if (reports > 0) {
    const { stack } = reported[0] as Error;
    expect(stack).toContain('api-calls.test.ts');
    expect(stack).not.toContain('key-secret');
  }
});

test('one feature serves several servers', async () => {
  const feature = api();
  const [one, other] = [await openApi({ features: [feature] }), await openApi({ features: [feature] })];
  for (const { server } of [one, other]) Object.assign(server, { features: [feature] });
  await one.call();
  await other.call();
  expect([one.requests.length, other.requests.length]).toEqual([1, 1]);
});

test('what a hook throws may be no error', async () => {
  const fail = ({ headers }: { headers: Headers }): never => {
    const words: unknown = `no: ${headers.get('x-key')}`;
    throw words;
  };
  const options = { env: { API_HEADERS: 'X-Key: key-secret' } };
  const { call } = await openApi({ ...options, handlers: { beforeRequest: fail } });
  expect(textOf(await call())).toBe('no: [redacted]');
  const readOnly = (): never => {
    throw new DOMException('no: key-secret');
  };
  const opened = await openApi({ ...options, handlers: { beforeRequest: readOnly } });
  expect(textOf(await opened.call())).toBe('no: [redacted]');
});

// Calls by code.

const operations = {
  shop: {
    getPet: {
      do: {
        kind: 'http',
        method: 'GET',
        path: '/pets/{id}',
        parameters: [{ argument: 'id', name: 'id', in: 'path' }],
      },
      input: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    },
    addPet: {
      do: { kind: 'http', method: 'POST', path: '/pets', parameters: [] },
      input: { type: 'object' },
    },
  },
};
type Api = Record<string, Record<string, (args?: object) => Promise<unknown>>>;
const byCode = (run: (api: Api) => unknown, answer: Answer, more: object = {}) =>
  openApi({
    operations,
    answer,
    handlers: { tools: { tool: (_: object, { api }: { api: Api }) => run(api) } },
    ...more,
  });

test.each<[reply: Reply, want: unknown]>([
  [json({ id: 7 }), { id: 7 }],
  [{ headers: { 'content-type': 'text/plain' }, body: 'seven' }, 'seven'],
  [{ headers: { 'content-type': 'image/png' }, body: Buffer.from([7]) }, Buffer.from([7])],
  [{ status: 204 }, undefined],
  [json(`[${'1,'.repeat(100_001)}1]`), expect.any(Array)],
])('context.api returns the body of an answer', async (reply, want) => {
  let body: unknown;
  const { call, requests } = await byCode(
    async (api) => void (body = await api['shop']?.['getPet']?.({ id: 7 })),
    () => reply,
  );
  await call();
  expect(body).toEqual(want);
  expect(linesOf(requests)).toEqual(['GET /pets/7']);
});

test('context.api rejects what fails', async () => {
  const errorOf = async (
    run: (api: Api) => Promise<unknown> | undefined,
    answer: Answer = () => empty(204),
    more: object = {},
  ): Promise<unknown> => {
    let error: unknown;
    const { call } = await byCode(
      async (api) => void (error = await run(api)?.catch((thrown: unknown) => thrown)),
      answer,
      more,
    );
    await call();
    return error;
  };
  const get = (args: object) => (api: Api) => api['shop']?.['getPet']?.(args);
  expect(await errorOf(get({ id: 7 }), () => json({ message: 'gone' }, { status: 410 }))).toMatchObject({
    name: 'ApiError',
    status: 410,
    body: { message: 'gone' },
    headers: { 'content-type': 'application/json' },
    message: expect.stringContaining('410 Gone: gone') as string,
  });
  expect(await errorOf(get({ id: 'x' }))).toMatchObject({
    message: expect.stringContaining('getPet do not match') as string,
  });
  expect(await errorOf((api) => api['shops']?.['getPet']?.({ id: 7 }))).toMatchObject({
    message: expect.stringContaining('Unknown operation: getPet (context.api.shops)') as string,
  });
  expect(await errorOf((api) => api['shops']?.['tool']?.())).toMatchObject({
    message: expect.stringContaining('context.api.shops') as string,
  });
  expect(await errorOf((api) => api['shop']?.['none']?.())).toMatchObject({
    message: expect.stringContaining('Unknown operation: none') as string,
  });
});

test('a tool of the same operation is called by code, too', async () => {
  let body: unknown;
  const { ask } = await openApi({
    binding: { operationId: 'getA' },
    answer: () => json({ a: 1 }),
    handlers: {
      extraTools: [
        {
          name: 'caller',
          inputSchema: { type: 'object' },
          handler: async (_: object, { api }: { api: Api }) => void (body = await api['any']?.['getA']?.()),
        },
      ],
    },
  });
  await ask('tools/call', { name: 'caller', arguments: {} });
  expect(body).toEqual({ a: 1 });
});

test('the line of the start names the API', async () => {
  const key = { type: 'apiKey', in: 'header', name: 'X', env: { key: 'KEY' } };
  const lineOf = (securitySchemes: object, env: object = {}, urls = ['https://api.example/v1']) => {
    const bindings = { upstream: { servers: urls.map((url) => ({ url })), securitySchemes } };
    return api().startLine?.({ flags: {}, env, bindings, parts: () => ({}) } as never);
  };
  expect(lineOf({})).toBe('API: https://api.example');
  expect(lineOf({ key })).toBe('API: https://api.example (no credentials are set)');
  expect(lineOf({ key }, { KEY: 'x' })).toBe('API: https://api.example');
  expect(lineOf({ key }, { API_HEADERS: 'X: x' })).toBe('API: https://api.example');
  expect(lineOf({}, {}, [])).toBe('API: no address, set API_BASE_URL');
});
