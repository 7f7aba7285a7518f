/** Conflict marks in files of a project, and what git has merged of two generated projects. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findConflict, linesOfBothSides } from '../../src/write/merged-files.ts';
import { filesOf, project, put, temporaryFolder, write } from './project-on-disk.ts';

const conflict = (mine: string, theirs: string) => `<<<<<<< HEAD\n${mine}=======\n${theirs}>>>>>>> theirs\n`;

test.each([
  { what: 'a whole one', text: `a\n${conflict('b\n', 'c\n')}`, line: 2, lines: ['a', 'b', 'c', ''] },
  {
    what: 'with line ends of Windows',
    text: conflict('b\n', '').replaceAll('\n', '\r\n'),
    line: 1,
    lines: ['b', ''],
  },
  {
    what: 'with the lines before',
    text: '<<<<<<< HEAD\nb\n||||||| 1234567\na\n=======\nc\n>>>>>>> theirs\n',
    line: 1,
    lines: ['b', 'c', ''],
  },
  { what: 'a heading', text: 'Title\n=======\n', line: undefined, lines: ['Title', ''] },
  { what: 'no middle', text: '<<<<<<< a\n>>>>>>> b\n', line: undefined, lines: [''] },
  { what: 'no end', text: '<<<<<<< a\n=======\n', line: undefined, lines: [''] },
  { what: 'the wrong order', text: '=======\n<<<<<<< a\n>>>>>>> b\n', line: undefined, lines: [''] },
  {
    what: 'within a line',
    text: 'see <<<<<<< a\n=======\n>>>>>>> b',
    line: undefined,
    lines: ['see <<<<<<< a'],
  },
])('conflict marks: $what', ({ text, line, lines }) => {
  expect(findConflict(text)).toBe(line);
  expect(linesOfBothSides(text)).toEqual(lines);
});

const page = (title: string, end = 'end') => `${title}\n\none\ntwo\n\n${end}\n`;
const version = (title: string, end = 'end') => project(title, { 'src/generated/page.md': page(title, end) });

async function written(files: Record<string, string> = {}): Promise<string> {
  const dir = join(temporaryFolder(), 'p');
  await write(version('One'), dir);
  put(dir, files);
  return dir;
}

const marked = conflict('Mine\n', 'One\n');

test.each([
  { policy: {}, problems: ['file-conflict'] },
  { policy: { keep: true }, problems: ['file-conflict'] },
  { policy: { merge: true }, problems: ['file-conflict'] },
  { policy: { check: true }, problems: ['file-conflict'] },
  { policy: { force: true }, problems: [] },
])('an edited file with marks, without git: $problems with $policy', async ({ policy, problems }) => {
  const dir = await written({ 'src/generated/page.md': marked });
  const before = filesOf(dir);
  const outcome = await write(version('Two'), dir, { label: 'out', ...policy });
  expect(outcome.problems).toEqual(problems);
  if (problems.length === 0) {
    expect(filesOf(dir)).toMatchObject({
      'src/generated/page.md': page('Two'),
      'src/generated/page.md.orig': marked,
    });
    return;
  }
  expect(outcome.messages[0]).toContain('out/src/generated/page.md:1 contains conflict markers');
  expect(outcome.hints[0]).toContain('git checkout --ours -- out/src/generated/page.md');
  expect(filesOf(dir)).toEqual(before);
});

test('an owned file with marks stops --force too', async () => {
  const dir = await written({ 'src/generated/page.md': 'mine\n' });
  await write(version('One'), dir, { keep: true });
  put(dir, { 'src/generated/page.md': marked });
  for (const policy of [{}, { force: true }, { keep: true }, { check: true }])
    expect((await write(version('One'), dir, policy)).problems).toEqual(['file-conflict']);
});

test('files with marks are one report for each way out', async () => {
  const name = (one: string) => `src/generated/${one}.md`;
  const texts = (text: string, names: string) =>
    Object.fromEntries([...names].map((one) => [name(one), text] as const));
  const files = project('One', texts('generated\n', 'abcdef'));
  const dir = join(temporaryFolder(), 'p');
  await write(files, dir);
  put(dir, texts('mine\n', 'ef'));
  await write(files, dir, { keep: true });
  put(dir, { ...texts(marked, 'abcdef'), [name('b')]: `mine\n${marked}` });
  const { problems, messages, hints } = await write(files, dir, { label: 'out' });
  expect(problems).toEqual(['file-conflict', 'file-conflict']);
  const [first = '', second = ''] = messages;
  expect(first).toMatch(/^4 files contain .*: out\/src\/generated\/a\.md:1, out\/src\/generated\/b\.md:2, /);
  expect(second).toMatch(
    /^2 files contain .*: out\/src\/generated\/e\.md:1, out\/src\/generated\/f\.md:1\. /,
  );
  expect(hints[0]).toContain('git checkout --ours -- out/src/generated/a.md out/src/generated/b.md');
  expect(hints[0]).toContain('Add --force');
  expect(hints[1]).toContain('delete yours');
});

test('text with marks that mcpgen itself writes may be edited', async () => {
  const dir = join(temporaryFolder(), 'p');
  const files = project('one', { 'src/generated/page.md': marked });
  await write(files, dir);
  put(dir, { 'src/generated/page.md': `${marked}mine\n` });
  expect((await write(files, dir, { keep: true })).problems).toEqual([]);
});

test('package.json with marks: the place is told, and --force keeps it as .orig', async () => {
  const manifest = project('one', { 'package.json': '{ "name": "p" }\n' });
  const dir = join(temporaryFolder(), 'p');
  await write(manifest, dir);
  put(dir, { 'package.json': `{\n${conflict('"name": "a"\n', '"name": "b"\n')}}\n` });
  const { problems, messages } = await write(manifest, dir, { label: 'out' });
  expect(problems).toEqual(['file-conflict']);
  expect(messages[0]).toContain('out/package.json:2 contains conflict markers');
  expect((await write(manifest, dir, { force: true })).saved).toEqual(['package.json.orig']);
});

test('an owned JSON that the server reads has to be JSON', async () => {
  const dir = await written({ 'src/generated/catalog.json': '{"v":' });
  expect((await write(version('One'), dir)).problems).toEqual(['file-edited']);
  expect((await write(version('One'), dir, { keep: true })).problems).toEqual(['owned-file-broken']);
  put(dir, { 'src/generated/catalog.json': '{"v":"mine"}' });
  expect((await write(version('One'), dir, { keep: true })).problems).toEqual([]);
  put(dir, { 'src/generated/catalog.json': '{"v":' });
  for (const policy of [{ check: true }, {}, { force: true }]) {
    const { problems, messages } = await write(version('One'), dir, policy);
    expect(problems).toEqual(['owned-file-broken']);
    expect(messages[0]).toContain('src/generated/catalog.json');
  }
});

function gitIn(dir: string) {
  return (...args: string[]): void => {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
    execFileSync('git', ['-C', dir, ...who, ...args], { stdio: 'ignore' });
  };
}

/** Two branches that have changed the page at its two ends, merged but for the lock, which is ours. */
async function mergedByGit(theirs: string): Promise<string> {
  const dir = await written();
  const git = gitIn(dir);
  git('init', '--quiet', '--initial-branch', 'ours');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'one');
  git('checkout', '--quiet', '-b', 'theirs');
  await write(version('One', 'their end'), dir);
  put(dir, { 'src/generated/page.md': theirs });
  git('commit', '--quiet', '--all', '--message', 'theirs');
  git('checkout', '--quiet', 'ours');
  await write(version('Two'), dir);
  git('commit', '--quiet', '--all', '--message', 'ours');
  expect(() => git('merge', 'theirs')).toThrow();
  git('checkout', '--ours', '--', '.');
  return dir;
}

const three = version('Three', 'their end');
const both = page('Two', 'their end');

test('a merge without marks is no edit; one with a person’s line on a branch is', async () => {
  const dir = await mergedByGit(page('One', 'their end'));
  put(dir, { 'src/generated/page.md': both });
  expect(await write(three, dir)).toMatchObject({ problems: ['merge-generated-anew'], saved: [] });
  expect(readFileSync(join(dir, 'src/generated/page.md'), 'utf8')).toBe(page('Three', 'their end'));
  const other = await mergedByGit(page('One', 'a person’s end'));
  put(other, { 'src/generated/page.md': page('Two', 'a person’s end') });
  expect((await write(three, other)).problems).toEqual(['file-edited']);
});

test('once the merge is committed only what was committed counts as merged', async () => {
  const dir = await mergedByGit(page('One', 'their end'));
  put(dir, { 'src/generated/page.md': both });
  gitIn(dir)('add', '--all');
  gitIn(dir)('commit', '--quiet', '--message', 'merge');
  expect((await write(three, dir, { dryRun: true })).problems).toEqual([]);
  put(dir, { 'src/generated/page.md': both.replace('one\n', '') });
  expect((await write(three, dir)).problems).toEqual(['file-edited']);
  put(dir, { 'src/generated/page.md': both });
  gitIn(dir)('commit', '--quiet', '--allow-empty', '--message', 'later');
  expect((await write(three, dir)).problems).toEqual(['file-edited']);
});
