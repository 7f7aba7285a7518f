import { expect, test } from 'vitest';
import {
  displayWidth,
  renderJson,
  escapeInvisible,
  escapeInvisibleInLines,
} from '../../../src/diagnostics/render/terminal-text.ts';

test.each([
  { given: 'plain words, déjà vu, 日本, 🐶', want: 'plain words, déjà vu, 日本, 🐶' },
  { given: 'red \x1b[31malert\x1b[0m', want: 'red \\x1b[31malert\\x1b[0m' },
  { given: 'C1 \u009b2J', want: 'C1 \\x9b2J' },
  { given: 'a\r\nb\tc\0', want: 'a\\r\\nb\\tc\\0' },
  { given: 'user\u202etxt.exe', want: 'user\\u{202e}txt.exe' },
  { given: 'zero\u200bwidth\ufeff', want: 'zero\\u{200b}width\\u{feff}' },
  { given: 'lone \ud800 surrogate', want: 'lone \\u{d800} surrogate' },
  { given: 'tag \u{e0041}', want: 'tag \\u{e0041}' },
])('$want', ({ given, want }) => {
  expect(escapeInvisible(given)).toBe(want);
});

test('following lines are indented, so that they cannot pose as a report of ours', () => {
  expect(escapeInvisibleInLines('first\r\nFound 0 errors.\x07', '  ')).toBe('first\n  Found 0 errors.\\x07');
});

test.each([
  { given: 'abc', want: 3 },
  { given: '日本', want: 4 },
  { given: '🐶!', want: 3 },
  { given: 'e\u0301', want: 1 },
])('$given takes $want cells', ({ given, want }) => {
  expect(displayWidth(given)).toBe(want);
});

test('JSON keeps its value and drives no terminal', () => {
  const value = { text: '\u009b31m \u202e \x1b[2J', list: [1, '日'] };
  const text = renderJson(value);
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  expect(JSON.parse(text)).toEqual(value);
});
