// What a handler does once, however often it runs (2026-07-28). Questions and states: runtime/rules/rule-1{2,4}-*.test.ts.
import { expect, onTestFinished, test } from 'vitest';
import type { ApiError, Context, ToolOverride } from '../../templates/runtime/types.ts';
import type {} from '../../templates/runtime/features/ask/index.ts';
import { startApi } from './upstream-fake.ts';
import { makeClient, makeServer, type Parts } from './core.ts';

const inputSchema = { type: 'object' as const };
const http = (method: string, path: string) => ({ kind: 'http', parameters: [], method, path });
const FORM = { name: { type: 'string' } } as const;

/** Calls the tool `x`, and answers whatever it asks until it has a result. */
async function run(parts: Parts): Promise<{ text: string; rounds: number }> {
  const { send } = makeClient(makeServer(parts, []), []);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  let more = {};
  for (let rounds = 1; ; rounds++) {
    const params = { name: 'x', arguments: {}, ...more, _meta };
    const { result, error } = (await send({ jsonrpc: '2.0', id: rounds, method: 'tools/call', params })) as {
      result?: { inputRequests?: object; requestState?: string; content?: { text: string }[] };
      error?: { message: string };
    };
    const { inputRequests, requestState, content = [] } = result ?? {};
    if (inputRequests === undefined) return { text: error?.message ?? content[0]?.text ?? '', rounds };
    const answer = { action: 'accept', content: { name: 'Ada' } };
    const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, answer]));
    more = { requestState, inputResponses };
  }
}

const tool = (name: string, handler: (args: object, context: Context) => unknown) => {
  return { name, inputSchema, handler };
};
const ask = ({ elicit }: Context, key?: string) => elicit('Who?', FORM, key === undefined ? {} : { key });

test('a tool that a handler calls runs once, and its questions are told apart from its own', async () => {
  const done: string[] = [];
  const inner = tool('inner', async (_, context) => {
    const { content } = await ask(context, 'who');
    return `inner ${done.push('inner')} ${content?.name}`;
  });
  const x = tool('x', async (_, context) => {
    const [first, second] = [await context.call('inner'), await context.call('inner', {}, { key: 'second' })];
    await ask(context, 'who');
    return JSON.stringify([first.content, second.content, done.length]);
  });
  const { text, rounds } = await run({ handlers: { extraTools: [inner, x] } });
  const content = (number: number) => [{ type: 'text', text: `inner ${number} Ada` }];
  expect([JSON.parse(text), rounds]).toEqual([[content(1), content(2), 2], 4]);
});

test("operations of an API, and a replaced tool's own work, are done once; also those that fail", async () => {
  const api = await startApi((target) =>
    target === 'POST /fail' ? { status: 409, json: { reason: 'taken' } } : { json: { id: 2 ** 60 } },
  );
  onTestFinished(async () => api.close());
  const seen: unknown[] = [];
  const x: ToolOverride = async (_, context, next) => {
    const { fail, place } = context.api['shop'] ?? {};
    const failure = await fail?.().catch(({ status, body }: ApiError) => ({ status, body }));
    seen.push(failure, await place?.({}, { key: 'place' }), (await next()).structuredContent);
    await ask(context);
    return 'done';
  };
  const { text } = await run({
    baseUrl: api.url,
    catalog: { tools: [{ name: 'x', inputSchema, annotations: { readOnlyHint: true } }] },
    bindings: {
      upstream: { servers: [{ url: 'https://shop.example' }], securitySchemes: {} },
      tools: { x: { do: http('PUT', '/own') } },
      operations: {
        shop: {
          fail: { do: http('POST', '/fail'), input: inputSchema },
          place: { do: http('POST', '/place'), input: inputSchema },
        },
      },
    },
    handlers: { tools: { x } },
  });
  expect(text).toBe('done');
  expect(api.requests).toEqual(['POST /fail', 'POST /place', 'PUT /own']);
  expect(seen.slice(0, 3)).toEqual(seen.slice(3));
  expect(seen[0]).toEqual({ status: 409, body: { reason: 'taken' } });
});

test('what is remembered has its type, and bytes stay bytes', async () => {
  const seen: unknown[] = [];
  const x = tool('x', async (_, context) => {
    const values = [2 ** 60, 2n ** 60n, new Uint8Array([1, 2]), undefined, new Date(0)];
    for (const [index, value] of values.entries())
      seen.push(await context.remember(`value ${index}`, () => value));
    await ask(context);
  });
  await run({ handlers: { extraTools: [x] } });
  const once = [2 ** 60, 2n ** 60n, new Uint8Array([1, 2]), null, new Date(0).toISOString()];
  expect(seen).toEqual([...once, ...once]);
});

test.each<[string, (context: Context) => Promise<unknown>, RegExp]>([
  [
    'more than a client can keep',
    async ({ remember }) => remember('big', () => 'x'.repeat(20_000)),
    /Ask first, then act/,
  ],
  [
    'two calls under one key',
    async ({ call }) => [await call('y', {}, { key: 'a' }), await call('y', {}, { key: 'a' })],
    /have the key "a"/,
  ],
])('refused: %s', async (_, work, words) => {
  const x = tool('x', async (_args, context) => {
    await work(context);
    return (await ask(context)).action;
  });
  const { text } = await run({ handlers: { extraTools: [x, tool('y', () => 'y')] } });
  expect(text).toMatch(words);
});
