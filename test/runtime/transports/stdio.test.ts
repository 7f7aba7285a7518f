import { allFeatures } from '../../../templates/runtime/all-features.ts';
import { LineWriter, serveStdio, describeTooLong } from '../../../templates/runtime/transports/stdio.ts';
import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createCheckedCore } from '../../support/checked-core.ts';
import { createServer, stopServer } from '../../../templates/runtime/core/server-instance.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import type { ExtraTool, Handlers } from '../../../templates/runtime/definition.ts';
import { DEFAULT_LIMITS } from '../../../templates/runtime/contract/feature.ts';
import { newCatalog, hello } from '../core/harness.ts';

interface Message {
  id?: unknown;
  method?: string;
  error?: { code: number; message: string };
}

function start(
  handler: ExtraTool['handler'],
  {
    outputBytes = 1e6,
    lineBytes = 1_000,
    writtenBytes = 1e6,
    stdioDrainMs = 5_000,
    capabilities = {},
    description = '',
    inFlightRequests = 1_000,
  } = {},
) {
  const handlers: Handlers<object> = {
    extraTools: [{ name: 'x', description, inputSchema: { type: 'object' }, handler }],
  };
  const server = createServer({
    definition: { info: { name: 'test', version: '1' }, features: allFeatures, handlers },
    catalog: newCatalog({}),
    readBindings: () => '{}',
    env: {},
    limits: { ...DEFAULT_LIMITS, inFlightRequests },
    report: () => undefined,
  });
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: outputBytes });
  const session = new Session();
  let stop = (): void => undefined;
  const served = serveStdio({
    core: createCheckedCore(server),
    session,
    input,
    writer: new LineWriter(output, writtenBytes),
    limits: { lineBytes, stdioDrainMs, inFlightRequests },
    stop: new Promise((resolve) => (stop = resolve)),
    finish: () => stopServer(server),
  });
  const write = (...messages: object[]) =>
    messages.forEach((each) => input.write(`${JSON.stringify(each)}\n`));
  write({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { ...hello('2025-11-25'), capabilities } });
  write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const received: Message[] = [];
  /** All that came so far. */
  const answers = (): Message[] => {
    const lines = String(output.read() ?? '').split('\n');
    received.push(...lines.filter((text) => text !== '').map((text): Message => JSON.parse(text)));
    return received;
  };
  return { input, output, session, served, stop, write, answers };
}

const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x' } });
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

const modern = (id: number, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});
const tagged = { 'io.modelcontextprotocol/subscriptionId': 1 };

test('messages are answered in the order they need, and what was begun is finished when the input ends', async () => {
  const { write, input, served, answers } = start(() => new Promise((resolve) => setTimeout(resolve, 20)));
  write(call(1), ping(2));
  input.end();
  await served;
  expect(answers().map(({ id }) => id)).toEqual([0, 2, 1]);
});

test('a last line without a break is answered', async () => {
  const { input, served, answers } = start(() => 1);
  input.end(JSON.stringify(ping(1)));
  await served;
  expect(answers().map(({ id }) => id)).toEqual([0, 1]);
});

test('what is no message is refused, and the next one answered', async () => {
  const { write, input, served, answers } = start(() => 1);
  input.write('{"jsonrpc": broken\n');
  input.write(`"${'x'.repeat(2_000)}"\n`);
  input.write('[]\n');
  write(ping(1));
  input.end();
  await served;
  const refused = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message } });
  // Each line is answered as soon as it can be, so the order says nothing.
  expect(new Set(answers())).toEqual(
    new Set([
      expect.objectContaining({ id: 0, result: expect.anything() }),
      refused(-32700, 'The message is not JSON.'),
      refused(-32600, describeTooLong(1_000)),
      refused(-32600, 'The revision of this session has no batches.'),
      { jsonrpc: '2.0', id: 1, result: {} },
    ]),
  );
});

test('work that takes too long is aborted after the input has ended, unanswered', async () => {
  let isAtWork = false;
  let aborted = false;
  const { write, input, served, answers } = start(
    (_, { signal }) => {
      isAtWork = true;
      signal.addEventListener('abort', () => (aborted = true));
      return new Promise(() => undefined);
    },
    { stdioDrainMs: 50 },
  );
  write(call(1));
  await expect.poll(() => isAtWork).toBe(true);
  input.end();
  await served;
  expect(aborted).toBe(true);
  expect(answers().map(({ id }) => id)).toEqual([0]);
});

test('asked to stop, it begins no more work, and finishes what is under way', async () => {
  let calls = 0;
  let finish = (): void => undefined;
  const { write, served, stop, answers } = start(() => {
    calls++;
    return new Promise<void>((resolve) => (finish = resolve));
  });
  write(call(1));
  await expect.poll(() => calls).toBe(1);
  stop();
  await new Promise((resolve) => setImmediate(resolve));
  write(call(2));
  await new Promise((resolve) => setImmediate(resolve));
  finish();
  await served;
  const [, second, first] = answers();
  expect(second).toEqual({
    jsonrpc: '2.0',
    id: 2,
    error: { code: -32603, message: 'The server is stopping.' },
  });
  expect(first).toMatchObject({ id: 1, result: {} });
  expect(calls).toBe(1);
});

test('asked to stop, it still takes what the work under way has asked the client for', async () => {
  const { write, served, stop, answers } = start(async (_, { roots }) => JSON.stringify(await roots()), {
    capabilities: { roots: {} },
  });
  const asked = () => answers().find(({ method }) => method === 'roots/list');
  write(call(1));
  await expect.poll(asked).toBeDefined();
  stop();
  await new Promise((resolve) => setImmediate(resolve));
  write({ jsonrpc: '2.0', id: asked()?.id, result: { roots: [{ uri: 'file:///a' }] } });
  await served;
  expect(answers().at(-1)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: '[{"uri":"file:///a"}]' }] },
  });
});

test.each<[string, (it: { input: PassThrough; stop: () => void }) => void]>([
  ['the input ends', ({ input }) => input.end()],
  ['it is asked to stop', ({ stop }) => stop()],
])('when %s a subscription ends with its result', async (_, end) => {
  const it = start(() => 1, { stdioDrainMs: 60_000 });
  it.write(modern(1, 'subscriptions/listen', { notifications: {} }));
  await expect.poll(() => it.answers().length).toBe(2);
  end(it);
  await it.served;
  expect(it.answers().filter(({ id }) => id !== 0)).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { _meta: tagged } },
    { method: 'notifications/cancelled', params: { requestId: 1 } },
    { id: 1, result: { resultType: 'complete', _meta: tagged } },
  ]);
});

test('while the output is full nothing is read', async () => {
  const { write, input, output, served } = start(() => 'x'.repeat(1_000), { outputBytes: 500 });
  for (let id = 1; id <= 5; id++) write(call(id));
  await expect.poll(() => input.isPaused()).toBe(true);
  write(ping(6));
  let text = '';
  output.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => text).toContain('"id":6');
  expect(input.isPaused()).toBe(false);
  input.end();
  await served;
});

test('it ends when nobody reads its output any more', async () => {
  const { output, served } = start(() => 1);
  output.destroy(new Error('EPIPE'));
  await served;
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
const later = (answers: Message[]): Message[] => answers.filter(({ id }) => id !== 0);
const tooMuch = expect.stringContaining('longer than 1,000 bytes') as string;

test.each<[string, ExtraTool['handler'], object]>([
  [
    'a log line',
    async (_args, { log }) => {
      await log('info', 'ü'.repeat(500));
      return 'done';
    },
    { result: { content: [{ type: 'text', text: 'done' }] } },
  ],
  [
    'a result',
    () => ({ content: [{ type: 'text', text: 'ü'.repeat(500) }], structuredContent: { a: 1 } }),
    { result: { content: [{ type: 'text', text: tooMuch }], isError: true } },
  ],
  [
    'a question',
    async (_args, context) => {
      await context.elicit('ü'.repeat(500), { type: 'object', properties: {} });
    },
    { result: { content: [{ type: 'text', text: tooMuch }], isError: true } },
  ],
])('%s over the limit says so in its place, and the next call is answered', async (_, handler, want) => {
  const { write, input, served, answers } = start(handler, {
    writtenBytes: 1_000,
    capabilities: { elicitation: {} },
  });
  write(call(1), ping(2));
  input.end();
  await served;
  expect(answers()).toContainEqual({ jsonrpc: '2.0', id: 1, ...want });
  expect(answers()).toContainEqual({ jsonrpc: '2.0', id: 2, result: {} });
  expect(JSON.stringify(answers())).toContain('longer than 1,000 bytes');
});

test('an answer of no tool over the limit is an error', async () => {
  const description = 'x'.repeat(1_000);
  const { input, write, served, answers } = start(() => 1, { writtenBytes: 1_000, description });
  write({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  input.end();
  await served;
  expect(answers()).toContainEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: tooMuch } });
});

test('of a batch over the limit, what is long is an error', () => {
  const output = new PassThrough();
  const writer = new LineWriter(output, 1_000);
  const text = 'x'.repeat(1_000);
  const long = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } };
  void writer.write(JSON.stringify([long, { jsonrpc: '2.0', id: 2, result: {} }]));
  writer.flush();
  expect(JSON.parse(String(output.read()))).toEqual([
    { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: tooMuch }], isError: true } },
    { jsonrpc: '2.0', id: 2, result: {} },
  ]);
});

test('messages of one turn of the event loop leave in one write', async () => {
  const writes: string[] = [];
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      writes.push(String(chunk));
      done();
    },
  });
  const writer = new LineWriter(output);
  void writer.write('1');
  await new Promise<void>((resolve) => process.nextTick(resolve));
  void writer.write('2');
  expect(writes).toEqual([]);
  await new Promise<void>((resolve) => void setImmediate(resolve));
  expect(writes).toEqual(['1\n2\n']);
  // Long ones wait for no others.
  void writer.write('3'.repeat(5_000));
  expect(writes).toHaveLength(2);
});

test('bytes that are not UTF-8 are refused, and a byte order mark is none of the message', async () => {
  const { write, input, served, answers } = start((args) => args);
  input.write(
    Buffer.from([...Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), 0xff, ...Buffer.from('"}\n')]),
  );
  input.write(`\uFEFF${JSON.stringify(ping(2))}\n`);
  // What stands for broken bytes is a character like others.
  write({ ...ping(3), params: { a: '\uFFFD' } });
  input.end();
  await served;
  const message = 'The message is not UTF-8.';
  expect(new Set(later(answers()))).toEqual(
    new Set([
      { jsonrpc: '2.0', error: { code: -32700, message } },
      { jsonrpc: '2.0', id: 2, result: {} },
      { jsonrpc: '2.0', id: 3, result: {} },
    ]),
  );
});

test('requests over the limit wait for room, and what else comes with them does not', async () => {
  const open: (() => void)[] = [];
  const { write, input, served, answers } = start(
    () => new Promise((resolve) => open.push(() => resolve('done'))),
    { inFlightRequests: 2 },
  );
  await turn();
  input.write(
    [
      call(1),
      call(2),
      call(3),
      call(4),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    ]
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  );
  await expect.poll(() => open.length).toBe(2);
  await turn();
  expect([open.length, input.isPaused()]).toEqual([2, true]);
  // The cancelled one counts until its handler ends.
  open[0]?.();
  await expect.poll(() => open.length).toBe(3);
  expect(input.isPaused()).toBe(true);
  open[1]?.();
  await expect.poll(() => open.length).toBe(4);
  await expect.poll(() => input.isPaused()).toBe(false);
  write(call(5));
  open[2]?.();
  await expect.poll(() => open.length).toBe(5);
  for (const end of open) end();
  input.end();
  await served;
  expect(later(answers()).map(({ id, error }) => [id, error])).toEqual(
    [2, 3, 4, 5].map((id) => [id, undefined]),
  );
});

test('requests that wait when the server stops are told', async () => {
  const { write, served, stop, answers } = start(() => new Promise(() => undefined), {
    inFlightRequests: 1,
    stdioDrainMs: 20,
  });
  write(call(1), call(2));
  await turn();
  stop();
  await served;
  expect(later(answers())).toEqual([
    { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'The server is stopping.' } },
  ]);
});
