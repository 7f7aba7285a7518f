// Faults of the project's own code: each request is answered, and the next one too.
import { expect, test } from 'vitest';
import type { Context, Handlers } from '../../../templates/runtime/types.ts';
import { RpcError } from '../../../templates/runtime/json-rpc.ts';
import { openServer, type TestServer } from '../harness.ts';

const circle: Record<string, unknown> = {};
circle['self'] = circle;
const text = { content: [{ type: 'text', text: 'x' }] };

type Handler = (context: Context) => unknown;

/** The handlers are not typed: what the types forbid is what is tried. */
const serverOf = async (handlers: object): Promise<TestServer> =>
  openServer({ handlers: handlers as Handlers<object> });

const serverFor = async (handler: Handler): Promise<TestServer> =>
  serverOf({
    extraTools: [
      {
        name: 'x',
        inputSchema: { type: 'object' },
        handler: (_: object, context: Context) => handler(context),
      },
    ],
  });

const failed = (words: string): object => ({ isError: true, content: [{ type: 'text', text: words }] });

function deepObject(): object {
  let value: object = {};
  for (let depth = 0; depth < 20_000; depth++) value = { value };
  return value;
}

test.each<[string, () => unknown, string]>([
  ['a circle', () => ({ ...text, _meta: circle }), 'Converting circular structure'],
  ['too deep a tree', () => ({ ...text, structuredContent: deepObject() }), 'Maximum call stack'],
])('a result that can not be sent is an internal error: %s', async (_, handler, words) => {
  const server = await serverFor(handler);
  const { error } = await server.ask('tools/call', { name: 'x' });
  expect(error).toEqual({ code: -32603, message: 'Internal error.' });
  expect(String(server.reported)).toContain(words);
  expect(await server.ask('ping')).toMatchObject({ result: {} });
});

test.each<[string, unknown, string]>([
  ['a text', 'no luck', 'no luck'],
  ['nothing', undefined, 'The work failed without saying why.'],
  ['a symbol', Symbol('why'), 'Symbol(why)'],
  ['what has no text', Object.create(null), 'The work failed without saying why.'],
  ['an error whose message is none', Object.assign(new Error(), { message: {} }), '[object Object]'],
])('what is thrown is a tool error: %s', async (_, thrown, words) => {
  const server = await serverFor(() => {
    throw thrown;
  });
  expect((await server.ask('tools/call', { name: 'x' })).result).toEqual(failed(words));
});

test('what a refusal carries is left out where it is no JSON', async () => {
  const server = await serverFor(() => {
    throw Object.assign(new RpcError(-32602, 'Not so.'), { data: circle });
  });
  const { error } = await server.ask('tools/call', { name: 'x' });
  expect(error).toEqual({ code: -32602, message: 'Not so.' });
});

test.each<[string, unknown]>([
  ['an `isError` that is no boolean', { ...text, isError: 'yes' }],
  ['a `_meta` that is no object', { ...text, _meta: [1] }],
  ['a resource without contents', { content: [{ type: 'resource', resource: { uri: 'a:b' } }] }],
])('what only looks like a result is data: %s', async (_, value) => {
  const server = await serverFor(() => value);
  const { result } = await server.ask('tools/call', { name: 'x' });
  expect(result).toEqual({ content: [{ type: 'text', text: JSON.stringify(value) }] });
});

test('progress that is no number is none, and nor is such a total', async () => {
  const server = await serverFor(async ({ progress }) => {
    for (const done of [1, NaN, Infinity, -1, 1, 2]) await progress(done, done === 2 ? NaN : Infinity);
  });
  await server.ask('tools/call', { name: 'x', _meta: { progressToken: 't' } });
  expect(server.sent.map(({ params }) => params)).toEqual([
    { progressToken: 't', progress: 1 },
    { progressToken: 't', progress: 2 },
  ]);
});

test('a log message always has data', async () => {
  const server = await serverFor(async ({ log }) => {
    for (const data of [undefined, () => 1, Symbol('x')])
      await Reflect.apply(log, undefined, ['error', data]);
  });
  await server.ask('tools/call', { name: 'x' });
  expect(server.sent.map(({ params }) => params)).toEqual(Array(3).fill({ level: 'error', data: null }));
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a message that is none', { messages: [null] }],
  ['a role nobody has', { messages: [{ role: 'system', content: text.content[0] }] }],
])('a prompt of %s is an error in words', async (_, result) => {
  const server = await serverOf({ prompts: { p: { handler: () => result } } });
  const { error } = await server.ask('prompts/get', { name: 'p' });
  expect(error?.code).toBe(-32603);
  expect(error?.message).toContain('A prompt must be a text or { messages }');
});

test.each<[unknown]>([[undefined], ['a'], [[1]], [[null, 'a']]])(
  'the completion %j is an error in words',
  async (values) => {
    const server = await serverOf({
      prompts: { p: { arguments: [{ name: 'a' }], handler: () => 'p' } },
      completions: { p: { a: () => values } },
    });
    const { error } = await server.ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'p' },
      argument: { name: 'a', value: '' },
    });
    expect(error).toEqual({ code: -32603, message: 'The values offered must be a list of texts.' });
  },
);

test('a handler that never ends holds up nobody once its call is cancelled, but counts', async () => {
  const server = await openServer({
    limits: { requestsInFlight: 1 },
    handlers: {
      extraTools: [
        { name: 'x', inputSchema: { type: 'object' }, handler: () => new Promise(() => undefined) },
      ],
    },
  });
  const answered = server.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'x' } });
  await server.notify('notifications/cancelled', { requestId: 'c' });
  expect(await answered).toBeUndefined();
  expect((await server.ask('ping')).error?.code).toBe(-32603);
});

test('nothing follows the end of a call', async () => {
  let late: (() => Promise<unknown>) | undefined;
  const server = await serverFor(({ log, progress, roots, closeStream }) => {
    late = async () => {
      await log('error', 'late');
      await progress(1);
      closeStream();
      return roots().catch(String);
    };
  });
  Object.assign(server.session.agreement?.clientCapabilities ?? {}, { roots: {} });
  await server.ask('tools/call', { name: 'x', _meta: { progressToken: 't' } });
  expect(await late?.()).toBe('ToolError: roots/list was not asked: the call it belongs to has ended.');
  expect(server.sent).toEqual([]);
});
