// `mcpgen.config.json` is the user's to edit: however it is written, it is read, kept and no reason to refuse.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const cwd = temporaryFolder();
const config = join(cwd, 'p/mcpgen.config.json');

beforeAll(async () => {
  cpSync(join(fixtures, 'petstore.yaml'), join(cwd, 'petstore.yaml'));
  const { exitCode } = await runInProcess(['openapi', 'petstore.yaml', '-o', 'p'], { cwd });
  expect(exitCode).toBe(0);
});

test.each([
  '{"source":"../petstore.yaml","include":["tag:pets"]}',
  '{\n  "include": ["tag:pets"],\n  "source": "../petstore.yaml"\n}',
  '{ "source": "../petstore.yaml", "routeMap": [{ "methods": ["DELETE"], "as": "exclude" }] }',
])('generate takes %j as it stands', async (text) => {
  writeFileSync(config, text);
  const generated = await runInProcess(['generate', 'p'], { cwd });
  expect(generated).toMatchObject({ exitCode: 0 });
  expect(readFileSync(config, 'utf8')).toBe(text);
  expect(await runInProcess(['check', 'p'], { cwd })).toMatchObject({ exitCode: 0 });
});

test('an edited configuration is stale until it is generated, and `openapi` compiles with it', async () => {
  writeFileSync(config, '{ "source": "../petstore.yaml", "exclude": ["tag:pets"] }');
  const checked = await runInProcess(['check', 'p'], { cwd });
  expect(checked.exitCode).toBe(1);
  expect(checked.stderr).toContain('mcpgen generate p');
  const text = readFileSync(config, 'utf8');
  expect(await runInProcess(['openapi', 'petstore.yaml', '-o', 'p'], { cwd })).toMatchObject({ exitCode: 0 });
  expect(readFileSync(config, 'utf8')).toBe(text);
  expect(await runInProcess(['check', 'p'], { cwd })).toMatchObject({ exitCode: 0 });
});

test('a configuration may make its own folder the project, with its document beside it; other files still ask', async () => {
  mkdirSync(join(cwd, 'here'));
  cpSync(join(fixtures, 'petstore.yaml'), join(cwd, 'here/petstore.yaml'));
  writeFileSync(join(cwd, 'here/mcpgen.config.json'), '{ "source": "petstore.yaml" }\n');
  writeFileSync(join(cwd, 'here/novel.txt'), 'Chapter one.\n');
  const asked = await runInProcess(['generate', 'here'], { cwd });
  expect(asked.exitCode).toBe(1);
  expect(asked.stderr).toMatch(/target-not-empty: .* it contains novel\.txt\./);
  rmSync(join(cwd, 'here/novel.txt'));
  expect(await runInProcess(['generate', 'here'], { cwd })).toMatchObject({ exitCode: 0 });
  expect(await runInProcess(['check', 'here'], { cwd })).toMatchObject({ exitCode: 0 });
});
