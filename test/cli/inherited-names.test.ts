/** Names that every object inherits are names like any other: of a tool, a server, an entry of a client. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { makeDesk } from '../install/support.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const NAMES = ['toString', 'constructor', 'hasOwnProperty', '__proto__'];
const petstore = join(repositoryRoot, 'fixtures/petstore.yaml');

test.each(NAMES)('words for a tool %s', async (name) => {
  const cwd = temporaryFolder();
  const words = `{ "${name}": { "name": "other" } }`;
  writeFileSync(
    join(cwd, 'mcpgen.config.json'),
    `{ "source": ${JSON.stringify(petstore)}, "tools": ${words} }`,
  );
  const { exitCode, stderr } = await runInProcess(['inspect', '.'], { cwd });
  expect(stderr).toContain(`no tool or operation matches the key \`${name}\``);
  expect(exitCode).toBe(1);
});

test('a server of the name constructor, which is the one that names of servers may be', async () => {
  const cwd = temporaryFolder();
  const servers = `{ "constructor": { "source": ${JSON.stringify(petstore)}, "output": "pets" } }`;
  writeFileSync(join(cwd, 'mcpgen.config.json'), `{ "servers": ${servers} }`);
  const { exitCode, stdout } = await runInProcess(['generate', '--server', 'constructor'], { cwd });
  expect(stdout).toContain('→ ./pets');
  expect(exitCode).toBe(0);
});

test.each(NAMES.slice(0, 3))('an entry %s beside others of a client', async (name) => {
  const desk = await makeDesk();
  const file = desk.path('codex');
  const before = '[mcp_servers.other]\ncommand = "other"\n';
  desk.lay(file, before);
  const entry = ['--client', 'codex', '--name', name];
  expect(await desk.run(['install', 'pets', ...entry])).toMatchObject({ exitCode: 0 });
  expect(desk.read(file)).toContain(`[mcp_servers.${name}]`);
  expect(await desk.run(['uninstall', 'pets', ...entry])).toMatchObject({ exitCode: 0 });
  expect(desk.read(file)?.trimEnd()).toBe(before.trimEnd());
});
