/** A petstore: what it weighs, and that its own tests hold. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configDefaults } from 'vitest/config';
import { emitProject, type GeneratedFile } from '../../src/emit/index.ts';
import { compile } from '../../src/index.ts';
import { placeProject, removeProject } from '../emit/render-project.ts';

const source = fileURLToPath(new URL('../../fixtures/petstore.yaml', import.meta.url));
let files: GeneratedFile[] = [];
let project = '';

beforeAll(async () => {
  const { model } = await compile({ source });
  if (model === undefined) throw new Error('The petstore does not compile.');
  files = await emitProject(model, { source, compilerVersion: '9.9.9', config: '{}\n' });
  project = placeProject(files);
});
afterAll(() => removeProject(project));

test('it is small enough to be read', () => {
  const committed = files.filter(({ ownership }) => ownership !== 'built');
  const linesOf = (path: RegExp): number =>
    committed
      .filter((file) => path.test(file.path))
      .reduce((sum, { contents }) => sum + contents.split('\n').length - 1, 0);
  expect(committed.length).toBeLessThanOrEqual(42);
  expect(committed.filter(({ path }) => /^src\/runtime\/.*\.ts$/.test(path)).length).toBeLessThanOrEqual(22);
  expect(linesOf(/^\.env\.example$/)).toBeLessThanOrEqual(40);
  expect(linesOf(/^README\.md$/)).toBeLessThanOrEqual(90);
  const { scripts } = JSON.parse(files.find(({ path }) => path === 'package.json')?.contents ?? '') as {
    scripts: Record<string, string>;
  };
  for (const script of Object.values(scripts)) expect(script.length).toBeLessThanOrEqual(100);
});

test('its tests hold as it is emitted', () => {
  const tests = ['--test', 'test/server.js', 'test/wire.js'];
  const { status, stdout } = spawnSync(process.execPath, tests, { cwd: project, encoding: 'utf8' });
  expect(status, stdout).toBe(0);
  expect(stdout).toMatch(/^# pass 15$/m);
});

test('vitest and Jest of the repository around it leave its tests alone', () => {
  const patterns = [
    ...configDefaults.include,
    '**/__tests__/**/*.?([mc])[jt]s?(x)',
    '**/?(*.)+(spec|test).?([mc])[jt]s?(x)',
  ];
  expect(globSync(patterns, { cwd: project })).toEqual([]);
});
