import { expect, test } from 'vitest';
import { findJsonSyntaxError } from '../../src/diagnostics/locate/json-syntax.ts';

test.each<[text: string, offset: number, problem: string]>([
  ['{"a":1,}', 7, 'there is a comma before the closing bracket'],
  ['[1 2]', 3, 'found "2" where a comma or `]` should follow'],
  ['{"a":1 "b":2}', 7, 'found "\\"" where a comma or `}` should follow'],
  ['{"a" 1}', 5, 'found "1" where a colon should follow'],
  ["{'a':1}", 1, 'found "\'" where a key in double quotes should follow'],
  ['{"a":}', 5, 'found "}" where a value should follow'],
  ['{"a":"b', 7, 'a string is not closed'],
  ['{"a":"b\n"}', 7, 'a string has a line break or control character in it'],
  ['{"a":"\\x"}', 6, 'a string has an escape JSON does not know'],
  ['{"a":1', 6, 'the text ends where a comma or `}` should follow'],
  ['{} {}', 3, 'there is more text after the end of the value'],
  ['{"a":01}', 6, 'found "1" where a comma or `}` should follow'],
  ['[}', 1, 'found "}" where a value should follow'],
])('%j', (text, offset, problem) => {
  expect(() => JSON.parse(text) as unknown).toThrow();
  expect(findJsonSyntaxError(text)).toEqual({ offset, problem });
});

test.each(['{"a":[1,-2.5e3,true,null,"\\u00e9\\n"]}', '[]', ' {} ', '[[],{}]'])('%j is fine', (text) => {
  expect(findJsonSyntaxError(text)).toBeUndefined();
});
