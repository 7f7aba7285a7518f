// Requests that need no waiting are answered without a promise.
import { expect, test } from 'vitest';

import type { Handlers } from '../../../templates/runtime/definition.ts';
import { readReceived } from '../../../templates/runtime/protocol/json-rpc.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { openServer } from './harness.ts';

const thenable = { then: (resolve: (value: string) => void) => resolve('done') };
const work: Record<string, () => unknown> = {
  quick: () => 'done',
  failing: () => {
    throw new Error('no luck');
  },
  slow: async () => 'done',
  thenable: () => thenable,
  'failing later': () => Promise.reject(new Error('no luck')),
};

/** The core's own answer to a call, once the code of calls is loaded. */
async function answerOf(name: string, method = 'tools/call'): Promise<unknown> {
  const inputSchema = { type: 'object' as const, maxProperties: 0 };
  const extraTools = Object.entries(work).map(([tool, handler]) => ({ name: tool, inputSchema, handler }));
  const { server, session, ask } = await openServer({ handlers: { extraTools } as Handlers });
  await ask('tools/call', { name: 'quick' });
  const [tool, argument] = name.split(' with ');
  const params = { name: tool, arguments: argument === undefined ? {} : { [argument]: 1 } };
  const exchange = { channel: session, session, send: async () => undefined };
  const answer = createCheckedCore(server)(
    readReceived({ jsonrpc: '2.0', id: 'x', method, params }),
    exchange,
  );
  // In an object, since what is awaited is no promise any more.
  return { answer, inFlight: session.inFlightRequests.size };
}

const result = (text: string, more = {}) => ({ ...more, content: [{ type: 'text', text }] });

test.each([
  ['quick', { text: JSON.stringify(result('done')) }],
  ['failing', { text: expect.stringContaining('no luck') as unknown }],
  ['quick with an argument', { text: expect.stringContaining('do not match its input schema') as unknown }],
])('at once: %s', async (name, given) => {
  expect(await answerOf(name)).toMatchObject({
    answer: { kind: 'result', id: 'x', result: given },
    inFlight: 0,
  });
});

test('at once: what is refused', async () => {
  const unknown = await answerOf('nobody');
  expect(unknown).toMatchObject({ answer: { kind: 'error', code: -32602 }, inFlight: 0 });
  expect(await answerOf('', 'ping')).toMatchObject({ answer: { kind: 'result' }, inFlight: 0 });
});

test.each(['slow', 'thenable', 'failing later'])('later: %s', async (name) => {
  const { answer, inFlight } = (await answerOf(name)) as { answer: unknown; inFlight: number };
  expect(answer).toBeInstanceOf(Promise);
  expect(inFlight).toBe(1);
  const text = expect.stringContaining(name === 'failing later' ? 'no luck' : 'done') as unknown;
  expect(await answer).toMatchObject({ kind: 'result', result: { text } });
});
