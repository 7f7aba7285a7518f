// Globs of selectors: what they match, and that no glob takes long.
import { expect, test } from 'vitest';
import { compileGlob } from '../../src/util/glob.ts';

test.each<[glob: string, text: string, matches: boolean]>([
  ['/pets', '/pets', true],
  ['/pets', '/pets/1', false],
  ['/pets/*', '/pets/1', true],
  ['/pets/*', '/pets/1/owner', false],
  ['/pets/**', '/pets/1/owner', true],
  ['/*/owner', '/pets/1/owner', false],
  ['**/owner', '/pets/1/owner', true],
  ['/pets/{id}', '/pets/{id}', true],
  ['/a.b', '/aXb', false],
  ['*', '', true],
  ['', 'a', false],
  ['/😀/*', '/😀/a', true],
])('%s and %s: %s', (glob, text, matches) => {
  expect(compileGlob(glob)(text)).toBe(matches);
});

test('a glob of many asterisks takes the work of its length by that of the text', () => {
  // A regular expression in its place would try more ways than could ever be counted.
  expect(compileGlob('*a'.repeat(200))('a'.repeat(2_000))).toBe(true);
  expect(compileGlob(`${'**a'.repeat(200)}b`)('a'.repeat(2_000))).toBe(false);
});
