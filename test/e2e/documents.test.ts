/** Every document of the fixtures: those that compile serve what they say, the others are refused. */
import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

import { generate } from '../../src/index.ts';
import { connectHttp, generations, startHttp, toolsOf } from './support/clients.ts';
import { fixtures, mcpgen, node, tsc } from './support/command.ts';
import { compileHere, filesOf, folderForTest, linkTypes } from './support/project.ts';

const named = (folder: string) =>
  readdirSync(path.join(fixtures, folder))
    .filter((name) => /\.(json|ya?ml)$/.test(name) && !name.includes('.rules.'))
    .map((name) => `${folder}/${name}`);

const features = [...named('features'), 'features/refs/openapi.yaml', 'features/path-item-refs/openapi.yaml'];
const hostile = named('hostile').filter((name) => !name.endsWith('cycle-part.yaml'));

const argumentName = /^[A-Za-z0-9_.-]{1,64}$/;

/** Both official clients must take the list: each refuses the whole of it over one schema it doesn't understand. */
async function expectSoundTools(project: string): Promise<void> {
  const origin = await startHttp(project);
  const [tools = [], others] = await Promise.all(
    generations.map(async (generation) => toolsOf(await connectHttp(generation, `${origin}/mcp`))),
  );
  expect(others?.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect(tools.length).toBeGreaterThan(0);
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  for (const { name, inputSchema, outputSchema } of tools) {
    expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    for (const schema of [inputSchema, outputSchema]) {
      if (schema === undefined) continue;
      expect(schema).toMatchObject({ type: 'object' });
      new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(schema);
    }
    const keys = 'properties' in inputSchema ? Object.keys(inputSchema.properties ?? {}) : [];
    expect(keys.filter((key) => !argumentName.test(key))).toEqual([]);
  }
}

test.each(features)('%s is served', async (fixture) => {
  await expectSoundTools(await compileHere(fixture, await folderForTest()));
});

describe.each(hostile)('%s', (fixture) => {
  test('compiles within its folder and is served', async () => {
    const folder = await folderForTest();
    const project = await compileHere(fixture, folder);
    expect(await readdir(folder)).toEqual(['project']);
    await expectSoundTools(project);
  });
});

test.each(['hostile/injection.json', 'hostile/prototype.json'])(
  '%s becomes code that is only code',
  async (fixture) => {
    const project = await compileHere(fixture, await folderForTest());
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
    expect((await node(['--check', path.join(project, 'dist/main.js')])).code).toBe(0);
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

test('broken YAML is pointed at', async () => {
  const { stderr } = await mcpgen(['openapi', path.join(fixtures, 'invalid/tabs.yaml'), '--dry-run']);
  expect(stderr).toMatch(/tabs\.yaml:4:/);
});

test('no file outside the root is read', async () => {
  const project = await compileHere('hostile/ref-escape.yaml', await folderForTest());
  const passwords = await readFile('/etc/passwd', 'utf8').catch(() => 'root:');
  const [first = 'root:'] = passwords.split('\n');
  for (const [name, contents] of await filesOf(project)) expect(contents.includes(first), name).toBe(false);
});
