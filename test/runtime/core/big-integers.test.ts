/** Integers beyond ±2^53 in ids, in arguments, and in the project's own code. */
import { expect, test } from 'vitest';
import { parseJson } from '../../../templates/runtime/json-rpc.ts';
import type { ExtraTool } from '../../../templates/runtime/types.ts';
import { openServer } from '../harness.ts';

const BIG = 9007199254740993n;

const call = (args: string, id = '1', method = 'tools/call'): unknown =>
  parseJson(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{"name":"x","arguments":${args}}}`);

const tool: ExtraTool = {
  name: 'x',
  inputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
  outputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
  handler: async ({ id }, { log }) => {
    await log('info', { id });
    return { id, type: typeof id };
  },
};

test('an id is an integer that every client can hold', async () => {
  const { send } = await openServer({ handlers: { extraTools: [tool] } });
  for (const id of [String(BIG), '1e400', '1e20', '9007199254740993.5'])
    expect(await send(call('{}', id))).not.toHaveProperty('id');
});

test('a handler gets a bigint, may log it, and may answer with it', async () => {
  const { ask, sent } = await openServer({ handlers: { extraTools: [tool] } });
  const { result } = await ask('tools/call', { name: 'x', arguments: { id: BIG } });
  const text = '{"id":9007199254740993,"type":"bigint"}';
  expect(result).toMatchObject({ content: [{ type: 'text', text }] });
  expect(sent).toMatchObject([{ params: { data: { id: BIG } } }]);
});
