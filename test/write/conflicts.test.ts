/** Conflict markers of git in a text, and in the files of a project. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findConflict, splitConflict } from '../../src/util/conflict-markers.ts';
import { project, put, temporaryFolder, write } from './project-on-disk.ts';

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

const marked = conflict('Mine\n', 'One\n');

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
