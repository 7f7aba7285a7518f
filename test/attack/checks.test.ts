// The checks that `npm run attack -- --prove` takes out: each stands in what is built, and each row was admitted without some of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFamilies } from '../../scripts/lib/attack/families.mjs';
import { readChecks } from '../../scripts/lib/attack/prove/checks.mjs';
import { findUnprovedFamilies, readRecord } from '../../scripts/lib/attack/prove/record.mjs';
import { withoutCheck } from '../../scripts/lib/attack/prove/without-check.mjs';
import { repositoryRoot } from '../architecture/support/source-files.ts';

const checks = await readChecks();
const families = await readFamilies();

test('no two have one name', () => {
  expect(new Set(checks.map(({ check }) => check)).size).toBe(checks.length);
});

test('each family was proved, or is named as open', () => {
  expect(findUnprovedFamilies(families, readRecord())).toEqual([]);
});

test('a family with another row was not proved', () => {
  const one = families.filter(({ family }) => family === 'tokens');
  const more = one.map(({ family, rows }) => ({ family, rows: [...rows, { name: 'new' }] }));
  expect(findUnprovedFamilies([...one, ...more], readRecord())).toEqual(['tokens']);
});

test.each(checks)('$check', ({ edits, files, ...named }) => {
  const built = files.map((file): [string, string] => [
    file,
    readFileSync(join(repositoryRoot, file), 'utf8'),
  ]);
  const without = withoutCheck(edits, built);
  expect(without.every((text, at) => text === built[at]?.[1])).toBe(false);
  const rows = families.filter(({ family }) => named.families.includes(family)).flatMap((one) => one.rows);
  expect(rows.filter(({ name }) => named.rows?.test(name) !== false)).not.toEqual([]);
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
