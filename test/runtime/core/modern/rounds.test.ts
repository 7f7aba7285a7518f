/** A handler that asks, in the era without sessions: it is run again with the answers. */
import { expect, test } from 'vitest';
import type { Context, ExtraTool } from '../../../../templates/runtime/definition.ts';
import { newServer, type Reply, type TestServer } from '../harness.ts';

const FORM: Parameters<Context['elicit']>[1] = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
};
const ADA = { action: 'accept', content: { name: 'Ada' } };

interface Options {
  capabilities?: object;
  env?: Record<string, string>;
}

function serverFor(handler: (context: Context) => unknown, { env = {} }: Options = {}): TestServer {
  const tool: ExtraTool = {
    name: 'x',
    inputSchema: { type: 'object' },
    handler: (_args, context) => handler(context),
  };
  return newServer({ handlers: { extraTools: [tool] }, env });
}

const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

async function call(
  server: TestServer,
  params: object = {},
  capabilities: object = EVERYTHING,
): Promise<Reply> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return server.ask('tools/call', { name: 'x', arguments: {}, ...params, _meta });
}

/** Members that a client sends with its answers. */
function retry({ result = {} }: Reply, inputResponses: object): object {
  return { inputResponses, requestState: result['requestState'] };
}

const textOf = ({ result }: Reply): unknown => Reflect.get(result?.['content'] ?? {}, 0)?.['text'];

test('a question, its answer, and the result', async () => {
  const server = serverFor(async ({ elicit }) => (await elicit('Who?', FORM, { key: 'who' })).content);
  const first = await call(server);
  expect(first.result).toMatchObject({
    resultType: 'input_required',
    inputRequests: {
      who: { method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema: FORM } },
    },
  });
  expect(first.result).not.toHaveProperty('content');
  const second = await call(server, retry(first, { who: ADA }));
  expect(second.result).toMatchObject({ resultType: 'complete' });
  expect(textOf(second)).toBe('{"name":"Ada"}');
});

test('questions that begin together go together, also of three kinds, also behind awaited work', async () => {
  const server = serverFor(async ({ elicit, elicitUrl, roots, sample }) => {
    const late = async (): Promise<unknown> => {
      await Promise.resolve();
      return elicitUrl('In', 'https://example.com/in', { key: 'page' });
    };
    return Promise.all([elicit('Who?', FORM), roots(), sample({ messages: [], maxTokens: 1 }), late()]);
  });
  const { result } = await call(server);
  const requests = result?.['inputRequests'] as Record<string, { method: string }>;
  expect(Object.entries(requests).map(([key, { method }]) => [key, method])).toEqual(
    expect.arrayContaining([
      ['ask-1', 'elicitation/create'],
      ['ask-2', 'roots/list'],
      ['ask-3', 'sampling/createMessage'],
      ['page', 'elicitation/create'],
    ]),
  );
  expect(requests['page']).toEqual({
    method: 'elicitation/create',
    params: { mode: 'url', message: 'In', url: 'https://example.com/in' },
  });
});

test('one round after the other: earlier answers come back by the state alone', async () => {
  const runs: string[] = [];
  const server = serverFor(async ({ elicit }) => {
    runs.push('run');
    const one = await elicit('One?', FORM);
    const two = await elicit('Two?', FORM);
    return `${String(one.content?.['name'])} ${String(two.content?.['name'])}`;
  });
  const first = await call(server);
  const second = await call(server, retry(first, { 'ask-1': ADA }));
  expect(Object.keys(second.result?.['inputRequests'] ?? {})).toEqual(['ask-2']);
  expect(second.result?.['requestState']).not.toBe(first.result?.['requestState']);
  const third = await call(server, retry(second, { 'ask-2': { ...ADA, content: { name: 'Bo' } } }));
  expect(textOf(third)).toBe('Ada Bo');
  expect(runs).toHaveLength(3);
});

test('an answer counts by its key without a state, but none to a question that its state has not put', async () => {
  const server = serverFor(async ({ elicit }) => {
    const one = await elicit('One?', FORM);
    return [one.action, (await elicit('Two?', FORM)).action].join();
  });
  const asked = ({ result }: Reply) => Object.keys(result?.['inputRequests'] ?? {});
  const answers = { 'ask-1': ADA, 'ask-2': ADA };
  expect(textOf(await call(server, { inputResponses: answers }))).toBe('accept,accept');
  const second = await call(server, retry(await call(server), answers));
  expect(asked(second)).toEqual(['ask-2']);
  expect(textOf(await call(server, retry(second, answers)))).toBe('accept,accept');
});

test('unknown keys are ignored, and a missing answer is asked for again', async () => {
  const server = serverFor(async ({ elicit }) => (await elicit('Who?', FORM, { key: 'who' })).action);
  const { result } = await call(server, retry(await call(server), { other: ADA }));
  expect(Object.keys(result?.['inputRequests'] ?? {})).toEqual(['who']);
});

test('what is remembered is done once, and a run is not left in the midst of it', async () => {
  const done: string[] = [];
  const server = serverFor(async ({ elicit, remember }) => {
    const order = remember('order', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      return `order ${done.push('placed')}`;
    });
    const [id, { content }] = await Promise.all([order, elicit('Who?', FORM)]);
    return `${id} ${String(content?.['name'])}`;
  });
  const first = await call(server);
  expect(done).toEqual(['placed']);
  expect(textOf(await call(server, retry(first, { 'ask-1': ADA })))).toBe('order 1 Ada');
  expect(done).toEqual(['placed']);
});

test('the signal of a run that is left is aborted, and it says nothing more', async () => {
  let left: AbortSignal | undefined;
  let log: Context['log'] | undefined;
  const server = serverFor(async (context) => {
    ({ signal: left, log } = context);
    await context.elicit('Who?', FORM);
  });
  await call(server);
  expect(left?.aborted).toBe(true);
  await log?.('emergency', 'too late');
  expect(server.sent).toEqual([]);
});

test.each<[string, (state: string) => unknown]>([
  ['tampered with', (state) => `A${state.slice(1)}`],
  ['with another signature', (state) => `${state.slice(0, -2)}AA`],
  ['without a signature', (state) => state.split('.')[0]],
  ['with more parts', (state) => `${state}.x`],
  ['no string', () => 7],
  ['null', () => null],
  ['empty', () => ''],
])('a state that is %s is refused, and the handler does not run', async (_, change) => {
  let runs = 0;
  const server = serverFor(async ({ elicit }) => {
    runs++;
    return elicit('Who?', FORM);
  });
  const { result } = await call(server);
  const requestState = change(String(result?.['requestState']));
  const { error } = await call(server, { inputResponses: { 'ask-1': ADA }, requestState });
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('`requestState`') as string });
  expect(runs).toBe(1);
});

test('a state of other arguments, another tool, or another process is refused', async () => {
  const handler = async ({ elicit }: Context): Promise<unknown> => elicit('Who?', FORM);
  const server = serverFor(handler);
  const first = await call(server);
  const answers = retry(first, { 'ask-1': ADA });
  expect((await call(server, { ...answers, arguments: { a: 1 } })).error?.code).toBe(-32602);
  expect((await call(serverFor(handler), answers)).error?.code).toBe(-32602);
  expect((await call(server, { ...answers, arguments: {} })).error).toBeUndefined();
});

test('instances with one secret understand each other, and one with another secret does not', async () => {
  const handler = async ({ elicit }: Context): Promise<unknown> => (await elicit('Who?', FORM)).action;
  const env = { MCP_STATE_SECRET: 'a secret of more than thirty-two characters' };
  const answers = retry(await call(serverFor(handler, { env })), { 'ask-1': ADA });
  expect(textOf(await call(serverFor(handler, { env }), answers))).toBe('accept');
  const other = serverFor(handler, { env: { MCP_STATE_SECRET: `${env.MCP_STATE_SECRET}!` } });
  expect((await call(other, answers)).error?.code).toBe(-32602);
});

test.each<[string, unknown]>([
  ['null', null],
  ['an array', []],
  ['a number', { 'ask-1': 5 }],
  ['one is null', { 'ask-1': null }],
  ['without an action', { 'ask-1': {} }],
  ['breaks the form', { 'ask-1': { action: 'accept', content: { name: 1 } } }],
])('answers that are none are refused: %s', async (_, inputResponses) => {
  const server = serverFor(async ({ elicit }) => {
    try {
      return await elicit('Who?', FORM);
    } catch {
      return 'swallowed';
    }
  });
  const { error } = await call(server, { ...retry(await call(server), {}), inputResponses });
  expect(error?.code).toBe(-32602);
});

test.each<[string, (context: Context) => unknown, object]>([
  ['a form', ({ elicit }) => elicit('Who?', FORM), { elicitation: {} }],
  ['a page', ({ elicitUrl }) => elicitUrl('In', 'https://example.com'), { elicitation: { url: {} } }],
  ['a model', ({ sample }) => sample({ messages: [], maxTokens: 1 }), { sampling: {} }],
  ['roots', ({ roots }) => roots(), { roots: {} }],
])('%s, undeclared, is the error that says what to declare', async (_, handler, requiredCapabilities) => {
  const reply = await call(serverFor(handler), {}, {});
  expect(reply).toMatchObject({
    error: { code: -32021, data: { requiredCapabilities } },
    origin: 'capability',
  });
});

test('a handler may do without what is not declared', async () => {
  const server = serverFor(async ({ elicit }) => elicit('Who?', FORM).catch(() => 'nobody'));
  expect(textOf(await call(server, {}, {}))).toBe('nobody');
});

test('two questions with one key are a fault of the handler', async () => {
  const server = serverFor(async ({ elicit }) =>
    Promise.all([elicit('One?', FORM, { key: 'k' }), elicit('Two?', FORM, { key: 'k' })]),
  );
  const reply = await call(server, retry(await call(server), { k: ADA }));
  expect(reply.result?.['isError']).toBe(true);
  expect(textOf(reply)).toContain('have the key "k"');
});

test.each([
  ['nothing', undefined, null],
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['an object with holes', { a: 1, b: undefined }, { a: 1 }],
])('work that gives %s is done once too, and gives the same in each run', async (_, given, want) => {
  const results: unknown[] = [];
  let done = 0;
  const server = serverFor(async ({ elicit, remember }) => {
    // Handlers need not be checked by a compiler.
    results.push(await remember('mail', () => (done++, given) as never));
    return (await elicit('Who?', FORM, { key: 'who' })).content;
  });
  await call(server, retry(await call(server), { who: ADA }));
  expect([done, results]).toEqual([1, [want, want]]);
});

test('the type of a result is not for a handler to say', async () => {
  const server = serverFor(() => ({ content: [], resultType: 'input_required', requestState: 'x' }));
  const { result = {} } = await call(server);
  expect(Object.keys(result).sort()).toEqual(['_meta', 'content', 'resultType']);
  expect(result['resultType']).toBe('complete');
});

test('parameters that are nested too deeply are refused, and nothing is reported', async () => {
  const server = serverFor(async ({ elicit }) => elicit('Who?', FORM));
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect((await call(server, { more: deep })).error?.code).toBe(-32602);
  expect(server.reported).toEqual([]);
});
