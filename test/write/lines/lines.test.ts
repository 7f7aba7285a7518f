import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '../../../src/write/diff-lines.ts';

/** `abc` is three lines. */
const text = (letters: string): string => [...letters].map((letter) => `${letter}\n`).join('');

test('a unified diff, as `diff -u` prints it', async () => {
  const before = text('abcdefghijklmnop');
  const after = `${text('aBcdefghijklmno')}p`;
  expect(await unifiedDiff(before, after, 'old', 'new')).toBe(
    [
      '--- old\n+++ new\n@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n e\n',
      '@@ -13,4 +13,4 @@\n m\n n\n o\n-p\n+p\n\\ No newline at end of file\n',
    ].join(''),
  );
  expect(await unifiedDiff(before, before, 'old', 'new')).toBe('');
  expect(await unifiedDiff('', 'a\n', 'old', 'new')).toBe('--- old\n+++ new\n@@ -0,0 +1,1 @@\n+a\n');
});

test('the patch makes the one text of the other', async () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 12 }).map(text);
  await fc.assert(
    fc.asyncProperty(letters, letters, async (before, after) => {
      expect(applyPatch(before, await unifiedDiff(before, after, 'old', 'new'))).toBe(after);
    }),
  );
});

test('two long texts without a line in common are one change', async () => {
  const lines = (name: string) => Array.from({ length: 3_000 }, (_, index) => `${name}${index}\n`).join('');
  const patch = await unifiedDiff(lines('a'), lines('b'), 'old', 'new');
  expect(patch.match(/^@@.*$/gm)).toEqual(['@@ -1,3000 +1,3000 @@']);
  expect(applyPatch(lines('a'), patch)).toBe(lines('b'));
});

test('line breaks of Windows are no difference', async () => {
  expect(await unifiedDiff('a\r\nb', 'a\nb', 'old', 'new')).toBe('');
});
