/** Output of the emitted project's own build. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { pathOfBuild, type GeneratedFile, transpile } from '../../src/emit/index.ts';
import { models, petstore } from './models.ts';
import { filesOf } from '../write/project-on-disk.ts';
import { contentsOf, emit, placeProject, removeProject } from './render-project.ts';

const run = promisify(execFile);
const tsc = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url));
/** A whole type-check of the runtime. */
const slow = { timeout: 120_000 };
const folders: string[] = [];

afterAll(() => {
  folders.forEach(removeProject);
});

function place(files: GeneratedFile[]): string {
  const folder = placeProject(files);
  folders.push(folder);
  return folder;
}

/** Checks the types as `npm run build` does, and returns what the compiler says. */
async function checkTypes(folder: string): Promise<string> {
  const { stdout } = await run(process.execPath, [tsc, '--noEmit'], { cwd: folder }).catch(
    (error: unknown) => error as { stdout: string },
  );
  return stdout;
}

function isBuilt({ path }: GeneratedFile): boolean {
  return path.startsWith('dist/');
}

function sources(files: GeneratedFile[]): GeneratedFile[] {
  return files.filter((file) => !isBuilt(file));
}

test.each([
  { script: ['run', 'bundle'], made: 'petstore-mcp-1.2.0.mcpb', read: (file: Buffer) => file },
  { script: ['pack'], made: 'petstore-mcp-1.2.0.tgz', read: gunzipSync },
])('npm $script builds first, so that others do not get an old dist/', async ({ script, made, read }) => {
  const folder = place(await emit(petstore));
  const manifest = join(folder, 'package.json');
  const { scripts, ...others } = JSON.parse(readFileSync(manifest, 'utf8')) as { scripts: object };
  const build = `node -e "fs.writeFileSync('dist/built.js', '')"`;
  writeFileSync(manifest, JSON.stringify({ ...others, scripts: { ...scripts, build } }));
  await run('npm', script, { cwd: folder });
  expect(read(readFileSync(join(folder, made))).includes('dist/built.js')).toBe(true);
});

test('npm run build keeps dist/ when a source has an error', slow, async () => {
  const folder = place(await emit(petstore));
  const before = filesOf(join(folder, 'dist'));
  writeFileSync(join(folder, 'src/handlers/index.ts'), 'export const handlers: number = "";\n');
  await expect(run('npm', ['run', 'build'], { cwd: folder })).rejects.toThrow();
  expect(filesOf(join(folder, 'dist'))).toEqual(before);
});

test.each(Object.entries(models))(
  '%s: each module compiles to that of dist/, layout aside',
  async (_, model) => {
    const files = await emit(model);
    for (const { path, contents } of sources(files).filter((file) => /(?<!\.d)\.ts$/.test(file.path))) {
      if (path.startsWith('src/runtime/')) continue;
      const shipped = await transpile(contentsOf(files, pathOfBuild(path)), pathOfBuild(path));
      expect(await transpile(contents, path), path).toMatchObject({ code: shipped.code, faults: [] });
    }
  },
);

test('a hostile document: the project is strictly typed', slow, async () => {
  expect(await checkTypes(place(sources(await emit(models.hostile))))).toBe('');
});
