// Workflows as tools: what they send, what their users are asked, and what is refused.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Feature } from '../../templates/runtime/feature.ts';
import { meta } from '../runtime/client.ts';
import { makeClient } from '../runtime/core.ts';
import { compileSound } from '../support/compile-workflows.ts';
import { serveModel } from './serve-document.ts';

type Parts = NonNullable<Parameters<typeof serveModel>[2]>;

const cancelOf = (forEach: unknown, more: object = {}) => ({
  ...{ id: 'cancelled', call: 'cancelOrder', arguments: { orderId: '$item' }, forEach },
  ...more,
});
const orders = {
  ...{ id: 'orders', call: 'listOrders' },
  arguments: { limit: '$inputs.limit', state: '$inputs.state' },
};
const FLOWS = {
  cancelAll: {
    description: 'Cancels orders.',
    inputs: {
      type: 'object',
      properties: { limit: { type: 'integer', default: 9 }, state: { type: 'string' } },
    },
    steps: [orders, cancelOf('$steps.orders.items[*].id')],
    result: '$steps.cancelled[*].id',
  },
  placeAll: {
    description: 'Orders again.',
    steps: [
      { id: 'orders', call: 'listOrders' },
      {
        ...{ id: 'placed', call: 'placeOrder', forEach: '$steps.orders.items[*].id' },
        arguments: { petId: 1, customer: '$item' },
      },
    ],
    result: '$steps.placed[*].id',
  },
  cancelTwice: {
    description: 'Cancels two lists.',
    steps: [
      { id: 'inventory', call: 'getInventory' },
      cancelOf(['ord-7', 'ord-8'], { parallel: 5 }),
      { id: 'after', call: 'getInventory', when: '$steps.cancelled[0].state' },
      cancelOf(['ord-9'], { id: 'more' }),
    ],
    result: ['$steps.cancelled[*].id', '$steps.more[*].id'],
  },
  placeOne: {
    description: 'Orders a pet.',
    inputs: { type: 'object', properties: { petId: { type: 'integer' } }, required: ['petId'] },
    steps: [
      {
        id: 'pet',
        call: 'getPet',
        arguments: { petId: '$inputs.petId' },
        expect: '$status == 200 && $steps.pet.name',
      },
      {
        ...{ id: 'order', call: 'placeOrder', expect: '$status == 201' },
        arguments: { petId: '$steps.pet.id', customer: 'ada' },
      },
    ],
    result: { id: '$steps.order.id' },
  },
};

/** An API of orders, whose list has `count` of them. */
function api(count: number) {
  return ({ line }: { line: string }): string => {
    const [, id] = /^POST \S*\/orders\/([\w-]+)\/cancel/.exec(line) ?? [];
    const items = Array.from({ length: count }, (_, at) => ({ id: `ord-${at}`, state: 'placed' }));
    const pet = {
      id: Number(/\/pets\/(\d+)/.exec(line)?.[1]),
      ...(line.includes('/7') ? {} : { name: 'Minka' }),
    };
    const answer =
      id !== undefined ? { id, state: 'cancelled' } : line.includes('/pets/') ? pet : { items, id: 'new' };
    const body = JSON.stringify(answer);
    const status = line.startsWith('POST') && id === undefined ? '201 Created' : '200 OK';
    return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  };
}

async function serve(parts: Parts & { count?: number; tools?: Record<string, { confirm: 'always' }> } = {}) {
  const { count = 2, tools = {}, ...others } = parts;
  const model = await compileSound({ 'w.json': FLOWS }, { tools });
  const served = await serveModel(model, api(count), others);
  onTestFinished(served.close);
  const call = async (name: string, args: object = {}) => {
    const { sent, ...rest } = await served.call(name, args);
    return { ...rest, sent: sent.map((request) => request.split('\n')[0]) };
  };
  return { ...served, call };
}

const CONFIRMED = `cancelAll makes calls that may delete or overwrite data (2). Run all of them?
cancel_order {"orderId":"ord-0"}
cancel_order {"orderId":"ord-1"}`;
const PLACED = `placeAll makes calls that run only if you agree (2). Run all of them?
placeOrder {"petId":1,"customer":"ord-0"}
placeOrder {"petId":1,"customer":"ord-1"}`;
/** The workflow, its question, and what a yes sends. */
const ASKING = [
  ['cancelAll', CONFIRMED, ['POST /orders/ord-0/cancel', 'POST /orders/ord-1/cancel']],
  ['placeAll', PLACED, ['POST /orders', 'POST /orders']],
] as const;
/** What adds needs a rule to be asked for. */
const tools = { placeOrder: { confirm: 'always' as const } };

test.each(ASKING)(
  '%s: one question has all its calls, and only they are made',
  async (name, question, posts) => {
    for (const flags of [{}, { confirm: 'destructive' }]) {
      const { call } = await serve({ userAnswers: [true], flags, tools });
      const { asked, sent } = await call(name);
      expect(asked).toEqual([question]);
      expect(sent.slice(1)).toEqual(posts);
    }
  },
);

test('inputs have their defaults and are else left out', async () => {
  const { call } = await serve({ userAnswers: [true] });
  const { sent, words } = await call('cancelAll');
  expect(sent[0]).toBe('GET /orders?limit=9');
  expect(JSON.parse(words)).toEqual(['ord-0', 'ord-1']);
});

test('the list has the calls of all steps', async () => {
  const { call } = await serve({ userAnswers: [true] });
  const { asked, sent, words } = await call('cancelTwice');
  expect(asked.map((question) => question.split('\n').slice(1))).toEqual([
    ['ord-7', 'ord-8', 'ord-9'].map((orderId) => `cancel_order ${JSON.stringify({ orderId })}`),
  ]);
  expect(sent).toHaveLength(5);
  expect(JSON.parse(words)).toEqual([['ord-7', 'ord-8'], ['ord-9']]);
});

test.each<[string, Parts & { count?: number }, string]>([
  ['a no', { userAnswers: [false] }, 'The user did not confirm its calls.'],
  ['a client that can not ask', {}, 'asks its user before it makes such calls.'],
  [
    'more than 20 calls',
    { userAnswers: [true], count: 21 },
    "21 calls need the user's consent, who confirms 20 at most. None of them was made.",
  ],
  [
    'a server without the feature that asks',
    { without: ['confirm'], userAnswers: [true] },
    'needs the feature confirm, to ask its user.',
  ],
])('%s sends nothing that needs a yes', async (_, parts, words) => {
  for (const [name] of ASKING) {
    const { call } = await serve({ ...structuredClone(parts), tools });
    const answer = await call(name).catch((thrown: unknown) => ({
      ...{ words: String(thrown), isError: true, sent: [] },
    }));
    expect(answer.words).toContain(words);
    expect(answer.isError).toBe(true);
    expect(answer.sent.filter((line) => line?.startsWith('POST'))).toEqual([]);
  }
});

test('where the answer of the user comes with another request, no order is cancelled twice (2026-07-28)', async () => {
  const { server } = await serve();
  const lines: string[] = [];
  const watch: Feature = {
    name: 'watch',
    aroundSend: (_, request, next) => {
      lines.push(`${request.method} ${request.url.pathname}`);
      return next();
    },
  };
  (server.features as Feature[]).push(watch);
  const { send } = makeClient(server, []);
  const _meta = { ...meta, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
  const params = { name: 'cancelAll', arguments: {}, _meta };
  const ask = async (id: number, more: object = {}) => {
    const reply = await send({ jsonrpc: '2.0', id, method: 'tools/call', params: { ...params, ...more } });
    return (
      reply as { result: { inputRequests?: object; requestState?: string; structuredContent?: object } }
    ).result;
  };
  const { inputRequests = {}, requestState } = await ask(1);
  expect(JSON.stringify(inputRequests)).toContain(JSON.stringify(CONFIRMED).slice(1, -1));
  const answers = Object.keys(inputRequests).map((key) => [
    key,
    { action: 'accept', content: { confirm: true } },
  ]);
  const { structuredContent } = await ask(2, {
    requestState,
    inputResponses: Object.fromEntries(answers) as object,
  });
  expect(structuredContent).toEqual({ result: ['ord-0', 'ord-1'] });
  const cancels = [0, 1].map((at) => `POST /orders/ord-${at}/cancel`);
  expect(lines).toEqual(['GET /orders', 'GET /orders', ...cancels]);
});

test.each(ASKING)('%s: arguments that change after the yes are asked for again', async (name, question) => {
  const guard: Feature = {
    name: 'guard',
    aroundCall: {
      admit: (call, next) => {
        if (call.origin === 'code' && 'orderId' in call.args) call.args = { orderId: 'ord-99' };
        if (call.name === 'placeOrder') call.args = { petId: 99, customer: 'eve' };
        return next();
      },
    },
  };
  const { call } = await serve({ userAnswers: [true, false], features: [guard], tools });
  const { asked, sent } = await call(name);
  expect(asked[0]).toBe(question);
  expect(asked[1]).toMatch(/Run it with these arguments\?\n.*99/);
  expect(sent.filter((line) => line?.startsWith('POST'))).toEqual([]);
});

test('a step whose answer is not the expected one ends the workflow', async () => {
  const { call } = await serve();
  expect(await call('placeOne', { petId: 1 })).toMatchObject({
    words: '{"id":"new"}',
    sent: ['GET /pets/1', 'POST /orders'],
  });
  const { words, sent, isError } = await call('placeOne', { petId: 7 });
  expect(JSON.parse(words)).toMatchObject({
    error:
      'The step pet failed: getPet was called, and its answer is not the expected one: $status == 200 && $steps.pet.name',
    steps: [{ status: 'failed' }, { status: 'not run' }],
  });
  expect([isError, sent]).toEqual([true, ['GET /pets/7']]);
});

const UNLISTED = {
  cancelOne: {
    description: 'Cancels the first order.',
    steps: [
      { id: 'orders', call: 'GET /orders', expect: '$status == 200' },
      {
        ...{ id: 'cancelled', call: 'cancelOrder' },
        arguments: { orderId: '$first($steps.orders.items[*].id)' },
        expect: "$status == 200 && $steps.cancelled.state == 'cancelled'",
      },
    ],
    result: '$steps.cancelled.id',
  },
  countOrders: {
    description: 'Counts orders.',
    steps: [{ id: 'orders', call: 'listOrders' }],
    result: '$length($steps.orders.items)',
  },
};

/** `listOrders` and `cancelOrder` are operations that are no tools. */
async function serveUnlisted(parts: Parts = {}) {
  const exclude = ['op:listOrders', 'op:cancelOrder'];
  const model = await compileSound({ 'w.json': UNLISTED }, { exclude });
  const served = await serveModel(model, api(2), parts);
  onTestFinished(served.close);
  return served;
}

test('operations that are no tools are called by workflows alone, and asked for like tools', async () => {
  const { call, server } = await serveUnlisted({ userAnswers: [true, false], hasSteps: true });
  const done = await call('cancelOne', {});
  expect(done.asked).toEqual([
    'cancelOne makes calls that may delete or overwrite data (1). Run all of them?\npetstore:cancelOrder {"orderId":"ord-0"}',
  ]);
  expect([done.words, done.sent.map((text) => text.split('\n')[0])]).toEqual([
    'ord-0',
    ['GET /orders', 'POST /orders/ord-0/cancel'],
  ]);
  const refused = await call('cancelOne', {});
  expect([refused.isError, refused.sent.map((text) => text.split('\n')[0])]).toEqual([true, ['GET /orders']]);
  for (const name of ['listOrders', 'petstore:listOrders']) {
    const steps = [{ id: 'a', call: name }];
    const result = await call('run_read_steps', { steps, result: null });
    expect([result.isError, result.sent]).toEqual([true, []]);
    expect(result.words).toContain(`Unknown tool: ${name}`);
  }
  expect([...server.catalog.tools.keys()]).not.toContain('listOrders');
});

test('--read-only keeps a workflow of operations that read', async () => {
  const { call, server } = await serveUnlisted({ flags: { 'read-only': true } });
  expect([...server.catalog.tools.keys()]).not.toContain('cancelOne');
  expect(await call('countOrders', {})).toMatchObject({ words: '2', isError: false });
});

test.each<[string, number[], object, string | undefined, number]>([
  ['that ends with an answer', [500, 500, 200], { max: 2, when: '$status >= 500' }, undefined, 3],
  ['that comes too late', [500, 500, 500], { max: 2 }, 'The API answered 500', 3],
  ['of another failure', [404, 200], { max: 2, when: '$status == 500' }, 'The API answered 404', 1],
])('a retry %s', async (_, statuses, retry, failure, count) => {
  for (const exclude of [[], ['op:getInventory']]) {
    const flow = {
      description: 'Tries.',
      steps: [{ id: 'stock', call: 'getInventory', retry, expect: '$status == 200' }],
      result: '$steps.stock',
    };
    let at = 0;
    const answer = (): string =>
      `HTTP/1.1 ${statuses[at++] ?? 200} Said\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"cat":1}`;
    const model = await compileSound({ 'w.json': { try: flow } }, { exclude });
    const served = await serveModel(model, answer);
    onTestFinished(served.close);
    const { words, sent } = await served.call('try', {});
    expect(words).toContain(failure ?? '{"cat":1}');
    expect(sent.length).toBe(count);
  }
});

test.each<[string, Parts['flags'] & object, string[]]>([
  ['--read-only', { 'read-only': true }, []],
  ['--exclude of a tool that it calls', { exclude: ['op:cancel_order'] }, ['placeAll', 'placeOne']],
  ['--exclude by its own name', { exclude: ['op:placeOne', 'op:placeAll'] }, ['cancelAll', 'cancelTwice']],
])('%s leaves it out', async (_, flags, want) => {
  const { server, call } = await serve({ flags, userAnswers: [true] });
  expect([...server.catalog.tools.keys()].filter((name) => Object.hasOwn(FLOWS, name))).toEqual(want);
  const [left = ''] = Object.keys(FLOWS).filter((name) => !want.includes(name));
  await expect(call(left)).rejects.toThrow('Unknown tool');
});

test('it is a tool: mock mode, the surface of search, the audit log, the limit of calls', async () => {
  const mocked = await serve({ isMock: true, surface: 'search' });
  const called = await mocked.call('call_write_tool', { name: 'placeOne', arguments: { petId: 1 } });
  expect([called.isError, called.sent]).toEqual([false, []]);
  expect(JSON.parse(called.words)).toEqual({ id: expect.any(String) as string });

  const folder = mkdtempSync(join(tmpdir(), 'workflows-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const audit = join(folder, 'audit.jsonl');
  const { call, server } = await serve({ flags: { audit, 'rate-limit': '2' }, userAnswers: [true] });
  await server.start();
  const { words } = await call('cancelAll');
  expect(words).toContain('Too many calls');
  await server.close();
  const lines = readFileSync(audit, 'utf8').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { tool: string }).tool)).toEqual([
    ...['listOrders', 'cancel_order', 'cancelAll'],
  ]);
});
