/** Integers beyond ±2^53 in the project's own code, and everywhere its arguments may be written. */
import { expect, test } from 'vitest';
import { answerMessage, joinMessage } from '../../../templates/runtime/core/call.ts';
import { createCheckedCore } from '../../support/checked-core.ts';
import { takeComplaints } from '../../support/complaints.ts';
import { canonicalJson } from '../../../templates/runtime/core/rounds.ts';
import type { ExtraTool } from '../../../templates/runtime/definition.ts';
import { parseMessage, readReceived } from '../../../templates/runtime/protocol/json-rpc.ts';
import { openServer } from './harness.ts';

const BIG = 9007199254740993n;

const call = (args: string, params = ''): string =>
  `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"x","arguments":${args}${params}}}`;

test('ids and arguments alone keep them', () => {
  const meta =
    ',"requestId":9007199254740993,"_meta":{"a":9007199254740993,"progressToken":9007199254740993}';
  expect(parseMessage(call('{"id":9007199254740993}', meta))).toMatchObject({
    id: BIG,
    params: { arguments: { id: BIG }, requestId: BIG, _meta: { a: 9007199254740992, progressToken: BIG } },
  });
});

test('an id is answered as it was written', async () => {
  const id = '9007199254740993';
  const { server, session } = await openServer({ handlers: { extraTools: [tool] } });
  const core = createCheckedCore({ current: server });
  const answer = async (text: string): Promise<string> => {
    const answered = await core(readReceived(parseMessage(text)), {
      channel: session,
      session,
      send: async () => undefined,
    });
    return answered === undefined ? '' : joinMessage(answerMessage(answered));
  };
  expect(await answer(call('{"id":1}'))).toContain(`{"jsonrpc":"2.0","id":${id},"result":{`);
  for (const [from, to, code] of [
    ['tools/call', 'no/such', -32601],
    ['2.0', '1.0', -32600],
  ] as const)
    expect(await answer(call('{}').replace(from, to))).toContain(
      `{"jsonrpc":"2.0","id":${id},"error":{"code":${code}`,
    );
  // The SDK knows no such ids.
  const complaint: unknown = expect.stringContaining('Not a JSONRPCMessage of 2025-11-25: ');
  expect(takeComplaints()).toEqual([complaint, complaint, complaint]);
});

test('an id is a number of 100 digits at most, as it is written', () => {
  const idOf = (digits: string): unknown =>
    readReceived(parseMessage(call('{}').replace('9007199254740993', digits)));
  const most = '9'.repeat(100);
  expect(idOf(`-${most}`)).toMatchObject({ kind: 'request', id: -BigInt(most) });
  expect(idOf(`${most}9`)).toEqual({ kind: 'invalid', id: undefined, reason: '`id` is too long.' });
  for (const number of ['1e400', '1e20', '9007199254740993.5'])
    expect(idOf(number)).toMatchObject({ kind: 'invalid', id: undefined });
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
