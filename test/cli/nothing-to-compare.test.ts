// A document that was not there yet in the revision that it is compared with.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const cwd = temporaryFolder();
cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(cwd, 'api.yaml'));

test.each([
  [
    'nothing is piped in',
    '-',
    /MCPG104 source-empty: [^]*hint: The command before the pipe has printed nothing\. .*`git cat-file -e <revision>:<file>` tells beforehand\./,
  ],
  [
    'a revision is named',
    'main:api.yaml',
    /MCPG101 source-not-found: There is no file main:api\.yaml\.\n +hint: A file of a revision in git is piped in: `git show <revision>:<file> \| mcpgen diff - <file>`\./,
  ],
  ['a file is named', 'old.yaml', /hint: Check the path;/],
  ['a drive of Windows is named', 'C:old.yaml', /hint: Check the path;/],
])('%s', async (_, before, want) => {
  const { exitCode, stderr } = await runInProcess(['diff', before, 'api.yaml'], { cwd });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(want);
});
