// How functions are called: arguments in their places, instances kept, generators run to their end.
import { expect, test } from 'vitest';
import type { Codec, FunctionBinding } from '../../../templates/runtime/contract/bindings.ts';
import { CallContext } from '../../../templates/runtime/core/call-context.ts';
import type { Context } from '../../../templates/runtime/definition.ts';
import { toCallParameters } from '../../../templates/runtime/functions/decode-arguments.ts';
import {
  drainGenerator,
  runListGenerator,
  makeToolResult,
} from '../../../templates/runtime/functions/result-content.ts';
import { openFunctions } from '../../../templates/runtime/functions/index.ts';
import { ToolError } from '../../../templates/runtime/protocol/json-rpc.ts';

type Told = [done: number, total: number | undefined, message: string | undefined];

function contextTelling(told: Told[], signal = new AbortController().signal): Context {
  const progress: Context['progress'] = (done, total, message) => {
    told.push([done, total, message]);
    return Promise.resolve();
  };
  return { progress, signal } as Context;
}

const context = contextTelling([]);
const target = { kind: 'function', module: 'app/a.ts', export: 'f' } as const;

interface Row {
  binding: Omit<FunctionBinding, 'kind' | 'module' | 'export'>;
  args: Record<string, unknown>;
  want: unknown[];
}

test.each<Row>([
  { binding: { parameters: ['a', 'b'] }, args: { b: 2, a: 1 }, want: [1, 2] },
  { binding: { parameters: ['a', 'b'] }, args: { b: 2 }, want: [undefined, 2] },
  { binding: { parameters: ['toString'] }, args: {}, want: [] },
  { binding: { parameters: ['a', 'b'] }, args: { a: 1 }, want: [1] },
  { binding: { parameters: 'object' }, args: { a: 1 }, want: [{ a: 1 }] },
  { binding: { parameters: 'object', contextAt: 0 }, args: { a: 1 }, want: [context, { a: 1 }] },
  { binding: { parameters: ['a', 'b'], contextAt: 1 }, args: { a: 1, b: 2 }, want: [1, context, 2] },
  { binding: { parameters: ['a'], contextAt: 1 }, args: {}, want: [undefined, context] },
  { binding: { parameters: ['a', 'rest'], rest: true }, args: { a: 1, rest: [2, 3] }, want: [1, 2, 3] },
  { binding: { parameters: ['a', 'rest'], rest: true }, args: { a: 1 }, want: [1] },
  { binding: { parameters: ['rest'], rest: true, contextAt: 0 }, args: { rest: [1] }, want: [context, 1] },
  { binding: { parameters: 'object', properties: { top: '$top' } }, args: { top: 1 }, want: [{ $top: 1 }] },
  { binding: { parameters: ['$top'], properties: { top: '$top' } }, args: { top: 1 }, want: [1] },
  {
    binding: {
      parameters: ['a', 'on', 'b'],
      argumentCodec: {
        kind: 'object',
        properties: {
          on: { kind: 'date' },
          b: { kind: 'object', defaults: { c: 3 } },
        },
        defaults: { a: [1], on: '2026-01-01T00:00:00Z', b: {} },
      },
    },
    args: {},
    want: [[1], new Date('2026-01-01T00:00:00Z'), { c: 3 }],
  },
  {
    binding: { parameters: 'object', argumentCodec: { kind: 'object', defaults: { a: 1, b: null } } },
    args: { a: 2 },
    want: [{ a: 2, b: null }],
  },
  {
    binding: { parameters: ['on'], argumentCodec: { kind: 'object', properties: { on: { kind: 'date' } } } },
    args: { on: '2026-01-01T00:00:00Z' },
    want: [new Date('2026-01-01T00:00:00Z')],
  },
])('$binding takes $args', ({ binding, args, want }) => {
  expect(toCallParameters({ ...target, ...binding }, args, context)).toEqual(want);
});

test.each([
  { value: { a: 1 }, want: { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } } },
  { value: [{ a: 1 }], want: [{ a: 1 }] },
  { value: 'a', want: 'a' },
  { value: { content: [{ type: 'text', text: 'a' }] }, want: { content: [{ type: 'text', text: 'a' }] } },
  { value: { type: 'text', text: 'a' }, want: { type: 'text', text: 'a' } },
])('$value of no known type is answered', ({ value, want }) => {
  expect(makeToolResult(value, { ...target, parameters: [] }, 'f', {})).toEqual(want);
});

test.each([
  { value: [1], wrapped: true, want: { structuredContent: { result: [1] } } },
  { value: { a: 1 }, wrapped: false, want: { structuredContent: { a: 1 } } },
  { value: undefined, wrapped: true, want: { content: [], structuredContent: {} } },
  { value: undefined, wrapped: false, want: { content: [] } },
])('$value is answered, wrapped: $wrapped', ({ value, wrapped, want }) => {
  const binding: FunctionBinding = { ...target, parameters: [], result: { as: 'json', wrapped } };
  expect(makeToolResult(value, binding, 'f', {})).toMatchObject(want);
});

test('what a generator yields is told, each kind of value in its way', async () => {
  const told: Told[] = [];
  function* steps(): Generator<unknown, string> {
    yield 'begun';
    yield 5;
    yield { progress: 6, total: 7, message: 'nearly' };
    yield { at: 8 };
    return 'done';
  }
  expect(await drainGenerator(steps(), contextTelling(told))).toBe('done');
  expect(told).toEqual([
    [1, undefined, 'begun'],
    [5, undefined, undefined],
    [6, 7, 'nearly'],
    [4, undefined, '{"at":8}'],
  ]);
});

test('a list that is yielded is told by its length, and by its texts', async () => {
  const told: Told[] = [];
  async function* items(): AsyncGenerator<unknown> {
    yield* ['a', 7, { secret: 1 }];
  }
  expect(await runListGenerator(items(), contextTelling(told))).toEqual(['a', 7, { secret: 1 }]);
  expect(told).toEqual([
    [1, undefined, 'a'],
    [2, undefined, undefined],
    [3, undefined, undefined],
  ]);
});

test('a generator whose call is cancelled is ended', async () => {
  const controller = new AbortController();
  let ended = false;
  async function* steps(): AsyncGenerator<number> {
    try {
      for (let step = 1; ; step += 1) {
        if (step === 2) controller.abort();
        yield step;
      }
    } finally {
      ended = true;
    }
  }
  await drainGenerator(steps(), contextTelling([], controller.signal));
  expect(ended).toBe(true);
});

test('a generator that yields what can not be reported is ended, and the call fails', async () => {
  const told: string[] = [];
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  async function* steps() {
    try {
      yield circular;
    } finally {
      told.push('ended');
    }
  }
  await expect(drainGenerator(steps(), contextTelling([]))).rejects.toThrow('circular');
  expect(told).toEqual(['ended']);
});

test('what is thrown by mistake is told to the server, and what is meant for the caller to them', async () => {
  const reported: unknown[] = [];
  const fault = new Error('a secret');
  const module = {
    mistake: () => Promise.reject(fault),
    refusal: () => {
      throw new ToolError('Not today.');
    },
  };
  const functions = openFunctions({ 'app/a.ts': () => Promise.resolve(module) }, {}, (thrown) => {
    reported.push(thrown);
  });
  const call = async (name: string): Promise<unknown> =>
    (await functions.bindTool({ ...target, export: name, parameters: [] }, name))({}, context);
  await expect(call('mistake')).rejects.toThrow('mistake failed. The log of the server says why.');
  await expect(call('refusal')).rejects.toThrow('Not today.');
  await expect(call('absent')).rejects.toThrow('exports no function or class absent');
  expect(reported).toEqual([fault]);
});

class RequestError extends Error {
  override readonly name = 'RequestError';
}

class Timeout extends RequestError {}

test.each([
  { thrown: new RequestError('The shop is closed.'), throws: ['RequestError'], want: 'The shop is closed.' },
  { thrown: new Timeout('Too slow.'), throws: ['RequestError'], want: 'Too slow.' },
  { thrown: new TypeError('No list.'), throws: ['RequestError', 'Error'], want: 'No list.' },
  // Named alike by a package that sets no prototype.
  {
    thrown: Object.assign(new Error('By name.'), { name: 'AbortError' }),
    throws: ['AbortError'],
    want: 'By name.',
  },
  {
    thrown: new RequestError(''),
    throws: ['RequestError'],
    want: 'f failed. The log of the server says why.',
  },
  { thrown: new Error('a secret'), throws: ['RequestError'], want: 'f failed. The log', reported: true },
  { thrown: 'a text', throws: ['RequestError'], want: 'f failed. The log', reported: true },
  { thrown: new Error('no list'), shows: true, want: 'f failed: no list', reported: true },
  { thrown: 'a text', shows: true, want: 'f failed: a text', reported: true },
])('$thrown, where $throws are meant: the caller reads $want', async (row) => {
  const { thrown, throws, shows = false, want, reported = false } = row;
  const told: unknown[] = [];
  const f = (): Promise<never> => Promise.reject(thrown as Error);
  const modules = { 'app/a.ts': () => Promise.resolve({ f }) };
  const functions = openFunctions(modules, {}, (each) => told.push(each), shows);
  const call = await functions.bindTool({ ...target, parameters: [], ...(throws && { throws }) }, 'f');
  await expect(async () => call({}, context)).rejects.toThrow(want);
  expect(told).toEqual(reported ? [thrown] : []);
});

test('a result that cannot be written is a mistake like any other', async () => {
  const reported: unknown[] = [];
  const never = new Date(NaN);
  const module = { now: () => ({ at: never }), later: () => Promise.resolve(never) };
  const functions = openFunctions({ 'app/a.ts': () => Promise.resolve(module) }, {}, (thrown) => {
    reported.push(thrown);
  });
  const binding = (name: string): FunctionBinding => ({ ...target, export: name, parameters: [] });
  for (const name of ['now', 'later']) {
    const call = await functions.bindTool(binding(name), name);
    await expect((async () => call({}, context))()).rejects.toThrow(
      `${name} failed. The log of the server says why.`,
    );
    const read = await functions.bindResource(binding(name), {});
    await expect(read('a://b', {}, context)).rejects.toThrow('The resource failed. The log');
  }
  expect(reported).toEqual(Array(4).fill(expect.any(RangeError)));
});

const date = { kind: 'date' } as const;

test.each<{ value: unknown; codec?: Codec; want: string }>([
  {
    value: { items: [{ price: 1 }, { price: 2 }, { price: NaN }] },
    want: "`result.items[2].price` is NaN, which JSON can't say.",
  },
  { value: -Infinity, want: "`result` is -Infinity, which JSON can't say." },
  {
    value: { days: [{ at: 'soon' }] },
    codec: {
      kind: 'object',
      properties: { days: { kind: 'array', items: { kind: 'object', properties: { at: date } } } },
    },
    want: '`result.days[0].at` must be a date and time such as 2026-01-31T09:00:00Z but is "soon".',
  },
  {
    value: new Map([['a', new Date(NaN)]]),
    codec: { kind: 'map', form: 'object', value: date },
    want: '`result.a` is a date that does not exist.',
  },
])('the log names the member that JSON can not say: $want', async ({ value, codec, want }) => {
  const reported: unknown[] = [];
  const functions = openFunctions({ 'app/a.ts': () => Promise.resolve({ f: () => value }) }, {}, (thrown) => {
    reported.push(thrown);
  });
  const result = { as: 'json' as const, ...(codec && { codec }) };
  const call = await functions.bindTool({ ...target, parameters: [], result }, 'f');
  await expect(async () => call({}, context)).rejects.toThrow(
    new ToolError('f failed. The log of the server says why.'),
  );
  expect(reported.map((each) => (each as Error).message)).toEqual([want]);
});

// Whatever is promised of a result, and whatever reads it.
test.each<{ value: unknown; result?: FunctionBinding['result']; of: 'tool' | 'resource'; want: string }>([
  { of: 'tool', value: [1, { of: NaN }], want: "`result[1].of` is NaN, which JSON can't say." },
  { of: 'tool', value: Infinity, want: "`result` is Infinity, which JSON can't say." },
  { of: 'tool', value: { a: [-Infinity] }, want: "`result.a[0]` is -Infinity, which JSON can't say." },
  { of: 'tool', value: [new Date(NaN)], want: '`result[0]` is a date that does not exist.' },
  {
    of: 'tool',
    result: { as: 'json' },
    value: { a: { at: new Date(NaN) } },
    want: '`result.a.at` is a date that does not exist.',
  },
  {
    of: 'tool',
    result: { as: 'full', codec: { kind: 'object', properties: {} } },
    value: { content: [], structuredContent: { days: [NaN] } },
    want: "`result.structuredContent.days[0]` is NaN, which JSON can't say.",
  },
  { of: 'resource', value: { days: [NaN] }, want: "`result.days[0]` is NaN, which JSON can't say." },
  { of: 'resource', value: [1, NaN], want: "`result[1]` is NaN, which JSON can't say." },
  {
    of: 'resource',
    result: { as: 'json' },
    value: { at: new Date(NaN), n: null },
    want: '`result.at` is a date that does not exist.',
  },
])('what JSON can not say is refused of a $of: $want', async ({ value, result, of, want }) => {
  const reported: unknown[] = [];
  const functions = openFunctions({ 'app/a.ts': () => Promise.resolve({ f: () => value }) }, {}, (thrown) => {
    reported.push(thrown);
  });
  const binding: FunctionBinding = { ...target, parameters: [], ...(result && { result }) };
  const run = async (): Promise<unknown> =>
    of === 'tool'
      ? (await functions.bindTool(binding, 'f'))({}, context)
      : (await functions.bindResource(binding, {}))('a://b', {}, context);
  await expect(run()).rejects.toThrow('failed. The log of the server says why.');
  expect(reported.map((each) => (each as Error).message)).toEqual([want]);
});

test('a prompt that returns nothing has nothing for its arguments', async () => {
  const module = { f: () => undefined };
  const functions = openFunctions({ 'app/a.ts': () => Promise.resolve(module) }, {}, () => undefined);
  const work = await functions.bindPrompt({ ...target, parameters: [] }, 'greet');
  await expect(work({}, context)).rejects.toMatchObject({
    code: -32602,
    message: 'The prompt greet says nothing for these arguments.',
  });
});

test('a function that stops since its call was cancelled is no mistake', async () => {
  const reported: unknown[] = [];
  const controller = new AbortController();
  const stop = (): never => controller.signal.throwIfAborted() as never;
  const functions = openFunctions({ 'app/a.ts': () => Promise.resolve({ stop }) }, {}, (thrown) => {
    reported.push(thrown);
  });
  const call = await functions.bindTool({ ...target, export: 'stop', parameters: [] }, 'stop');
  controller.abort();
  const cancelled = contextTelling([], controller.signal);
  await expect(async () => call({}, cancelled)).rejects.toThrow('stop failed.');
  expect(reported).toEqual([]);
  // The same from a call that goes on is one.
  await expect(async () => call({}, context)).rejects.toThrow('stop failed.');
  expect(reported).toHaveLength(1);
});

test.each([
  { instance: 'process', want: [1, 2] },
  { instance: undefined, want: ['static', 'static'] },
] as const)('an instance for $instance', async ({ instance, want }) => {
  class Counter {
    count = 0;
    static next = (): string => 'static';
    next(): number {
      return (this.count += 1);
    }
  }
  const functions = openFunctions({ 'app/a.ts': () => Promise.resolve({ Counter }) }, {}, () => undefined);
  const binding: FunctionBinding = {
    ...target,
    export: 'Counter',
    method: 'next',
    ...(instance === undefined ? {} : { instance }),
    parameters: [],
    result: { as: 'content' },
  };
  const next = await functions.bindTool(binding, 'next');
  expect([await next({}, context), await next({}, context)]).toEqual(want);
});

test('a completion is given the other arguments by the names that its code has for them', async () => {
  const module = {
    values: (typed: string, others: Record<string, string>) => [typed, JSON.stringify(others)],
  };
  const functions = openFunctions({ 'app/a.ts': () => Promise.resolve(module) }, {}, () => undefined);
  const complete = await functions.bindCompletion({
    ...target,
    export: 'values',
    parameters: ['typed', 'others'],
    properties: { gr_e: 'größe', typed: 'other' },
  });
  expect(await complete('a', { gr_e: '1', typed: '2', b: '3' }, context)).toEqual([
    'a',
    '{"größe":"1","other":"2","b":"3"}',
  ]);
});

test.each([{ throws: ['Error'] }, { shows: true }])('messages for callers hide secrets: %j', async (row) => {
  const { throws, shows = false } = row as { throws?: string[]; shows?: boolean };
  const calling = Object.create(CallContext.prototype, {
    redactMessage: { value: async (text: string) => Promise.resolve(text.replace('key-1', '***')) },
    describeFailure: { value: async (_name: string, thrown: unknown) => Promise.resolve(thrown) },
  }) as Context;
  const modules = { 'app/a.ts': () => Promise.resolve({ f: () => Promise.reject(new Error('Not key-1.')) }) };
  const functions = openFunctions(modules, {}, () => undefined, shows);
  const call = await functions.bindTool({ ...target, parameters: [], ...(throws && { throws }) }, 'f');
  await expect(call({}, calling)).rejects.toThrow('Not ***.');
});

test('variables of a template that its schema refuses reach no function', async () => {
  const functions = openFunctions(
    { 'app/a.ts': () => Promise.resolve({ f: () => 'read' }) },
    {},
    () => undefined,
  );
  const input = { type: 'object', properties: { n: { type: 'number', minimum: 3 } } } as const;
  const read = async (n: number): Promise<unknown> =>
    (await functions.bindResource({ ...target, parameters: ['n'], input }, { n }))('a://n', {}, context);
  expect(await read(3)).toBe('read');
  await expect(read(2)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('`n`') as unknown,
  });
});

const CONTENTS = { uri: 'a://b', text: 'b' };

test.each([
  { returned: CONTENTS, want: CONTENTS },
  { returned: [CONTENTS, { uri: 'a://c', blob: '' }], want: [CONTENTS, { uri: 'a://c', blob: '' }] },
  { returned: new Uint8Array([1]), want: Buffer.from([1]) },
  { returned: [CONTENTS, 1], want: JSON.stringify([CONTENTS, 1]) },
  { returned: null, want: undefined },
])('a resource that returns $returned', async ({ returned, want }) => {
  const functions = openFunctions(
    { 'app/a.ts': () => Promise.resolve({ f: () => returned }) },
    {},
    () => undefined,
  );
  const read = await functions.bindResource({ ...target, parameters: [] }, {});
  expect(await read('a://b', {}, context)).toEqual(want);
});
