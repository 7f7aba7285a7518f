/** Every document of the fixtures: those that compile serve what they say, the others are refused. */
import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test } from 'vitest';

import { compile, generate } from '../../src/index.ts';
import { serveModel } from '../wire/serve-document.ts';
import { toolsOf } from './support/clients.ts';
import { fixtures, node, tsc } from './support/command.ts';
import { compileFixture, filesOf, folderForTest, linkTypes } from './support/project.ts';

const named = (folder: string) =>
  readdirSync(path.join(fixtures, folder))
    .filter((name) => /\.(json|ya?ml)$/.test(name) && !/\.rules\.|cycle-part/.test(name))
    .map((name) => `${folder}/${name}`);

const documents = [
  ...named('features'),
  ...['features/refs/openapi.yaml', 'features/path-item-refs/openapi.yaml'],
  ...named('hostile'),
];

const argumentName = /^[A-Za-z0-9_.-]{1,64}$/;

/** Each official client refuses the whole list over one schema that it doesn't understand. */
test.each(documents)('%s is listed to both official clients', async (fixture) => {
  const { model } = await compile({ source: path.join(fixtures, fixture) });
  if (model === undefined) throw new Error(`${fixture} does not compile.`);
  const served = await serveModel(model);
  onTestFinished(served.close);
  const [tools = [], others] = await Promise.all((await served.clients()).map(toolsOf));
  expect(others?.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect(tools.length).toBeGreaterThan(0);
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  for (const { name, inputSchema, outputSchema } of tools) {
    expect(name).toMatch(argumentName);
    for (const schema of [inputSchema, outputSchema]) {
      if (schema === undefined) continue;
      expect(schema).toMatchObject({ type: 'object' });
      new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(schema);
    }
    const keys = 'properties' in inputSchema ? Object.keys(inputSchema.properties ?? {}) : [];
    expect(keys.filter((key) => !argumentName.test(key))).toEqual([]);
  }
});

test.each(['hostile/injection.json', 'hostile/prototype.json'])(
  '%s becomes code that is only code',
  async (fixture) => {
    const folder = await folderForTest();
    const project = await compileFixture(fixture, folder);
    expect(await readdir(folder)).toEqual(['project']);
    await linkTypes(project);
    expect(await tsc(['-p', project, '--noEmit'])).toMatchObject({ code: 0, stdout: '' });
    for (const [name, contents] of await filesOf(path.join(project, 'src'))) {
      if (!name.endsWith('.ts') || name.startsWith('runtime/')) continue;
      // Outside of comments and literals nothing of the document may stand.
      expect(bareCode(contents.toString()), name).not.toMatch(/process\.exit\(|child_process/);
    }
    for (const [name, contents] of await filesOf(project)) {
      if (!/\.(md|json|yaml|example)$|Dockerfile$/.test(name)) continue;
      expect(contents.toString(), name).not.toMatch(/[\u0000-\u0008\u001b]/);
    }
    expect(await node(['dist/main.js', '--version'], { cwd: project })).toMatchObject({ code: 0 });
  },
);

/** TypeScript without its comments and string literals. */
function bareCode(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, '');
}

test.each(named('invalid'))('%s is refused, and nothing is written', async (fixture) => {
  const folder = await folderForTest();
  const { ok, diagnostics } = await generate({
    source: path.join(fixtures, fixture),
    dir: 'project',
    cwd: folder,
  });
  expect(ok).toBe(false);
  expect(diagnostics.map(({ severity }) => severity)).toContain('error');
  expect(await readdir(folder)).toEqual([]);
});

test('no file outside the root is read', async () => {
  const project = await compileFixture('hostile/ref-escape.yaml', await folderForTest());
  const passwords = await readFile('/etc/passwd', 'utf8').catch(() => 'root:');
  const [first = 'root:'] = passwords.split('\n');
  for (const [name, contents] of await filesOf(project)) expect(contents.includes(first), name).toBe(false);
});
