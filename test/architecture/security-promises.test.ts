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
  /** Families of the attack table. */
  families: string[];
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
          families: [...proof.matchAll(/\(([^)]+)\)/g)].flatMap(([, names = '']) => names.split(', ')),
        };
      });
    });
}

const promises = promisesIn(readFileSync(join(repositoryRoot, 'SECURITY.md'), 'utf8'));

test('there are promises', () => {
  expect(promises.length).toBeGreaterThan(20);
});

test.each(promises)('$words', async ({ tests, families }) => {
  expect(tests).not.toEqual([]);
  for (const path of tests) {
    expect(existsSync(join(repositoryRoot, path)), path).toBe(true);
    expect(readFileSync(join(repositoryRoot, path), 'utf8'), path).toMatch(/^test(?:\.each)?(?:[(<`])/m);
  }
  const known = new Map((await readFamilies()).map(({ family, rows }) => [family, rows.length]));
  for (const family of families) expect(known.get(family), family).toBeGreaterThan(0);
  if (tests.includes('test/attack/attack.test.ts')) expect(families).not.toEqual([]);
});
