import { expect, test } from 'vitest';
import { gate } from '../client.ts';
import { openServer } from '../harness.ts';

const request = { jsonrpc: '2.0', id: 1, method: 'ping' };

test.each([
  ['null', null, undefined, 'A message is a JSON object.'],
  ['a text', 'ping', undefined, 'A message is a JSON object.'],
  ['a number', 1, undefined, 'A message is a JSON object.'],
  ['a result without id', { jsonrpc: '2.0', result: {} }, undefined, '`method` must be a string.'],
])('%s is an invalid request', async (_, message, id, words) => {
  const reply = await (await openServer()).send(message);
  expect(reply).toEqual({
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    error: { code: -32600, message: words },
    origin: 'message',
  });
});

test('members nobody knows are ignored', async () => {
  const message = { ...request, extra: true, params: { _meta: { 'a/b': 1 }, more: 1 } };
  expect(await (await openServer()).send(message)).toMatchObject({ result: {} });
});

test('more requests at work than the limit are refused', async () => {
  const { open: finish, opened } = gate();
  const server = await openServer({
    handlers: { extraTools: [{ name: 'slow', inputSchema: { type: 'object' }, handler: () => opened }] },
    limits: { requestsInFlight: 1 },
  });
  const first = server.ask('tools/call', { name: 'slow' });
  const { error, origin } = await server.ask('ping');
  expect([error?.code, error?.message, origin]).toEqual([
    -32603,
    '1 requests are at work already. Try again in 1 second.',
    'rate',
  ]);
  finish();
  expect((await first).error).toBeUndefined();
});

test('a fault of the runtime is told to its report, and to the client without its inside', async () => {
  const server = await openServer({
    catalog: { tools: [{ name: 'unbound', inputSchema: { type: 'object' } }] },
  });
  const { error } = await server.ask('tools/call', { name: 'unbound' });
  expect(error).toEqual({ code: -32603, message: 'Internal error.' });
  expect(server.reported).toHaveLength(1);
});
