// Proofs are kept as long as they could count, within a bound.
import { expect, test } from 'vitest';
import { takeOnceHere } from '../../../../templates/runtime/oauth/dpop/single-use.ts';

test('a key is taken once until it expires', async () => {
  let now = 0;
  const take = takeOnceHere(10, () => now);
  expect([await take('a', 100), await take('a', 100), await take('b', 50)]).toEqual([true, false, true]);
  now = 99;
  expect(await take('a', 100)).toBe(false);
  now = 100;
  expect([await take('a', 100), await take('a', 100)]).toEqual([true, false]);
});

test('of many at once one is first', async () => {
  const take = takeOnceHere(10, () => 0);
  const found = await Promise.all(Array.from({ length: 100 }, async () => take('a', 100)));
  expect(found.filter(Boolean)).toHaveLength(1);
});

test('beyond the bound nothing is forgotten, and nothing is admitted', async () => {
  let now = 0;
  const take = takeOnceHere(2, () => now);
  await take('a', 100);
  await take('b', 100);
  await expect(take('c', 100)).rejects.toThrow('2 proofs of the last minutes are kept');
  expect(await take('a', 100)).toBe(false);
  now = 100;
  expect(await take('c', 100)).toBe(true);
});
