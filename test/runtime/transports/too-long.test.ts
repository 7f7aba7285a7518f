import { expect, test } from 'vitest';
import { findIdOfTooLongMessage } from '../../../templates/runtime/protocol/json-rpc.ts';

test.each([
  ['first', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"', '"}}}', 7],
  ['first, a text', '{"id": "a\\"b" , "jsonrpc":"2.0","method":', '"}}', undefined],
  ['before the method', '{"jsonrpc": "2.0", "id": "a\\"b", "method":"tools/call"', '"}}', 'a"b'],
  ['last', '{"method":"tools/call","params":{"', '"}},"jsonrpc":"2.0","id":12}', 12],
  ['last, with blanks', ' { "jsonrpc":"2.0", "method" : "x", "params":{"', '"} , "id" : "é" } \r', 'é'],
  ['a notification', '{"jsonrpc":"2.0","method":"x","params":{"', '"}}', undefined],
  ['of an argument', '{"jsonrpc":"2.0","method":"x","params":{"', '"id":5}}', undefined],
  ['an answer', '{"jsonrpc":"2.0","id":7,"result":{"', '"}}', undefined],
  ['an answer, id last', '{"result":{"', '"},"jsonrpc":"2.0","id":7}', undefined],
  ['cut in its middle', '{"jsonrpc":"2.0","id":123', '"}}', undefined],
  ['a list', '[{"jsonrpc":"2.0","method":"x"', '"id":5}]', undefined],
  ['no JSON', 'xxx', 'xxx', undefined],
])('the id of a request that is too long: %s', (_, head, tail, want) => {
  expect(findIdOfTooLongMessage(head, tail)).toBe(want);
});
