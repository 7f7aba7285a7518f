/** How functions are called, what they return and throw, and what they do beside calls of tools. */
import { expect, test } from 'vitest';
import type { StandIn } from '../../templates/runtime/features/functions/index.ts';
import type { FunctionBinding } from '../../templates/runtime/features/functions/binding.ts';
import { ProtocolError, ToolError } from '../../templates/runtime/types.ts';
import { Session } from '../../templates/runtime/session.ts';
import { gate, meta } from './client.ts';
import { bind, openProgram, textOf } from './program.ts';

type More = Partial<FunctionBinding>;
const SEE_LOG = 'f failed. The log of the server says why.';

const Context = expect.objectContaining({ signal: expect.any(AbortSignal) as unknown }) as unknown;

test.each<{ binding: More; args: object; want: unknown[] }>([
  { binding: { parameters: ['a', 'b'] }, args: { b: 2, a: 1 }, want: [1, 2] },
  { binding: { parameters: ['toString'] }, args: {}, want: [] },
  { binding: { parameters: ['a', 'b'] }, args: { a: 1 }, want: [1] },
  { binding: { parameters: 'object', contextAt: 0 }, args: { a: 1 }, want: [Context, { a: 1 }] },
  { binding: { parameters: 'object', contextIn: ['ctx'] }, args: { a: 1 }, want: [{ a: 1, ctx: Context }] },
  { binding: { parameters: ['a', 'b'], contextAt: 1 }, args: { a: 1, b: 2 }, want: [1, Context, 2] },
  { binding: { parameters: ['a'], contextAt: 1 }, args: {}, want: [undefined, Context] },
  { binding: { parameters: ['a', 'rest'], rest: true }, args: { a: 1, rest: [2, 3] }, want: [1, 2, 3] },
  { binding: { parameters: ['a', 'rest'], rest: true }, args: { a: 1 }, want: [1] },
  { binding: { parameters: 'object', properties: { top: '$top' } }, args: { top: 1 }, want: [{ $top: 1 }] },
  { binding: { parameters: ['$top'], properties: { top: '$top' } }, args: { top: 1 }, want: [1] },
  {
    binding: {
      parameters: ['a', 'on', 'b'],
      argumentCodec: {
        kind: 'object',
        properties: { on: { kind: 'date' }, b: { kind: 'object', defaults: { c: 3 } } },
        defaults: { a: [1], on: '2026-01-01T00:00:00Z', b: {} },
      },
    },
    args: {},
    want: [[1], new Date('2026-01-01T00:00:00Z'), { c: 3 }],
  },
])('$binding takes $args', async ({ binding, args, want }) => {
  const got: unknown[][] = [];
  const { call, reported } = await openProgram(
    { f: (...list: unknown[]) => void got.push(list) },
    { tools: { f: binding } },
  );
  expect(await call('f', args)).toEqual({ content: [{ type: 'text', text: 'Done.' }] });
  expect(got).toEqual([want]);
  expect(got[0]).toHaveLength(want.length);
  expect(reported).toEqual([]);
});

// Results.

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

test.each<{ value: unknown; result?: FunctionBinding['result']; want: object }>([
  { value: [{ a: 1 }], want: text('[{"a":1}]') },
  { value: { type: 'text', text: 'a' }, want: text('a') },
  {
    value: [1],
    result: { as: 'json', wrapped: true },
    want: { ...text('[1]'), structuredContent: { result: [1] } },
  },
  { value: { a: 1 }, result: { as: 'json' }, want: { ...text('{"a":1}'), structuredContent: { a: 1 } } },
  { value: undefined, result: { as: 'json', wrapped: true }, want: { ...text('{}'), structuredContent: {} } },
  {
    value: { ...text('a'), structuredContent: { at: new Date(0) } },
    result: { as: 'full' },
    want: { ...text('a'), structuredContent: { at: '1970-01-01T00:00:00.000Z' } },
  },
  {
    value: new Uint8Array([1]),
    result: { as: 'bytes', mimeType: 'image/png' },
    want: { content: [{ type: 'image', data: 'AQ==', mimeType: 'image/png' }] },
  },
  {
    value: Buffer.from([1]),
    result: { as: 'bytes', mimeType: 'font/woff' },
    want: {
      content: [{ type: 'resource', resource: { uri: 'result://f', mimeType: 'font/woff', blob: 'AQ==' } }],
    },
  },
  {
    value: '<a>',
    result: { as: 'text', mimeType: 'text/html' },
    want: {
      content: [{ type: 'resource', resource: { uri: 'result://f', mimeType: 'text/html', text: '<a>' } }],
    },
  },
])('$value is answered, as $result', async ({ value, result, want }) => {
  const { call } = await openProgram({ f: () => value }, { tools: { f: { ...(result && { result }) } } });
  expect(await call('f')).toEqual(want);
});

// Generators.

test('what a generator yields is progress, and what it returns the result', async () => {
  async function* f(): AsyncGenerator<unknown, string> {
    yield 'begun';
    yield 5;
    yield { progress: 6, total: 7, message: 'nearly' };
    yield { at: 8 };
    return 'done';
  }
  const { call, sent } = await openProgram({ f }, { tools: { f: { streams: true } } });
  expect(await call('f', {}, { _meta: { progressToken: 1 } })).toEqual(text('done'));
  expect(sent.map(({ params }) => [params?.['progress'], params?.['total'], params?.['message']])).toEqual([
    [1, undefined, 'begun'],
    [5, undefined, undefined],
    [6, 7, 'nearly'],
    // The fourth would be 4, and progress rises.
  ]);
});

test('a list that is yielded is the result; progress has its length, and its texts', async () => {
  async function* f(): AsyncGenerator<unknown> {
    yield* ['a', 7, { secret: 1 }];
  }
  const { call, sent } = await openProgram({ f }, { tools: { f: { streams: 'items' } } });
  expect(await call('f', {}, { _meta: { progressToken: 1 } })).toEqual(text('["a",7,{"secret":1}]'));
  expect(sent.map(({ params }) => [params?.['progress'], params?.['message']])).toEqual([
    [1, 'a'],
    [2, undefined],
    [3, undefined],
  ]);
});

test.each<{ how: string; steps: (cancel: () => void) => Generator<unknown> }>([
  {
    how: 'its call is cancelled',
    steps: function* (cancel) {
      cancel();
      for (;;) yield 1;
    },
  },
  {
    how: 'it yields what can not be told',
    steps: function* () {
      const circular: Record<string, unknown> = {};
      circular['self'] = circular;
      yield circular;
    },
  },
])('a generator is ended if $how', async ({ steps }) => {
  let ended = false;
  function* f(): Generator<unknown> {
    try {
      yield* steps(
        () => void send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }),
      );
    } finally {
      ended = true;
    }
  }
  const { ask, send } = await openProgram({ f }, { tools: { f: { streams: true } } });
  void ask('tools/call', { name: 'f' });
  await expect.poll(() => ended).toBe(true);
});

// Errors.

class RequestError extends Error {
  override readonly name: string = 'RequestError';
}
class Timeout extends RequestError {
  override readonly name = 'Timeout';
}

test.each<{ thrown: unknown; throws?: string[]; env?: Record<string, string>; want: string; logs?: boolean }>(
  [
    { thrown: new ToolError('Not today.'), want: 'Not today.' },
    { thrown: new RequestError('Closed.'), throws: ['RequestError'], want: 'Closed.' },
    { thrown: new Timeout('Too slow.'), throws: ['RequestError'], want: 'Too slow.' },
    { thrown: Object.assign(new Error('By name.'), { name: 'Odd' }), throws: ['Odd'], want: 'By name.' },
    { thrown: new RequestError(''), throws: ['RequestError'], want: SEE_LOG },
    { thrown: new Error('a secret'), throws: ['RequestError'], want: SEE_LOG, logs: true },
    { thrown: new Error('no list'), env: { MCP_SHOW_ERRORS: '1' }, want: 'f failed: no list', logs: true },
    {
      thrown: new RequestError('Not key-11.'),
      throws: ['Error'],
      env: { SHOP_KEY: 'key-11' },
      want: 'Not [redacted].',
    },
  ],
)(
  '$thrown, where $throws are meant for the caller: $want',
  async ({ thrown, throws, env = {}, want, logs = false }) => {
    const f = () => Promise.reject(thrown as Error);
    const { call, reported } = await openProgram({ f }, { env, tools: { f: { ...(throws && { throws }) } } });
    const result = await call('f');
    expect([result.isError, textOf(result)]).toEqual([true, want]);
    expect(reported).toEqual(logs ? [expect.stringMatching(/^f failed \(request 2\): /)] : []);
  },
);

test('an error of the protocol reaches the client as one', async () => {
  const f = () => Promise.reject(new ProtocolError(-32001, 'Later.'));
  const { ask } = await openProgram({ f }, { tools: { f: {} } });
  expect((await ask('tools/call', { name: 'f' })).error).toMatchObject({ code: -32001, message: 'Later.' });
});

test('the log of a failed call has the causes of its error, and no secrets', async () => {
  const secret = 'k-2f81c9d7e4';
  const socket = Object.assign(new Error(`connect failed with ${secret}`), { code: 'ECONNREFUSED' });
  const both = new AggregateError([socket, { reason: 'odd' }], 'no host answered');
  const fault = Object.assign(new Error('no forecast', { cause: both }), { status: 503, config: { secret } });
  const tools = { f: {} };
  const { call, reported } = await openProgram(
    { f: () => Promise.reject(fault) },
    { tools, env: { FORECAST_API_KEY: secret } },
  );
  expect(JSON.stringify(await call('f'))).not.toContain('503');
  const parts = [
    '^f failed \\(request 2\\): Error: no forecast\\n    at ',
    '\\(status 503\\)\\nCaused by: AggregateError: no host answered\\n',
    '\\nCaused by: Error: connect failed with \\[redacted\\]\\n',
    "\\(code ECONNREFUSED\\)\\nCaused by: \\{ reason: 'odd' \\}$",
  ];
  expect(reported).toEqual([expect.stringMatching(new RegExp(parts.join('[\\s\\S]*')))]);
});

test('a function that stops because its call was cancelled has no fault', async () => {
  const begun = gate();
  const f = async ({ signal }: { signal: AbortSignal }) => {
    begun.open();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    signal.throwIfAborted();
  };
  const { ask, send, session, reported } = await openProgram({ f }, { tools: { f: { contextAt: 0 } } });
  void ask('tools/call', { name: 'f' });
  await begun.opened;
  await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  await expect.poll(() => session.inFlight.size).toBe(0);
  expect(reported).toEqual([]);
});

test('a module that lacks the function, or can not be loaded, is a fault for the log', async () => {
  const { call, reported, server } = await openProgram({}, { tools: { f: {} } });
  expect(textOf(await call('f'))).toBe(SEE_LOG);
  expect(reported).toEqual([expect.stringContaining('The module app/a.ts exports no function or class f.')]);
  await expect(server.start()).resolves.toBeUndefined();
  const modules = { 'app/b.ts': () => Promise.reject(new Error('no table')) };
  const other = await openProgram({}, { functions: { modules } });
  await expect(other.server.start()).rejects.toThrow(/^app\/b\.ts can't be loaded\. Error: no table/);
});

// Resources, prompts, completions.

const CONTENTS = { uri: 'a:r', text: 'b' };

test.each<{ value: unknown; result?: FunctionBinding['result']; want: object | undefined }>([
  { value: [CONTENTS, { uri: 'a:c', blob: '' }], want: [CONTENTS, { uri: 'a:c', blob: '' }] },
  {
    value: new Uint8Array([1]),
    result: { mimeType: 'image/png' },
    want: [{ uri: 'a:r', mimeType: 'image/png', blob: 'AQ==' }],
  },
  {
    value: [1, new Date(0)],
    result: { as: 'json', mimeType: 'application/json', codec: { kind: 'any' } },
    want: [{ uri: 'a:r', mimeType: 'application/json', text: '[1,"1970-01-01T00:00:00.000Z"]' }],
  },
  { value: null, want: undefined },
])('a resource that returns $value', async ({ value, result, want }) => {
  const { ask } = await openProgram(
    { f: () => value },
    {
      catalog: { resources: [{ uri: 'a:r', name: 'r' }] },
      bindings: { resources: { 'a:r': { do: bind('f', result && { result }) } } },
    },
  );
  const reply = await ask('resources/read', { uri: 'a:r' });
  if (want === undefined) expect(reply.error).toMatchObject({ code: -32002 });
  else expect(reply.result).toEqual({ contents: want });
});

const input = { type: 'object', properties: { n: { type: 'number', minimum: 3 } } };
const template = { uriTemplate: 'a:{n}', name: 'n', mimeType: 'text/plain', annotations: { priority: 0.5 } };
const schemas = { n: { type: 'number' } };

test('variables of a template are read by their type, and reach no function if they do not fit', async () => {
  const { ask } = await openProgram(
    { f: (n: number) => `${typeof n} ${n}` },
    {
      catalog: { resourceTemplates: [template] },
      bindings: { resourceTemplates: { 'a:{n}': { do: bind('f', { parameters: ['n'], input }), schemas } } },
    },
  );
  expect((await ask('resources/read', { uri: 'a:3' })).result).toMatchObject({
    contents: [{ text: 'number 3' }],
  });
  const { error } = await ask('resources/read', { uri: 'a:2' });
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('`n`') as unknown });
});

test.each<{ value: unknown; want: object }>([
  { value: { type: 'text', text: 'hi' }, want: [{ role: 'user', content: { type: 'text', text: 'hi' } }] },
  {
    value: [{ role: 'assistant', content: { type: 'text', text: 'hi' } }],
    want: [{ role: 'assistant', content: { type: 'text', text: 'hi' } }],
  },
  { value: undefined, want: { code: -32602, message: 'The prompt p says nothing for these arguments.' } },
])('a prompt that returns $value', async ({ value, want }) => {
  const { ask } = await openProgram(
    { f: (n?: number) => (n === 4 ? value : `it got ${n}`) },
    {
      catalog: { prompts: [{ name: 'p', arguments: [{ name: 'n' }] }] },
      bindings: { prompts: { p: bind('f', { parameters: ['n'], input }) } },
    },
  );
  const { result, error } = await ask('prompts/get', { name: 'p', arguments: { n: '4' } });
  expect(result?.['messages'] ?? error).toMatchObject(want);
  const refused = await ask('prompts/get', { name: 'p', arguments: { n: '2' } });
  expect(refused.error).toEqual({
    code: -32602,
    message: 'The arguments of p do not fit:\n- `n` must be ≥ 3 but is 2',
  });
});

test('a completion gets the other arguments by the names that its code has for them', async () => {
  const from = bind('f', { parameters: ['typed', 'others'], properties: { gr_e: 'größe', typed: 'other' } });
  const { ask } = await openProgram(
    { f: (typed: string, others: object) => [typed, JSON.stringify(others)] },
    {
      catalog: { prompts: [{ name: 'p' }] },
      bindings: { completions: [{ ref: { kind: 'prompt', name: 'p' }, argument: 'x', from }] },
    },
  );
  const { result } = await ask('completion/complete', {
    ref: { type: 'ref/prompt', name: 'p' },
    argument: { name: 'x', value: 'a' },
    context: { arguments: { gr_e: '1', typed: '2', b: '3' } },
  });
  expect(result).toMatchObject({ completion: { values: ['a', '{"größe":"1","other":"2","b":"3"}'] } });
});

// Lists, the start, and what stands in for functions.

const listing = (list: () => unknown) =>
  openProgram(
    { list, f: () => 'read' },
    {
      catalog: { resources: [{ uri: 'a:1', name: 'one' }], resourceTemplates: [template] },
      bindings: {
        resourceTemplates: {
          'a:{n}': { do: bind('f', { parameters: ['n'], input }), list: bind('list'), schemas },
        },
      },
    },
  );
const inherited = { mimeType: 'text/plain', annotations: { priority: 0.5 } };

test('a function lists the resources of a template, each once, and others are reported', async () => {
  const items = [
    'a:1',
    'a:7',
    { variables: { n: 8 }, name: 'eight', size: 3, secret: 1 },
    { uri: 'a:7', name: 'again' },
    'a:2',
    'b:1',
    { id: 1 },
  ];
  const { ask, reported } = await listing(() => items);
  expect((await ask('resources/list')).result).toEqual({
    resources: [
      { uri: 'a:1', name: 'one' },
      { uri: 'a:7', name: 'a:7', ...inherited },
      { uri: 'a:8', name: 'eight', size: 3, ...inherited },
      { uri: 'a:2', name: 'a:2', ...inherited },
    ],
  });
  expect(reported).toEqual([
    'b:1 was listed, but a:{n} does not read it.',
    '{"id":1} was listed, but a:{n} does not read it.',
  ]);
});

test('what functions list, a client of 2026-07-28 keeps to itself', async () => {
  const { ask } = await listing(() => ['a:7']);
  expect((await ask('resources/list', { _meta: meta })).result).toMatchObject({
    ttlMs: 0,
    cacheScope: 'private',
  });
  const templates = await ask('resources/templates/list', { _meta: meta });
  expect(templates.result).toMatchObject({ cacheScope: 'public' });
});

test.each([
  { fault: new ToolError('Not today.'), words: 'Not today.' },
  { fault: new Error('a secret'), words: 'The list failed. The log of the server says why.' },
])('a list that fails is an error: $words', async ({ fault, words }) => {
  const { ask } = await listing(() => Promise.reject(fault));
  expect((await ask('resources/list')).error).toMatchObject({ code: -32603, message: words });
});

function starting(begin: (name: string, handle?: { resourcesChanged: () => void }) => unknown) {
  return openProgram(
    {
      first: (handle: { resourcesChanged: () => void }) => begin('first', handle),
      second: () => begin('second'),
    },
    {
      catalog: { resources: [{ uri: 'a:1', name: 'one' }] },
      bindings: { started: [bind('first', { parameters: ['handle'] }), bind('second')] },
    },
  );
}

test('functions run at the start, tell clients of changes, and the last one is undone first', async () => {
  const lines: string[] = [];
  const { server, sent, ask } = await starting((name, handle) => {
    lines.push(name);
    handle?.resourcesChanged();
    return () => lines.push(`${name} ended`);
  });
  await server.start();
  expect(lines).toEqual(['first', 'second']);
  expect(sent).toMatchObject([{ method: 'notifications/resources/list_changed' }]);
  expect(await ask('resources/subscribe', { uri: 'a:1' })).toMatchObject({ error: { code: -32002 } });
  await server.close();
  expect(lines.slice(2)).toEqual(['second ended', 'first ended']);
});

test('what was begun is undone if another one fails', async () => {
  const lines: string[] = [];
  const { server } = await starting((name) => {
    if (name === 'second') throw new Error('no feed');
    return () => lines.push(`${name} ended`);
  });
  await expect(server.start()).rejects.toThrow(/^second of app\/a\.ts failed\. Error: no feed/);
  expect(lines).toEqual(['first ended']);
});

test('a function of an instance of its session is the same one in a task', async () => {
  class Held {
    #count = 0;
    next(): number {
      return (this.#count += 1);
    }
  }
  const binding = bind('Held', { method: 'next', instance: 'session' });
  const execution = { taskSupport: 'optional' };
  const { ask, call } = await openProgram(
    { Held },
    {
      catalog: { tools: [{ name: 'next', inputSchema: { type: 'object' }, execution }] },
      bindings: { tools: { next: { do: binding } } },
    },
  );
  expect(textOf(await call('next'))).toBe('1');
  const { result } = await ask('tools/call', { name: 'next', arguments: {}, task: {} });
  const { taskId } = result?.['task'] as { taskId: string };
  expect((await ask('tasks/result', { taskId })).result).toMatchObject({ content: [{ text: '2' }] });
  expect(textOf(await call('next'))).toBe('3');
});

test('what stands in for functions answers, and no module is loaded', async () => {
  const standIn: StandIn =
    () =>
    (_, { export: name }) => ({ instead: name });
  const load = () => Promise.reject(new Error('loaded'));
  const { server, call } = await openProgram(
    {},
    {
      functions: { modules: { 'app/a.ts': load } },
      features: [{ name: 'mock', parts: { functions: { standIn } } }],
      tools: {
        f: { parameters: ['on'], argumentCodec: { kind: 'object', properties: { on: { kind: 'date' } } } },
      },
    },
  );
  await server.start();
  expect(await call('f')).toMatchObject({ structuredContent: { instead: 'f' } });
  expect(await call('f', { on: 'never' })).toMatchObject({ isError: true });
});

// Instances.

const held: Partial<FunctionBinding> = { export: 'Held', method: 'next', instance: 'session' };

async function openHeld(dispose?: symbol, binding: Partial<FunctionBinding> = {}) {
  const events: string[] = [];
  const released = gate();
  class Held {
    #count = 0;
    static next = (): string => 'static';
    next(): number {
      return (this.#count += 1);
    }
    async wait(): Promise<string> {
      await released.opened;
      events.push('returned');
      return 'waited';
    }
    async *count(): AsyncGenerator<number> {
      yield 1;
      await released.opened;
      events.push('returned');
      yield 2;
    }
  }
  if (dispose !== undefined)
    Object.defineProperty(Held.prototype, dispose, { value: () => void events.push('disposed') });
  const tools = {
    next: { ...held, ...binding },
    wait: { ...held, method: 'wait' },
    count: { ...held, method: 'count', streams: 'items' as const },
  };
  return { events, release: released.open, ...(await openProgram({ Held }, { tools })) };
}

test.each([
  { dispose: Symbol.asyncDispose, want: ['disposed'] },
  { dispose: Symbol.dispose, want: ['disposed'] },
  { dispose: undefined, want: [] },
])('a session has an instance, which is disposed of when it ends: $want', async ({ dispose, want }) => {
  const { call, connect, session, events, reported } = await openHeld(dispose);
  const other = await connect();
  expect([textOf(await call('next')), textOf(await call('next'))]).toEqual(['1', '2']);
  expect(textOf(await other.call('next'))).toBe('1');
  session.end();
  session.end();
  await expect.poll(() => events).toEqual(want);
  expect(textOf(await other.call('next'))).toBe('2');
  expect(reported).toEqual([]);
});

test.each(['wait', 'count'])('an instance stays until its call of %s has returned', async (name) => {
  const { ask, session, events, release } = await openHeld(Symbol.dispose);
  void ask('tools/call', { name });
  await new Promise((resolve) => setImmediate(resolve));
  session.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual([]);
  release();
  await expect
    .poll(() => events)
    .toEqual(name === 'wait' ? ['returned', 'disposed'] : expect.arrayContaining(['disposed']));
});

test.each<{ instance: FunctionBinding['instance'] | 'none'; want: string[] }>([
  { instance: 'process', want: ['1', '2'] },
  { instance: 'none', want: ['static', 'static'] },
])('an instance for $instance', async ({ instance, want }) => {
  const { instance: _, ...plain } = held;
  void _;
  const binding = instance === 'none' ? plain : { ...held, instance };
  const { connect, call, server, events } = await openHeld(Symbol.dispose);
  void [call, events];
  server.bindings.tools['next'] = { do: bind('Held', binding as Partial<FunctionBinding>) };
  const [one, other] = [await connect(new Session()), await connect(new Session())];
  expect([textOf(await one.call('next')), textOf(await other.call('next'))]).toEqual(want);
});

test('a server that stops disposes of what is left, once, also below calls that never return', async () => {
  const { ask, call, server, session, events } = await openHeld(Symbol.dispose);
  await call('next');
  void ask('tools/call', { name: 'wait' });
  await new Promise((resolve) => setImmediate(resolve));
  await server.close();
  session.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual(['disposed']);
});

test('an instance that was not made fails its calls, and the log says why', async () => {
  const broken = Promise.reject(new Error('no database'));
  broken.catch(() => undefined);
  const { call, reported, server } = await openProgram(
    { broken },
    { tools: { f: { export: 'broken', method: 'next' } } },
  );
  await server.start();
  expect(textOf(await call('f'))).toBe(SEE_LOG);
  expect(reported).toHaveLength(2);
});
