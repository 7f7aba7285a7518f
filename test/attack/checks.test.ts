// The checks that `npm run attack -- --prove` takes out: each stands in what is built, and rows are named that must be let in without it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFamilies } from '../../scripts/lib/attack/families.mjs';
import { readChecks } from '../../scripts/lib/attack/prove/checks.mjs';
import { withoutCheck } from '../../scripts/lib/attack/prove/without-check.mjs';
import { repositoryRoot } from '../architecture/support/source-files.ts';

const checks = await readChecks();
const families = await readFamilies();

test('no two have one name', () => {
  expect(new Set(checks.map(({ check }) => check)).size).toBe(checks.length);
});

test.each(checks)('$check', ({ edits, files, ...named }) => {
  const built = files.map((file): [string, string] => [
    file,
    readFileSync(join(repositoryRoot, file), 'utf8'),
  ]);
  const without = withoutCheck(edits, built);
  expect(without.every((text, at) => text === built[at]?.[1])).toBe(false);
  const rows = families.filter(({ family }) => named.families.includes(family)).flatMap((one) => one.rows);
  expect(rows.filter(({ name }) => named.rows.test(name))).not.toEqual([]);
});

test.each([
  ['that is nowhere', 'if (no)', 'nowhere is if (no)'],
  ['that is there twice', 'twice', 'twice is there 2 times'],
])('a text %s', (_, text, message) => {
  const files: [string, string][] = [
    ['a.js', 'once'],
    ['b.js', 'twice twice'],
  ];
  expect(() => withoutCheck([[text, '']], files)).toThrow(message);
});
