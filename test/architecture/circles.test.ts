import { join } from 'node:path';
import { expect, test } from 'vitest';
import { circlesIn } from '../../scripts/lib/house/circles.mjs';
import { type Module, readModules } from '../../scripts/lib/house/modules.mjs';
import { repositoryRoot } from './support/source-files.ts';

test('no modules of the runtime import values in a circle', () => {
  expect(circlesIn(readModules(join(repositoryRoot, 'templates/runtime')), false)).toEqual([]);
});

test('a circle is found at a distance, and one of types only when types count', () => {
  const module = (file: string, to: string, isType = false): Module => ({ file, imports: [{ to, isType }] });
  const values = [module('a', 'b'), module('b', 'c'), module('c', 'a'), module('d', 'a')];
  expect(circlesIn(values, false).map((group) => group.sort())).toEqual([['a', 'b', 'c']]);
  const types = [module('a', 'b'), module('b', 'a', true)];
  expect(circlesIn(types, false)).toEqual([]);
  expect(circlesIn(types, true)).toHaveLength(1);
});
