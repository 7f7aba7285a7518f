/** Output of the emitted project's own build. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { pathOfBuild, type GeneratedFile, transpile } from '../../src/emit/index.ts';
import { models, petstore } from './models.ts';
import { addStamp } from '../../src/write/built-stamp.ts';
import { contentsOf, emit, placeProject, readTree, removeProject } from './render-project.ts';

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

async function listPublished(folder: string): Promise<string[]> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: folder });
  const [packed] = JSON.parse(stdout) as { files: { path: string }[] }[];
  return packed?.files.map(({ path }) => path) ?? [];
}

function isBuilt({ path }: GeneratedFile): boolean {
  return path.startsWith('dist/');
}

function sources(files: GeneratedFile[]): GeneratedFile[] {
  return files.filter((file) => !isBuilt(file));
}

test(
  'npm run build makes the modules of dist/ with source maps, the bundled runtime aside',
  slow,
  async () => {
    const files = await emit(petstore);
    const folder = place(sources(files));
    await run('npm', ['run', 'build'], { cwd: folder });
    const tree = readTree(join(folder, 'dist'));
    const rebuilt = Object.keys(tree).map((path) => `dist/${path}`);
    const shipped = files.filter(isBuilt).map(({ path }) => path);
    const withoutRuntime = (paths: string[]) =>
      paths.filter((path) => !path.startsWith('dist/runtime/') && !path.endsWith('.map')).sort();
    expect(withoutRuntime(rebuilt)).toEqual(withoutRuntime([...shipped, 'dist/.mcpgen.json']));
    expect(rebuilt).toContain('dist/runtime/main/run.js');
    for (const path of rebuilt.filter((each) => each.endsWith('.js'))) {
      const map = JSON.parse(tree[`${path.slice('dist/'.length)}.map`] ?? '{}') as { sources?: string[] };
      const [source = ''] = map.sources ?? [];
      expect(existsSync(join(folder, path, '..', source)), `${path} ← ${source}`).toBe(true);
    }
  },
);

test('npm run build runs the compiler once', async () => {
  const { scripts } = JSON.parse(contentsOf(await emit(petstore), 'package.json')) as {
    scripts: { build: string };
  };
  expect(scripts.build.match(/\btsc\b/g)).toHaveLength(1);
});

test(
  'npm run build leaves nothing in dist/ that it did not make, for all of dist/ is published',
  slow,
  async () => {
    // What generate wrote and the build does not make is in its list.
    const folder = place(addStamp(await emit(petstore)));
    await run('npm', ['run', 'build'], { cwd: folder });
    const published = await listPublished(folder);
    expect(published).toContain('dist/runtime/main/run.js');
    expect(published.filter((path) => /chunks\/|\.map$|\.build/.test(path))).toEqual([]);
    writeFileSync(join(folder, '.env'), 'MCP_READ_ONLY=1\n');
    const { stdout } = await run(process.execPath, ['--test', 'dist/test/server.test.js'], {
      cwd: folder,
      env: { ...process.env, MCP_READ_ONLY: '1', API_BASE_URL: 'nonsense' },
    });
    expect(stdout).toMatch(/[#ℹ] pass 4\n/);
  },
);

test('without dist/, npm start and npm test say how to make it, and an install does', async () => {
  const files = await emit(petstore);
  const folder = place(files.filter(({ path }) => path === 'package.json' || path === 'src/main.ts'));
  const npm = (...args: string[]) => run('npm', args, { cwd: folder });
  const words = 'There is no dist/ yet: npm install makes it.';
  for (const script of ['start', 'test']) await expect(npm(script)).rejects.toThrow(words);
  const build = `node -e "fs.mkdirSync('dist', { recursive: true }); fs.writeFileSync('dist/main.js', '/* built */')"`;
  await npm('pkg', 'set', `scripts.build=${build}`);
  // The script that an install runs once the packages are there.
  await npm('run', 'prepare');
  expect(readTree(join(folder, 'dist'))).toEqual({ 'main.js': '/* built */' });
  await npm('start');
  writeFileSync(join(folder, 'dist/main.js'), '/* edited */');
  await npm('run', 'prepare');
  expect(readTree(join(folder, 'dist'))).toEqual({ 'main.js': '/* edited */' });
});

test.each([
  { script: ['run', 'bundle'], made: 'petstore-mcp-1.2.0.mcpb', read: (file: Buffer) => file },
  { script: ['pack'], made: 'petstore-mcp-1.2.0.tgz', read: gunzipSync },
])('npm $script builds first, so that others do not get an old dist/', async ({ script, made, read }) => {
  const folder = place(await emit(petstore));
  const npm = (...args: string[]) => run('npm', args, { cwd: folder });
  await npm('pkg', 'set', `scripts.build=node -e "fs.writeFileSync('dist/built.js', '')"`);
  await npm(...script);
  expect(read(readFileSync(join(folder, made))).includes('dist/built.js')).toBe(true);
});

test.each([
  { of: 'the handlers', file: 'src/handlers/index.ts' },
  { of: 'a test of the user', file: 'test/mine.test.ts' },
])('npm run build keeps dist/ when the source of $of has an error', slow, async ({ file }) => {
  const folder = place(await emit(petstore));
  const before = readTree(join(folder, 'dist'));
  writeFileSync(join(folder, file), 'export const handlers: number = "";\n');
  await expect(run('npm', ['run', 'build'], { cwd: folder })).rejects.toThrow();
  expect(readTree(join(folder, 'dist'))).toEqual(before);
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

test.each(['hostile', 'empty'] as const)('%s: the project is strictly typed', slow, async (name) => {
  expect(await checkTypes(place(sources(await emit(models[name]))))).toBe('');
});

test('the project as written passes its own test, with nothing installed', async () => {
  const folder = place(await emit(petstore));
  rmSync(join(folder, 'node_modules'), { recursive: true });
  const { stdout } = await run(process.execPath, ['--test', 'dist/test/server.test.js'], { cwd: folder });
  expect(stdout).toMatch(/[#ℹ] pass 4\n/);
});

test('a version that is not everywhere fails the project’s own test, and so its publication', async () => {
  const folder = place(await emit(petstore));
  const own = readFileSync(join(folder, 'package.json'), 'utf8');
  writeFileSync(join(folder, 'package.json'), own.replace('"version": "1.2.0"', '"version": "1.2.1"'));
  const ended = run(process.execPath, ['--test', 'dist/test/server.test.js'], { cwd: folder });
  await expect(ended).rejects.toMatchObject({
    stdout: expect.stringContaining('server.json follows package.json when mcpgen generate runs'),
  });
});

/** The built files that load with one, itself among them, and what they load of Node. */
function loadedWith(files: GeneratedFile[], path: string): string[] {
  const loaded = new Set([path]);
  for (const each of loaded) {
    const code = each.startsWith('node:') ? '' : contentsOf(files, each);
    for (const [, name = ''] of code.matchAll(/^(?:import|export)\b(?:.* from)? "(.+)";/gm))
      loaded.add(name.startsWith('.') ? posix.join(each, '..', name) : name);
  }
  return [...loaded];
}

test('what every start loads of the runtime is one file, the code of Node aside', async () => {
  const loaded = loadedWith(await emit(petstore), 'dist/main.js');
  expect(loaded.filter((name) => !name.startsWith('node:'))).toEqual([
    'dist/main.js',
    'dist/runtime/main/run.js',
  ]);
});

test.each([
  // Not before the first request to an API, and no server for HTTP.
  {
    occasion: 'chunks/calls',
    without: ['node:http', 'node:https', 'node:tls', 'core/call-api', 'main/start-http', 'chunks/sample'],
  },
  {
    occasion: 'chunks/settings',
    without: ['node:http', 'node:https', 'node:tls', 'chunks/schema', 'chunks/calls', 'core/call-api'],
  },
  // `calls` is loaded by then: only a tool's call and a resource's reading ask an API.
  { occasion: 'core/call-api', without: ['node:https', 'node:tls', 'main/start-http', 'chunks/sample'] },
  {
    occasion: 'main/start-http',
    without: ['core/call-api', 'chunks/sample', 'chunks/modern', 'core/tasks/index', 'chunks/websocket'],
  },
])('what $occasion load is without $without', async ({ occasion, without }) => {
  const chunk = (name: string): string => `dist/runtime/${name}.js`;
  const files = await emit(petstore);
  expect(contentsOf(files, chunk(occasion))).toBeDefined();
  const loaded = loadedWith(files, chunk(occasion));
  for (const name of without) expect(loaded).not.toContain(name.startsWith('node:') ? name : chunk(name));
});
