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

test.each(['inspect', 'lint', 'openapi'])(
  '%s warns of a tool that no arguments fit, with the argument',
  async (command) => {
    const cwd = temporaryFolder();
    const size = {
      type: 'object',
      required: ['width'],
      properties: { width: { type: 'integer', minimum: 2, maximum: 1 } },
    };
    const body = (schema: object) => ({ required: true, content: { 'application/json': { schema } } });
    const post = (operationId: string, required: string[]) => ({
      post: {
        operationId,
        requestBody: body({ type: 'object', required, properties: { size } }),
        responses: {},
      },
    });
    const paths = { '/cut': post('cutBoard', ['size']), '/saw': post('sawBoard', []) };
    const document = { openapi: '3.1.0', info: { title: 'Boards', version: '1' }, paths };
    writeFileSync(join(cwd, 'boards.json'), JSON.stringify(document, undefined, 2));
    const { stderr } = await runInProcess([command, 'boards.json'], { cwd });
    expect(stderr).toContain(
      'boards.json:9:7 - warning MCPG437 no-valid-arguments: No arguments that `cutBoard` accepts were found, since no value fits `size.width`.',
    );
    expect(stderr).not.toMatch(/MCPG437.*sawBoard/);
  },
);
