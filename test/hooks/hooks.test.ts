// Hooks of a configuration, from its text to the files of the project.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check, generate, type Generation, type GenerateOptions, regenerate } from '../../src/index.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { put, temporaryFolder } from '../write/project-on-disk.ts';

/** A folder with a document, a configuration and other files. */
function folderOf(files: Record<string, string>): string {
  const folder = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(folder, 'petstore.yaml'));
  put(folder, files);
  return folder;
}

/** A configuration with these members, as code. */
function config(members: string): string {
  return `export default { source: 'petstore.yaml', output: 'server', ${members} };\n`;
}

function read(folder: string, file: string): string {
  return readFileSync(join(folder, 'server', file), 'utf8');
}

/** Each problem, with its place. */
function problems({ diagnostics }: Pick<Generation, 'diagnostics'>): string[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ name, message, origin }) => {
      const at = origin?.kind === 'code' ? `${origin.file}:${origin.line}:${origin.column} ` : '';
      return `${at}${name}: ${message}`;
    });
}

const RENAMING = `
  for (const tool of model.tools) tool.name = 'x_' + tool.name;
  model.resources = [];
  model.resourceTemplates = [];
  model.completions = [];
`;

test.each([
  [
    'functions in the configuration',
    { 'mcpgen.config.mjs': config(`hooks: { onModel(model) { ${RENAMING} } }`) },
  ],
  [
    'a module of its own',
    {
      'mcpgen.config.json': '{ "source": "petstore.yaml", "output": "server", "hooks": "lib/hooks.ts" }',
      'lib/hooks.ts': `import type { ServerModel } from 'mcpgen';\nexport function onModel(model: ServerModel): void {${RENAMING}}`,
    },
  ],
])('%s: onModel changes the server, the same in every run', async (_, files) => {
  const folder = folderOf(files);
  const first = await regenerate('.', { cwd: folder });
  expect(problems(first)).toEqual([]);
  expect(first.model?.tools.map(({ name }) => name)).toContain('x_getPet');
  expect(read(folder, 'src/generated/catalog.json')).toContain('"x_getPet"');
  for (const dir of ['.', 'server']) {
    const again = await regenerate(dir, { cwd: folder });
    expect(problems(again)).toEqual([]);
    expect(again.report).toMatchObject({ written: [], removed: [] });
  }
  expect(await check('.', { cwd: folder })).toMatchObject({ ok: true });
});

test('of several servers each has hooks of its own, shared ones too', async () => {
  const titled = (title: string): string => `hooks: { onModel(model) { model.title = '${title}'; } }`;
  const folder = folderOf({
    'mcpgen.config.mjs': `export default { source: 'petstore.yaml', ${titled('Shared')}, servers: { one: {}, two: { ${titled('Two')} } } };`,
  });
  for (const [server, title] of [
    ['one', 'Shared'],
    ['two', 'Two'],
  ] as const) {
    expect(problems(await regenerate('.', { cwd: folder, server }))).toEqual([]);
    expect(readFileSync(join(folder, server, 'README.md'), 'utf8')).toMatch(new RegExp(`^# ${title}\n`));
    expect(await check(server, { cwd: folder })).toMatchObject({ ok: true });
  }
});

test('a configuration may be a promise, hooks included; a module of hooks that throws is told with its place', async () => {
  const text = config(`hooks: { onModel(model) { model.title = 'Promised'; } }`);
  const promised = text.replace(/export default ([^]*?);?\s*$/, 'export default Promise.resolve($1);\n');
  const folder = folderOf({ 'mcpgen.config.mjs': promised });
  expect(promised).toContain('Promise.resolve(');
  expect(problems(await regenerate('.', { cwd: folder }))).toEqual([]);
  expect(read(folder, 'README.md')).toContain('# Promised');
  put(folder, { 'mcpgen.config.mjs': config(`hooks: './hooks.ts'`) });
  put(folder, { 'hooks.ts': "const a: string = 'a';\nthrow new Error(a);\n" });
  const { diagnostics } = await regenerate('.', { cwd: folder });
  expect(diagnostics).toMatchObject([
    { name: 'invalid-config', origin: { kind: 'code', file: 'hooks.ts', line: 2, column: 7 } },
  ]);
});

const AT = /^hooks\.ts:\d+:\d+ /;

test.each([
  {
    hooks: 'interface A { b: 1 }\n\nexport function onModel(): void {\n  throw new Error("No.");\n}',
    want: /^hooks\.ts:4:9 hook-failed: The hook onModel of hooks\.ts threw an error: No\.$/,
  },
  {
    hooks: "export const onModel = (model) => void (model.tools[0].name = 'a b');",
    want: /^hook-failed: .*: tool a b has a name that clients refuse: letters, digits, .* 128 at most\.$/,
  },
  { hooks: 'export const onModel = (model) => void delete model.tools;', want: /`tools` is required/ },
  {
    hooks: 'export const onModel = (model) => ({ ...model, tools: model.tools.slice(1) });',
    want: /refers to the tool listPets, which does not exist\.$/,
  },
  {
    hooks: 'export const onMode = () => [];',
    want: /it has an unknown member "onMode" \(did you mean "onModel"\?\)\.$/,
  },
  { hooks: 'export const onModel = 5;', want: /it has "onModel", which is not a function\.$/ },
  { hooks: 'export default 5;', want: /it has no hooks: it must be an object of functions/ },
  { hooks: 'export const onModel = (', want: /cannot be run \(hooks\.ts:1:\d+: Expression expected/ },
])('$hooks: $want', async ({ hooks, want }) => {
  const folder = folderOf({ 'hooks.ts': hooks, 'mcpgen.config.mjs': config("hooks: './hooks.ts'") });
  const stopped = await regenerate('.', { cwd: folder });
  expect(stopped.ok).toBe(false);
  expect(problems(stopped)).toEqual([expect.stringMatching(want)]);
  expect(() => read(folder, 'mcpgen.lock')).toThrow('ENOENT');
  expect(AT.test(problems(stopped)[0] ?? '')).toBe(hooks.includes('new Error') || hooks.endsWith('('));
});

test('all that is wrong is told', async () => {
  const hooks = 'export const onModel = ({ tools: [one, other] }) => { one.titel = 1; other.name = 3; };';
  const folder = folderOf({ 'hooks.ts': hooks, 'mcpgen.config.mjs': config("hooks: './hooks.ts'") });
  expect(problems(await regenerate('.', { cwd: folder }))).toEqual([
    expect.stringMatching(/: `tools\[0\]\.titel` is not a known property; .*\.$/),
    expect.stringMatching(/: `tools\[1\]\.name` must be a string but is 3\.$/),
  ]);
});

test('a module of hooks that is not there', async () => {
  const folder = folderOf({ 'mcpgen.config.mjs': config("hooks: './nowhere.ts'") });
  expect(problems(await regenerate('.', { cwd: folder }))).toEqual([
    'invalid-config: nowhere.ts, which "hooks" names, cannot be used: there is no such file.',
  ]);
});

test('hooks are called in every run', async () => {
  const folder = folderOf({
    'mcpgen.config.json': '{ "source": "petstore.yaml", "output": "server", "hooks": "hooks.ts" }',
    'hooks.ts':
      "import { title } from './lib/title.ts';\nexport const onModel = (model) => void (model.title = title);",
    'lib/title.ts': "export const title = 'One';",
  });
  await regenerate('.', { cwd: folder });
  put(folder, { 'lib/title.ts': "export const title = 'Two';" });
  await regenerate('.', { cwd: folder });
  expect(read(folder, 'README.md')).toMatch(/^# Two\n/);
});

test('a program gives functions, which its project does not remember', async () => {
  const folder = folderOf({});
  const options: GenerateOptions = {
    source: 'petstore.yaml',
    dir: 'server',
    cwd: folder,
    hooks: {
      onModel(model) {
        model.title = 'Of a program';
      },
    },
  };
  expect(await generate(options)).toMatchObject({ ok: true });
  expect(read(folder, 'README.md')).toMatch(/^# Of a program\n/);
  expect(read(folder, 'mcpgen.config.json')).not.toContain('hooks');
});

test('the hook is given a copy: an error after a change leaves nothing of it', async () => {
  const folder = folderOf({});
  const titles: string[] = [];
  const onModel = (model: { title: string }): undefined => {
    titles.push(model.title);
    model.title = 'changed';
  };
  const hooks = { onModel };
  for (let run = 0; run < 2; run++)
    await generate({ source: 'petstore.yaml', dir: 'server', cwd: folder, hooks });
  expect(titles).toEqual(['Pet shop', 'Pet shop']);
});

test('text that a hook hides is removed and reported', async () => {
  const folder = folderOf({
    'mcpgen.config.mjs': config(
      "hooks: { onModel(model) { model.description = 'Pets\\u200b\\u2060.'; model.tools[0].inputSchema.description = 'Words\\u202e'; } }",
    ),
  });
  const { diagnostics } = await regenerate('.', { cwd: folder });
  const told = diagnostics.filter(({ name }) => name === 'hidden-text');
  expect(told.map(({ message, origin }) => [/U\+.*?\./.exec(message)?.[0], origin?.kind])).toEqual([
    ['U+200B, U+2060.', 'code'],
    ['U+202E.', 'code'],
  ]);
});
