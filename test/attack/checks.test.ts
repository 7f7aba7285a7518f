// The checks that `npm run attack -- --prove` takes out: each stands in what is built, and rows are named that must be let in without it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFamilies } from '../../scripts/lib/attack/families.mjs';
import { readChecks } from '../../scripts/lib/attack/prove/checks.mjs';
import {
  findRowsNamedInVain,
  findRowsWithoutProof,
} from '../../scripts/lib/attack/prove/rows-without-proof.mjs';
import { withoutCheck } from '../../scripts/lib/attack/prove/without-check.mjs';
import { repositoryRoot } from '../architecture/support/source-files.ts';

const checks = await readChecks();
const families = await readFamilies();

test('no two have one name', () => {
  expect(new Set(checks.map(({ check }) => check)).size).toBe(checks.length);
});

test('each row is named by a check, or counted among those that none has been taken out for', () => {
  expect(findRowsWithoutProof(families, checks)).toEqual([]);
});

const named = { families: ['one'], rows: /^named/ };
const listed = [{ family: 'one', rows: [{ name: 'named' }, { name: 'new' }] }];

test.each([
  ['a new row that no check names', {}, /^one: no check in prove\/checks names 1 rows, .* says 0\. .*: new$/],
  ['fewer rows than were counted', { one: [2, 'no check'] as [number, string] }, /names 1 rows, .* says 2/],
])('%s fails the table', (_, counted, words) => {
  expect(findRowsWithoutProof(listed, [named], counted)).toEqual([expect.stringMatching(words)]);
  expect(findRowsWithoutProof(listed, [named], { one: [1, 'no check'] })).toEqual([]);
});

test('a row that a check names in vain fails the proof', () => {
  expect(findRowsNamedInVain(listed, [named], new Set())).toEqual(['one: named']);
  expect(findRowsNamedInVain(listed, [named], new Set(['one: named']))).toEqual([]);
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
