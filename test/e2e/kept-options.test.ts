/** Whatever options the code is written for: the project builds, the runtime in it too. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mcpgenHere, tsc } from './support/command.ts';
import { linkTypes, temporaryFolder } from './support/project.ts';
import { layOut } from './support/watched.ts';

const STRICT = 'export const hi = (a: string): string => a;';
const LOOSE =
  'export function hi(a: string) { const all = []; all.push(a); let b: string = null; return b; }';
const CASES: { options: Record<string, unknown>; code?: string }[] = [
  { options: { strict: true, noUncheckedIndexedAccess: false, lib: ['es2020'] } },
  { options: { strict: false, lib: ['es2020'], experimentalDecorators: true }, code: LOOSE },
];

let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await linkTypes(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(CASES)('$options', { timeout: 120_000 }, async ({ options, code = STRICT }) => {
  const compilerOptions = { module: 'nodenext', target: 'es2022', types: ['node'], ...options };
  await layOut(folder, {
    'package.json': '{ "name": "given", "version": "1.0.0", "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    'tools.ts': `/** @tool */\n${code}\n`,
  });
  const compiled = await mcpgenHere(['ts', 'tools.ts', '-o', 'out', '--force'], { cwd: folder });
  expect(compiled.code, compiled.stderr).toBe(0);
  expect(await tsc(['--noEmit', '-p', path.join(folder, 'out')])).toMatchObject({ code: 0, stdout: '' });
});
