// Tools that call other tools: `context.call`, and `next` of an override.
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  ApiError,
  type Context,
  type ExtraTool,
  type Handlers,
  type JsonObject,
  type ToolOverride,
} from '../../../templates/runtime/types.ts';
import { startApi } from '../upstream-fake.ts';
import { newServer, openServer, type Reply, type ServerParts, type TestServer } from '../harness.ts';

const inputSchema = { type: 'object' as const };
const FORM = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
const ADA = { action: 'accept', content: { name: 'Ada' } };

type Tool = (args: Record<string, unknown>, context: Context) => unknown;

/** Each tool by its name. */
function toolsOf(tools: Record<string, Tool>, more: Partial<Handlers<object>> = {}): ServerParts {
  const extraTools = Object.entries(tools).map(([name, handler]): ExtraTool => ({
    name,
    inputSchema,
    handler,
  }));
  return { handlers: { ...more, extraTools: [...extraTools, ...(more.extraTools ?? [])] } };
}

const sum: ExtraTool = {
  name: 'sum',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' }, day: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
  handler: ({ a, b = 1 }) => ({ total: Number(a) + Number(b) }),
};

const textOf = ({ result }: Reply): string => Reflect.get(result?.['content'] ?? {}, 0)?.['text'] as string;

async function run(server: TestServer, name = 'x', args: object = {}): Promise<Reply> {
  return server.ask('tools/call', { name, arguments: args });
}

test.each<{ says: string; args?: object; tool?: string; want: JsonObject }>([
  {
    says: 'the result, whatever the revision of the client knows',
    args: { a: 2, b: undefined },
    want: { content: [{ type: 'text', text: '{"total":3}' }], structuredContent: { total: 3 } },
  },
  {
    says: 'dates are texts, as a client would send them',
    args: { a: 1, day: new Date(0) },
    want: { structuredContent: { total: 2 } },
  },
  { says: 'arguments that do not fit', args: { c: 1 }, want: { isError: true } },
  {
    says: 'what the tool throws',
    tool: 'bad',
    want: { isError: true, content: [{ type: 'text', text: 'no' }] },
  },
])('$says', async ({ args, tool = 'sum', want }) => {
  const x: Tool = async (_, { call }) => ({
    content: [],
    structuredContent: { got: await call(tool, args) },
  });
  const bad = (): never => {
    throw new Error('no');
  };
  const server = await openServer(toolsOf({ bad, x }, { extraTools: [sum] }), '2025-06-18');
  expect((await run(server)).result?.['structuredContent']).toMatchObject({ got: want });
  const old = await openServer(
    toolsOf({ bad, x: async (_, { call }) => JSON.stringify(await call(tool, args)) }, { extraTools: [sum] }),
    '2024-11-05',
  );
  expect(JSON.parse(textOf(await run(old)))).toMatchObject(want);
});

test('no such tool, and tools that call each other without end', async () => {
  let runs = 0;
  const server = await openServer(
    toolsOf(
      {
        x: async (_, { call }) => call('sun'),
        loop: async (_, { call }) => {
          runs++;
          return call('loop');
        },
      },
      { extraTools: [sum] },
    ),
  );
  expect((await run(server)).result).toMatchObject({
    isError: true,
    content: [{ text: 'Unknown tool: sun. Did you mean "sum"?' }],
  });
  expect((await run(server, 'loop')).result).toMatchObject({
    isError: true,
    content: [{ text: 'loop was not called: 8 calls are inside one another already.' }],
  });
  expect(runs).toBe(9);
});

test('an override does the own work of its tool by `next`, with its arguments or others', async () => {
  const override: ToolOverride = async ({ a }, _, next) => {
    const results = [await next(), await next({ a: Number(a) * 10 })];
    return { total: results.length, results };
  };
  const { handler, ...listed } = sum;
  const binding = { kind: 'function', module: 'app/a.ts', export: 'sum', parameters: 'object' };
  const server = await openServer({
    catalog: { tools: [listed] },
    bindings: { tools: { sum: { do: binding } } },
    functions: { modules: { 'app/a.ts': () => Promise.resolve({ sum: handler }) } },
    handlers: { tools: { sum: override } as never },
  });
  const { result } = await run(server, 'sum', { a: 2 });
  expect(result?.['structuredContent']).toMatchObject({
    results: [{ structuredContent: { total: 3 } }, { structuredContent: { total: 21 } }],
  });
});

test('a cancelled call aborts the call inside it', async () => {
  let isAborted = false;
  let inner: AbortSignal | undefined;
  const server = await openServer(
    toolsOf({
      x: async (_, { call }) => call('hang'),
      hang: async (_, { signal }) => {
        inner = signal;
        return new Promise(() => signal.addEventListener('abort', () => (isAborted = true)));
      },
    }),
  );
  void server.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'x', arguments: {} } });
  await vi.waitFor(() => expect(inner).toBeDefined());
  await server.notify('notifications/cancelled', { requestId: 'c' });
  expect(isAborted).toBe(true);
});

test('the tokens of progress stay with the outer call, and nothing is sent after its answer', async () => {
  const server = await openServer(
    toolsOf({
      x: async (_, { call, progress }) => {
        await progress(1);
        await call('inner');
        await progress(2);
        return '';
      },
      inner: async (_, { progress, log }) => {
        await progress(5);
        await log('info', 'inner');
        return '';
      },
      late: async (_, { call }) => {
        void call('slow');
        return '';
      },
      slow: async (_, { log }) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        await log('info', 'slow');
      },
    }),
  );
  await server.ask('tools/call', { name: 'x', arguments: {}, _meta: { progressToken: 't' } });
  expect(
    server.sent.map(
      ({ params }) => Reflect.get(params ?? {}, 'progress') ?? Reflect.get(params ?? {}, 'data'),
    ),
  ).toEqual([1, 'inner', 2]);
  await run(server, 'late');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(server.sent).toHaveLength(3);
});

// The era without sessions: a handler that asks runs again.

async function callModern(server: TestServer, params: object = {}): Promise<Reply> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  return server.ask('tools/call', { name: 'x', arguments: {}, ...params, _meta });
}

function retry({ result = {} }: Reply, inputResponses: object): object {
  return { inputResponses, requestState: result['requestState'] };
}

const keysOf = ({ result }: Reply): string[] => Object.keys(result?.['inputRequests'] ?? {});

/** Creates, asks, answers. */
const creating = (made: string[]): ServerParts =>
  toolsOf({
    create: ({ name }) => {
      made.push(String(name));
      return { id: made.length, ns: 9007199254740993n };
    },
    x: async (_, { call, elicit }) => {
      const first = await call('create', { name: 'a' });
      const { content } = await elicit('Who?', FORM, { key: 'who' });
      const second = await call('create', { name: content?.['name'] });
      return [first, second].map((result) => JSON.stringify(result.content)).join();
    },
  });

test('create, ask, answer is one creation in the era without sessions', async () => {
  const made: string[] = [];
  const server = newServer(creating(made));
  const first = await callModern(server);
  expect([made, keysOf(first)]).toEqual([['a'], ['who']]);
  const second = await callModern(server, retry(first, { who: ADA }));
  expect(made).toEqual(['a', 'Ada']);
  expect(textOf(second)).toContain('9007199254740993');
  // The state says what was done, so that a client that repeats it does not do it again.
  await callModern(server, retry(first, { who: ADA }));
  expect(made).toEqual(['a', 'Ada', 'Ada']);
});

test('create, ask, answer is one creation in a session', async () => {
  const made: string[] = [];
  const server = newServer(creating(made));
  const capabilities = { elicitation: {} };
  const clientInfo = { name: 'client', version: '0' };
  await server.ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
  await server.notify('notifications/initialized');
  const answer = run(server);
  const question = await vi.waitFor(() => {
    const found = server.sent.find((message) => 'id' in message);
    if (found === undefined) throw new Error('nothing was asked');
    return found;
  });
  await server.send({ jsonrpc: '2.0', id: Reflect.get(question, 'id'), result: ADA });
  expect(textOf(await answer)).toContain('9007199254740993');
  expect(made).toEqual(['a', 'Ada']);
});

test('a called tool asks too, also twice, and its work counts once', async () => {
  const made: string[] = [];
  const server = newServer(
    toolsOf({
      make: ({ name }) => void made.push(String(name)),
      inner: async (_, { call, elicit, remember }) => {
        await call('make', { name: 'in inner' });
        await remember('one', () => made.push('remembered'));
        const { content } = await elicit('Inner?', FORM);
        return content?.['name'];
      },
      x: async (_, { call, elicit }) => {
        const own = elicit('Outer?', FORM);
        const inner = await Promise.all([
          call('inner'),
          call('inner', {}, { key: 'again' }),
          call('make', { name: 'x' }),
        ]);
        return `${String((await own).content?.['name'])} ${inner.map(({ content }) => JSON.stringify(content)).join()}`;
      },
    }),
  );
  const first = await callModern(server);
  expect(keysOf(first).toSorted()).toEqual(['again/ask-1', 'ask-1', 'call-1/ask-1']);
  expect(made.toSorted()).toEqual(['in inner', 'in inner', 'remembered', 'remembered', 'x']);
  const last = await callModern(
    server,
    retry(first, { 'ask-1': ADA, 'again/ask-1': ADA, 'call-1/ask-1': ADA }),
  );
  expect(textOf(last)).toMatch(/^Ada .*Ada.*Ada/);
  expect(made).toHaveLength(5);
});

test('a handler is not left while a call is at work', async () => {
  const made: string[] = [];
  const server = newServer(
    toolsOf({
      slow: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        made.push('slow');
        return 'done';
      },
      x: async (_, { call, elicit }) => {
        const [answer, { content }] = await Promise.all([elicit('Who?', FORM, { key: 'who' }), call('slow')]);
        return [
          answer.content?.['name'],
          ...content.map((block) => Reflect.get(block, 'text') as string),
        ].join();
      },
    }),
  );
  const first = await callModern(server);
  expect([keysOf(first), made]).toEqual([['who'], ['slow']]);
  expect(textOf(await callModern(server, retry(first, { who: ADA })))).toBe('Ada,done');
  expect(made).toEqual(['slow']);
});

// Operations of a document.

const order = { kind: 'http' as const, parameters: [], method: 'POST', path: '/orders' };
const orderBody = {
  mediaType: 'application/json',
  kind: 'json' as const,
  properties: [{ argument: 'name', name: 'name' }],
};
const orderInput = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const } },
  required: ['name'],
};

/** The API of a shop, where placing an order is a tool and reading one is none. */
async function openShop(tools: Record<string, Tool>, answer: Parameters<typeof startApi>[0]) {
  const api = await startApi(answer);
  onTestFinished(async () => api.close());
  const parameters = [{ argument: 'id', name: 'id', in: 'path' as const }];
  const parts: ServerParts = {
    ...toolsOf(tools),
    baseUrl: api.url,
    catalog: { tools: [{ name: 'shop_place', inputSchema: orderInput }] },
    bindings: {
      upstream: { servers: [{ url: 'https://shop.example' }], securitySchemes: {} },
      tools: { shop_place: { do: { ...order, operationId: 'place', body: orderBody } } },
      operations: {
        shop: {
          read: {
            do: { ...order, method: 'GET', path: '/orders/{id}', parameters },
            input: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
          },
        },
      },
    },
  };
  return { api, parts };
}

test('operations return their bodies, also those that are no tools, and long ones whole', async () => {
  const lines = Array.from({ length: 30_000 }, (_, id) => ({ id }));
  const { api, parts } = await openShop(
    {
      x: async (_, { api: { shop } }) => {
        const placed = (await shop?.['place']?.({ name: 'Ada', note: undefined })) as { id: bigint };
        const read = (await shop?.['read']?.({ id: placed.id })) as { lines: object[] };
        return [String(placed.id), read.lines.length, await shop?.['read']?.({ id: 1 })];
      },
    },
    (target) => {
      if (target === 'GET /orders/1') return { text: 'paid' };
      return target === 'POST /orders'
        ? { text: '{"id":9007199254740993}', type: 'application/json' }
        : { json: { lines } };
    },
  );
  const server = await openServer(parts);
  expect(JSON.parse(textOf(await run(server)))).toEqual(['9007199254740993', 30_000, 'paid']);
  expect(api.requests).toEqual(['POST /orders', 'GET /orders/9007199254740993', 'GET /orders/1']);
});

test('an answer that is no success, arguments that do not fit, and unknown operations are errors', async () => {
  const { api, parts } = await openShop(
    {
      x: async ({ operation, args }, { api: { shop } }) =>
        shop?.[String(operation)]?.(args as object).catch((thrown: unknown) => {
          if (!(thrown instanceof ApiError)) throw thrown;
          const { status, headers, body, message } = thrown;
          return { status, type: headers['content-type'], body, message };
        }),
    },
    () => ({ status: 404, json: { reason: 'gone' } }),
  );
  const server = await openServer(parts);
  const tried = async (operation: string, args: object): Promise<string> =>
    textOf(await run(server, 'x', { operation, args }));
  expect(JSON.parse(await tried('read', { id: 3 }))).toEqual({
    status: 404,
    type: 'application/json',
    body: { reason: 'gone' },
    message: expect.stringContaining('404 Not Found') as string,
  });
  expect(await tried('read', { id: 'a' })).toContain('The arguments of read do not match its input schema');
  expect(await tried('raed', {})).toBe('Unknown operation: raed (context.api.shop). Run `mcpgen generate`.');
  expect(api.requests).toEqual(['GET /orders/3']);
});
