// Declaration files that come later are seen by those who wait for changes.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { readTypeScript } from '../../../src/frontends/typescript/index.ts';
import { LookedAt } from '../../../src/watch/watch.ts';
import { folderOf } from './compile-files.ts';

test.each([
  { given: 'types/globals.d.ts', want: ['types/globals.d.ts'] },
  { given: '../globals.d.ts', want: [] },
  { given: 'types/other.ts', want: [] },
  { given: 'else/globals.d.ts', want: [] },
])('of what a tsconfig.json includes, a new $given changes: $want', async ({ given, want }) => {
  const folder = await folderOf({
    'at/src/a.ts': '/** @tool */\nexport function a(): void {}\n',
    'at/types/first.d.ts': 'declare const first: string;\n',
    'at/else/none.txt': '',
    'at/tsconfig.json': '{ "include": ["src", "types/**/*"] }',
  });
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const looked = new LookedAt();
  readTypeScript({ groups: [['at/src/a.ts']], cwd: folder, observer: looked }, new DiagnosticCollector());
  expect(looked.listChangedFiles()).toEqual([]);
  writeFileSync(join(folder, 'at', given), 'declare const given: string;\n');
  expect(looked.listChangedFiles()).toEqual(want.map((name) => join(folder, 'at', name)));
});
