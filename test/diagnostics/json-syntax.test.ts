import { expect, test } from 'vitest';
import { findJsonSyntaxError } from '../../src/diagnostics/locate/json-syntax.ts';

test.each<[text: string, offset: number, problem: string]>([
  ['{"a":1 "b":2}', 7, 'comma expected'],
  ['{"a":}', 5, 'value expected'],
  ['{"a":1', 6, 'close brace expected'],
  ['', 0, 'value expected'],
  ['{"a":"b', 5, 'unexpected end of string'],
  ['{ // b\n}', 2, 'invalid comment token'],
])('%j', (text, offset, problem) => {
  expect(findJsonSyntaxError(text)).toEqual({ offset, problem });
});

test('a text of brackets alone has no place', () => {
  expect(findJsonSyntaxError('['.repeat(1_000_000))).toBeUndefined();
});
