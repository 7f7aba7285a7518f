/** Code that asks where it stands: under `serve` it runs as in its own folder, and a project carries what it needs. */
import { expect, test } from 'vitest';
import { startClient } from './support/clients.ts';
import { mcpgenHere } from './support/command.ts';
import { folderForTest, linkTypes } from './support/project.ts';
import { layOut, main } from './support/watched.ts';

const COMMON = {
  'package.json': '{ "name": "common", "version": "1.0.0" }',
  'src/words.txt': 'words',
  'src/old.ts': 'export const old = __filename;\n',
  'src/tools.ts': `
import { readFileSync } from 'node:fs';
import { join, basename } from 'node:path';
import { old } from './old.js';
/** @tool */
export function where(): string[] {
  const words = readFileSync(join(__dirname, 'words.txt'), 'utf8');
  return [words, basename(__filename), basename(old), basename(__dirname)];
}
`,
};

const MODULES = {
  'package.json': '{ "name": "modules", "version": "1.0.0", "type": "module" }',
  'src/plain.cjs': 'exports.twice = (n) => n * 2;\n',
  'src/half.cts': 'export const half = (n: number): number => n / 2;\n',
  'src/data.json': '{ "a": 1 }',
  'src/tools.ts': `
import * as modules from 'node:module';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const again = modules.createRequire(import.meta.url);
/** @tool */
export function load(): number[] {
  return [(require('./plain.cjs') as { twice: (n: number) => number }).twice(2), (require('./data.json') as { a: number }).a, (again('./half.cjs') as typeof import('./half.cjs')).half(8)];
}
`,
};

const OPTIONS = '"module": "nodenext", "target": "es2023", "strict": true, "types": ["node"]';

async function inFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await folderForTest();
  const config = `{ "compilerOptions": { ${OPTIONS}, "allowJs": true, "allowImportingTsExtensions": true, "noEmit": true } }`;
  await layOut(folder, { 'tsconfig.json': config, ...files });
  await linkTypes(folder);
  return folder;
}

async function call(args: string[], cwd: string, name: string): Promise<unknown> {
  const { client } = await startClient(args, { cwd });
  try {
    const { structuredContent, content } = await client.callTool({ name, arguments: {} });
    return (structuredContent as { result?: unknown } | undefined)?.result ?? content;
  } finally {
    await client.close();
  }
}

test.each([
  { kind: 'CommonJS', files: COMMON, name: 'where', want: ['words', 'tools.ts', 'old.ts', 'src'] },
  { kind: 'ES modules', files: MODULES, name: 'load', want: [4, 1, 4] },
])('serve: $name in $kind', async ({ files, name, want }) => {
  const folder = await inFolder(files);
  expect(await call([main, 'serve', 'src/tools.ts'], folder, name)).toEqual(want);
});

test('a project has what code needs that asks where it stands', async () => {
  const folder = await inFolder(COMMON);
  const { code, stderr } = await mcpgenHere(['ts', 'src/tools.ts', '-o', 'server'], { cwd: folder });
  expect(code, stderr).toBe(0);
  const where = await call(['server/dist/main.js'], folder, 'where');
  expect(where).toEqual(['words', 'tools.cjs', 'old.cjs', 'app']);
});
