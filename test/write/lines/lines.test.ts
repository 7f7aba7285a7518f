import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines, unifiedDiff } from '../../../src/write/diff-lines.ts';

/** `abc` is three lines. */
const text = (letters: string): string => [...letters].map((letter) => `${letter}\n`).join('');

test.each([
  ['the same', 'abc', 'abc', []],
  ['a line more', 'ac', 'abc', [[1, 1, 1, 2]]],
  ['a line less', 'abc', 'ac', [[1, 2, 1, 1]]],
  ['another line', 'abc', 'axc', [[1, 2, 1, 2]]],
  [
    'at both ends',
    'abc',
    'xby',
    [
      [0, 1, 0, 1],
      [2, 3, 2, 3],
    ],
  ],
  ['all of it', 'ab', 'xy', [[0, 2, 0, 2]]],
  ['from nothing', '', 'ab', [[0, 0, 0, 2]]],
])('what differs: %s', (_, before, after, want) => {
  const hunks = diffLines([...before], [...after]);
  expect(hunks.map(({ start, end, newStart, newEnd }) => [start, end, newStart, newEnd])).toEqual(want);
});

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

test('the changes make the one text of the other', () => {
  fc.assert(
    fc.property(words, words, (before, after) => {
      const made: string[] = [];
      let at = 0;
      for (const { start, end, newStart, newEnd } of diffLines(before, after)) {
        made.push(...before.slice(at, start), ...after.slice(newStart, newEnd));
        at = end;
      }
      made.push(...before.slice(at));
      expect(made).toEqual(after);
    }),
  );
});

test('two long texts without a line in common are one change', () => {
  const lines = (name: string) => Array.from({ length: 3_000 }, (_, index) => `${name}${String(index)}`);
  expect(diffLines(lines('a'), lines('b'))).toEqual([{ start: 0, end: 3_000, newStart: 0, newEnd: 3_000 }]);
});

test('a unified diff, as `diff -u` prints it', () => {
  const before = text('abcdefghijklmnop');
  const after = `${text('aBcdefghijklmno')}p`;
  expect(unifiedDiff(before, after, 'old', 'new')).toBe(
    [
      '--- old\n+++ new\n@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n e\n',
      '@@ -13,4 +13,4 @@\n m\n n\n o\n-p\n+p\n\\ No newline at end of file\n',
    ].join(''),
  );
  expect(unifiedDiff(before, before, 'old', 'new')).toBe('');
  expect(unifiedDiff('', 'a\n', 'old', 'new')).toBe('--- old\n+++ new\n@@ -0,0 +1 @@\n+a\n');
});

test('line breaks of Windows are no difference', () => {
  expect(unifiedDiff('a\r\nb', 'a\nb', 'old', 'new')).toBe('');
});
