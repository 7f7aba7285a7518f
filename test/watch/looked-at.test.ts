// Changes that count for a file that a run read.
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LookedAt } from '../../src/watch/watch.ts';

interface Row {
  what: string;
  change: (path: (name: string) => string) => void;
  want: string[];
}

test.each<Row>([
  { what: 'nothing', change: () => undefined, want: [] },
  { what: 'a text of another length', change: (at) => writeFileSync(at('there'), 'longer'), want: ['there'] },
  { what: 'a time', change: (at) => utimesSync(at('there'), 9, 9), want: ['there'] },
  {
    what: 'a file of the same time in its place',
    change: (at) => {
      writeFileSync(at('new'), 'text');
      utimesSync(at('new'), 5, 5);
      renameSync(at('new'), at('there'));
    },
    want: ['there'],
  },
  { what: 'a file gone', change: (at) => rmSync(at('there')), want: ['there'] },
  { what: 'a missing file that came', change: (at) => writeFileSync(at('missing'), ''), want: ['missing'] },
  { what: 'a folder in place of a missing file', change: (at) => mkdirSync(at('missing')), want: [] },
  {
    what: 'a file below what was no folder',
    change: (at) => writeFileSync(at('folder'), ''),
    want: [],
  },
  { what: 'a match of a pattern', change: (at) => writeFileSync(at('match'), ''), want: ['match'] },
  { what: 'another file', change: (at) => writeFileSync(at('other'), ''), want: [] },
])('$what: $want', ({ change, want }) => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('there'), 'text');
  utimesSync(at('there'), 5, 5);
  const looked = new LookedAt();
  for (const name of ['there', 'missing', 'folder/missing']) looked.file(at(name));
  const found: string[] = [];
  looked.pattern(() => found);
  change(at);
  if (want.includes('match')) found.push(at('match'));
  expect(looked.listChangedFiles()).toEqual(want.map(at));
});

test('a file that changed after it was read in a round is a change for the next', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a');
  writeFileSync(file, 'one');
  const first = new LookedAt();
  first.file(file);
  const second = new LookedAt(first);
  writeFileSync(file, 'other');
  second.file(file);
  expect(second.listChangedFiles()).toEqual([file]);
});
