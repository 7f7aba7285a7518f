/** Conflict markers of git in a text, and in the files of a project. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findConflict, splitConflict } from '../../src/util/conflict-markers.ts';
import { filesOf, project, put, temporaryFolder, write } from './project-on-disk.ts';

const conflict = (mine: string, theirs: string) => `<<<<<<< HEAD\n${mine}=======\n${theirs}>>>>>>> theirs\n`;

test.each([
  { what: 'a whole one', text: `a\n${conflict('b\n', 'c\n')}d`, line: 2, sides: ['a\nb\nd', 'a\nc\nd'] },
  { what: 'line ends of Windows', text: conflict('b\r\n', ''), line: 1, sides: ['b\n', ''] },
  {
    what: 'with the common ancestor',
    text: '<<<<<<< HEAD\nb\n||||||| 1234567\na\n=======\nc\n>>>>>>> theirs\n',
    line: 1,
    sides: ['b\n', 'c\n'],
  },
  { what: 'a heading', text: 'Title\n=======\n', sides: ['Title\n=======\n', 'Title\n=======\n'] },
  { what: 'no middle', text: '<<<<<<< a\n>>>>>>> b\n' },
  { what: 'no end', text: '<<<<<<< a\n=======\n' },
  { what: 'the wrong order', text: '=======\n<<<<<<< a\n>>>>>>> b\n' },
  { what: 'within a line', text: 'see <<<<<<< a\n=======\n>>>>>>> b' },
])('conflict markers: $what', ({ text, line, sides }) => {
  expect(findConflict(text)).toBe(line);
  if (sides !== undefined) expect(splitConflict(text)).toEqual(sides);
});

const page = (title: string) => `${title}\n\none\ntwo\n\nend\n`;
const version = (title: string) => project(title, { 'src/generated/page.md': page(title) });

async function written(files: Record<string, string> = {}): Promise<string> {
  const dir = join(temporaryFolder(), 'p');
  await write(version('One'), dir);
  put(dir, files);
  return dir;
}

const marked = conflict('Mine\n', 'One\n');

test.each([{}, { keep: true }, { force: true }])(
  'a generated file with markers is written again, with %o',
  async (policy) => {
    const dir = await written({ 'src/generated/page.md': marked });
    expect((await write(version('One'), dir, { check: true })).written).toEqual(['src/generated/page.md']);
    const { problems, messages, saved } = await write(version('Two'), dir, policy);
    const original = 'src/generated/page.md.orig';
    expect({ problems, saved }).toEqual({ problems: ['merge-generated-anew'], saved: [original] });
    expect(messages[0]).toContain('src/generated/page.md');
    expect(filesOf(dir)).toMatchObject({ 'src/generated/page.md': page('Two'), [original]: marked });
  },
);

test('an owned file with markers stops every run, and the place is told', async () => {
  const dir = await written({ 'src/generated/page.md': 'mine\n' });
  await write(version('One'), dir, { keep: true });
  put(dir, { 'src/generated/page.md': marked });
  for (const policy of [{}, { force: true }, { keep: true }, { check: true }]) {
    const { problems, messages, hints } = await write(version('One'), dir, { label: 'out', ...policy });
    expect(problems).toEqual(['file-conflict']);
    expect(messages[0]).toContain('conflict markers: out/src/generated/page.md:1.');
    expect(hints[0]).toContain('git checkout --ours -- out/src/generated/page.md');
  }
});

test('files with markers are one report', async () => {
  const files = project('One', { 'src/generated/a.md': 'a\n', 'src/generated/b.md': 'b\n' });
  const dir = join(temporaryFolder(), 'p');
  await write(files, dir);
  put(dir, { 'src/generated/a.md': 'mine\n', 'src/generated/b.md': 'mine\n' });
  await write(files, dir, { keep: true });
  put(dir, { 'src/generated/a.md': marked, 'src/generated/b.md': `mine\n${marked}` });
  const { problems, messages } = await write(files, dir, { label: 'out' });
  expect(problems).toEqual(['file-conflict']);
  expect(messages[0]).toMatch(/: out\/src\/generated\/a\.md:1, out\/src\/generated\/b\.md:2\. /);
});

test('text with markers that mcpgen itself writes may be edited', async () => {
  const dir = join(temporaryFolder(), 'p');
  const files = project('one', { 'src/generated/page.md': marked });
  await write(files, dir);
  put(dir, { 'src/generated/page.md': `${marked}mine\n` });
  expect((await write(files, dir)).problems).toEqual(['file-edited']);
  expect((await write(files, dir, { keep: true })).problems).toEqual([]);
});

test('package.json with markers: the place is told, and --force keeps it as .orig', async () => {
  const manifest = project('one', { 'package.json': '{ "name": "p" }\n' });
  const dir = join(temporaryFolder(), 'p');
  await write(manifest, dir);
  put(dir, { 'package.json': `{\n${conflict('"name": "a"\n', '"name": "b"\n')}}\n` });
  const { problems, messages } = await write(manifest, dir, { label: 'out' });
  expect(problems).toEqual(['file-conflict']);
  expect(messages[0]).toContain('conflict markers: out/package.json:2.');
  expect((await write(manifest, dir, { force: true })).saved).toEqual(['package.json.orig']);
});
