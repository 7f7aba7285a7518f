// One file of a person's; test/cli/killed.test.ts cuts the commands that save one off at each change.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saveFile } from '../../src/write/save-file.ts';
import { filesOf, put, temporaryFolder } from './project-on-disk.ts';

test('a link goes on leading to its file', async () => {
  const dir = temporaryFolder();
  put(dir, { 'real/b.yaml': 'old\n' });
  mkdirSync(join(dir, 'other'));
  symlinkSync('real/b.yaml', join(dir, 'a.yaml'));
  await saveFile(join(dir, 'a.yaml'), 'new\n', { force: true });
  expect(filesOf(dir)).toEqual({
    'a.yaml': '-> real/b.yaml',
    'a.yaml.orig': 'old\n',
    'real/b.yaml': 'new\n',
  });
});
