import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { type GeneratedFile, hashWithoutLayout } from '../../src/emit/index.ts';
import { writeProject } from '../../src/write/index.ts';
import { filesOf, project, put, temporaryFolder, texts, tree, write } from './project-on-disk.ts';

const one = project('one');
const two = project('two');

async function written(files = one): Promise<string> {
  const dir = join(temporaryFolder(), 'petstore-mcp');
  await write(files, dir);
  return dir;
}

test('makes a new folder, its parents too, and nothing beside it', async () => {
  const base = temporaryFolder();
  const { written: paths, problems } = await write(one, join(base, 'deep/er/petstore-mcp'));
  expect(problems).toEqual([]);
  expect(paths).toEqual(one.map(({ path }) => path));
  expect(filesOf(join(base, 'deep/er/petstore-mcp'))).toEqual(texts(one));
  expect(
    Object.keys(tree(base)).filter((path) => path.includes('.mcpgen') || path.includes('mcpgen-')),
  ).toEqual([]);
});

test('hidden entries do not make a folder unfit', async () => {
  const dir = temporaryFolder();
  put(dir, { '.git/HEAD': 'ref: x\n' });
  expect((await write(one, dir)).problems).toEqual([]);
  expect(filesOf(dir)).toEqual({ '.git/HEAD': 'ref: x\n', ...texts(one) });
});

test('the second run changes what differs and nothing else', async () => {
  const dir = await written();
  const before = statSync(join(dir, 'src/app/same.txt')).mtimeMs;
  const report = await write(two, dir);
  expect(report).toMatchObject({
    written: ['README.md', 'src/main.ts', 'src/generated/catalog.json', 'dist/main.js', 'mcpgen.lock'],
    unchanged: ['src/app/same.txt', 'dist/handlers/index.js'],
    kept: ['src/handlers/index.ts'],
    removed: [],
    saved: [],
    problems: [],
  });
  expect(filesOf(dir)).toEqual(texts(two));
  expect(statSync(join(dir, 'src/app/same.txt')).mtimeMs).toBe(before);
});

test('the same project again writes nothing', async () => {
  const dir = await written();
  expect((await write(one, dir)).written).toEqual([]);
});

test('a deleted file comes back, a deleted lock too', async () => {
  const dir = await written();
  rmSync(join(dir, 'README.md'));
  expect((await write(one, dir)).written).toEqual(['README.md']);
  rmSync(join(dir, 'mcpgen.lock'));
  expect((await write(one, dir)).written).toEqual(['mcpgen.lock']);
});

test('entry points are executable, and a bit somebody set stays', async () => {
  const dir = await written();
  expect(statSync(join(dir, 'dist/main.js')).mode & 0o111).toBe(0o111);
  chmodSync(join(dir, 'README.md'), 0o700);
  await write(two, dir);
  expect(statSync(join(dir, 'README.md')).mode & 0o777).toBe(0o700);
  expect(statSync(join(dir, 'dist/main.js')).mode & 0o111).toBe(0o111);
});

test('obsolete files go, with what was built from them and folders left empty', async () => {
  const dir = await written(project('one', { 'src/runtime/ws/socket.ts': 'ws\n' }));
  put(dir, { 'dist/runtime/ws/socket.js': 'ws\n', 'notes.txt': 'mine\n' });
  const { removed } = await write(one, dir);
  expect(removed).toEqual(['src/runtime/ws/socket.ts', 'dist/runtime/ws/socket.js']);
  expect(tree(dir)).not.toHaveProperty(['src/runtime']);
  expect(filesOf(dir)).toEqual({ ...texts(one), 'notes.txt': 'mine\n' });
});

test('an obsolete file that was edited stays: obsolete-file-kept', async () => {
  const dir = await written(project('one', { 'src/app/old.ts': 'old\n' }));
  put(dir, { 'src/app/old.ts': 'edited\n' });
  const { removed, kept, problems } = await write(one, dir);
  expect({ removed, kept, problems }).toEqual({
    removed: [],
    kept: ['src/handlers/index.ts', 'src/app/old.ts'],
    problems: ['obsolete-file-kept'],
  });
  expect(readFileSync(join(dir, 'src/app/old.ts'), 'utf8')).toBe('edited\n');
});

test('the diffs of a check are a patch that git applies', async () => {
  const page = (words: string): string => `# ${words}\n${'line\n'.repeat(20)}${words}, no end of line`;
  const now = project('two', { 'src/app/a page.md': page('now: — ü'), 'src/app/last.txt': 'x\n' });
  const old = project('one', { 'src/app/a page.md': page('then'), 'src/app/last.txt': 'x' });
  const target = join(temporaryFolder(), 'patched');
  await write(old, target);
  const { diffs } = await write(now, target, { check: true });
  expect(diffs.map(({ path }) => path)).toContain('src/app/a page.md');
  const input = diffs.map(({ diff }) => diff).join('');
  execFileSync('git', ['apply', '-'], { cwd: target, input, stdio: ['pipe', 'ignore', 'pipe'] });
  const patched = filesOf(target);
  for (const { path, contents } of now.filter(({ path }) => diffs.some((each) => each.path === path)))
    expect(patched[path], path).toBe(contents);
});

test.each([{ dryRun: true }, { check: true }])(
  '%j writes nothing and says what would be',
  async (options) => {
    const dir = await written();
    const before = tree(dir);
    const { written: paths } = await write(two, dir, options);
    expect(paths).toEqual(
      ['README.md', 'src/main.ts', 'src/generated/catalog.json', 'dist/main.js', 'mcpgen.lock'].filter(
        (path) => !('check' in options) || !path.startsWith('dist/'),
      ),
    );
    expect(tree(dir)).toEqual(before);
  },
);

test('a folder that is not there: a dry run lists all, check says project-missing', async () => {
  const missing = join(temporaryFolder(), 'new');
  const dry = await write(one, missing, { dryRun: true });
  expect(dry.written).toContain('README.md');
  expect(dry.problems).toEqual([]);
  const { problems, written: paths } = await write(one, missing, { check: true });
  expect({ problems, paths }).toEqual({ problems: ['project-missing'], paths: [] });
  expect(tree(join(missing, '..'))).toEqual({});
});

test.each([
  { options: { check: true }, problems: [] },
  { options: { dryRun: true }, problems: ['file-edited', 'file-not-ours'] },
])('$options lists edited files and those of somebody else as such', async ({ options, problems }) => {
  const dir = await written();
  put(dir, { 'README.md': 'mine\n', 'new.txt': 'mine too\n' });
  const files: GeneratedFile[] = [{ path: 'new.txt', contents: 'new\n', ownership: 'generated' }, ...one];
  const report = await write(files, dir, options);
  expect(report).toMatchObject({ written: [], edited: ['README.md'], foreign: ['new.txt'], problems });
});

test('with force an edited file is kept as .orig, and a second one beside it', async () => {
  const dir = await written();
  put(dir, { 'README.md': 'mine\n' });
  expect((await write(two, dir, { force: true })).saved).toEqual(['README.md.orig']);
  put(dir, { 'README.md': 'mine again\n' });
  expect((await write(one, dir, { force: true })).saved).toEqual(['README.md.orig.2']);
  expect(filesOf(dir)).toEqual({
    ...texts(one),
    'README.md.orig': 'mine\n',
    'README.md.orig.2': 'mine again\n',
  });
});

test("with force only mcpgen's paths are touched, and each overwritten file is kept", async () => {
  const dir = temporaryFolder();
  put(dir, { 'README.md': 'my own\n', 'index.js': 'x\n', 'dist/main.js': 'my build\n' });
  const { problems, saved } = await write(one, dir, { force: true });
  expect({ problems, saved }).toEqual({ problems: [], saved: ['README.md.orig', 'dist/main.js.orig'] });
  expect(filesOf(dir)).toEqual({
    ...texts(one),
    'index.js': 'x\n',
    'README.md.orig': 'my own\n',
    'dist/main.js.orig': 'my build\n',
  });
});

test.each([
  {
    lock: 'there',
    words: /^The project now needs these names .* Rename or move yours, or/,
  },
  { lock: 'lost', words: /^If mcpgen\.lock was lost, restore it/ },
])('a new path that the user has taken, the lock is $lock: file-not-ours', async ({ lock, words }) => {
  const dir = await written();
  put(dir, { 'server.json': 'mine\n' });
  if (lock === 'lost') rmSync(join(dir, 'mcpgen.lock'));
  const { problems, hints } = await write(project('one', { 'server.json': '{}\n' }), dir);
  expect(problems).toContain('file-not-ours');
  expect(hints[problems.indexOf('file-not-ours')]).toMatch(words);
});

test('the handlers are never overwritten, not even with force', async () => {
  const dir = await written();
  put(dir, { 'src/handlers/index.ts': 'export const handlers = { mine: 1 };\n' });
  expect((await write(two, dir, { force: true })).kept).toEqual(['src/handlers/index.ts']);
  expect(readFileSync(join(dir, 'src/handlers/index.ts'), 'utf8')).toContain('mine');
});

test('edited handlers, and modules beside them, are compiled to dist/', async () => {
  const dir = await written();
  put(dir, {
    'src/handlers/index.ts':
      "import { x } from './x.ts';\nexport const handlers: { a: number } = { a: x };\n",
    'src/handlers/x.ts': 'export const x: number = 1;\n',
    'src/handlers/types.d.ts': 'export type T = 1;\n',
  });
  expect((await write(one, dir)).problems).toEqual([]);
  expect(readFileSync(join(dir, 'dist/handlers/index.js'), 'utf8')).toBe(
    'import { x } from "./x.js";\nexport const handlers = { a: x };\n',
  );
  expect(readFileSync(join(dir, 'dist/handlers/x.js'), 'utf8')).toBe('export const x = 1;\n');
  expect((await write(one, dir)).written).toEqual([]);
});

test.each([
  {
    given: '\nexport const handlers = {\n',
    want: 'handler-broken',
    at: { file: 'shop/src/handlers/index.ts', line: 3, column: 1 },
  },
  {
    given: "import type { T } from './t.ts';\n\nimport { x } from './nope.ts';\n",
    want: 'handler-broken',
    at: { file: 'shop/src/handlers/index.ts', line: 3, column: 19 },
  },
  {
    given: "export { y } from '../runtime/core/core.ts';\n",
    want: 'handler-broken',
    at: { file: 'shop/src/handlers/index.ts', line: 1, column: 19 },
  },
])('handlers that could not run, $given: $want with its place, and nothing is written', async (row) => {
  const dir = await written();
  put(dir, { 'src/handlers/index.ts': row.given, 'dist/runtime/core/core.js': 'built by npm run build\n' });
  const before = tree(dir);
  for (const dryRun of [true, false]) {
    const diagnostics = new DiagnosticCollector();
    await writeProject(two, { dir, label: 'shop', dryRun }, diagnostics);
    expect(diagnostics.found).toMatchObject([
      { name: row.want, severity: 'error', origin: { kind: 'code', ...row.at } },
    ]);
  }
  expect(tree(dir)).toEqual(before);
});

test.each<{ given: string; want: string[] }>([
  {
    given: 'export const handlers = { tools: { deletePet: () => 1 } };',
    want: ['1:36 deletePet → deletePets'],
  },
  { given: 'export const handlers: H = { tools: { getPet, gone } };', want: ['1:47 gone'] },
  { given: 'export const handlers = { tools: { gone, ...others } } satisfies H;', want: ['1:36 gone'] },
  { given: 'const handlers = ({ tools: { gone } } as H);\nexport default 1;', want: ['1:30 gone'] },
  { given: 'export const handlers = { tools: { getPet: { gone } } };', want: [] },
  { given: 'export const handlers = { tools: { ...others, [gone]: 1 } };', want: [] },
  { given: 'export const handlers = { tools: { gone }, ...others };', want: [] },
  { given: 'export const handlers = { tools: { gone } };\ndelete handlers.tools.gone;', want: [] },
])('tools that handlers replace: $given', async ({ given, want }) => {
  const dir = await written();
  put(dir, { 'src/handlers/index.ts': given });
  for (const check of [true, false]) {
    const diagnostics = new DiagnosticCollector();
    const tools = ['getPet', 'deletePets'];
    const { written: paths } = await writeProject(one, { dir, tools, check }, diagnostics);
    const told = diagnostics.found.map(({ name, origin, hint }) => {
      expect(name).toBe('handler-without-tool');
      const at = origin?.kind === 'code' ? `${String(origin.line)}:${String(origin.column)}` : '';
      return { at, meant: /Did you mean `(.*?)`/.exec(hint ?? '')?.[1] };
    });
    expect(told).toEqual(want.map((each) => ({ at: each.split(' ')[0], meant: each.split(' → ')[1] })));
    if (want.length > 0) expect(paths).toEqual([]);
  }
});

test.each([
  "import { readFileSync } from 'node:fs';\nexport const handlers = { readFileSync };\n",
  "import { x } from '../main.ts';\nexport const handlers = { x };\n",
  "import { x } from '@scope/installed/deep';\nexport const handlers = { x };\n",
  "import { x } from '../mine/x.ts';\nexport const handlers = { x };\n",
  "export const handlers = { x: () => import('./optional.ts') };\n",
])('what handlers import is there: %s', async (handlers) => {
  const dir = await written();
  put(dir, {
    'src/handlers/index.ts': handlers,
    'node_modules/@scope/installed/package.json': '{}\n',
    'dist/mine/x.js': 'built by npm run build\n',
  });
  expect((await write(two, dir)).problems).toEqual([]);
});

test('the target is a link that leads nowhere: target-not-a-folder says so, and the link stays', async () => {
  const base = temporaryFolder();
  const link = join(base, 'out');
  symlinkSync(join(base, 'gone'), link);
  for (const check of [false, true]) {
    const { problems, messages, hints } = await write(one, link, { check });
    expect(problems).toEqual(['target-not-a-folder']);
    expect(messages[0]).toContain(`${link} is a link that leads nowhere`);
    expect(hints[0]).toContain('delete the link');
  }
  expect(Object.keys(tree(base))).toEqual(['out']);
});

test.each([
  ['a folder where a file belongs', 'README.md'],
  ['a folder where the lock belongs, forced', 'src/main.ts'],
])('%s: path-in-the-way, even with force', async (_, path) => {
  const dir = await written();
  rmSync(join(dir, path));
  mkdirSync(join(dir, path));
  const before = tree(dir);
  expect((await write(two, dir, { force: true })).problems).toEqual(['path-in-the-way']);
  expect(tree(dir)).toEqual(before);
});

test('a file where a folder belongs: path-in-the-way', async () => {
  const dir = temporaryFolder();
  put(dir, { 'src/generated': 'x' });
  expect((await write(one, dir, { force: true })).problems).toEqual(['path-in-the-way']);
});

test.each([
  ['a linked folder', 'src/generated', ['path-outside-target']],
  ['a linked file', 'README.md', ['path-outside-target']],
])('%s leads out of the target: path-outside-target', async (_, path, want) => {
  const dir = await written();
  const outside = temporaryFolder();
  put(outside, { 'catalog.json': 'precious\n' });
  rmSync(join(dir, path), { recursive: true });
  symlinkSync(path === 'README.md' ? join(outside, 'catalog.json') : outside, join(dir, path));
  const before = [tree(dir), tree(outside)];
  expect((await write(two, dir, { force: true })).problems).toEqual(want);
  expect([tree(dir), tree(outside)]).toEqual(before);
});

test('a link in the way of many files is told once', async () => {
  const dir = await written();
  rmSync(join(dir, 'src'), { recursive: true });
  symlinkSync(temporaryFolder(), join(dir, 'src'));
  for (const options of [{}, { force: true }, { dryRun: true }, { check: true }])
    expect((await write(two, dir, options)).problems).toEqual(['path-outside-target']);
});

test('a dangling link is no place to write to: path-outside-target', async () => {
  const dir = await written();
  rmSync(join(dir, 'README.md'));
  symlinkSync('/nowhere/at/all', join(dir, 'README.md'));
  expect((await write(two, dir)).problems).toEqual(['path-outside-target']);
});

test('a link that stays inside is followed, and so is a linked target', async () => {
  const base = temporaryFolder();
  const dir = join(base, 'real');
  mkdirSync(join(dir, 'code'), { recursive: true });
  symlinkSync('code', join(dir, 'src'));
  symlinkSync('real', join(base, 'alias'));
  const { problems } = await write(one, join(base, 'alias'), { force: true });
  expect(problems).toEqual([]);
  expect(readFileSync(join(dir, 'code/main.ts'), 'utf8')).toBe('main one\n');
});

test.each([
  ['damaged', '{"format":1,', 'invalid-lock'],
  ['in conflict', '<<<<<<< HEAD\n{}\n=======\n>>>>>>> theirs\n', 'invalid-lock'],
  ['reaching out', '{"format":1,"compiler":"1","names":{},"files":{"../x":"sha256-0"}}', 'invalid-lock'],
  ['from the future', '{"format":99}', 'lock-from-future'],
])('a lock %s stops everything, even with force', async (_, lock, want) => {
  const dir = await written();
  put(dir, { 'mcpgen.lock': lock });
  const before = tree(dir);
  expect((await write(two, dir, { force: true })).problems).toEqual([want]);
  expect(tree(dir)).toEqual(before);
});

/** Lists a file of a person, as it is, in the lock. */
function listInLock(dir: string, path: string): void {
  const file = join(dir, 'mcpgen.lock');
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { files: Record<string, string> };
  lock.files[path] = hashWithoutLayout(readFileSync(join(dir, path), 'utf8'));
  writeFileSync(file, JSON.stringify(lock));
}

test.each([{}, { force: true }, { check: true }, { dryRun: true }])(
  'a lock that lists a file of a person stops the run: %j',
  async (options) => {
    const dir = await written();
    put(dir, { 'NOTES.md': 'mine\n' });
    listInLock(dir, 'NOTES.md');
    const before = tree(dir);
    const { problems, hints } = await write(two, dir, options);
    expect(problems).toEqual(['lock-stray-paths']);
    expect(hints[0]).toContain('--rebuild-lock');
    expect(tree(dir)).toEqual(before);
  },
);

test('a file by a link is not removed, not even one in the project', async () => {
  const dir = await written();
  put(dir, { '.git/HEAD': 'ref\n', 'elsewhere/HEAD': 'mine\n' });
  mkdirSync(join(dir, 'src/app'), { recursive: true });
  for (const [name, target] of [
    ['one', '../../.git'],
    ['other', '../../elsewhere'],
  ] as const) {
    symlinkSync(target, join(dir, 'src/app', name));
    listInLock(dir, `src/app/${name}/HEAD`);
  }
  expect(await write(one, dir)).toMatchObject({ problems: [], removed: [] });
  expect(filesOf(dir)).toMatchObject({ '.git/HEAD': 'ref\n', 'elsewhere/HEAD': 'mine\n' });
});

test('nothing is written by a link to what git keeps', async () => {
  const dir = await written();
  put(dir, { '.git/hooks/x': '' });
  rmSync(join(dir, 'src/generated'), { recursive: true });
  symlinkSync('../.git/hooks', join(dir, 'src/generated'));
  expect((await write(two, dir, { force: true })).problems).toEqual(['path-outside-target']);
});

describe('with rebuildLock', () => {
  const spoilt: [string, (dir: string) => void][] = [
    ['lost', (dir) => rmSync(join(dir, 'mcpgen.lock'))],
    ['damaged', (dir) => put(dir, { 'mcpgen.lock': '{' })],
    ['with a file of a person', (dir) => listInLock(dir, 'NOTES.md')],
    ['as it should be', () => undefined],
  ];

  test.each(spoilt)('a lock %s is written anew, and nothing is removed', async (_, spoil) => {
    const dir = await written();
    put(dir, {
      'NOTES.md': 'mine\n',
      'src/app/old.ts': 'no longer generated\n',
      'dist/runtime/old.js': 'built\n',
    });
    const before = filesOf(dir);
    spoil(dir);
    const { problems, removed } = await write(one, dir, { rebuildLock: true });
    expect({ problems, removed }).toEqual({ problems: [], removed: [] });
    expect(filesOf(dir)).toEqual(before);
  });

  test('a file that is not as generated stops it; --force and --keep say what becomes of the file', async () => {
    const edited = async (): Promise<string> => {
      const dir = await written();
      put(dir, { 'README.md': 'mine\n', 'mcpgen.lock': '{' });
      return dir;
    };
    expect(await write(one, await edited(), { rebuildLock: true })).toMatchObject({
      problems: ['file-edited'],
      written: [],
    });
    const forced = await edited();
    expect(await write(one, forced, { rebuildLock: true, force: true })).toMatchObject({
      problems: [],
      saved: ['README.md.orig'],
    });
    const kept = await edited();
    expect(await write(one, kept, { rebuildLock: true, keep: true })).toMatchObject({
      problems: [],
      taken: ['README.md'],
    });
    expect(filesOf(kept)['README.md']).toBe('mine\n');
    expect(await write(two, kept)).toMatchObject({ kept: expect.arrayContaining(['README.md']) as unknown });
  });

  test('a folder that is no project is none with it either', async () => {
    const dir = temporaryFolder();
    put(dir, { 'notes.txt': 'mine\n' });
    expect((await write(one, dir, { rebuildLock: true })).problems).toEqual(['target-not-empty']);
  });
});
