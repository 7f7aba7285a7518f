/** Names stay with their operations from run to run, by what the lock has of them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generate } from '../../src/index.ts';
import { runInProcess } from '../cli/support/fake-host.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';

interface Api {
  path: string;
  operationId: string;
}

test.each<{ what: string; runs: Api[]; want: string; names: Record<string, string> }>([
  {
    what: 'the operationId, then the path',
    runs: [
      { path: '/pets', operationId: 'listPets' },
      { path: '/pets', operationId: 'findPets' },
      { path: '/v2/pets', operationId: 'findPets' },
    ],
    want: 'listPets',
    names: { 'GET /v2/pets': 'listPets findPets' },
  },
  {
    what: 'both at once',
    runs: [
      { path: '/pets', operationId: 'listPets' },
      { path: '/v2/pets', operationId: 'findPets' },
    ],
    want: 'findPets',
    names: { 'GET /v2/pets': 'findPets' },
  },
])('$what changes: the tool is $want', async ({ runs, names }) => {
  const cwd = temporaryFolder();
  for (const { path, operationId } of runs) {
    const operation = { operationId, responses: { 200: { description: 'fine' } } };
    const api = {
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1.0.0' },
      paths: { [path]: { get: operation } },
    };
    writeFileSync(join(cwd, 'api.json'), JSON.stringify(api));
    expect(await generate({ source: 'api.json', dir: 'out', cwd })).toMatchObject({ ok: true });
  }
  const lock = JSON.parse(readFileSync(join(cwd, 'out/mcpgen.lock'), 'utf8')) as {
    names: Record<string, string>;
  };
  expect(lock.names).toEqual(names);
});

const document = (xMcp: object = {}): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: { '/pets': { delete: { operationId: 'deletePet', 'x-mcp': xMcp, responses: {} } } },
  });
test('a handler of a tool that was renamed is told the new name', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'api.json'), document());
  const openapi = ['openapi', 'api.json', '-o', 'out'];
  expect(await runInProcess(openapi, { cwd })).toMatchObject({ exitCode: 0 });
  const handlers = join(cwd, 'out/src/handlers/index.ts');
  const tools = '{ deletePet: () => 1 }';
  const write = (members: string): void => writeFileSync(handlers, `export const handlers = {${members}};\n`);
  write(`tools: ${tools}`);
  writeFileSync(join(cwd, 'api.json'), document({ name: 'remove_pet' }));
  const refused = await runInProcess(openapi, { cwd });
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('MCPG542');
  expect(refused.stderr).toContain('hint: It is called `remove_pet` now: rename the key.');
});

const weather = (name: string): string => `/** @tool ${name} */\nexport function rain(): void {}\n`;
const worded = (name?: string): string =>
  JSON.stringify({
    source: '../api.json',
    tools: { deletePet: name === undefined ? { title: 'Delete' } : { name } },
  });

test.each<{ what: string; file: string; texts: string[]; names: [before: string, after: string][] }>([
  {
    what: 'x-mcp.name',
    file: 'api.json',
    texts: [document(), document({ name: 'remove' }), document({ name: 'erase' }), document()],
    names: [
      ['deletePet', 'remove'],
      ['remove', 'erase'],
    ],
  },
  {
    what: 'tools.X.name of the configuration',
    file: 'out/mcpgen.config.json',
    texts: [worded(), worded('remove'), worded('erase'), worded()],
    names: [
      ['deletePet', 'remove'],
      ['remove', 'erase'],
      ['erase', 'deletePet'],
    ],
  },
  {
    what: '@tool',
    file: 'weather.ts',
    texts: [weather('rain'), weather('rainfall')],
    names: [['rain', 'rainfall']],
  },
])('a rename by $what is told by the run that makes it, once', async ({ file, texts, names }) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(cwd, 'api.json'), document());
  if (file.startsWith('out/')) mkdirSync(join(cwd, 'out'));
  const isCode = file.endsWith('.ts');
  const args = isCode ? ['ts', file, '-o', 'out'] : ['openapi', 'api.json', '-o', 'out'];
  const renames: string[] = [];
  for (const text of texts.flatMap((text) => [text, text])) {
    writeFileSync(join(cwd, file), text);
    const { exitCode, stderr } = await runInProcess([...args, '--verbose'], { cwd });
    expect(exitCode, stderr).toBe(0);
    const [rename] = /MCPG420 names-taken: .*/.exec(stderr) ?? [];
    if (rename !== undefined) renames.push(rename);
  }
  expect(renames).toEqual(
    names.map(([before, after]) =>
      expect.stringMatching(`A tool was renamed: \`${after}\` for \`.*\` \\(it was \`${before}\`\\)`),
    ),
  );
});
