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
  ...['server/test/wire.test.ts', 'server/tools/own.ts', 'new/src/main.ts', 'old/src/c.ts'],
];
for (const file of FILES) {
  mkdirSync(join(cwd, dirname(file)), { recursive: true });
  writeFileSync(join(cwd, file), '');
}

test.each([
  { patterns: ['src/**/*.ts'], want: ['src/a.ts'] },
  { patterns: ['src/**/*'], want: ['src/a.ts', 'src/deep/b.js'] },
  {
    patterns: ['**/*.ts', '**/*.js'],
    want: ['new/src/main.ts', 'old/src/c.ts', 'server/tools/own.ts', 'src/a.ts', 'src/deep/b.js'],
  },
  {
    patterns: ['**/*.ts'],
    target: 'new',
    want: ['old/src/c.ts', 'server/tools/own.ts', 'src/a.ts'],
  },
  { patterns: ['src/a.ts', 'server/src/main.ts', 'mcpgen.config.ts'], want: ['src/a.ts'] },
])('$patterns, written to $target: $want', ({ patterns, target, want }) => {
  const diagnostics = new DiagnosticCollector();
  const files = findFiles(patterns, { cwd, target }, diagnostics);
  expect(files.map((file) => relative(cwd, file))).toEqual(want);
  expect(diagnostics.found).toEqual([]);
});

test.each([
  { patterns: ['server/src/**/*.ts'] },
  { patterns: ['server/src/main.ts'] },
  { patterns: ['gone.ts'] },
  { patterns: ['gone/**/*.ts'] },
])('$patterns: there is nothing to read', ({ patterns }) => {
  const diagnostics = new DiagnosticCollector();
  expect(findFiles(patterns, { cwd }, diagnostics)).toEqual([]);
  expect(diagnostics.found.map(({ message }) => message)).toEqual([
    `No TypeScript or JavaScript file matches ${patterns[0] ?? ''}.`,
  ]);
});
