import { expect, test } from 'vitest';
import { TextLines } from '../../../src/util/text-lines.ts';
import { renderCodeFrame } from '../../../src/diagnostics/render/pretty.ts';
import { keepUnstyled } from '../../../src/diagnostics/render/terminal-text.ts';

function frame(text: string, line: number, column: number, length: number): string[] {
  return renderCodeFrame(new TextLines(text), { line, column, length }, { paint: keepUnstyled });
}

test('shows the line between its neighbours, carets below it', () => {
  expect(frame('paths:\n  /pets:\n    get:\n      operationId: a\n', 3, 5, 3)).toEqual([
    '2 |   /pets:',
    '3 |     get:',
    '  |     ^^^',
    '4 |       operationId: a',
  ]);
});

test('tabs, escapes and wide characters keep the carets under their text', () => {
  expect(frame('\tname: x', 1, 2, 4)).toEqual(['1 |   name: x', '  |   ^^^^']);
  expect(frame('\x1b[31m: x', 1, 8, 1)).toEqual(['1 | \\x1b[31m: x', '  |           ^']);
  expect(frame('日本: x', 1, 5, 1)).toEqual(['1 | 日本: x', '  |       ^']);
});

test('a minified document is cut to a window around the place', () => {
  const text = `{${'"a":1,'.repeat(5000)}"bad":true,${'"a":1,'.repeat(5000)}"z":0}`;
  const column = text.indexOf('"bad"') + 1;
  const [line = '', carets = ''] = frame(text, 1, column, 5);
  expect(line.length).toBeLessThan(170);
  expect(line.startsWith('1 | …')).toBe(true);
  expect(line.endsWith('…')).toBe(true);
  expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('"bad"');
});

test.each([
  { what: 'a line that is not there', line: 9, column: 1, want: [] },
  { what: 'a column past the end', line: 1, column: 99, want: ['1 | a: 1', '  |     ^'] },
])('$what does no harm', ({ line, column, want }) => {
  expect(frame('a: 1', line, column, 5)).toEqual(want);
});
