// Which files paths and globs name: what mcpgen has written is never among them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { findFiles } from '../../../src/frontends/typescript/program/find-files.ts';
import { temporaryFolder } from '../../cli/support/temporary-folder.ts';

const cwd = temporaryFolder();
const FILES = [
  ...['src/a.ts', 'src/deep/b.js', 'src/types.d.ts', 'mcpgen.config.ts', 'node_modules/x/index.ts'],
  ...['server/mcpgen.lock', 'server/src/main.ts', 'server/src/app/a.ts', 'server/dist/app/a.js'],
  ...['more/a.ts', 'more/b.mts', 'more/c.cts', 'more/ab.ts', 'more/inner/d.ts', 'more/inner/e.js'],
  ...['more/[id]/f.ts', 'more/(group)/g.ts', 'more/[x].ts', 'more/.dot/h.ts'],
  ...['server/test/wire.test.ts', 'server/tools/own.ts', 'new/src/main.ts', 'old/src/c.ts'],
];
for (const file of FILES) {
  mkdirSync(join(cwd, dirname(file)), { recursive: true });
  writeFileSync(join(cwd, file), '');
}

function nothing(pattern: string): string {
  return `No TypeScript or JavaScript file matches ${pattern}.`;
}

test.each<{ patterns: string[]; target?: string; want: string[]; told?: string }>([
  { patterns: ['src/**/*.ts'], want: ['src/a.ts'] },
  { patterns: ['src/**/*'], want: ['src/a.ts', 'src/deep/b.js'] },
  {
    patterns: ['**/*.ts', '**/*.js', '!more'],
    want: ['new/src/main.ts', 'old/src/c.ts', 'server/tools/own.ts', 'src/a.ts', 'src/deep/b.js'],
  },
  {
    patterns: ['**/*.ts', '!more/**'],
    target: 'new',
    want: ['old/src/c.ts', 'server/tools/own.ts', 'src/a.ts'],
  },
  { patterns: ['src/a.ts', 'server/src/main.ts', 'mcpgen.config.ts'], want: ['src/a.ts'] },
  { patterns: ['more/*.{ts,mts}'], want: ['more/[x].ts', 'more/a.ts', 'more/ab.ts', 'more/b.mts'] },
  { patterns: ['{src,more}/a.ts'], want: ['more/a.ts', 'src/a.ts'] },
  { patterns: ['more/?.ts'], want: ['more/a.ts'] },
  { patterns: ['more/[a-b]*.ts'], want: ['more/a.ts', 'more/ab.ts'] },
  { patterns: ['more/[!b].?ts'], want: ['more/c.cts'] },
  { patterns: ['more/+(a|b).ts'], want: ['more/a.ts', 'more/ab.ts'] },
  {
    patterns: ['more/**/*.ts', '!**/inner/**', '!more/a?.ts'],
    want: ['more/(group)/g.ts', 'more/[id]/f.ts', 'more/[x].ts', 'more/a.ts'],
  },
  {
    patterns: ['!more/inner', 'more/**/[d-e].{ts,js}', 'src/a.ts'],
    want: ['src/a.ts'],
    told: 'more/**/[d-e].{ts,js}',
  },
  {
    patterns: ['more/[id]/*.ts', 'more/(group)/g.ts', 'more/[x].ts'],
    want: ['more/(group)/g.ts', 'more/[id]/f.ts', 'more/[x].ts'],
  },
  { patterns: ['./more/../src/*.ts', `${cwd}/more/b.*`], want: ['more/b.mts', 'src/a.ts'] },
  { patterns: ['more/.dot/*.ts'], want: ['more/.dot/h.ts'] },
])('$patterns, written to $target: $want', ({ patterns, target, want, told }) => {
  const diagnostics = new DiagnosticCollector();
  const files = findFiles(patterns, { cwd, target }, diagnostics);
  expect(files.map((file) => relative(cwd, file))).toEqual(want);
  expect(diagnostics.found.map(({ message }) => message)).toEqual(told === undefined ? [] : [nothing(told)]);
});

test.each([
  { patterns: ['server/src/**/*.ts'] },
  { patterns: ['server/src/main.ts'] },
  { patterns: ['gone.ts'] },
  { patterns: ['gone/**/*.ts'] },
  { patterns: ['more/*.{js,jsx}'] },
  { patterns: ['more'] },
  { patterns: ['!more/**'] },
  { patterns: ['src/a.ts', '!src'] },
])('$patterns: there is nothing to read', ({ patterns }) => {
  const diagnostics = new DiagnosticCollector();
  expect(findFiles(patterns, { cwd }, diagnostics)).toEqual([]);
  expect(diagnostics.found.map(({ message }) => message)).toEqual([nothing(patterns[0] ?? '')]);
});
