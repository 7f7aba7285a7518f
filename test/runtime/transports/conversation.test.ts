import { expect, test } from 'vitest';
import { joinMessage } from '../../../templates/runtime/core/call.ts';
import type { Core } from '../../../templates/runtime/core/core.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import { readReceived } from '../../../templates/runtime/protocol/json-rpc.ts';
import { Conversation } from '../../../templates/runtime/transports/conversation.ts';

/** A conversation whose output is full when `isFull` says so, and what happens below it. */
function start(core: Core) {
  const events: string[] = [];
  const output = { isFull: false, empty: (): void => undefined };
  const session = new Session();
  const conversation = new Conversation({
    core,
    session,
    wire: {
      send: (message) => {
        events.push(joinMessage(message));
        return output.isFull ? new Promise<void>((resolve) => (output.empty = resolve)) : undefined;
      },
      pause: () => events.push('pause'),
      resume: () => events.push('resume'),
    },
  });
  return { conversation, session, events, output };
}

const answered: Core = async () => ({ kind: 'result', id: 1, result: '{}' });
const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('while the output is full nothing is received', async () => {
  const { conversation, events, output } = start(answered);
  output.isFull = true;
  conversation.receiveText('{}');
  await turn();
  expect(events).toEqual([answer, 'pause']);
  output.empty();
  await turn();
  expect(events).toEqual([answer, 'pause', 'resume']);
  output.isFull = false;
  conversation.receiveText('{}');
  await turn();
  expect(events.slice(3)).toEqual([answer]);
});

test('what a call sends ahead of its answer waits for room too', async () => {
  const { conversation, events, output } = start(async (_, context) => {
    await context.send({ jsonrpc: '2.0', method: 'notifications/message' });
    return { kind: 'result', id: 1, result: '{}' };
  });
  output.isFull = true;
  conversation.receiveText('{}');
  await turn();
  expect(events).toEqual(['{"jsonrpc":"2.0","method":"notifications/message"}', 'pause']);
  output.isFull = false;
  output.empty();
  await turn();
  expect(events.slice(2)).toEqual(['resume', answer]);
});

const changed = (list: string) => ({
  jsonrpc: '2.0' as const,
  method: `notifications/${list}/list_changed`,
});

test('what belongs to no request is sent in order', async () => {
  const { session, events } = start(answered);
  session.push(changed('tools'));
  session.push(changed('prompts'));
  session.push(changed('tools'));
  await turn();
  expect(events).toEqual(['tools', 'prompts', 'tools'].map((list) => JSON.stringify(changed(list))));
});

test('while the output is full a change waits once, however often it is told', async () => {
  const { session, events, output } = start(answered);
  output.isFull = true;
  for (let times = 0; times < 100; times++) {
    session.push(changed('tools'));
    session.push(changed('prompts'));
  }
  await turn();
  expect(events).toEqual([JSON.stringify(changed('tools')), 'pause']);
  output.isFull = false;
  output.empty();
  await turn();
  // Once more, since it changed again after it was told.
  expect(events.slice(2)).toEqual([
    'resume',
    JSON.stringify(changed('prompts')),
    JSON.stringify(changed('tools')),
  ]);
});

test('an answer that waits for room is under way', async () => {
  const { conversation, output } = start(answered);
  output.isFull = true;
  conversation.receiveText('{}');
  await turn();
  let isDrained = false;
  const drained = conversation.drainRequests(60_000).then(() => (isDrained = true));
  await turn();
  expect(isDrained).toBe(false);
  output.empty();
  await drained;
});

test('draining waits for all that is under way', async () => {
  const finish: (() => void)[] = [];
  const { conversation, events } = start(async () => {
    await new Promise<void>((resolve) => finish.push(resolve));
    return { kind: 'result', id: 1, result: '{}' };
  });
  conversation.receiveText('{}');
  conversation.receiveText('{}');
  const drained = conversation.drainRequests(60_000).then(() => events.push('drained'));
  for (const each of finish) {
    each();
    await turn();
  }
  await drained;
  expect(events).toEqual([answer, answer, 'drained']);
});

test('draining ends at its time, and at once where nothing is under way', async () => {
  const { conversation } = start(async () => new Promise(() => undefined));
  await conversation.drainRequests(60_000);
  const { conversation: busy } = start(async () => new Promise(() => undefined));
  busy.receiveText('{}');
  await busy.drainRequests(1);
});

test.each([
  ['a request', { jsonrpc: '2.0', id: 7, method: 'ping' }, 7],
  ['a batch', [{ jsonrpc: '2.0', id: 7, method: 'ping' }], undefined],
])('while draining %s is refused', async (_, message, id) => {
  const { conversation, events } = start(answered);
  await conversation.drainRequests(1);
  conversation.receiveText(JSON.stringify(message));
  await turn();
  expect(events.map((text): unknown => JSON.parse(text))).toEqual([
    { jsonrpc: '2.0', id, error: { code: -32603, message: 'The server is stopping.' } },
  ]);
});

test.each([
  ['a notification', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
  ['a result', { jsonrpc: '2.0', id: 1, result: {} }],
  ['an error', { jsonrpc: '2.0', id: 1, error: { code: 0, message: '' } }],
])('while draining %s is taken', async (_, message) => {
  const taken: unknown[] = [];
  const { conversation } = start(async (each) => {
    taken.push(each);
    return undefined;
  });
  await conversation.drainRequests(1);
  conversation.receiveText(JSON.stringify(message));
  expect(taken).toEqual([readReceived(message)]);
});
