import { expect, test } from 'vitest';
import { assertPathsUnique, isSafePath } from '../../src/emit/generated-file.ts';

const file = (path: string) => ({ path, contents: '', ownership: 'generated' }) as const;

test.each([
  ['a', true],
  ['src/runtime/core/x.ts', true],
  ['', false],
  ['/etc/passwd', false],
  ['../x', false],
  ['a//b', false],
  ['a\\b', false],
  ['C:/x', false],
  ['a\0b', false],
])('isSafePath(%j) is %s', (path, want) => {
  expect(isSafePath(path)).toBe(want);
});

test('returns files with paths of their own', () => {
  const files = [file('a'), file('b/c')];
  expect(assertPathsUnique(files)).toBe(files);
});

test.each([
  [['a', 'b', 'a'], 'Two emitters claim the path a.'],
  [['README.md', 'readme.md'], 'Two emitters claim the path readme.md.'],
  [['../a'], 'An emitter made the unsafe path "../a".'],
])('throws for %j', (paths, message) => {
  expect(() => assertPathsUnique(paths.map(file))).toThrow(message);
});
