// User code that goes into the project: tagged functions, their imports, and files that they read.
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { compile } from '../../../src/api/compile.ts';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { readTypeScript } from '../../../src/frontends/typescript/index.ts';
import type { AppFiles, AppOptions } from '../../../src/model/app-files.ts';
import { folderOf } from './compile-files.ts';

interface Given {
  files: Record<string, string | Buffer>;
  taken?: string[];
  options?: AppOptions;
}

async function carry({
  files,
  taken = ['src/**/*.ts'],
  options,
}: Given): Promise<{ app: AppFiles; told: string[] }> {
  const folder = await folderOf(files);
  const diagnostics = new DiagnosticCollector();
  try {
    const reading = readTypeScript({ groups: [taken], cwd: folder }, diagnostics);
    const app = reading.app(options);
    reading.checkLoading();
    const told = diagnostics.found.map(({ name, message }) => `${name}: ${message}`);
    return { app, told };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const TOOL = '/** @tool */\nexport const tool = (): string => used();\n';

test('what no tagged export reaches stays behind, with its packages', async () => {
  const { app, told } = await carry({
    files: {
      'src/tool.ts': `import { used } from './used.ts';\n${TOOL}`,
      'src/used.ts': "export { used } from './deep/used.ts';\nexport type { Kind } from './kind.ts';\n",
      'src/deep/used.ts': "export const used = (): string => 'used';\n",
      'src/kind.ts': "export type Kind = 'a';\n",
      'src/globals.d.ts': 'declare const BUILD: string;\n',
      'src/unused.ts': "import ts from 'typescript';\nexport const version = ts.version;\n",
      'src/tool.test.ts': "import { test } from 'no-such-package';\ntest(1);\n",
      'src/__tests__/other.ts': "import { test } from 'no-such-package';\ntest(1);\n",
      'src/tagged.spec.ts': "/** @tool */\nexport const spec = (): string => 'a test on the surface';\n",
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "strict": true }, "include": ["src"] }',
    },
  });
  expect(told).toEqual([]);
  expect(app.files.map(({ path }) => path)).toEqual([
    'src/app/deep/used.ts',
    'src/app/kind.ts',
    'src/app/tagged.spec.ts',
    'src/app/used.ts',
    'src/app/tool.ts',
    'src/app/globals.d.ts',
  ]);
  expect([app.dependencies, app.devDependencies]).toEqual([{}, {}]);
});

test.each([
  'declare const BUILD: string;',
  "declare module 'x' { export const a: string; }",
  'declare global { interface Array<T> { second(): T } }\nexport {};',
  '/// <reference lib="dom" />',
])('%s goes along, whoever uses it', async (ambient) => {
  const { app, told } = await carry({
    files: {
      'src/tool.ts': `const used = () => '';\n${TOOL}`,
      'test/only.d.ts': `${ambient}\n`,
      'tsconfig.json':
        '{ "compilerOptions": { "module": "nodenext", "target": "es2023", "types": ["node"] }, "include": ["src", "test"] }',
    },
    taken: ['src/tool.ts'],
  });
  expect(told).toEqual([]);
  expect(app.files.map(({ path }) => path).sort()).toEqual(['src/app/src/tool.ts', 'src/app/test/only.d.ts']);
});

test('a test that is named, not found by a glob, is a source', async () => {
  const files = { 'src/a.test.ts': "import { b } from './b.js';\n" };
  const { told } = await carryModels({ files, taken: ['src/a.test.ts'] });
  expect(told[0]).toMatch(/^typescript-error: .* Cannot find module '\.\/b\.js'/);
});

async function carryModels({ files, taken = [] }: Given): Promise<{ told: string[] }> {
  const folder = await folderOf(files);
  const { diagnostics } = await compile({ source: '', typescript: { files: taken }, cwd: folder });
  await rm(folder, { recursive: true, force: true });
  return { told: diagnostics.map(({ name, message }) => `${name}: ${message}`) };
}

const WARNED = 'package-range-assumed: Your package.json lists near as ';

test('types in comments of JavaScript are carried, and named by where they stand', async () => {
  const { app, told } = await carry({
    files: {
      'src/types.d.ts': 'export interface Thing {\n  name: string;\n}\n',
      'src/more.ts': 'export type More = string;\n',
      'src/other.ts': 'export type Other = string;\n',
      'src/tool.js': [
        '// @ts-check',
        "/** @import { More } from './more.js' */",
        '/** Not a type: import("./nowhere.js").',
        " * @typedef {import('./types.js').Thing} Thing */",
        '/** Of the server. @typedef {number} Count */',
        "/** @tool @param {Thing} thing @param {import('mcpgen/runtime').Context} context",
        ' * @returns {More} */',
        'export const tool = (thing, context) => {',
        "  /** @type {import('./other.js').Other} */",
        '  const name = thing.name + String(context.signal.aborted);',
        '  return name;',
        '};',
      ].join('\n'),
    },
    taken: ['src/tool.js'],
  });
  expect(told).toEqual([]);
  expect(app.files.map(({ path }) => path).sort()).toEqual([
    'src/app/more.ts',
    'src/app/other.ts',
    'src/app/tool.js',
    'src/app/types.d.ts',
  ]);
  expect(app.files.find(({ path }) => path === 'src/app/tool.js')?.contents.match(/'\S*\/\S*'/g)).toEqual([
    "'./more.ts'",
    "'./types.d.ts'",
    "'../runtime/index.ts'",
    "'./other.ts'",
  ]);
});

const BUNDLED = '"module": "esnext", "moduleResolution": "bundler"';

test.each<{ options: string; manifest?: string; given: string; want: string }>([
  { options: BUNDLED, given: 'export const used = (): string => __dirname;', want: 'used.cts' },
  { options: BUNDLED, given: "export const used = (): string => '';", want: 'used.ts' },
  {
    options: BUNDLED,
    manifest: '{ "type": "module" }',
    given: 'export const used = (): string => __dirname;',
    want: 'used.ts',
  },
  {
    options: BUNDLED,
    given: 'export const used = (): string => import.meta.url + __dirname;',
    want: 'used.ts',
  },
  {
    options: BUNDLED,
    given: "await Promise.resolve('');\nexport const used = (): string => __dirname;",
    want: 'used.ts',
  },
])('where a bundler decides ($options, $manifest): $given', async ({ options, manifest, given, want }) => {
  const { app } = await carry({
    files: {
      'package.json': manifest ?? '{ "name": "open" }',
      'tsconfig.json': `{ "compilerOptions": { ${options}, "target": "es2023", "strict": true, "types": ["node"] } }`,
      'src/used.ts': `${given}\n`,
      'src/tool.ts': `import { used } from './used';\n${TOOL}`,
    },
    taken: ['src/tool.ts'],
  });
  expect(app.files.map(({ path }) => path)).toContain(`src/app/${want}`);
});

test('of Node it has the types and the versions that the package.json beside the code names', async () => {
  const { app, told } = await carry({
    files: {
      'package.json':
        '{ "type": "module", "engines": { "node": ">=22.5" }, "devDependencies": { "@types/node": "^24.0.0" } }',
      'src/tool.ts': `import { used } from './near/used.ts';\n${TOOL}`,
      'src/near/package.json':
        '{ "type": "module", "engines": { "node": ">=24" }, "dependencies": { "@types/node": "^25.0.0" } }',
      'src/near/used.ts': "export const used = (): string => 'used';\n",
    },
  });
  expect(told).toEqual([]);
  // As of any package: the range that the first file has.
  expect([app.devDependencies, app.engines]).toEqual([{ '@types/node': '^25.0.0' }, ['>=24', '>=22.5']]);
});

test.each<{ written: string; want: string; told?: string }>([
  { written: '^1.2.0', want: '^1.2.0' },
  { written: 'npm:far@^2', want: 'npm:far@^2' },
  { written: 'workspace:*', want: '^1.4.2', told: WARNED },
  { written: 'catalog:', want: '^1.4.2' },
  { written: 'file:../near', want: '^1.4.2', told: WARNED },
])('$written becomes $want', async ({ written, want, told: begin }) => {
  const near = { name: 'near', version: '1.4.2', type: 'module', types: 'index.d.ts' };
  const { app, told } = await carry({
    files: {
      'src/package.json': JSON.stringify({ type: 'module', dependencies: { near: written } }),
      'src/node_modules/near/package.json': JSON.stringify(near),
      'src/node_modules/near/index.d.ts': 'export declare const used: () => string;\n',
      'src/node_modules/near/index.js': "export const used = () => '';\n",
      'src/tool.ts': `import { used } from 'near';\n${TOOL}`,
    },
  });
  expect(app.dependencies).toEqual({ near: want });
  expect(told.map((each) => each.slice(0, WARNED.length))).toEqual(begin === undefined ? [] : [begin]);
});

const HERE = `import { readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import path, { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const DEEP = 'deep';
const NAME = './a.txt';
const used = (): string => String(READ);
${TOOL}`;

test.each<{ read: string; want: string[]; told?: string }>([
  { read: "readFileSync(new URL('./a.txt', import.meta.url))", want: ['src/app/a.txt'] },
  { read: "readFileSync(join(import.meta.dirname, 'deep', 'a b.txt'))", want: ['src/app/deep/a b.txt'] },
  { read: "readFileSync(new URL('../data/a.txt', import.meta.url))", want: ['src/app/data/a.txt'] },
  { read: "readFileSync(join(here, DEEP, 'a b.txt'))", want: ['src/app/deep/a b.txt'] },
  { read: "require('./c.json')", want: ['src/app/c.json'] },
  { read: "require('./c')", want: ['src/app/c.json'] },
  { read: "readFileSync(require.resolve('./a.txt'))", want: ['src/app/a.txt'] },
  { read: 'module.createRequire(import.meta.filename)(NAME)', want: ['src/app/a.txt'] },
  { read: "readFileSync(new URL(import.meta.resolve('./a.txt')))", want: ['src/app/a.txt'] },
  { read: "require('node:path')", want: [] },
  { read: "new URL('./not-yet.txt', import.meta.url)", want: [] },
  { read: "new URL('https://api.example/', import.meta.url)", want: [] },
  { read: "import.meta.url + here + path.join('a.txt')", want: [] },
  {
    read: "readFileSync(new URL('../../near.txt', import.meta.url))",
    want: [],
    told: '`../../near.txt` is not copied to the project: it is outside of the folder of your package.json.',
  },
  {
    read: "readFileSync(join(here, '../.env'))",
    want: [],
    told: '`../.env` is not copied to the project: its name begins with a dot, so it may hold what is secret.',
  },
  {
    read: "readFileSync(join(here, 'one.png'))",
    want: [],
    told: '`one.png` is not copied to the project: it holds bytes that are no text in UTF-8.',
  },
  { read: "join(here, 'deep')", want: [], told: '`deep` is not copied to the project: it is a folder.' },
  {
    read: "new URL('./worker.js', import.meta.url)",
    want: [],
    told: '`worker.js` is not copied to the project: it is code, which is carried where it is imported, and not for a worker.',
  },
  {
    read: 'readFileSync(join(here, process.argv[2] as string))',
    want: [],
    told: '`join(here, process.argv[2] as string)` is not copied to the project: which file it is shows only when the code runs.',
  },
  {
    read: 'require(process.argv[2] as string)',
    want: [],
    told: '`require(process.argv[2] as string)` is not copied to the project: which file it is shows only when the code runs.',
  },
])('$read takes $want along', async ({ read, want, told: words }) => {
  const files = {
    'near.txt': 'near',
    'own/package.json': '{ "type": "module" }',
    'own/.env': 'SECRET=x',
    'own/src/a.txt': 'a\r\n',
    'own/src/deep/a b.txt': 'a b',
    'own/data/a.txt': 'data',
    'own/data/d.json': '{}',
    'own/src/c.json': '{}',
    'own/src/one.png': Buffer.from([0x89, 0x50, 0xff]),
    'own/src/worker.js': 'export {};',
    'own/src/tool.ts': HERE.replace('READ', () => read),
    'tsconfig.json':
      '{ "compilerOptions": { "module": "nodenext", "target": "es2023", "strict": true, "types": ["node"] } }',
  };
  const { app, told } = await carry({ files, taken: ['own/src/*.ts'] });
  const assets = app.files.filter(({ isAsset }) => isAsset);
  expect(assets.map(({ path }) => path)).toEqual(want);
  expect(assets.map(({ built }) => built?.path)).toEqual(want.map((path) => path.replace('src/', 'dist/')));
  expect(told).toEqual(words === undefined ? [] : [`file-not-carried: ${words}`]);
  const served = await carry({ files, taken: ['own/src/*.ts'], options: { inPlace: true } });
  expect([served.app.files.some(({ isAsset }) => isAsset), served.told]).toEqual([false, told]);
});

test('a package that is required is a dependency', async () => {
  const { app } = await carry({
    files: {
      'package.json': '{ "type": "module", "dependencies": { "one": "1", "two": "2" } }',
      'src/tool.ts': `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nconst used = (): string => require('one') + createRequire(import.meta.url)('two');\n${TOOL}`,
    },
  });
  expect(app.dependencies).toEqual({ one: '1', two: '2' });
});

test('the runtime of JSX is a dependency, though no line imports it', async () => {
  const { app, told } = await carry({
    files: {
      'package.json': '{ "name": "page", "type": "module", "dependencies": { "preact": "^10.0.0" } }',
      'tsconfig.json':
        '{ "compilerOptions": { "module": "nodenext", "strict": true, "jsx": "react-jsx", "jsxImportSource": "preact" } }',
      'src/tool.tsx': '/** @tool */\nexport const page = (): unknown => <p>One</p>;\n',
    },
    taken: ['src/tool.tsx'],
  });
  expect(told).toEqual([]);
  expect(app.dependencies).toEqual({ preact: '^10.0.0' });
});

test('JSON that is imported goes along as a module', async () => {
  const { app, told } = await carry({
    files: {
      'src/a.json': '{ "a": "A" }',
      'src/tool.ts': `import data from './a.json' with { type: 'json' };\nconst used = (): string => data.a;\n${TOOL}`,
    },
  });
  expect(told).toEqual([]);
  expect(app.files.map(({ path, built }) => [path, built?.path])).toEqual([
    ['src/app/a.json', 'dist/app/a.json'],
    ['src/app/tool.ts', 'dist/app/tool.js'],
  ]);
});

const DECLARED = (specifier: string): string =>
  `code-not-loadable: \`${specifier}\` resolves to src/lib.d.ts, which contains only types, so the server would not find its code.`;

test.each<{ given: string; want: string[] }>([
  { given: "import { used } from './lib.js';", want: [DECLARED('./lib.js')] },
  { given: "const { used } = await import('./lib.js');", want: [DECLARED('./lib.js')] },
  { given: "import type { Kind } from './lib.js';\nconst used = (): Kind => '';", want: [] },
  { given: "import { Kind } from './lib.js';\nconst used = (): Kind => '';", want: [] },
  { given: "export * from './types.js';\nconst used = (): string => '';", want: [] },
  { given: "import { used } from './plain.js';", want: [] },
])('JavaScript with declarations beside it: $given', async ({ given, want }) => {
  const { told } = await carry({
    files: {
      'src/lib.js': "export const used = () => '';\nexport default { used };\n",
      'src/lib.d.ts':
        'export type Kind = string;\nexport declare const used: () => string;\ndeclare const lib: { used: () => string };\nexport default lib;\n',
      'src/types.d.ts': 'export type Other = string;\n',
      'src/plain.js': "export const used = () => '';\n",
      'src/tool.ts': `${given}\n${TOOL}`,
    },
    taken: ['src/tool.ts'],
  });
  expect(told).toEqual(want);
});

const CTS = 'src/app/used.cts';
const TS = 'src/app/used.ts';

test.each<{ given: string; want: string }>([
  { given: "const v = ''; export = { used: () => v };", want: CTS },
  { given: 'export const used = (): string => __dirname;', want: CTS },
  { given: "export const used = (): string => String(require('node:path'));", want: CTS },
  {
    given: 'declare const require: (x: string) => string;\nexport const used = () => require("x");',
    want: CTS,
  },
  { given: "import path = require('node:path');\nexport const used = (): string => path.sep;", want: CTS },
  { given: "module.exports = {};\nexport const used = (): string => '';", want: CTS },
  { given: "export const used = (): string => ''; // as require('x') or module.exports = does", want: TS },
  { given: '/*\nexport = used;\n__dirname */\nexport const used = (): string => "exports.used";', want: TS },
  { given: 'export const used = (exports = { a: "" }): string => exports.a;', want: TS },
  { given: 'const o = { require: () => "" };\nexport const used = (): string => o.require();', want: TS },
  { given: "export const used = (): string => typeof require === 'function' ? '' : 'x';", want: TS },
  { given: "export const used = () => (typeof require === 'function' ? require('x') : '');", want: CTS },
  { given: "export type T = typeof __dirname;\nexport const used = (): T => '';", want: TS },
])('a file of a package without a type: $given', async ({ given, want }) => {
  const { app } = await carry({
    files: {
      'package.json': '{ "name": "common" }',
      'tsconfig.json':
        '{ "compilerOptions": { "module": "nodenext", "target": "es2023", "strict": true, "types": ["node"] } }',
      'src/used.ts': `${given}\n`,
      'src/tool.ts': "import lib from './used.js';\nconst used = (): string => typeof lib;\n" + TOOL,
    },
    taken: ['src/tool.ts'],
  });
  expect(app.files.map(({ path }) => path)).toContain(want);
});

test.each([
  { code: "const { used } = require('./plain.js');", want: 1 },
  { code: "const { used } = require('./other');", want: 1 },
  { code: "const used = () => require('./gone.js');", want: 0 },
])('of $code, which TypeScript does not follow, nothing is carried', async ({ code, want }) => {
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, types: ['node'] };
  const files = {
    'package.json': '{ "name": "given", "version": "1.0.0" }',
    'tsconfig.json': JSON.stringify({ compilerOptions }),
    'src/tool.ts': `${code}\n${TOOL}`,
    'src/plain.js': "exports.used = () => 'used';\n",
    'src/other.ts': "export const used = (): string => 'used';\n",
  };
  const { app, told } = await carry({ files, taken: ['src/tool.ts'] });
  expect(told).toHaveLength(want);
  for (const each of told)
    expect(each).toMatch(/^file-not-carried: .*it is code, which is carried where it is imported/);
  expect(app.files).toHaveLength(1);
});
