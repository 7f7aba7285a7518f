// `npm run bundle` of an emitted project: an MCP bundle of what the server needs, and of nothing else.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { petstore } from './models.ts';
import { filesOf, put } from '../write/project-on-disk.ts';
import { emit, placeProject, removeProject } from './render-project.ts';

const mcpb = fileURLToPath(new URL('../../node_modules/@anthropic-ai/mcpb/dist/cli/cli.js', import.meta.url));
const slow = { timeout: 60_000 };

let files: Awaited<ReturnType<typeof emit>>;
const folders: string[] = [];

beforeAll(async () => {
  files = await emit(petstore);
});

afterAll(() => {
  folders.forEach(removeProject);
});

function node(cwd: string, ...args: string[]) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
}

/** A project without this repository's packages. */
function project(more: Record<string, string | object> = {}): string {
  const folder = placeProject(files);
  folders.push(folder);
  rmSync(join(folder, 'node_modules'), { recursive: true });
  const texts = Object.entries(more).map(([path, file]) => [
    path,
    typeof file === 'string' ? file : JSON.stringify(file),
  ]);
  put(folder, Object.fromEntries(texts) as Record<string, string>);
  return folder;
}

/** The project's package.json with more in it. */
function manifest(members: object): object {
  const own = files.find(({ path }) => path === 'package.json')?.contents ?? '';
  return { ...(JSON.parse(own) as object), ...members };
}

/** Files that the official tool unpacks from the bundle. */
function bundled(folder: string): Record<string, string | null> {
  const made = node(folder, 'bundle.mjs');
  expect(made.stderr).toBe('');
  expect(made.stdout).toMatch(/^petstore-mcp-1\.2\.0\.mcpb: \d+ files, \d+ KiB, SHA-256 [\da-f]{64}\n$/);
  expect(node(folder, mcpb, 'unpack', 'petstore-mcp-1.2.0.mcpb', 'unpacked').status).toBe(0);
  return filesOf(join(folder, 'unpacked'));
}

const KINDS =
  /^(?:package\.json|manifest\.json|README\.md|(?:dist\/runtime\/)?LICENSE|dist\/.+\.js|src\/generated\/\w+\.json)$/;

test('it holds the built server and its data, and the official tool takes it', slow, () => {
  const folder = project({
    LICENSE: 'MIT\n',
    '.env': 'API_KEY_KEY=secret\n',
    'dist/.env': 'API_KEY_KEY=secret\n',
    'dist/handlers/index.test.js': 'secret\n',
    'notes.txt': 'secret\n',
  });
  const paths = Object.keys(bundled(folder));
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'dist/main.js', 'src/generated/catalog.json']));
  expect(
    paths.filter(
      (path) =>
        (!KINDS.test(path) && path !== 'dist/runtime/LICENSE') ||
        path.startsWith('dist/test/') ||
        path.endsWith('.test.js'),
    ),
  ).toEqual([]);
  expect(node(folder, mcpb, 'validate', 'manifest.json').stdout).toContain('passes');
  expect(node(folder, mcpb, 'info', 'petstore-mcp-1.2.0.mcpb').status).toBe(0);
  // As its manifest has it started.
  expect(node(join(folder, 'unpacked'), 'dist/main.js', '--version').stdout).toBe('1.2.0\n');
});

test('the same files give the same bytes', () => {
  const folder = project();
  const bytes = () => {
    expect(node(folder, 'bundle.mjs').status).toBe(0);
    return readFileSync(join(folder, 'petstore-mcp-1.2.0.mcpb'));
  };
  const before = bytes();
  utimesSync(join(folder, 'dist/main.js'), 0, 0);
  expect(bytes().equals(before)).toBe(true);
});

test('packages that run with it are in it, each where it is found', slow, () => {
  const packageOf = (name: string, version: string, more: object = {}) => ({ name, version, ...more });
  const folder = project({
    'package.json': manifest({
      dependencies: { one: '1', '@a/two': '1' },
      devDependencies: { tool: '1' },
      optionalDependencies: { absent: '1' },
    }),
    'node_modules/one/package.json': packageOf('one', '1.0.0', {
      dependencies: { three: '2', '@a/two': '1' },
      peerDependencies: { four: '1', unused: '1' },
      peerDependenciesMeta: { unused: { optional: true } },
    }),
    'node_modules/one/index.js': 'one\n',
    'node_modules/one/node_modules/three/package.json': packageOf('three', '2.0.0'),
    'node_modules/@a/two/package.json': packageOf('@a/two', '1.0.0', {
      dependencies: { three: '1', one: '1' },
    }),
    'node_modules/@a/two/lib/data.bin': '\u0000\u0001',
    'node_modules/three/package.json': packageOf('three', '1.0.0'),
    'node_modules/four/package.json': packageOf('four', '1.0.0'),
    'node_modules/tool/package.json': packageOf('tool', '1.0.0'),
    'node_modules/unused/package.json': packageOf('unused', '1.0.0'),
  });
  const all = bundled(folder);
  const versions = Object.entries(all).flatMap(([path, text]) =>
    /^node_modules\/.*package\.json$/.test(path)
      ? [[path, (JSON.parse(text ?? '') as { version: string }).version]]
      : [],
  );
  expect(Object.fromEntries(versions)).toEqual({
    'node_modules/@a/two/package.json': '1.0.0',
    'node_modules/four/package.json': '1.0.0',
    'node_modules/one/package.json': '1.0.0',
    // What stands at the top is that which was placed first; the other is found nearer to who needs it.
    'node_modules/three/package.json': '2.0.0',
    'node_modules/@a/two/node_modules/three/package.json': '1.0.0',
  });
  expect(all['node_modules/@a/two/lib/data.bin']).toBe('\u0000\u0001');
});

test('packages behind links, as pnpm has them, are in it as well', () => {
  const folder = project({
    'package.json': manifest({ dependencies: { one: '1' } }),
    'node_modules/.pnpm/one@1/node_modules/one/package.json': { name: 'one', dependencies: { two: '1' } },
    'node_modules/.pnpm/one@1/node_modules/two/package.json': { name: 'two' },
  });
  symlinkSync('.pnpm/one@1/node_modules/one', join(folder, 'node_modules/one'));
  expect(Object.keys(bundled(folder)).filter((path) => path.startsWith('node_modules/'))).toEqual([
    'node_modules/one/package.json',
    'node_modules/two/package.json',
  ]);
});

test.each<{ what: string; more?: () => Record<string, object>; gone?: string; words: string }>([
  {
    what: 'a package that is not installed',
    more: () => ({ 'package.json': manifest({ dependencies: { one: '1', two: '1' } }) }),
    words: 'one, two cannot be found: run npm install first.\n',
  },
  {
    what: 'a version that is not everywhere',
    more: () => ({ 'package.json': manifest({ version: '1.3.0' }) }),
    words: 'manifest.json is of 1.2.0, and package.json of 1.3.0: mcpgen generate makes them one.\n',
  },
  { what: 'no dist/', gone: 'dist', words: 'There is no dist/ yet: run npm run build.\n' },
])('$what is told, and nothing is written', ({ more, gone, words }) => {
  const folder = project(more?.());
  if (gone !== undefined) rmSync(join(folder, gone), { recursive: true });
  const { status, stderr } = node(folder, 'bundle.mjs');
  expect([status, stderr]).toEqual([1, words]);
  expect(Object.keys(filesOf(folder)).filter((path) => path.endsWith('.mcpb'))).toEqual([]);
});
