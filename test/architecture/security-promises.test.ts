// SECURITY.md: each promise names tests, and they are there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFamilies } from '../../scripts/lib/attack/families.mjs';
import { repositoryRoot } from './support/source-files.ts';

interface Promised {
  words: string;
  /** Paths of tests. */
  tests: string[];
  /** Families of the attack table, with words of names of their rows. */
  families: Named[];
}

interface Named {
  family: string;
  rows: string[];
}

/** What stands in parentheses: `sessions, callers: “a state”, “a call”, limits`. */
function namedIn(text: string): Named[] {
  const one = /([^:,“”]+)(?:: (“[^”]+”(?:, “[^”]+”)*))?(?:, |$)/y;
  const named: Named[] = [];
  while (one.lastIndex < text.length) {
    const from = one.lastIndex;
    const [, family = '', rows = ''] = one.exec(text) ?? [];
    if (family === '') throw new Error(`unreadable: ${text.slice(from)}`);
    named.push({ family, rows: [...rows.matchAll(/“([^”]+)”/g)].map(([, words = '']) => words) });
  }
  return named;
}

/** The rows of the tables with the column `proved by`. */
function promisesIn(markdown: string): Promised[] {
  return markdown
    .split(/^\| promise\b.*$/m)
    .slice(1)
    .flatMap((table) => {
      const rows = table
        .slice(0, table.indexOf('\n\n'))
        .split('\n')
        .filter((line) => /^\| [^-]/.test(line));
      return rows.map((row) => {
        const [, words = '', proof = ''] = row.split('|').map((cell) => cell.trim());
        return {
          words,
          tests: [...proof.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
          families: [...proof.matchAll(/\(([^)]+)\)/g)].flatMap(([, names = '']) => namedIn(names)),
        };
      });
    });
}

const promises = promisesIn(readFileSync(join(repositoryRoot, 'SECURITY.md'), 'utf8'));

const rowsOf = new Map(
  (await readFamilies()).map(({ family, rows }) => [family, rows.map(({ name }) => name)]),
);

test('there are promises', () => {
  expect(promises.length).toBeGreaterThan(20);
});

test.each(promises)('$words', ({ tests, families }) => {
  expect(tests).not.toEqual([]);
  for (const path of tests) {
    expect(existsSync(join(repositoryRoot, path)), path).toBe(true);
    expect(readFileSync(join(repositoryRoot, path), 'utf8'), path).toMatch(/^test(?:\.each)?(?:[(<`])/m);
  }
  for (const { family, rows } of families) {
    const names = rowsOf.get(family) ?? [];
    expect(names, family).not.toEqual([]);
    for (const words of rows)
      expect(
        names.some((name) => name.includes(words)),
        `${family}: ${words}`,
      ).toBe(true);
  }
  if (tests.includes('test/attack/attack.test.ts')) expect(families).not.toEqual([]);
});

test.each([...rowsOf.keys()])('a promise names the family %s', (family) => {
  expect(promises.flatMap(({ families }) => families).map((named) => named.family)).toContain(family);
});
