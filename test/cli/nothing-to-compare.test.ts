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
    /MCPG103 source-unreadable: [^]*hint: The command before the pipe printed nothing\. .*`git cat-file -e <revision>:<file>` checks this first\./,
  ],
  [
    'a revision is named',
    'main:api.yaml',
    /MCPG101 source-not-found: The file main:api\.yaml does not exist\.\n +hint: To read a file of a git revision, pipe it in: `git show <revision>:<file> \| mcpgen diff - <file>`\./,
  ],
  ['a file is named', 'old.yaml', /hint: Check the path, which/],
])('%s', async (_, before, want) => {
  const { exitCode, stderr } = await runInProcess(['diff', before, 'api.yaml'], { cwd });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(want);
});
