// Tools that call other tools: `context.call`, and `next` of an override.
import { expect, test, vi } from 'vitest';
import {
  type Context,
  type ExtraTool,
  type Handlers,
  type JsonObject,
  type ToolOverride,
} from '../../../templates/runtime/types.ts';
import { openServer, type Reply, type ServerParts, type TestServer } from '../harness.ts';

const inputSchema = { type: 'object' as const };

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
