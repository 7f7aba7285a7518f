// Hooks and helpers of a configuration, from its text to the files of the project.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { check, generate, type Generation, type GenerateOptions, regenerate } from '../../src/index.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';

/** A folder with a document, a configuration and other files. */
function folderOf(files: Record<string, string>): string {
  const folder = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(folder, 'petstore.yaml'));
  put(folder, files);
  return folder;
}

function put(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
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

test('onFiles changes, adds and removes files, code with what is built of it', async () => {
  const body = `
    const readme = files.find(({ path }) => path === 'README.md');
    readme.contents = readme.contents.replace('# Pet shop', '# Mine');
    files.push({ path: 'bin/start.sh', contents: 'node dist/main.js\\n', executable: true });
    files.push({ path: 'src/extra.ts', contents: 'export const extra: number = 1;\\n' });
    files.push({ path: 'NOTES.md', contents: 'mine\\n', ownership: 'once' });
    return files.filter(({ path }) => path !== 'server.json');`;
  const hooks = `publish: ['registry'], hooks: { onFiles(files) { ${body} } }`;
  const folder = folderOf({ 'mcpgen.config.mjs': config(hooks) });
  expect(problems(await regenerate('.', { cwd: folder }))).toEqual([]);
  expect(read(folder, 'README.md')).toMatch(/^# Mine\n/);
  expect(read(folder, 'dist/extra.js')).toBe('export const extra = 1;\n');
  expect(() => read(folder, 'server.json')).toThrow('ENOENT');
  const lock = JSON.parse(read(folder, 'mcpgen.lock')) as { files: object };
  expect(Object.keys(lock.files)).toEqual(expect.arrayContaining(['bin/start.sh', 'src/extra.ts']));
  expect(lock.files).not.toHaveProperty(['NOTES.md']);
  put(folder, { 'server/NOTES.md': 'edited\n' });
  expect(await check('.', { cwd: folder })).toMatchObject({ ok: true });
  // Without the hook what it brought goes, and what it took comes back; what is its user's stays.
  put(folder, { 'mcpgen.config.mjs': config("publish: ['registry']") });
  const { report } = await regenerate('.', { cwd: folder });
  expect(report?.removed).toEqual(expect.arrayContaining(['bin/start.sh', 'src/extra.ts']));
  expect(read(folder, 'NOTES.md')).toBe('edited\n');
  expect(read(folder, 'server.json')).toContain('petstore');
});

test('a configuration may be a promise, hooks included; a module of hooks that throws is told with its place', async () => {
  const text = config(`hooks: { onFiles(files) { files.push({ path: 'a.md', contents: 'a' }); } }`);
  const promised = text.replace(/export default ([^]*?);?\s*$/, 'export default Promise.resolve($1);\n');
  const folder = folderOf({ 'mcpgen.config.mjs': promised });
  expect(promised).toContain('Promise.resolve(');
  expect(problems(await regenerate('.', { cwd: folder }))).toEqual([]);
  expect(read(folder, 'a.md')).toBe('a');
  put(folder, { 'mcpgen.config.mjs': config(`hooks: './hooks.ts'`) });
  put(folder, { 'hooks.ts': "const a: string = 'a';\nthrow new Error(a);\n" });
  const { diagnostics } = await regenerate('.', { cwd: folder });
  expect(diagnostics).toMatchObject([
    { name: 'user-code-unusable', origin: { kind: 'code', file: 'hooks.ts', line: 2, column: 7 } },
  ]);
});

test('a changed file of code is built anew, and the command stays one', async () => {
  const body = `const main = files.find(({ path }) => path === 'src/main.ts'); main.contents += '// more\\n';`;
  const folder = folderOf({ 'mcpgen.config.mjs': config(`hooks: { onFiles(files) { ${body} } }`) });
  const { report } = await regenerate('.', { cwd: folder });
  expect(report?.written).toContain('dist/main.js');
  expect(read(folder, 'dist/main.js')).toMatch(/^#!\/usr\/bin\/env node\n.*\/\/ more\n$/s);
});

test('what hooks never see or give is what would not follow', async () => {
  const body = `throw new Error(files.map(({ path }) => path).filter((path) => /^(dist|src.runtime|mcpgen)/.test(path)).join() || 'none')`;
  const folder = folderOf({ 'mcpgen.config.mjs': config(`hooks: { onFiles(files) { ${body} } }`) });
  expect(problems(await regenerate('.', { cwd: folder }))).toEqual([
    expect.stringMatching(/threw an error: none$/),
  ]);
});

const AT = /^hooks\.ts:\d+:\d+ /;

test.each([
  {
    hooks: 'interface A { b: 1 }\n\nexport function onModel(): void {\n  throw new Error("No.");\n}',
    want: /^hooks\.ts:4:9 hook-failed: The hook onModel of hooks\.ts threw an error: No\.$/,
  },
  { hooks: 'export const onFiles = async () => { throw "No." };', want: /^hook-failed: .* error: No\.$/ },
  {
    hooks: "export const onModel = (model) => void (model.tools[0].name = 'a b');",
    want: /^hook-failed: .*: tool a b has a name that clients refuse: letters, digits, .* 128 at most\.$/,
  },
  { hooks: 'export const onModel = () => 5;', want: /must be an object but is 5\.$/ },
  { hooks: 'export const onModel = (model) => void delete model.tools;', want: /`tools` is required/ },
  {
    hooks:
      'export const onModel = (model) => void (model.tools[0].inputSchema.properties.a = { $ref: "#/$defs/No" });',
    want: /hook-failed/,
  },
  {
    hooks: 'export const onModel = (model) => ({ ...model, tools: model.tools.slice(1) });',
    want: /refers to the tool listPets, which does not exist\.$/,
  },
  { hooks: 'export const onFiles = () => "a";', want: /returned something that is no list of files\.$/ },
  { hooks: 'export const onFiles = () => [{ path: 5 }];', want: /files\[0\] has no "path", a text\.$/ },
  { hooks: 'export const onFiles = () => [{ path: "a" }];', want: /the file a has no "contents", a text\.$/ },
  {
    hooks: 'export const onFiles = () => [{ path: "a", content: "" }];',
    want: /has an unknown member "content" \(did you mean "contents"\?\)\.$/,
  },
  ...['../a', '/a', 'a//b', 'C:/a', 'a\\\\b', ''].map((path) => ({
    hooks: `export const onFiles = () => [{ path: "${path}", contents: "" }];`,
    want: /the path ".*" does not stay inside of the project\.$/,
  })),
  ...[
    ['dist/a.js', 'what is built of the rest'],
    ['src/runtime/a.ts', 'the runtime'],
    ['.git/hooks/pre-commit', 'git or npm'],
    ['.GIT/config', 'git or npm'],
    ['docs/.git./config', 'git or npm'],
    ['node_modules/a/index.js', 'git or npm'],
    ['mcpgen.lock', 'mcpgen'],
    ['mcpgen.config.json', 'the configuration'],
  ].map(([path = '', owner = '']) => ({
    hooks: `export const onFiles = () => [{ path: "${path}", contents: "" }];`,
    want: new RegExp(`hook-failed: .*${path.replaceAll('.', '\\.')} belongs to ${owner}`),
  })),
  {
    hooks: 'export const onFiles = (files) => void files.push({ path: "readme.MD", contents: "" });',
    want: /two files are called readme\.MD\.$/,
  },
  {
    hooks: 'export const onFiles = (files) => void files.push({ path: "README.md/a", contents: "" });',
    want: /README\.md\/a is below a file\.$/,
  },
  {
    hooks: 'export const onFiles = () => [{ path: "src/handlers/a.ts", contents: "" }];',
    want: /its "ownership" is "once"\.$/,
  },
  ...['{', '[]', ''].map((contents) => ({
    hooks: `export const onFiles = () => [{ path: "package.json", contents: "${contents}" }];`,
    want: /hook-failed: .*: package\.json is not a JSON object\.$/,
  })),
  {
    hooks: 'export const onFiles = () => [{ path: "src/a.ts", contents: "const = 1" }];',
    want: /src\/a\.ts:1:7: Variable declaration expected\.$/,
  },
  {
    hooks: 'export const onFile = () => [];',
    want: /it has an unknown member "onFile" \(did you mean "onFiles"\?\)\.$/,
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

test.each<[string, RegExp[]]>([
  [
    'export const onModel = ({ tools: [one, other] }) => { one.titel = 1; other.name = 3; };',
    [
      /: `tools\[0\]\.titel` is not a known property; .*\.$/,
      /: `tools\[1\]\.name` must be a string but is 3\.$/,
    ],
  ],
  [
    'export const onFiles = () => [{ path: "../a", contents: "" }, { contents: "" }, { path: "b" }];',
    [/the path "\.\.\/a" does not stay inside/, /files\[1\] has no "path"/, /the file b has no "contents"/],
  ],
  [
    'export const onFiles = () => [{ path: "a", contents: "" }, { path: "A", contents: "" }, { path: "server.json", contents: "" }];',
    [/two files are called A\.$/, /server\.json is not a JSON object/],
  ],
  [
    'export const onFiles = () => [{ path: "src/a.ts", contents: "const = 1;" }, { path: "test/b.ts", contents: ")" }];',
    [/src\/a\.ts:1:7: /, /test\/b\.ts:1:1: /],
  ],
])('all that is wrong is told: %s', async (hooks, want) => {
  const folder = folderOf({ 'hooks.ts': hooks, 'mcpgen.config.mjs': config("hooks: './hooks.ts'") });
  const told = problems(await regenerate('.', { cwd: folder }));
  expect(told).toEqual(want.map((words) => expect.stringMatching(words) as unknown));
});

test('onFiles may take out files around the code', async () => {
  const taken = ['README.md', '.gitignore', 'Dockerfile', 'test/wire.json', 'test/wire.test.js'];
  const body = `return files.filter(({ path }) => !${JSON.stringify(taken)}.includes(path));`;
  const folder = folderOf({ 'mcpgen.config.mjs': config(`hooks: { onFiles(files) { ${body} } }`) });
  expect(problems(await regenerate('.', { cwd: folder }))).toEqual([]);
});

test.each([
  [
    "hooks: './nowhere.ts'",
    'invalid-config: mcpgen.config.mjs cannot be used: "hooks" names "./nowhere.ts", but no such file exists (paths are relative to .).',
  ],
  [
    "templates: 't', helpers: './nowhere.ts'",
    'invalid-config: mcpgen.config.mjs cannot be used: "helpers" names "./nowhere.ts", but no such file exists (paths are relative to .).',
  ],
  ...['json', 'each'].map((name) => [
    `templates: 't', helpers: { ${name}: String }`,
    `user-code-unusable: mcpgen.config.mjs, which "helpers" names, cannot be used: the helper ${name} has the name of a built-in helper, so templates with that one would break.`,
  ]),
])('%s: %s', async (members, want) => {
  const folder = folderOf({ 'mcpgen.config.mjs': config(members), 't/README.md.hbs': 'x' });
  expect(problems(await regenerate('.', { cwd: folder }))).toEqual([want]);
});

test('an error in a helper names its place, and that of the template', async () => {
  const folder = folderOf({
    'mcpgen.config.mjs': config("templates: 't', helpers: './helpers.ts'"),
    'helpers.ts': "import { cut } from './lib/cut.ts';\nexport { cut };\n",
    'lib/cut.ts':
      'type Text = string;\nexport function cut(text: Text): Text {\n  throw new Error(`No ${text}.`);\n}\n',
    't/README.md.hbs': '\n{{cut name}}',
  });
  expect(problems(await regenerate('.', { cwd: folder }))).toEqual([
    't/README.md.hbs:2:1 invalid-template: The template t/README.md.hbs cannot be used: {{cut}}: No petstore-mcp (lib/cut.ts:3:9).',
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
