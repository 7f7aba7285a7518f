/** Integers beyond ±2^53 in the project's own code, and everywhere its arguments may be written. */
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../templates/runtime/core/rounds.ts';
import type { ExtraTool } from '../../../templates/runtime/definition.ts';
import { parseMessage } from '../../../templates/runtime/protocol/json-rpc.ts';
import { openServer } from './harness.ts';

const BIG = 9007199254740993n;

const call = (args: string, params = ''): string =>
  `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"x","arguments":${args}${params}}}`;

test('arguments alone keep them', () => {
  const message = parseMessage(call('{"id":9007199254740993}', ',"_meta":{"a":9007199254740993}'));
  expect(message).toMatchObject({
    id: 9007199254740992,
    params: { arguments: { id: BIG }, _meta: { a: 9007199254740992 } },
  });
});

test('each message of a batch', () => {
  const batch = parseMessage(`[1,${call('{"id":9007199254740993}')},${call('[9007199254740993]')}]`);
  expect(batch).toMatchObject([
    1,
    { params: { arguments: { id: BIG } } },
    { params: { arguments: [9007199254740992] } },
  ]);
});

const tool: ExtraTool = {
  name: 'x',
  inputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
  outputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
  handler: async ({ id }, { log }) => {
    await log('info', { id: id as number });
    return { id, type: typeof id };
  },
};

test('a handler gets a bigint, may log it, and may answer with it', async () => {
  const { ask } = await openServer({ handlers: { extraTools: [tool] } });
  const { result } = await ask('tools/call', { name: 'x', arguments: { id: BIG } });
  expect(result).toMatchObject({
    content: [{ type: 'text', text: '{"id":9007199254740993,"type":"bigint"}' }],
  });
});

test('a number beyond the range of doubles is refused', async () => {
  const { send } = await openServer({ handlers: { extraTools: [tool] } });
  const text = call('{"id":1e400}').replace('9007199254740993', '1');
  expect(await send(parseMessage(text))).toMatchObject({
    result: {
      isError: true,
      content: [
        { text: expect.stringContaining('must be an integer within ±1.8e308 but is "1e400"') as unknown },
      ],
    },
  });
});

test('the state of a call that asks', () => {
  expect(canonicalJson({ b: [BIG], a: 1 })).toBe('{"a":1,"b":[9007199254740993]}');
});
