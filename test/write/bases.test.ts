// The base of an owned file is kept, so the file can be merged again and again.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashContents } from '../../src/emit/index.ts';
import { project, put, temporaryFolder, write } from './project-on-disk.ts';

const page = (title: string, end = 'end') => `${title}\n\none\ntwo\nthree\n\n${end}\n`;
const version = (title: string) => project(title, { 'src/generated/page.md': page(title) });

function commit(dir: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args], { stdio: 'ignore' });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '--quiet', '--message', 'x');
}

/** A file that was edited and taken over when `One` was generated. */
async function owned(option: 'keep' | 'merge' = 'keep'): Promise<string> {
  const dir = join(temporaryFolder(), 'p');
  await write(version('One'), dir);
  put(dir, { 'src/generated/page.md': page('One', 'my end') });
  await write(version('One'), dir, { [option]: true });
  return dir;
}

const pageOf = (dir: string): string => readFileSync(join(dir, 'src/generated/page.md'), 'utf8');

function lockOf(dir: string): Record<string, Record<string, unknown> | undefined> {
  return JSON.parse(readFileSync(join(dir, 'mcpgen.lock'), 'utf8'));
}

/** The lock as earlier versions wrote it, or as somebody has edited it. */
function replaceBases(dir: string, bases: unknown): void {
  put(dir, { 'mcpgen.lock': JSON.stringify({ ...lockOf(dir), bases }) });
}

test.each([
  { after: 'keep', git: 'without git' },
  { after: 'merge', git: 'without git' },
  { after: 'keep', git: 'with each step committed' },
  { after: 'merge', git: 'with each step committed' },
] as const)('--merge three times in a row after --$after, $git', async ({ after, git }) => {
  const dir = await owned(after);
  for (const title of ['Two', 'Three', 'Four']) {
    if (git !== 'without git') commit(dir);
    expect((await write(version(title), dir)).problems).toEqual(['owned-file-behind']);
    const { problems, merged } = await write(version(title), dir, { merge: true });
    expect({ problems, merged }).toEqual({ problems: [], merged: ['src/generated/page.md'] });
    expect(pageOf(dir)).toBe(page(title, 'my end'));
  }
});

test('runs between two merges keep the base of the first', async () => {
  const dir = await owned();
  for (const title of ['Two', 'Three']) await write(version(title), dir);
  expect((await write(version('Four'), dir, { merge: true })).problems).toEqual([]);
  expect(pageOf(dir)).toBe(page('Four', 'my end'));
});

test('the lock holds the base line by line, while the file is owned', async () => {
  const dir = await owned();
  expect(lockOf(dir)['bases']).toEqual({ 'src/generated/page.md': page('One').split('\n') });
  expect(hashContents(page('One'))).toBe(lockOf(dir)['owned']?.['src/generated/page.md']);
  put(dir, { 'src/generated/page.md': page('One') });
  await write(version('One'), dir);
  expect(lockOf(dir)).not.toHaveProperty('bases');
});

test('a conflict after a merge shows both sides', async () => {
  const dir = await owned();
  put(dir, { 'src/generated/page.md': page('Mine') });
  const { problems, views } = await write(version('Two'), dir, { merge: true });
  expect(problems).toEqual(['merge-conflict']);
  expect(views).toMatchObject([{ base: 'lock', edits: expect.stringContaining('-One\n+Mine\n') }]);
});

test.each([
  { lock: 'of an earlier version', bases: undefined },
  { lock: 'with another base', bases: { 'src/generated/page.md': ['mine'] } },
])('a lock $lock gets the base again while it is what is generated', async ({ bases }) => {
  const dir = await owned();
  replaceBases(dir, bases);
  await write(version('One'), dir);
  expect((await write(version('Two'), dir, { merge: true })).problems).toEqual([]);
  expect(pageOf(dir)).toBe(page('Two', 'my end'));
});

test('a lock of an earlier version gets the base from git', async () => {
  const dir = join(temporaryFolder(), 'p');
  await write(version('One'), dir);
  commit(dir);
  put(dir, { 'src/generated/page.md': page('One', 'my end') });
  await write(version('One'), dir, { keep: true });
  replaceBases(dir, undefined);
  const { problems, messages } = await write(version('Two'), dir);
  expect(problems).toEqual(['owned-file-behind']);
  expect(messages[0]).toContain('`--merge` applies the changes');
  expect(lockOf(dir)['bases']).toEqual({ 'src/generated/page.md': page('One').split('\n') });
});

test('where the base is lost, --merge is not offered, nor --force, and --keep mends it', async () => {
  const dir = await owned();
  replaceBases(dir, undefined);
  const behind = await write(version('Two'), dir);
  expect(behind.problems).toEqual(['owned-file-behind']);
  expect(behind.messages[0]).toContain('`--merge` cannot apply the changes');
  const { problems, hints, views } = await write(version('Two'), dir, { merge: true });
  expect({ problems, bases: views.map(({ base }) => base) }).toEqual({
    problems: ['merge-without-base'],
    bases: ['unknown'],
  });
  expect(hints[0]).toContain('--keep');
  expect(hints[0]).not.toContain('--force');
  put(dir, { 'src/generated/page.md': page('Two', 'my end') });
  await write(version('Two'), dir, { keep: true });
  expect((await write(version('Three'), dir, { merge: true })).problems).toEqual([]);
});

test('of a file that is not owned --force keeps a copy, and the hint says so', async () => {
  const dir = join(temporaryFolder(), 'p');
  await write(version('One'), dir);
  put(dir, { 'src/generated/page.md': page('One', 'my end') });
  const { hints } = await write(version('Two'), dir, { merge: true });
  expect(hints[0]).toContain('--force, which keeps the file as .orig');
  expect((await write(version('Two'), dir, { force: true })).saved).toContain('src/generated/page.md.orig');
});
