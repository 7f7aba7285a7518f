// A slice of `npm run libraries`: packages that are installed here.
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFunctions } from '../../scripts/lib/libraries/list-functions.mjs';
import { readPackage } from '../../scripts/lib/libraries/read-package.mjs';
import { folderOf } from '../frontends/typescript/compile-files.ts';

let folder = '';
beforeAll(async () => {
  folder = await folderOf({});
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['date-fns', 200, 1],
  ['mathjs', 200, 0.8],
  ['fast-check', 50, 0],
])('%s is read whole', async (name, least, share) => {
  const functions = listFunctions(folder, name);
  expect(functions.length).toBeGreaterThan(least);
  const { crashes, tools } = await readPackage(folder, name, functions);
  expect(crashes).toEqual([]);
  expect(tools).toBeGreaterThanOrEqual(functions.length * share);
});
