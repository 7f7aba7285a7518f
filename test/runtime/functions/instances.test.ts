// Instances: which call has which, when those of a session are disposed of, and those that the user's code makes.
import { expect, test } from 'vitest';
import type { FunctionBinding } from '../../../templates/runtime/contract/bindings.ts';
import { type Call, InFlightRequest } from '../../../templates/runtime/core/call.ts';
import { CallContext } from '../../../templates/runtime/core/call-context.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import type { Context } from '../../../templates/runtime/definition.ts';
import { openFunctions } from '../../../templates/runtime/functions/index.ts';
import { ToolError } from '../../../templates/runtime/protocol/json-rpc.ts';

const binding: FunctionBinding = {
  kind: 'function',
  module: 'app/a.ts',
  export: 'Held',
  method: 'next',
  instance: 'session',
  parameters: [],
};

function contextOf(session: Session): CallContext {
  const call = { session, context: { channel: session }, params: {}, inFlight: new InFlightRequest() };
  return new CallContext({ ...call, agreement: {}, server: {} } as unknown as Call);
}

interface Opened {
  told: unknown[];
  events: string[];
  functions: ReturnType<typeof openFunctions>;
  /** Lets the calls of `wait` return. */
  release: () => void;
}

function open(dispose: symbol | undefined, fails = false): Opened {
  const told: unknown[] = [];
  const events: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  class Held {
    #count = 0;
    next(): number {
      return (this.#count += 1);
    }
    async wait(): Promise<string> {
      await released;
      events.push('returned');
      return 'waited';
    }
    async *count(): AsyncGenerator<number> {
      yield 1;
      await released;
      events.push('ended');
      yield 2;
    }
  }
  if (dispose !== undefined)
    Object.defineProperty(Held.prototype, dispose, {
      value: () => {
        events.push('disposed');
        if (fails) throw new Error('on purpose');
      },
    });
  const modules = { 'app/a.ts': () => Promise.resolve({ Held, later: Promise.resolve(new Held()) }) };
  const functions = openFunctions(modules, {}, (thrown) => told.push(thrown));
  return { told, events, functions, release };
}

test.each([
  { how: 'Symbol.asyncDispose', dispose: Symbol.asyncDispose, want: ['disposed'] },
  { how: 'Symbol.dispose', dispose: Symbol.dispose, want: ['disposed'] },
  { how: 'nothing', dispose: undefined, want: [] },
])('a session has an instance of its own, which is disposed of by $how when it ends', async (row) => {
  const { functions, events, told } = open(row.dispose);
  const next = await functions.bindTool(binding, 'next');
  const [one, other] = [new Session(), new Session()];
  expect([await next({}, contextOf(one)), await next({}, contextOf(one))]).toEqual([1, 2]);
  expect(await next({}, contextOf(other))).toBe(1);
  one.end();
  one.end();
  await expect.poll(() => events).toEqual(row.want);
  expect(await next({}, contextOf(other))).toBe(2);
  expect(told).toEqual([]);
});

test.each([
  { method: 'wait', over: false },
  { method: 'count', over: false },
  { method: 'wait', over: true },
])(
  'an instance stays until its call of $method has returned; the session ended before: $over',
  async ({ method, over }) => {
    const { functions, events, release } = open(Symbol.dispose);
    const session = new Session();
    const streams = method === 'count' ? 'items' : false;
    const call = await functions.bindTool({ ...binding, method, streams }, method);
    if (over) session.end();
    const called = call({}, contextOf(session));
    session.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual([]);
    release();
    await called;
    await expect.poll(() => events.at(-1)).toBe('disposed');
  },
);

test('of two ways of disposal the asynchronous one is taken, once, though the server stops meanwhile', async () => {
  const events: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  class Held {
    next = (): string => 'next';
    async [Symbol.asyncDispose](): Promise<void> {
      events.push('begun');
      await released;
      events.push('disposed');
    }
    [Symbol.dispose](): void {
      events.push('at once');
    }
  }
  const functions = openFunctions({ 'app/a.ts': () => Promise.resolve({ Held }) }, {}, () => undefined);
  const session = new Session();
  const next = await functions.bindTool(binding, 'next');
  await next({}, contextOf(session));
  session.end();
  await expect.poll(() => events).toEqual(['begun']);
  const closed = functions.close?.();
  release();
  await closed;
  expect(events).toEqual(['begun', 'disposed']);
});

test('a stopping server disposes of all that is left, once, also below calls that never return', async () => {
  const { functions, events } = open(Symbol.dispose);
  const session = new Session();
  const wait = await functions.bindTool({ ...binding, method: 'wait' }, 'wait');
  void wait({}, contextOf(session));
  const next = await functions.bindTool({ ...binding, instance: 'process' }, 'next');
  await next({}, contextOf(session));
  await functions.close?.();
  session.end();
  expect(events).toEqual(['disposed', 'disposed']);
});

test('an instance that could not be made fails its calls, and the log says why', async () => {
  const told: unknown[] = [];
  const fault = new Error('no database');
  const broken = Promise.reject(fault);
  broken.catch(() => undefined);
  const modules = { 'app/a.ts': () => Promise.resolve({ broken }) };
  const of: FunctionBinding = {
    kind: 'function',
    module: 'app/a.ts',
    export: 'broken',
    method: 'next',
    parameters: [],
  };
  const failed = async (showsErrors: boolean): Promise<unknown> => {
    const functions = openFunctions(modules, {}, (thrown) => told.push(thrown), showsErrors);
    const next = await functions.bindTool(of, 'next');
    return (next({}, {} as Context) as Promise<unknown>).catch((thrown: unknown) => thrown);
  };
  expect(await failed(false)).toEqual(new ToolError('next failed. The log of the server says why.'));
  expect(await failed(true)).toEqual(new ToolError('next failed: no database'));
  expect(told).toEqual([fault, fault]);
});
