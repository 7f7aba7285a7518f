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

/** Reads the text in parentheses: `sessions, callers: “a state”, “a call”, limits`. */
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

/** The rows of the tables whose last column names tests and rows of the attack table: promises, and risks that others list. */
function rowsIn(markdown: string, head: RegExp): Promised[] {
  return markdown
    .split(head)
    .slice(1)
    .flatMap((table) => {
      const rows = table
        .slice(0, table.indexOf('\n\n'))
        .split('\n')
        .filter((line) => /^\| [^-]/.test(line));
      return rows.map((row) => {
        const cells = row.split('|').map((cell) => cell.trim());
        const [words = '', proof = ''] = [cells[1], cells.at(-2)];
        return {
          words,
          tests: [...proof.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
          families: [...proof.matchAll(/\(([^)]+)\)/g)].flatMap(([, names = '']) => namedIn(names)),
        };
      });
    });
}

/** CI runs its rows by `npm run attack`. */
const ATTACK = 'scripts/attack.mjs';

const page = readFileSync(join(repositoryRoot, 'SECURITY.md'), 'utf8');
const promises = rowsIn(page, /^\| promise\b.*$/m);
const risks = rowsIn(page, /^\| risk\b.*$/m);

const rowsOf = new Map(
  (await readFamilies()).map(({ family, rows }) => [family, rows.map(({ name }) => name)]),
);

function expectRows(families: readonly Named[]): void {
  for (const { family, rows } of families) {
    const names = rowsOf.get(family) ?? [];
    expect(names, family).not.toEqual([]);
    for (const words of rows)
      expect(
        names.some((name) => name.includes(words)),
        `${family}: ${words}`,
      ).toBe(true);
  }
}

test('there are promises', () => {
  expect(promises.length).toBeGreaterThan(20);
});

test('all risks of OWASP and of the specification are listed', () => {
  expect(risks.length).toBe(18);
});

test.each(risks)('$words', ({ families }) => {
  expect(families).not.toEqual([]);
  expectRows(families);
});

test.each(promises)('$words', ({ tests, families }) => {
  expect(tests).not.toEqual([]);
  for (const path of tests) {
    expect(existsSync(join(repositoryRoot, path)), path).toBe(true);
    if (path === ATTACK) expect(families).not.toEqual([]);
    else expect(readFileSync(join(repositoryRoot, path), 'utf8'), path).toMatch(/^test(?:\.each)?(?:[(<`])/m);
  }
  expectRows(families);
});

test.each([...rowsOf.keys()])('a promise names the family %s', (family) => {
  expect(promises.flatMap(({ families }) => families).map((named) => named.family)).toContain(family);
});
