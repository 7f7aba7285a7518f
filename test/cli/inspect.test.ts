// What `mcpgen inspect` says of a server beside what clients list.
import { cpSync, writeFileSync } from 'node:fs';
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

test('an API without credentials has no such section', async () => {
  const cwd = temporaryFolder();
  const open = `openapi: 3.1.0
info: { title: Dogs, version: 1.0.0 }
servers: [{ url: 'https://dogs.example.com' }]
paths:
  /dogs: { get: { operationId: listDogs, responses: { '204': { description: Dogs } } } }
`;
  writeFileSync(join(cwd, 'dogs.yaml'), open);
  const { stdout } = await runInProcess(['inspect', 'dogs.yaml'], { cwd });
  expect(stdout).toContain('listDogs');
  expect(stdout).not.toContain('Credentials');
});
