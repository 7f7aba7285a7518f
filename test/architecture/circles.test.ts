import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { circlesIn } from '../../scripts/lib/house/circles.mjs';
import { type Module, readModules } from '../../scripts/lib/house/modules.mjs';
import { repositoryRoot } from './support/source-files.ts';

test.each(['src', 'templates/runtime'])('no modules of %s import values in a circle', (folder) => {
  expect(circlesIn(readModules(join(repositoryRoot, folder)), false)).toEqual([]);
});

test.each(['src', 'templates/runtime'])(
  'modules of %s that import types in a circle are at most four, of one folder',
  (folder) => {
    const circles = circlesIn(readModules(join(repositoryRoot, folder)), true);
    const tooWide = circles.filter((files) => files.length > 4 || new Set(files.map(dirname)).size > 1);
    expect(tooWide).toEqual([]);
  },
);

test('a circle is found at a distance, and one of types only when types count', () => {
  const module = (file: string, to: string, isType = false): Module => ({ file, imports: [{ to, isType }] });
  const values = [module('a', 'b'), module('b', 'c'), module('c', 'a'), module('d', 'a')];
  expect(circlesIn(values, false).map((group) => group.sort())).toEqual([['a', 'b', 'c']]);
  const types = [module('a', 'b'), module('b', 'a', true)];
  expect(circlesIn(types, false)).toEqual([]);
  expect(circlesIn(types, true)).toHaveLength(1);
});
