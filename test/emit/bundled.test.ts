// `runtime: bundled`: the runtime in few files, for the same project.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { RUNTIME_HEADER } from '../../src/emit/runtime-files.ts';
import { check, generate, type GenerateOptions, regenerate } from '../../src/index.ts';
import { FEATURE_NAMES } from '../../src/model/features.ts';
import { put, temporaryFolder } from '../write/project-on-disk.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url));
const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
const slow = { timeout: 120_000 };

const kinds = {
  document: { source: 'petstore.yaml' },
  'stdio alone': { source: 'petstore.yaml', features: ['stdio'] },
  'all features, OAuth': { source: 'petstore.yaml', auth: 'oauth', features: [...FEATURE_NAMES] },
  functions: { source: '', typescript: { files: ['typescript/weather/src/index.ts'] } },
  'functions, OAuth': {
    source: '',
    typescript: { files: ['typescript/weather/src/index.ts'] },
    auth: 'oauth',
  },
  both: {
    source: '',
    sources: [{ openapi: 'petstore.yaml' }, { typescript: 'typescript/weather/src/index.ts' }],
  },
} satisfies Record<string, GenerateOptions>;

test.each([
  { features: ['mock'], want: ['functions.js', 'mock.js', 'regex.js'] },
  { features: ['tasks'], want: ['functions.js', 'rounds.js', 'signatures.js', 'tasks.js'] },
  { features: ['ask', 'tasks'], want: ['ask.js', 'functions.js', 'rounds.js', 'signatures.js', 'tasks.js'] },
])('functions with $features have no file of the API client or of OAuth', async ({ features, want }) => {
  const dir = await project('functions', { features });
  const files = filesIn(dir, 'src/runtime').map((path) => path.slice('src/runtime/'.length));
  expect(files.filter((path) => /^(?!start|calls).*\.js$/.test(path)).sort()).toEqual(want);
  expect(await listTools(dir)).toContain('get_forecast');
});

async function project(kind: keyof typeof kinds, options: Partial<GenerateOptions> = {}): Promise<string> {
  const dir = temporaryFolder();
  const { diagnostics, ok } = await generate({
    runtime: 'bundled',
    ...kinds[kind],
    cwd: fixtures,
    dir,
    ...options,
  });
  expect(ok, diagnostics.map(({ message }) => message).join('\n')).toBe(true);
  symlinkSync(packages, join(dir, 'node_modules'), 'junction');
  return dir;
}

/** Relative to the project. */
function filesIn(dir: string, folder = '.'): string[] {
  return readdirSync(join(dir, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((path) => !path.startsWith('node_modules'));
}

function read(dir: string, path: string): string {
  return readFileSync(join(dir, path), 'utf8');
}

function node(dir: string, ...args: string[]) {
  return spawnSync(process.execPath, args, {
    cwd: dir,
    encoding: 'utf8',
    input: '',
    env: { PATH: process.env['PATH'], API_KEY_SHOPKEY: 'key' },
  });
}

async function listTools(dir: string, main = 'dist/main.js'): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [join(dir, main)], stderr: 'ignore' }),
  );
  return (await client.listTools()).tools.map(({ name }) => name);
}

test('petstore has at most 35 files to commit', async () => {
  const dir = await project('document');
  const committed = filesIn(dir).filter((path) => !path.startsWith('dist/'));
  expect(committed.length).toBeLessThanOrEqual(35);
  const runtime = committed.filter((path) => /^src\/runtime\/.*\.[jt]s$/.test(path));
  expect(runtime.filter((path) => path.endsWith('.d.ts'))).toEqual(['src/runtime/start.d.ts']);
  for (const path of runtime)
    expect(read(dir, path).split(RUNTIME_HEADER), path).toEqual(['', expect.any(String)]);
  const manifest = JSON.parse(read(dir, 'src/runtime/manifest.json')) as { files: object };
  const listed = Object.keys(manifest.files).map((path) => `src/runtime/${path}`);
  const others = committed.filter(
    (path) => path.startsWith('src/runtime/') && !path.endsWith('manifest.json'),
  );
  expect(listed.toSorted()).toEqual(others.toSorted());
});

test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
  '%s: it imports what it has, type-checks, starts and lists',
  slow,
  async (kind) => {
    const dir = await project(kind);
    for (const path of filesIn(dir).filter((each) => /\.[jt]s$/.test(each)))
      for (const [, name = ''] of read(dir, path).matchAll(/(?:from|import\()\s*["'](\.[^"']+\.[jt]s)["']/g))
        expect(existsSync(join(dir, dirname(path), name)), `${path} imports ${name}`).toBe(true);
    expect(node(dir, tsc, '--noEmit').stdout).toBe('');
    expect(node(dir, 'dist/main.js', '--help').stdout).toContain('--transport');
    expect(await listTools(dir)).not.toEqual([]);
    expect((await check(dir, { cwd: fixtures })).ok).toBe(true);
  },
);

const HANDLERS = `import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/definition.ts';
import { ToolError, type ToolResult } from '../runtime/index.ts';

export const handlers: Handlers<Tools> = {
  tools: {
    getPet: (args): ToolResult => {
      if (args.petId === 1) throw new ToolError('no such pet');
      return { content: [{ type: 'text', text: 'Rex' }] };
    },
  },
};
`;

test('handlers stay as they are when a project changes from vendored to bundled and back', slow, async () => {
  const dir = await project('document', { runtime: 'vendored' });
  put(dir, { 'src/handlers/index.ts': HANDLERS });
  const config = JSON.parse(read(dir, 'mcpgen.config.json')) as object;
  const paths = filesIn(dir).filter((path) => !path.startsWith('dist/'));
  const change = async (runtime: string) => {
    put(dir, { 'mcpgen.config.json': JSON.stringify({ ...config, runtime }) });
    const { ok, diagnostics } = await regenerate(dir, { cwd: fixtures });
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
    expect(ok).toBe(true);
    expect(node(dir, tsc, '--noEmit').stdout).toBe('');
    expect(await listTools(dir)).toContain('getPet');
  };
  await change('bundled');
  expect(existsSync(join(dir, 'src/runtime/core'))).toBe(false);
  expect(existsSync(join(dir, 'dist/runtime/chunks'))).toBe(false);
  await change('vendored');
  expect(
    filesIn(dir)
      .filter((path) => !path.startsWith('dist/'))
      .toSorted(),
  ).toEqual(paths.toSorted());
  expect(read(dir, 'src/handlers/index.ts')).toBe(HANDLERS);
});

test('npm run build gives the same modules, and the wire tests pass', slow, async () => {
  const dir = await project('document');
  const before = filesIn(dir, 'dist/runtime').map((path) => [path, read(dir, path)]);
  expect(spawnSync('npm', ['run', 'build'], { cwd: dir, encoding: 'utf8', shell: true }).status).toBe(0);
  const after = filesIn(dir, 'dist/runtime').filter((path) => !path.endsWith('.map'));
  expect(after.toSorted()).toEqual(before.map(([path]) => path).toSorted());
  for (const [path = '', text = ''] of before.filter(
    ([each = '']) => !/(?:index|definition)\.js$/.test(each),
  ))
    expect(read(dir, path) === text, path).toBe(true);
  const tests = spawnSync('npm', ['test'], { cwd: dir, encoding: 'utf8', shell: true });
  expect(tests.stdout).toMatch(/[#ℹ] fail 0\n/);
  const { report } = await regenerate(dir, { cwd: fixtures });
  expect(report?.written.filter((path) => !path.startsWith('dist/'))).toEqual([]);
});

test('an edited module stops a run, and a formatted one does not', async () => {
  const dir = await project('document');
  const path = 'src/runtime/http.js';
  put(dir, { [path]: read(dir, path).replaceAll('\t', '    ') });
  expect((await regenerate(dir, { cwd: fixtures })).report?.edited).toEqual([]);
  put(dir, { [path]: `${read(dir, path)}console.log('mine');\n` });
  expect((await regenerate(dir, { cwd: fixtures })).report?.edited).toEqual([path]);
});

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// The functions of the fixture have an enum, so Node can't erase their types.
test.runIf(major > 22 || (major === 22 && minor >= 18))('node src/main.ts runs it', async () => {
  expect(await listTools(await project('document'), 'src/main.ts')).toContain('getPet');
});
