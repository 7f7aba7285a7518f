import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../templates/runtime/protocol/json-rpc.ts';
import { ProtocolError } from '../../../templates/runtime/protocol/json-rpc.ts';

test.each([1, 2, 4])('a cursor to item %i of 5 is read again', (offset) => {
  expect(decodeCursor(encodeCursor('tools', offset, 5), 'tools', 5)).toBe(offset);
});

// No cursor of ours leads to the end: the page before has none.
test.each([0, -1, 5, 6])('a cursor to item %i of 5 is refused, however well it is made', (offset) => {
  expect(() => decodeCursor(encodeCursor('tools', offset, 5), 'tools', 5)).toThrow(ProtocolError);
});

test('a cursor of another list, or of the list as it was, is refused', () => {
  const cursor = encodeCursor('tools', 2, 5);
  expect(() => decodeCursor(cursor, 'prompts', 5)).toThrow(ProtocolError);
  expect(() => decodeCursor(cursor, 'tools', 6)).toThrow(ProtocolError);
});
