// The checks that `npm run attack -- --prove` takes out: each stands in what is built.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFamilies } from '../../scripts/lib/attack/families.mjs';
import { withoutCheck } from '../../scripts/lib/attack/prove/without-check.mjs';
import { repositoryRoot } from '../architecture/support/source-files.ts';

const families = await readFamilies();

test.each(families)('$family: a check names each row, and each check names one', ({ rows, checks }) => {
  const refused = rows.filter(({ isControl }) => isControl !== true).map(({ name }) => name);
  expect(refused.filter((name) => !checks.some((check) => check.rows.test(name)))).toEqual([]);
  expect(checks.filter((check) => !refused.some((name) => check.rows.test(name)))).toEqual([]);
});

const checks = families.flatMap(({ family, checks }) => checks.map((check) => ({ family, ...check })));

test.each(checks)('$family: $rows', ({ edits, files }) => {
  const built = files.map((file): [string, string] => [
    file,
    readFileSync(join(repositoryRoot, file), 'utf8'),
  ]);
  const without = withoutCheck(edits, built);
  expect(without.every((text, at) => text === built[at]?.[1])).toBe(false);
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
