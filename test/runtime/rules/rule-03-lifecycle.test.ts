// Rule 3: what is served, and what is sent, before a legacy session is open.
import { expect, test } from 'vitest';
import { hello } from '../harness.ts';
import { answered, failure, LEGACY_LINES, open, refused } from './lines.ts';
import { LISTS, REQUESTS, type Work } from './subject.ts';

const ALL_REQUESTS = [
  ...Object.values(REQUESTS),
  ...LISTS.map((method) => [method, {}] as const),
  ['logging/setLevel', { level: 'info' }],
  ['resources/subscribe', { uri: 'own://r' }],
  ['tasks/list', {}],
  ['no/such', {}],
] as const;

/** Where a session begins with the connection; over Streamable HTTP it begins with `initialize`. */
const CONNECTED = LEGACY_LINES.filter(({ transport }) => transport !== 'http');
const STREAMABLE = LEGACY_LINES.filter(({ transport }) => transport === 'http');

test.each(CONNECTED)('$transport, $revision: before `initialize` only `ping` is answered', async (line) => {
  const { request, ask, tell, ran } = await open(line, { stage: 'connected' });
  const refuseAll = async () => {
    for (const [method, params] of ALL_REQUESTS)
      expect(await ask(request(1, method, params))).toEqual({
        status: answered(line),
        reply: failure(-32600, 'The session is not initialized: `initialize` comes first.', 1),
      });
  };
  await refuseAll();
  expect(await ask(request(2, 'ping'))).toEqual({
    status: answered(line),
    reply: { jsonrpc: '2.0', id: 2, result: {} },
  });
  // It opens nothing by itself.
  await tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await refuseAll();
  expect(ran()).toBe(0);
  const opened = await ask(request(3, 'initialize', hello(line.revision)));
  expect(opened.reply.result).toMatchObject({ protocolVersion: line.revision });
});

test.each(STREAMABLE)(
  '$transport, $revision: without a session only `initialize` is answered',
  async (line) => {
    const { request, ask, ran } = await open(line, { stage: 'connected' });
    const words = '`Mcp-Session-Id` is missing: `initialize` comes first.';
    for (const [method, params] of [...ALL_REQUESTS, ['ping', {}] as const])
      expect(await ask(request(1, method, params))).toEqual({
        status: refused(line),
        reply: failure(-32600, words, 1),
      });
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await ask(notification)).toEqual({ status: 400, reply: failure(-32600, words) });
    expect(ran()).toBe(0);
  },
);

/** Says and asks all there is, and answers with what became of the questions. */
const everything: Work = async ({ log, progress, elicit, sample, roots }) => {
  await log('error', 'told');
  await progress(1);
  const questions = [roots(), sample({ messages: [], maxTokens: 1 }), elicit('Sure?', { type: 'object' })];
  const outcomes = await Promise.allSettled(questions);
  return outcomes
    .map((each) => (each.status === 'rejected' ? (each.reason as Error).message : 'answered'))
    .join('\n');
};
const CAN = { roots: {}, sampling: {}, elicitation: {} };
const NOT_READY = 'The client is not ready to be asked.';

test.each(LEGACY_LINES)('$transport, $revision: before `initialized` the server only logs', async (line) => {
  const { request, tell, inbox } = await open(line, {
    work: everything,
    capabilities: CAN,
    stage: 'initialized',
  });
  const call = tell(request(1, 'tools/call', { name: 'x', _meta: { progressToken: 't' } }));
  const { result } = await inbox.answerTo(1);
  const hasForms = line.revision >= '2025-06-18';
  const form = hasForms ? NOT_READY : 'The client cannot show its user a form.';
  const text = [NOT_READY, NOT_READY, form].join('\n');
  expect(result).toEqual({ content: [{ type: 'text', text }] });
  expect(inbox.messages).toEqual([
    { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: 'told' } },
    expect.objectContaining({ id: 1 }),
  ]);
  expect(await call).toBe(answered(line));
});

test.each(CONNECTED)(
  '$transport, $revision: an `initialized` ahead of `initialize` makes nothing ready',
  async (line) => {
    const { request, tell, ask, inbox } = await open(line, {
      work: ({ roots }) => roots().catch(({ message }: Error) => message),
      stage: 'connected',
    });
    await tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await ask(request(1, 'initialize', { ...hello(line.revision), capabilities: CAN }));
    await tell(request(2, 'tools/call', { name: 'x' }));
    expect(await inbox.answerTo(2)).toMatchObject({ result: { content: [{ text: NOT_READY }] } });
  },
);

test.each(CONNECTED)(
  '$transport, $revision: what comes right behind `initialize` is answered behind it',
  async (line) => {
    const { request, tell, inbox } = await open(line, { stage: 'connected' });
    void tell(request(1, 'initialize', hello(line.revision)));
    void tell(request(2, 'ping'));
    void tell(request(3, 'tools/list'));
    await inbox.answerTo(3);
    expect(inbox.messages).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  },
);

test.each(CONNECTED)('$transport, $revision: nor does it tell of changes before', async (line) => {
  const { tell, silence, server, inbox } = await open(line, {
    parts: { handlers: { started: () => undefined } },
    stage: 'initialized',
  });
  server.services.bus.publish({ kind: 'list', list: 'tools' });
  expect(await silence()).toEqual([]);
  await tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await silence();
  server.services.bus.publish({ kind: 'list', list: 'tools' });
  const changed = 'notifications/tools/list_changed';
  expect(await inbox.find(({ method }) => method === changed)).toEqual({ jsonrpc: '2.0', method: changed });
});

const WITH_TASKS = CONNECTED.filter(({ revision }) => revision === '2025-11-25');

test.each(WITH_TASKS)('$transport, $revision: nor of tasks, nor does a task ask', async (line) => {
  const tool = {
    name: 'later',
    inputSchema: { type: 'object' as const },
    execution: { taskSupport: 'required' as const },
    handler: async (_: object, { roots }: Parameters<Work>[0]) => `${(await roots()).length} roots`,
  };
  const { request, ask, inbox } = await open(line, {
    parts: { handlers: { extraTools: [tool] } },
    capabilities: CAN,
    stage: 'initialized',
  });
  const { reply } = await ask(request(1, 'tools/call', { name: 'later', task: {} }));
  const { task } = reply.result as { task: { taskId: string } };
  const outcome = await ask(request(2, 'tasks/result', { taskId: task.taskId }));
  expect(outcome.reply.result).toMatchObject({ isError: true, content: [{ text: NOT_READY }] });
  expect(inbox.messages.filter((each) => 'method' in (each as object))).toEqual([]);
});

const revisionOf: Work = ({ client }) => client.revision;

test.each(LEGACY_LINES)('$transport, $revision: a second `initialize` is refused', async (line) => {
  for (const stage of ['initialized', 'ready'] as const) {
    const { request, ask } = await open(line, { work: revisionOf, stage });
    for (const params of [hello('2024-11-05'), hello('2025-11-25'), {}])
      expect(await ask(request(1, 'initialize', params))).toEqual({
        status: answered(line),
        reply: failure(-32600, 'The session is initialized already.', 1),
      });
    const { reply } = await ask(request(2, 'tools/call', { name: 'x' }));
    expect(reply.result).toEqual({ content: [{ type: 'text', text: line.revision }] });
  }
});

test.each(CONNECTED)('$transport, $revision: of two at a time too', async (line) => {
  const { request, tell, inbox } = await open(line, { stage: 'connected' });
  const both = [1, 2].map((id) => tell(request(id, 'initialize', hello(line.revision))));
  await Promise.all(both);
  const sorted = [...(await inbox.reach(2))].sort(
    (a, b) => Number('error' in (a as object)) - Number('error' in (b as object)),
  );
  expect(sorted).toEqual([
    { jsonrpc: '2.0', id: expect.any(Number) as number, result: expect.any(Object) as object },
    failure(-32600, 'The session is initialized already.', expect.any(Number)),
  ]);
});

test.each(LEGACY_LINES)('$transport, $revision: one that was refused opens nothing', async (line) => {
  const { request, ask } = await open(line, { stage: 'connected' });
  const { capabilities, clientInfo } = hello(line.revision) as { capabilities: object; clientInfo: object };
  const protocolVersion = line.revision;
  const message =
    '`initialize` needs a `protocolVersion`, `capabilities`, and a `clientInfo` with `name` and `version`.';
  for (const params of [
    { capabilities, clientInfo },
    { protocolVersion: 7, capabilities, clientInfo },
    { protocolVersion, clientInfo },
    { protocolVersion, capabilities: [], clientInfo },
    { protocolVersion, capabilities },
    { protocolVersion, capabilities, clientInfo: {} },
  ])
    expect(await ask(request(1, 'initialize', params))).toEqual({
      status: answered(line),
      reply: failure(-32602, message, 1),
    });
  expect((await ask(request(2, 'tools/list'))).reply.error?.code).toBe(-32600);
  expect((await ask(request(3, 'initialize', hello(line.revision)))).reply.error).toBeUndefined();
});
