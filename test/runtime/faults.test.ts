// What handlers get wrong, what clients send that is odd, and what is refused at the start.
import { expect, test } from 'vitest';
import { parseBytes } from '../../templates/runtime/json-rpc.ts';
import { Session } from '../../templates/runtime/session.ts';
import {
  type Args,
  type Context,
  type ExtraTool,
  ProtocolError,
  type ServerHandle,
  ToolError,
} from '../../templates/runtime/types.ts';
import { compileSchema } from '../../templates/runtime/validate.ts';
import { hello, ready } from './client.ts';
import { makeClient, makeServer, type Parts } from './core.ts';

const tool = (name: string, handler: ExtraTool['handler'] = () => 'done', more: object = {}): ExtraTool => ({
  name,
  inputSchema: { type: 'object' },
  handler,
  ...more,
});

interface Answer {
  result?: { content?: { text: string }[]; isError?: boolean; tools?: { name: string }[] } & Args;
  error?: { code: number; message: string };
}

async function open(parts: Parts) {
  const reported: unknown[] = [];
  const sent: { method?: string; params?: Args }[] = [];
  const server = makeServer(parts, reported);
  const { send } = makeClient(server, sent, new Session());
  await send(hello());
  await send(ready);
  let id = 0;
  const ask = async (method: string, params: object = {}): Promise<Answer> =>
    ((await send({ jsonrpc: '2.0', id: ++id, method, params })) ?? {}) as Answer;
  const call = (name: string, more: object = {}) => ask('tools/call', { name, arguments: {}, ...more });
  return { server, sent, reported, ask, call, send };
}

// Errors of code.

test.each<[string, unknown, number]>([
  ['an error', new TypeError('no'), 1],
  ['no error at all', 'no', 1],
  ['one for the model', new ToolError('no'), 0],
  ['one for the client', new ProtocolError(-32602, 'no'), 0],
])(
  'what a handler throws is logged with its stack, unless it is meant to be told: %s',
  async (_, thrown, want) => {
    const fail = (): never => {
      throw thrown;
    };
    const { ask, call, reported } = await open({
      catalog: { prompts: [{ name: 'listed' }] },
      handlers: {
        extraTools: [tool('x', fail)],
        prompts: { p: { handler: fail } },
        completions: { listed: { a: fail } },
      },
    });
    await call('x');
    expect(reported).toHaveLength(want);
    await ask('prompts/get', { name: 'p' });
    expect(reported).toHaveLength(2 * want);
    await ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'listed' },
      argument: { name: 'a', value: '' },
    });
    expect(reported).toHaveLength(3 * want);
    if (want > 0) expect(reported[0]).toBe(thrown);
  },
);

// Cancellation and progress.

test('a cancelled call starts no more handlers', async () => {
  const lines: string[] = [];
  const outer = async (_: Args, { call, signal }: Context) => {
    lines.push('outer');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    lines.push((await call('inner')).content.map((block) => ('text' in block ? block.text : '')).join());
  };
  const { call, send } = await open({
    handlers: { extraTools: [tool('outer', outer), tool('inner', () => lines.push('inner'))] },
  });
  void call('outer');
  await expect.poll(() => lines).toEqual(['outer']);
  await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await expect.poll(() => lines).toEqual(['outer', 'The call was cancelled.']);
});

// Limits.

test('prompts count as calls', async () => {
  const { ask } = await open({
    flags: { 'rate-limit': '1' },
    handlers: { prompts: { p: { handler: () => 'text' } } },
  });
  const answers = [await ask('prompts/get', { name: 'p' }), await ask('prompts/get', { name: 'p' })];
  expect(answers.map(({ error }) => error?.code)).toEqual([undefined, -32603]);
});

// What clients send.

test.each<[string, object, object]>([
  ['a cursor', { method: 'tools/list', params: { cursor: { toString: 1 } } }, { error: { code: -32602 } }],
  [
    'a value that is one of many',
    { method: 'tools/call', params: { name: 'x', arguments: { one: { toString: 1 } } } },
    { result: { isError: true, content: [{ text: expect.stringContaining('must be one of') as string }] } },
  ],
])('%s that can not be a text', async (_, { method, params }: { method?: string; params?: object }, want) => {
  const letters = [...'abcdefghijklmnop'];
  const inputSchema = { type: 'object', properties: { one: { enum: letters } } };
  const { ask, reported } = await open({ handlers: { extraTools: [tool('x', undefined, { inputSchema })] } });
  expect(await ask(method ?? '', params)).toMatchObject(want);
  expect(reported).toEqual([]);
});

test('nothing is said of unknown arguments behind the first twenty', () => {
  const properties = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`known${index}`, {}]));
  const check = compileSchema({ type: 'object', properties, additionalProperties: false });
  let looks = 0;
  const strangers = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`other${index}`, 1]));
  const value = new Proxy(strangers, {
    getOwnPropertyDescriptor: (...all) => {
      looks++;
      return Reflect.getOwnPropertyDescriptor(...all);
    },
  });
  expect(check(value)).toHaveLength(20);
  expect(looks).toBeLessThan(3_000);
});

// Tools that code adds.

test('a tool with an output that is no object ends the start', () => {
  const extraTools = [tool('x', undefined, { outputSchema: { type: 'string' } })];
  const start = () => makeServer({ handlers: { extraTools } }, []);
  expect(start).toThrow(expect.objectContaining({ name: 'UsageError' }));
  expect(start).toThrow('outputSchema');
});

test('an aroundCall that returns nothing is told so', async () => {
  const aroundCall = (async (_: unknown, next: () => Promise<unknown>) => void (await next())) as never;
  const { call } = await open({ handlers: { aroundCall, extraTools: [tool('x')] } });
  const { result } = await call('x');
  expect([result?.isError, result?.content?.[0]?.text]).toEqual([
    true,
    expect.stringContaining('`aroundCall` returned nothing') as string,
  ]);
});

test('an absent annotation is none, for every revision', async () => {
  const content = [{ type: 'text', text: 'done', annotations: undefined }];
  const server = makeServer({ handlers: { extraTools: [tool('x', () => ({ content }))] } }, []);
  const { send } = makeClient(server, [], new Session());
  await send(hello('2025-06-18'));
  await send(ready);
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } };
  expect(await send(request)).toMatchObject({ result: { content: [{ type: 'text', text: 'done' }] } });
});

test('members that are called like keywords are no keywords', async () => {
  const inputSchema = {
    type: 'object',
    properties: { $dynamicRef: {}, unevaluatedItems: { const: { $ref: '#x' } } },
  };
  const { call } = await open({ handlers: { extraTools: [tool('x', undefined, { inputSchema })] } });
  expect((await call('x')).result?.isError).toBeUndefined();
});

test.each<[string, Parts['flags'], ExtraTool, boolean]>([
  ['that is excluded', { exclude: ['op:late'] }, tool('late'), false],
  ['that is not included', { include: ['op:first'] }, tool('late'), false],
  ['that is included', { include: ['op:*'] }, tool('late'), true],
  [
    'that may write',
    { 'read-only': true },
    tool('late', undefined, { annotations: { readOnlyHint: false } }),
    false,
  ],
  [
    'that says both',
    { 'read-only': true },
    tool('late', undefined, { annotations: { readOnlyHint: true, destructiveHint: true } }),
    false,
  ],
])('a tool %s is added at run time: %o', async (_, flags, late, want) => {
  let handle: ServerHandle | undefined;
  const first = tool('first', undefined, { annotations: { readOnlyHint: true } });
  const { server, ask } = await open({
    flags: { ...flags },
    env: { MCP_SELECTORS: 'lenient' },
    handlers: { extraTools: [first], started: (started: ServerHandle) => void (handle = started) },
  });
  await server.start();
  handle?.addTool(late);
  const names = (await ask('tools/list')).result?.tools?.map(({ name }) => name);
  expect(names).toEqual(want ? ['first', 'late'] : ['first']);
});

test('a resource goes with the tool that reads it', async () => {
  let handle: ServerHandle | undefined;
  const { server, ask } = await open({
    catalog: {
      tools: [{ name: 'getPet', inputSchema: { type: 'object' } }],
      resources: [{ uri: 'x://pet', name: 'pet' }],
    },
    bindings: {
      tools: { getPet: { do: { kind: 'http', method: 'GET', path: '/', parameters: [] } } },
      resources: { 'x://pet': { do: { kind: 'tool', name: 'getPet' } } },
      upstream: { servers: [{ url: 'http://127.0.0.1:9' }], securitySchemes: {} },
    },
    handlers: { started: (started: ServerHandle) => void (handle = started) },
  });
  await server.start();
  handle?.removeTool('getPet');
  expect((await ask('resources/read', { uri: 'x://pet' })).error?.message).toBe(
    'Resource not found: x://pet',
  );
  expect((await ask('resources/list')).result).toEqual({ resources: [] });
});

test.each([
  ['members', `[${'{},'.repeat(100_000)}1]`],
  ['levels', '['.repeat(501) + ']'.repeat(501)],
])('a message of too many %s is refused before it is parsed', (_, text) => {
  expect(() => parseBytes(Buffer.from(text))).toThrow(/more than 100,000 members or 500 levels/);
});
