/** Tests of a user beside the generated ones: run, and not shipped. */
import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixtures, mcpgenHere, node, root } from './support/command.ts';
import { linkTypes, temporaryFolder } from './support/project.ts';

let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await cp(path.join(fixtures, 'mixed/trip/src'), path.join(folder, 'src'), { recursive: true });
  await writeFile(path.join(folder, 'src/motto.txt'), 'Go far.');
  await writeFile(path.join(folder, 'src/motto.ts'), READS_A_FILE);
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(path.join(folder, 'tsconfig.json'), TSCONFIG);
  await linkTypes(folder);
  await symlink(path.join(root, 'dist/bin/mcpgen.js'), path.join(folder, 'node_modules/.bin/mcpgen'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const TSCONFIG =
  '{ "compilerOptions": { "module": "nodenext", "target": "es2023", "strict": true, "types": ["node"] } }';

const READS_A_FILE = `import { readFileSync } from 'node:fs';

/**
 * What travellers live by.
 * @tool
 */
export function motto(): string {
  return readFileSync(new URL('./motto.txt', import.meta.url), 'utf8');
}
`;

const OF_HANDLERS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handlers } from '../dist/handlers/index.js';

test('mine', () => {
  assert.deepEqual(Object.keys(handlers), []);
});
`;

const OF_A_FUNCTION = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { euros } from '../dist/app/money.js';
import { motto } from '../dist/app/motto.js';

test('also mine', () => {
  assert.equal(euros(2), '€2.00');
  assert.equal(motto(), 'Go far.');
});
`;

const TESTS = { 'mine.test.js': OF_HANDLERS, 'money.test.js': OF_A_FUNCTION };

function npm(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', shell: true });
  expect(status, `${stdout}${stderr}`).toBe(0);
  return stdout;
}

test('they run with npm test, and neither package nor bundle has them', { timeout: 180_000 }, async () => {
  const project = path.join(folder, 'server');
  const args = ['ts', 'src/**/*.ts', '--publish', 'mcpb', '-o', project];
  const made = await mcpgenHere(args, { cwd: folder });
  expect(made.code, made.stderr).toBe(0);
  await linkTypes(project);
  for (const [file, text] of Object.entries(TESTS)) await writeFile(path.join(project, 'test', file), text);
  npm(project, 'run', 'build');
  const said = npm(project, 'test');
  expect(said).toMatch(/^(?:ok \d+ -|✔) mine\b/m);
  expect(said).toMatch(/^(?:ok \d+ -|✔) also mine\b/m);
  const packed = npm(project, 'pack', '--dry-run', '--json', '--ignore-scripts');
  const [{ files } = { files: [] }] = JSON.parse(packed) as { files: { path: string }[] }[];
  expect(files.map((file) => file.path)).toContain('dist/handlers/index.js');
  expect(files.filter((file) => /^dist\/(?:src|test)\//.test(file.path))).toEqual([]);
  const packing = await node(['bundle.mjs'], { cwd: project });
  expect(packing.code, packing.stderr).toBe(0);
  const [bundle = ''] = (await readdir(project)).filter((file) => file.endsWith('.mcpb'));
  const bundled = await readFile(path.join(project, bundle));
  expect(bundled.includes('dist/handlers/index.js')).toBe(true);
  expect(bundled.includes('dist/src/')).toBe(false);
});
