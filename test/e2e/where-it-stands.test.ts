/** Code that asks where it stands: under `serve` it runs as in its own folder, and a project carries what it needs. */
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, test } from 'vitest';
import { judged } from '../support/conversation.ts';
import { mcpgenHere, root } from './support/command.ts';
import { folderForTest, linkTypes } from './support/project.ts';
import { layOut } from './support/watched.ts';

const main = path.join(root, 'dist/bin/mcpgen.js');

const COMMON = {
  'package.json': '{ "name": "common", "version": "1.0.0" }',
  'src/words.txt': 'words',
  'src/plain.js': 'exports.twice = (n) => n * 2;\nexports.place = __filename;\n',
  'src/data.json': '{ "a": 1 }',
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
/** @tool */
export function load(): number[] {
  return [require('./plain.js').twice(2), require('./data.json').a, require('node:path').sep.length];
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
  const client = new Client({ name: 'mcpgen-tests', version: '1.0.0' });
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'ignore' });
  await client.connect(judged(transport));
  try {
    const { structuredContent, content } = await client.callTool({ name, arguments: {} });
    return (structuredContent as { result?: unknown } | undefined)?.result ?? content;
  } finally {
    await client.close();
  }
}

describe.each([
  {
    kind: 'CommonJS',
    files: COMMON,
    name: 'where',

    want: ['words', 'tools.ts', 'old.ts', 'src'],
  },
  { kind: 'CommonJS', files: COMMON, name: 'load', want: [4, 1, 1] },
  { kind: 'ES modules', files: MODULES, name: 'load', want: [4, 1, 4] },
])('$name in $kind', ({ files, name, want }) => {
  test('serve', async () => {
    const folder = await inFolder(files);
    expect(await call([main, 'serve', 'src/tools.ts'], folder, name)).toEqual(want);
  });
});

test.each([{ files: COMMON, name: 'where', want: ['words', 'tools.cjs', 'old.cjs', 'app'] }])(
  'a project has what $name needs',
  async ({ files, name, want }) => {
    const folder = await inFolder(files);
    const { code, stderr } = await mcpgenHere(['ts', 'src/tools.ts', '-o', 'server'], { cwd: folder });
    expect(code, stderr).toBe(0);
    expect(await call(['server/dist/main.js'], folder, name)).toEqual(want);
  },
);
