// Templates that users took from an earlier release (`compat/<version>/`, never changed) still make projects.
import { execFile } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { generate, type GenerateOptions } from '../../src/index.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { models, petstore } from './models.ts';
import { contentsOf, emit, placeProject, removeProject } from './render-project.ts';

const run = promisify(execFile);
const tsc = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url));
const sets = readdirSync(join(repositoryRoot, 'test/emit/compat'));
const folders: string[] = [];

afterAll(() => {
  folders.forEach(removeProject);
});

function setOf(version: string): { path: string; label: string } {
  return { path: join(repositoryRoot, 'test/emit/compat', version), label: version };
}

/** One project of each kind. */
const SOURCES: GenerateOptions[] = [
  ...documents().map((source) => ({ source })),
  { source: 'petstore.yaml', auth: 'oauth' },
  { source: 'weather', typescript: { files: ['typescript/weather/src/index.ts'] } },
  {
    source: 'weather',
    typescript: { files: ['typescript/weather/src/index.ts'] },
    link: true,
    auth: 'oauth',
  },
  {
    source: 'both',
    sources: [{ openapi: 'petstore.yaml' }, { typescript: 'typescript/weather/src/index.ts' }],
  },
];

function documents(): string[] {
  const features = readdirSync(join(repositoryRoot, 'fixtures/features'))
    .filter((file) => /^(?!.*rules).*\.(ya?ml|json)$/.test(file))
    .map((file) => `features/${file}`);
  return ['petstore.yaml', 'shop.yaml', ...features];
}

const cases = sets.flatMap((version) =>
  SOURCES.map((options) => ({ version, options, what: JSON.stringify(options) })),
);

test.each(cases)('templates of $version: $what', async ({ version, options }) => {
  const { path: templates } = setOf(version);
  const cwd = join(repositoryRoot, 'fixtures');
  const dir = temporaryFolder();
  const { diagnostics, report } = await generate({ ...options, cwd, dir, templates, dryRun: true });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(report?.written).toContain('README.md');
});

test.each(sets.flatMap((version) => Object.keys(models).map((name) => ({ version, name }))))(
  'templates of $version render the model $name',
  async ({ version, name }) => {
    const model = models[name as keyof typeof models];
    const files = await emit(model, { templates: setOf(version) });
    expect(contentsOf(files, 'src/server.ts')).toContain('export const server');
  },
);

test.each(sets)(
  'a project of an API, of the templates of %s, builds, and starts',
  { timeout: 120_000 },
  async (version) => {
    const files = await emit(petstore, { templates: setOf(version) });
    const folder = placeProject(files);
    folders.push(folder);
    await buildsAndStarts(folder);
  },
);

test.each(sets)(
  'a project of functions, of the templates of %s, builds, and starts',
  { timeout: 120_000 },
  async (version) => {
    const dir = placeProject([]);
    folders.push(dir);
    const typescript = { files: ['src/index.ts'] };
    const cwd = join(repositoryRoot, 'fixtures/typescript/weather');
    const { ok } = await generate({
      source: 'weather',
      typescript,
      cwd,
      dir,
      templates: setOf(version).path,
      force: true,
    });
    expect(ok).toBe(true);
    await buildsAndStarts(dir);
  },
);

/** Its tsconfig.json leaves test/ out: dist/test/ stays as it was generated. */
async function buildsAndStarts(folder: string): Promise<void> {
  for (const path of ['dist/main.js', 'dist/server.js']) rmSync(join(folder, path));
  for (const args of [[tsc], ['src/runtime/build.mjs']]) await run(process.execPath, args, { cwd: folder });
  const { stdout } = await run(process.execPath, ['--test', 'dist/test/server.test.js'], { cwd: folder });
  expect(stdout).toMatch(/[#ℹ] fail 0\n/);
}
