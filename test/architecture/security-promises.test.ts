// SECURITY.md: each promise names tests, and they exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFamilies } from '../../scripts/lib/attack/families.mjs';
import { repositoryRoot } from './support/source-files.ts';

interface Promised {
  words: string;
  /** Paths of tests, with words of the one in question. */
  tests: { path: string; test: string }[];
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

/** The rows of the tables whose last column names tests and rows of the attack table. */
function readPromises(markdown: string): Promised[] {
  return markdown
    .split(/^\| promise\b.*$/m)
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
          tests: [...proof.matchAll(/`([^`]+)`(?:: “([^”]+)”)?/g)].map(([, path = '', test = '']) => ({
            path,
            test,
          })),
          families: [...proof.matchAll(/\(([^)]+)\)/g)].flatMap(([, names = '']) => namedIn(names)),
        };
      });
    });
}

const page = readFileSync(join(repositoryRoot, 'SECURITY.md'), 'utf8');
const promises = readPromises(page);

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

test.each(promises)('$words', ({ tests, families }) => {
  expect([...tests, ...families]).not.toEqual([]);
  for (const { path, test: name } of tests) {
    expect(existsSync(join(repositoryRoot, path)), path).toBe(true);
    const text = readFileSync(join(repositoryRoot, path), 'utf8');
    expect(text, path).toMatch(/^(?:  )?test(?:\.each)?(?:[(<`])/m);
    expect(text, path).toContain(name);
  }
  expectRows(families);
});

test.each([...rowsOf.keys()])('a promise names the family %s', (family) => {
  expect(promises.flatMap(({ families }) => families).map((named) => named.family)).toContain(family);
});
