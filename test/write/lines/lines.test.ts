import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines, mergeLines, splitLines, unifiedDiff } from '../../../src/write/diff-lines.ts';

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

test.each([
  ['mine alone', 'abc', 'aXc', 'abc', 'aXc'],
  ['theirs alone', 'abc', 'abc', 'abY', 'abY'],
  ['both, apart', 'abcde', 'Xbcde', 'abcdY', 'XbcdY'],
  ['both the same', 'abc', 'aXc', 'aXc', 'aXc'],
  ['both add the same', 'ac', 'abc', 'abc', 'abc'],
  ['mine removed, theirs added apart', 'abcde', 'acde', 'abcdeY', 'acdeY'],
  ['from nothing', '', '', 'ab', 'ab'],
])('merges: %s', (_, base, mine, theirs, want) => {
  expect(mergeLines(text(base), text(mine), text(theirs))).toEqual({ text: text(want), conflicts: [] });
});

test.each([
  ['the same line', 'abc', 'aXc', 'aYc', [[2, 2]]],
  ['neighbouring lines', 'abcd', 'aXcd', 'abYd', [[2, 3]]],
  ['removed and changed', 'abc', 'ac', 'aYc', [[2, 2]]],
  ['the same place', 'ab', 'aXb', 'aYb', [[2, 2]]],
  [
    'two places',
    'abcdefg',
    'XbcdefX',
    'YbcdefY',
    [
      [1, 1],
      [7, 7],
    ],
  ],
])('stops at a conflict: %s', (_, base, mine, theirs, want) => {
  const { text: merged, conflicts } = mergeLines(text(base), text(mine), text(theirs));
  expect(merged).toBeUndefined();
  expect(conflicts.map(({ first, last }) => [first, last])).toEqual(want);
});

test('a change of one side alone is that side, of both sides the same is either', () => {
  fc.assert(
    fc.property(words, words, (base, changed) => {
      const [old, now] = [text(base.join('')), text(changed.join(''))];
      expect(mergeLines(old, now, old).text).toBe(now);
      expect(mergeLines(old, old, now).text).toBe(now);
      expect(mergeLines(old, now, now).text).toBe(now);
    }),
  );
});

test('line breaks of Windows are no difference', () => {
  expect(splitLines('a\r\nb')).toEqual(['a\n', 'b']);
});
