// Several sources that don't fit together are reported, and nothing is written.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const api = (title: string, operationId: string): string => `openapi: 3.1.0
info: { title: ${title}, version: 1.0.0 }
servers: [{ url: 'https://${title.toLowerCase()}.test' }]
paths:
  /pets:
    get:
      operationId: ${operationId}
      responses: { '200': { description: Fine. } }
`;
const FILES = {
  'pets.yaml': api('Pets', 'list'),
  'more.yaml': api('More', 'list'),
  'same.yaml': api('Pets', 'others'),
  'readers.ts':
    '/** @resource a://b */\nexport function b(): string {\n  return "";\n}\n/** @resource a://b */\nexport function c(): string {\n  return "";\n}\n',
  'many.ts': Array.from({ length: 41 }, (_, at) => `/** @tool */\nexport function f${at}(): void {}\n`).join(
    '',
  ),
  'ids.ts':
    '/** @resource t://{id}/x{?page} */\nexport function a(id: string, page = 1): string {\n  return id + page;\n}\n',
  'names.ts':
    '/** @resource t://{name}/x{?page} */\nexport function b(name: string, page = 1): string {\n  return name + page;\n}\n/** @resource t://{name}/x{?size} */\nexport function c(name: string, size = 1): string {\n  return name + size;\n}\n',
  'tools.ts': '/** @tool */\nexport function list(): string {\n  return "";\n}\n',
};

test.each([
  {
    sources: [{ openapi: 'pets.yaml' }, { typescript: 'tools.ts' }],
    exitCode: 1,
    words: [
      /tools\.ts:2:17 - error MCPG810 name-taken: Two tools have the name list\./,
      /pets\.yaml:6:5 - The other one\./,
    ],
  },
  {
    sources: [{ openapi: 'pets.yaml' }, { openapi: 'more.yaml' }],
    exitCode: 1,
    words: [/more\.yaml:6:5 - error MCPG810 name-taken: .* list\./, /pets\.yaml:6:5 - The other one\./],
  },
  {
    sources: [{ typescript: 'readers.ts' }],
    exitCode: 1,
    words: [
      /MCPG810 name-taken: Two resources have the URI a:\/\/b\./,
      /hint: Change the URI after one `@resource`\./,
    ],
  },
  {
    sources: [{ openapi: 'pets.yaml' }, { typescript: 'ids.ts' }, { typescript: 'names.ts' }],
    exitCode: 1,
    words: [
      /names\.ts:2:17 - error MCPG810 name-taken: Two resource templates have the URI t:\/\/\{\}\/x\{\?page\}\./,
      /ids\.ts:2:17 - The other one\./,
    ],
  },
  {
    sources: [{ openapi: 'pets.yaml' }, { typescript: ['many.ts', 'readers.ts'] }],
    exitCode: 1,
    words: [/MCPG410 many-tools: .* 42 tools/, /hint: Select operations with `include` of a source, name/],
  },
  {
    sources: [{ openapi: 'pets.yaml' }, { openapi: 'same.yaml' }],
    exitCode: 1,
    words: [
      /same\.yaml:1:1 - error MCPG428 variable-of-two: .* called PETS/,
      /pets\.yaml:1:1 - The other document\./,
    ],
  },
  {
    sources: [{ openapi: 'gone.yaml' }, { openapi: 'lost.yaml' }],
    exitCode: 1,
    words: [/source-not-found: The file gone\.yaml does not exist/, /source-not-found: The file lost\.yaml/],
  },
])('$sources: $words', async ({ sources, exitCode, words }) => {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text);
  writeFileSync(join(cwd, 'mcpgen.config.json'), JSON.stringify({ output: 'server', sources }));
  const said = await runInProcess(['generate'], { cwd });
  for (const word of words) expect(said.stderr).toMatch(word);
  expect({ exitCode: said.exitCode, written: existsSync(join(cwd, 'server')) }).toEqual({
    exitCode,
    written: false,
  });
});

test('a configuration in a project is its own: it takes the place of the one that was written', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'pets.yaml'), FILES['pets.yaml']);
  await runInProcess(['openapi', 'pets.yaml', '-o', 'server'], { cwd });
  rmSync(join(cwd, 'server/mcpgen.config.json'));
  writeFileSync(
    join(cwd, 'server/mcpgen.config.js'),
    "export default { sources: [{ openapi: '../pets.yaml', prefix: 'my_' }] };",
  );
  for (const command of ['generate', 'check']) {
    const { exitCode, stderr } = await runInProcess([command, 'server'], { cwd });
    expect(exitCode, stderr).toBe(0);
  }
  expect(existsSync(join(cwd, 'server/mcpgen.config.json'))).toBe(false);
  const readme = readFileSync(join(cwd, 'server/README.md'), 'utf8');
  expect(readme).toContain('`mcpgen.config.js` has names');
  expect(readme).not.toContain('mcpgen.config.json');
  expect(readFileSync(join(cwd, 'server/src/generated/catalog.json'), 'utf8')).toContain('"my_list"');
});
