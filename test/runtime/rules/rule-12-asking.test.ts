// Rule 12: questions that nobody answers in time. What is asked of whom: rule-04-capabilities.test.ts.
// Further: core/asks.test.ts (answers that are none, calls that are cancelled), rule-14-rounds.test.ts (rounds that
// last too long in the modern era).
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { LEGACY_REVISIONS } from '../../../templates/runtime/json-rpc.ts';
import type { Reply } from '../harness.ts';
import { inEach, speaking } from './speaking.ts';
import { REQUESTS, subject, type Work } from './subject.ts';
import { EXTENSION, FORM, taskServer } from './task-subject.ts';

afterEach(() => void vi.useRealTimers());

const asText = async (work: Promise<unknown>) => JSON.stringify(await work);
const messages = [{ role: 'user' as const, content: { type: 'text', text: 'hi' } }];
const sampling: Work = ({ sample }) => asText(sample({ messages, maxTokens: 1 }));
const rooting: Work = ({ roots }) => asText(roots());
const folders = [{ uri: 'file:///a', name: 'a' }];

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
  ]).filter(([revision, method]) => method !== 'elicitation/create' || revision >= '2025-06-18'),
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
  const text = expect.stringMatching(
    /^elicitation\/create was given up: no answer came in 5000 ms\.$/i,
  ) as string;
  // The task ends in promises behind the timer.
  await vi.waitFor(async () =>
    expect(await get(taskId)).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ type: 'text', text }] },
    }),
  );
});
