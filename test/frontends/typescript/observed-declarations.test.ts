// Declaration files that come later are seen by those who wait for changes.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { readTypeScript } from '../../../src/frontends/typescript/index.ts';
import { LookedAt } from '../../../src/watch/looked-at.ts';
import { folderOf } from './compile-files.ts';

test.each([
  { given: 'globals.d.ts', want: ['globals.d.ts'] },
  { given: 'src/globals.d.mts', want: ['src/globals.d.mts'] },
  { given: 'dist/globals.d.ts', want: [] },
  { given: 'globals.txt', want: [] },
])('without a tsconfig.json, a new $given changes: $want', async ({ given, want }) => {
  const folder = await folderOf({
    'src/a.ts': '/** @tool */\nexport function a(): void {}\n',
    'dist/a.js': '',
  });
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const looked = new LookedAt();
  readTypeScript({ groups: [['src/a.ts']], cwd: folder, observer: looked }, new DiagnosticCollector());
  expect(looked.changes()).toEqual([]);
  writeFileSync(join(folder, given), 'declare const given: string;\n');
  expect(looked.changes()).toEqual(want.map((name) => join(folder, name)));
});
