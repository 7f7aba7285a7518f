/** Generated files that a person has edited. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GeneratedFile } from '../../src/emit/index.ts';
import { filesOf, type Outcome, project, put, temporaryFolder, tree, write } from './project-on-disk.ts';

const page = (title: string, end = 'end') => `${title}\n\none\ntwo\nthree\n\n${end}\n`;
const one = project('one', { 'src/generated/page.md': page('One') });
const two = project('two', { 'src/generated/page.md': page('Two') });
const edited = page('One', 'my end');

async function written(files: GeneratedFile[] = one, edit = edited): Promise<string> {
  const dir = join(temporaryFolder(), 'petstore-mcp');
  await write(files, dir);
  put(dir, { 'src/generated/page.md': edit });
  return dir;
}

const pageOf = (dir: string): string => readFileSync(join(dir, 'src/generated/page.md'), 'utf8');

function lockOf(dir: string): { owned?: Record<string, string>; files: Record<string, string> } {
  return JSON.parse(readFileSync(join(dir, 'mcpgen.lock'), 'utf8'));
}

function brief({ problems, kept, saved }: Outcome): object {
  return { problems, kept: kept.filter((path) => path === 'src/generated/page.md'), saved };
}

test('stops the run and shows how mcpgen would change the file', async () => {
  const dir = await written();
  const before = tree(dir);
  const { problems, diffs } = await write(two, dir);
  expect(problems).toEqual(['file-edited']);
  expect(tree(dir)).toEqual(before);
  expect(diffs).toEqual([
    { path: 'src/generated/page.md', diff: expect.stringContaining('-my end\n+end\n') },
  ]);
});

test('--keep: the file is its editor’s, until it is what is generated', async () => {
  const dir = await written();
  expect(brief(await write(two, dir, { keep: true }))).toEqual({
    problems: [],
    kept: ['src/generated/page.md'],
    saved: [],
  });
  expect(pageOf(dir)).toBe(edited);
  expect(lockOf(dir).owned).toEqual({ 'src/generated/page.md': lockOf(dir).files['src/generated/page.md'] });
  expect(brief(await write(two, dir))).toEqual({
    problems: [],
    kept: ['src/generated/page.md'],
    saved: [],
  });
  expect((await write(two, dir, { check: true })).written).toEqual([]);
  const three = project('three', { 'src/generated/page.md': page('Three') });
  const behind = await write(three, dir);
  expect(behind.problems).toEqual(['owned-file-behind']);
  expect(behind.hints[0]).toContain('--keep');
  expect((await write(three, dir, { check: true })).problems).toEqual(['owned-file-behind']);
  expect((await write(three, dir)).written, 'the second time too').toEqual([]);
  expect((await write(three, dir, { keep: true })).problems).toEqual([]);
  expect((await write(three, dir)).problems).toEqual([]);
  put(dir, { 'src/generated/page.md': page('Three') });
  expect((await write(three, dir)).problems).toEqual([]);
  expect(lockOf(dir).owned).toBeUndefined();
});

test('--force leaves a file that was kept; one that was edited since then is written anew', async () => {
  const pages = (version: string, title: string) =>
    project(version, { 'src/generated/page.md': page(title), 'src/generated/other.md': page(title) });
  const dir = await written(pages('one', 'One'));
  await write(pages('one', 'One'), dir, { keep: true });
  put(dir, { 'src/generated/other.md': 'mine too\n' });
  const forced = await write(pages('two', 'Two'), dir, { force: true });
  expect(brief(forced)).toEqual({
    problems: ['owned-file-behind'],
    kept: ['src/generated/page.md'],
    saved: ['src/generated/other.md.orig'],
  });
  expect(pageOf(dir)).toBe(edited);
  expect(readFileSync(join(dir, 'src/generated/other.md'), 'utf8')).toBe(page('Two'));
  expect(Object.keys(lockOf(dir).owned ?? {})).toEqual(['src/generated/page.md']);
});

test('a kept file that is deleted comes back as it is generated', async () => {
  const dir = await written();
  await write(two, dir, { keep: true });
  execFileSync('rm', [join(dir, 'src/generated/page.md')]);
  await write(two, dir);
  expect(pageOf(dir)).toBe(page('Two'));
});

const manifest = (more: object) =>
  `${JSON.stringify({ name: 'p', scripts: { build: 'tsc' }, ...more }, undefined, 2)}\n`;

/** The lock has what `package.json` was generated as, as emitted locks have. */
function withPackage(version: string, contents: string): GeneratedFile[] {
  return project(version, { 'package.json': contents }).map((file) =>
    file.path === 'mcpgen.lock'
      ? { ...file, contents: JSON.stringify({ ...JSON.parse(file.contents), package: JSON.parse(contents) }) }
      : file,
  );
}

async function packaged(
  edit: (value: Record<string, unknown>) => void,
  indent: string | number = 2,
): Promise<string> {
  const dir = join(temporaryFolder(), 'p');
  await write(withPackage('one', manifest({ version: '1.0.0' })), dir);
  const value: Record<string, unknown> = JSON.parse(manifest({ version: '1.0.0' }));
  edit(value);
  put(dir, { 'package.json': `${JSON.stringify(value, undefined, indent)}\n` });
  return dir;
}

const packageOf = (dir: string): unknown => JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
const next = withPackage(
  'two',
  manifest({ version: '2.0.0', scripts: { build: 'tsc -b', test: 'node --test' } }),
);

test.each([{}, { force: true }])(
  'package.json is merged key by key with %o: what is the user’s stays',
  async (options) => {
    const dir = await packaged((value) => {
      value['dependencies'] = { lodash: '^4.0.0' };
      value['scripts'] = { build: 'tsc', lint: 'eslint .' };
      value['author'] = 'me';
    });
    expect(await write(next, dir, options)).toMatchObject({ problems: [], saved: [] });
    expect(packageOf(dir)).toEqual({
      name: 'p',
      version: '2.0.0',
      scripts: { build: 'tsc -b', lint: 'eslint .', test: 'node --test' },
      dependencies: { lodash: '^4.0.0' },
      author: 'me',
    });
    const again = await write(next, dir);
    expect([again.problems, again.written]).toEqual([[], []]);
    expect((await write(next, dir, { check: true })).written).toEqual([]);
  },
);

test('keys that both have changed are the user’s, which is told once: package-keys-kept', async () => {
  const dir = await packaged((value) => {
    value['scripts'] = { build: 'make' };
    delete value['version'];
  }, '\t');
  const { problems, messages } = await write(next, dir);
  expect(problems).toEqual(['package-keys-kept']);
  expect(messages[0]).toMatch(/: scripts\.build, version\.$/);
  expect(readFileSync(join(dir, 'package.json'), 'utf8')).toBe(
    `${JSON.stringify({ name: 'p', scripts: { build: 'make', test: 'node --test' } }, undefined, '\t')}\n`,
  );
  expect((await write(next, dir)).problems).toEqual([]);
});

test('a key that nobody has touched and is no longer generated goes; one of the user’s does not', async () => {
  const dir = await packaged((value) => void (value['author'] = 'me'));
  await write(withPackage('two', manifest({})), dir);
  expect(packageOf(dir)).toEqual({ name: 'p', scripts: { build: 'tsc' }, author: 'me' });
});

test.each([
  { given: { base: {}, mine: { a: '1' }, now: undefined }, want: { a: '1' } },
  { given: { base: { a: '1' }, mine: { a: '1', b: '1' }, now: undefined }, want: { b: '1' } },
  { given: { base: undefined, mine: { b: '1' }, now: { a: '1' } }, want: { a: '1', b: '1' } },
])('a group of keys that comes or goes, $given: $want', async ({ given: { base, mine, now }, want }) => {
  const dir = join(temporaryFolder(), 'p');
  await write(withPackage('one', manifest({ dependencies: base })), dir);
  put(dir, { 'package.json': manifest({ dependencies: mine }) });
  expect((await write(withPackage('two', manifest({ dependencies: now })), dir)).problems).toEqual([]);
  expect((packageOf(dir) as { dependencies?: unknown }).dependencies).toEqual(want);
});

test('a lock that does not know what was generated: what is the user’s stays', async () => {
  const dir = join(temporaryFolder(), 'p');
  await write(project('one', { 'package.json': manifest({ version: '1.0.0' }) }), dir);
  put(dir, { 'package.json': manifest({ version: '1.5.0', author: 'me' }) });
  expect((await write(next, dir)).problems).toEqual(['package-keys-kept']);
  expect(packageOf(dir)).toMatchObject({ version: '1.5.0', author: 'me', scripts: { test: 'node --test' } });
});

test('without the lock it is merged with --force too, and what was built leaves no copies', async () => {
  const dir = await packaged((value) => {
    value['scripts'] = { build: 'make', lint: 'eslint .' };
    value['dependencies'] = { lodash: '^4.0.0' };
  });
  put(dir, {
    'dist/main.js': 'built by hand\n',
    'src/handlers/index.ts': 'export const handlers = { tools: {} };\n',
  });
  rmSync(join(dir, 'mcpgen.lock'));
  expect(await write(next, dir)).toMatchObject({ problems: ['file-not-ours'], written: [] });
  const { problems, saved } = await write(next, dir, { force: true });
  expect(problems).toEqual(['package-keys-kept']);
  expect(saved).toEqual(['README.md.orig', 'src/main.ts.orig', 'src/generated/catalog.json.orig']);
  expect(packageOf(dir)).toEqual({
    name: 'p',
    version: '1.0.0',
    scripts: { build: 'make', lint: 'eslint .', test: 'node --test' },
    dependencies: { lodash: '^4.0.0' },
  });
  expect(readFileSync(join(dir, 'src/handlers/index.ts'), 'utf8')).toContain('tools: {}');
  expect((await write(next, dir, { check: true })).written).toEqual([]);
});

test.each([
  ['no JSON', '{ "name": "p", }'],
  ['a merge conflict', '<<<<<<< HEAD\n{}\n'],
])('package.json that is %s stops the run: owned-file-broken', async (_, text) => {
  const dir = await packaged(() => undefined);
  put(dir, { 'package.json': text });
  const before = filesOf(dir);
  expect((await write(next, dir)).problems).toEqual(['owned-file-broken']);
  expect(filesOf(dir)).toEqual(before);
  expect((await write(next, dir, { force: true })).saved).toEqual(['package.json.orig']);
});

test('names that mean something to objects are keys like others', async () => {
  const dir = await packaged(() => undefined);
  put(dir, {
    'package.json':
      '{"__proto__":{"x":1},"constructor":"c","name":"p","version":"1.0.0","scripts":{"build":"tsc"}}',
  });
  await write(next, dir);
  expect(readFileSync(join(dir, 'package.json'), 'utf8')).toContain(
    '"__proto__": {\n    "x": 1\n  },\n  "constructor": "c",',
  );
});

test('an edited copy of code: the hint says where to edit it', async () => {
  const files = project('one', { 'src/app/weather.ts': 'export {};\n' });
  const dir = join(temporaryFolder(), 'weather-mcp');
  await write(files, dir);
  put(dir, { 'src/app/weather.ts': 'export {}; // mine\n' });
  const { hints } = await write(files, dir, { configuration: 'servers.config.ts' });
  const words = 'Files in src/app/ are copies of your code: edit the sources that servers.config.ts names';
  expect(hints).toEqual([expect.stringContaining(words)]);
});
