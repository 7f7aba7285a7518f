// What `mcpgen inspect` says of a server beside what clients list.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

test('each credential has a line with the origins that it is sent to', async () => {
  const cwd = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(cwd, 'petstore.yaml'));
  const { stdout } = await runInProcess(['inspect', 'petstore.yaml'], { cwd });
  expect(stdout).toContain(
    '\nCredentials, and where they are sent\n  API_KEY_SHOPKEY  https://petstore.example.com\n',
  );
});
