// Rule 12: a client's model and its roots only where they are declared, and what nobody answers in time.
// Further: core/asks.test.ts (answers that are none, calls that are cancelled), rule-14-rounds.test.ts (rounds that
// last too long in the modern era).
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import {
  featuresOf,
  isModernRevision,
  LEGACY_REVISIONS,
  type Revision,
} from '../../../templates/runtime/protocol/revisions.ts';
import type { Reply } from '../core/harness.ts';
import { asked } from './asking.ts';
import { ALL, inEach, plain, speaking } from './speaking.ts';
import { REQUESTS, subject, type Work } from './subject.ts';
import { EXTENSION, FORM, taskServer } from './task-subject.ts';

afterEach(() => void vi.useRealTimers());

const asText = async (work: Promise<unknown>) => JSON.stringify(await work);
const messages = [{ role: 'user' as const, content: { type: 'text', text: 'hi' } }];
const sampling: Work = ({ sample }) => asText(sample({ messages, maxTokens: 1 }));
const withTools: Work = ({ sample }) => asText(sample({ messages, maxTokens: 1, tools: [] }));
const rooting: Work = ({ roots }) => asText(roots());
const model = { role: 'assistant', model: 'm', content: { type: 'text', text: 'ho' } };
const folders = [{ uri: 'file:///a', name: 'a' }];

/** How a client that can't be asked is told. */
async function expectLacking(
  revision: Revision,
  work: Work,
  capabilities: object,
  message: string,
  requiredCapabilities: object,
): Promise<void> {
  const { question, reply, words, sent } = await asked(revision, work, capabilities);
  expect([question, sent]).toEqual([undefined, []]);
  if (isModernRevision(revision)) {
    expect(reply).toMatchObject({ error: { code: -32021, message }, origin: 'capability' });
    expect(reply.error?.data).toEqual({ requiredCapabilities });
  } else expect([plain(reply.result)['isError'], words]).toEqual([true, message]);
}

test.each(ALL)('%s: a model that is declared is asked', async (revision) => {
  const { question, words } = await asked(revision, sampling, { sampling: {} }, model);
  expect(question).toEqual({ method: 'sampling/createMessage', params: { messages, maxTokens: 1 } });
  expect(JSON.parse(words)).toEqual(model);
});

test.each(ALL)('%s: roots that are declared are asked for', async (revision) => {
  const { question, words } = await asked(revision, rooting, { roots: {} }, { roots: folders });
  expect(question).toEqual({ method: 'roots/list' });
  expect(JSON.parse(words)).toEqual(folders);
});

test.each(
  inEach<[object]>(ALL, [
    [{}],
    [{ elicitation: {} }],
    [{ sampling: null, roots: true }],
    [{ constructor: {} }],
  ]),
)('%s: %j declares neither a model nor roots', async (revision, capabilities) => {
  const noModel = 'The client has no model to offer.';
  const noRoots = 'The client has no roots to tell.';
  await expectLacking(revision, sampling, capabilities, noModel, { sampling: {} });
  await expectLacking(revision, rooting, capabilities, noRoots, { roots: {} });
});

test.each(ALL)('%s: a model is offered tools only where that is declared, and known', async (revision) => {
  const noTools = "The client's model cannot use tools.";
  await expectLacking(revision, withTools, { sampling: {} }, noTools, { sampling: { tools: {} } });
  const can = { sampling: { tools: {} } };
  if (featuresOf(revision).samplingTools)
    expect((await asked(revision, withTools, can, model)).question?.params).toMatchObject({ tools: [] });
  else await expectLacking(revision, withTools, can, noTools, { sampling: { tools: {} } });
});

// Questions without an answer.

/** Stops the clock, and nothing else: what is at work goes on until `isSo`. */
async function withoutTime(begin: () => void, isSo: () => boolean): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  begin();
  while (!isSo()) await setImmediate();
}

const everything = { elicitation: {}, sampling: {}, roots: {} };
const eliciting: Work = ({ elicit }) => asText(elicit('Who?', FORM));

test.each(
  inEach<[string, Work]>(LEGACY_REVISIONS, [
    ['sampling/createMessage', sampling],
    ['roots/list', rooting],
    ['elicitation/create', eliciting],
  ]).filter(
    ([revision, method]) => method !== 'elicitation/create' || featuresOf(revision).elicitation.has('form'),
  ),
)('%s: %s that is not answered in time is cancelled, and given up', async (revision, method, work) => {
  const limits = { askTimeoutMs: 5_000 };
  const { put, send, sent } = await speaking(revision, subject(work, { limits }), everything);
  let answered: Promise<Reply> | undefined;
  await withoutTime(
    () => void (answered = put(...REQUESTS.call)),
    () => sent.length > 0,
  );
  await vi.advanceTimersByTimeAsync(4_999);
  expect(sent).toMatchObject([{ method, id: 1 }]);
  await vi.advanceTimersByTimeAsync(1);
  const reason = 'No answer came in 5000 ms.';
  expect(sent.slice(1)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason } },
  ]);
  expect((await answered)?.result).toEqual({
    content: [{ type: 'text', text: `${method} was given up: ${reason}` }],
    isError: true,
  });
  // The answer that comes late is for nobody.
  expect(await send({ jsonrpc: '2.0', id: 1, result: { roots: folders } })).toBeUndefined();
  expect(sent).toHaveLength(2);
});

test('a question of a task that is not answered in time is given up', async () => {
  const server = taskServer((_, { elicit }) => asText(elicit('Who?', FORM)), {
    limits: { askTimeoutMs: 5_000 },
  });
  const { create, get } = await server.client(EXTENSION, { capabilities: { elicitation: {} } });
  let taskId = '';
  await withoutTime(
    () => void create().then((id) => (taskId = id)),
    () => taskId !== '' && vi.getTimerCount() === 2,
  );
  await vi.advanceTimersByTimeAsync(4_999);
  expect(await get(taskId)).toMatchObject({ status: 'input_required' });
  await vi.advanceTimersByTimeAsync(1);
  const text = 'elicitation/create was given up: no answer came in 5000 ms.';
  // The task ends in promises behind the timer.
  await vi.waitFor(async () =>
    expect(await get(taskId)).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ type: 'text', text }] },
    }),
  );
});
