// The dependency rule of ARCHITECTURE.md, proved over the import graph.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot, sourceFiles } from './support/source-files.ts';

/** Each folder of the compiler, and the other folders that it may import from, for types too. */
const MAY_IMPORT: Record<string, string[]> = {
  'src/util': [],
  'src/model': ['src/util'],
  'src/diagnostics': ['src/model', 'src/util'],
  'src/config/options': ['src/config/load', 'src/model', 'src/diagnostics', 'src/util'],
  // A configuration is parsed as documents are.
  'src/config/load': [
    ...['src/frontends/openapi/load', 'src/config/options', 'src/model', 'src/diagnostics', 'src/util'],
  ],
  'src/frontends/openapi': ['src/config', 'src/model', 'src/diagnostics', 'src/util'],
  // Front matter is YAML, as documents are.
  'src/frontends/workflows': ['src/frontends/openapi/load', 'src/model', 'src/diagnostics', 'src/util'],
  'src/frontends/skills': ['src/frontends/openapi/load', 'src/model', 'src/diagnostics', 'src/util'],
  'src/frontends/typescript': ['src/config', 'src/model', 'src/diagnostics', 'src/util'],
  'src/derive': ['src/config', 'src/model', 'src/diagnostics', 'src/util'],
  'src/emit': ['src/config', 'src/derive', 'src/model', 'src/diagnostics', 'src/util'],
  'src/hooks': ['src/emit', 'src/config', 'src/model', 'src/diagnostics', 'src/util'],
  'src/write': ['src/emit', 'src/model', 'src/diagnostics', 'src/util'],
  'src/project': [
    ...['src/write', 'src/emit', 'src/derive', 'src/config', 'src/model', 'src/diagnostics', 'src/util'],
  ],
  'src/diff': [
    ...['src/project', 'src/write', 'src/emit', 'src/derive', 'src/config', 'src/model'],
    ...['src/diagnostics', 'src/util'],
  ],
  'src/serve': ['src/write', 'src/emit', 'src/config', 'src/model', 'src/diagnostics', 'src/util'],
  'src/lint': ['src/emit', 'src/derive', 'src/config', 'src/model', 'src/diagnostics', 'src/util'],
  'src/watch': ['src/config', 'src/model', 'src/diagnostics', 'src/util'],
  'src/install': ['src/project', 'src/write', 'src/config', 'src/model', 'src/diagnostics', 'src/util'],
  'src/doctor': [
    'src/project',
    'src/write',
    'src/emit',
    'src/config',
    'src/model',
    'src/diagnostics',
    'src/util',
  ],
  'src/api': [
    ...['src/diff', 'src/lint', 'src/project', 'src/write', 'src/hooks', 'src/emit', 'src/derive'],
    // Schemas of functions are loaded as functions are served.
    ...['src/frontends', 'src/serve'],
    ...['src/config', 'src/model', 'src/diagnostics', 'src/util'],
  ],
  'src/testing': ['src/api', 'src/serve', 'src/diagnostics'],
  'src/preview': [
    'src/project',
    ...['src/api', 'src/diff', 'src/lint', 'src/serve', 'src/watch', 'src/write', 'src/emit', 'src/derive'],
    ...['src/frontends/openapi/overlay', 'src/config', 'src/model', 'src/diagnostics', 'src/util'],
  ],
  'src/cli': [
    ...[
      'src/api',
      'src/preview',
      'src/diff',
      'src/lint',
      'src/serve',
      'src/watch',
      'src/install',
      'src/doctor',
      'src/project',
      'src/write',
      'src/hooks',
      'src/emit',
    ],
    ...['src/config', 'src/model', 'src/diagnostics', 'src/util'],
  ],
};

/** The modules of the runtime that the compiler shares with every project. Features list their settings. */
const SHARED = [
  ...[
    'answer',
    'call-api',
    'feature',
    'http',
    'json-rpc',
    'request',
    'results',
    'settings',
    'types',
    'validate',
  ].map((name) => `templates/runtime/${name}.ts`),
  'templates/runtime/features/',
];

/** The folders that start the runtime, and test what calls send. */
const RUNS_RUNTIME = ['src/serve/', 'src/emit/wire/', 'src/testing/'];

/** Packages that stay in front of the model. */
const FRONT_END_PACKAGES = ['openapi-types', '@apidevtools/swagger-parser', 'ts-morph', 'js-yaml'];

/** Strips types from a person's handlers; see docs/adr/0098-which-typescript-reads.md. */
const TRANSPILER = 'src/util/transpile.ts';

const IMPORT = /\b(?:from|import)\s*\(?\s*'([\w./@:-]+)'/g;

/** The compiler's way in. */
const LOOSE = ['src/index.ts'];

function importsOf(file: string): string[] {
  return [...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(IMPORT)].map(([, name]) => name ?? '');
}

function folderOf(file: string): string | undefined {
  return Object.keys(MAY_IMPORT).find((folder) => file.startsWith(`${folder}/`));
}

const files = sourceFiles(['src', 'templates/runtime']);

/** Every import of a file of the repository, types included. */
const edges = files.flatMap((file) =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => ({ file, to: relative(repositoryRoot, join(repositoryRoot, dirname(file), name)) })),
);

test('the graph has files and imports to judge', () => {
  expect(files.length).toBeGreaterThan(400);
  expect(edges.length).toBeGreaterThan(2000);
});

test('every file of the compiler is in a folder that has a rule', () => {
  const stray = files.filter((file) => file.startsWith('src/') && folderOf(file) === undefined);
  expect(stray).toEqual(LOOSE);
});

test('no folder of the compiler imports against the pipeline', () => {
  const wrong = edges
    .filter(({ file, to }) => file !== 'src/index.ts' && file.startsWith('src/') && to.startsWith('src/'))
    .filter(({ file, to }) => {
      const folder = folderOf(file) ?? '';
      return ![folder, ...(MAY_IMPORT[folder] ?? [])].some((each) => to.startsWith(`${each}/`));
    })
    .map(({ file, to }) => `${file} → ${to}`);
  expect(wrong).toEqual([]);
});

test('the compiler imports shared modules and the features of the runtime; what starts it, the rest', () => {
  const others = edges
    .filter(({ file, to }) => file.startsWith('src/') && to.startsWith('templates/'))
    .filter(({ file }) => !RUNS_RUNTIME.some((each) => file.startsWith(each)))
    .filter(({ to }) => !SHARED.some((each) => to.startsWith(each)));
  expect([...new Set(others.map(({ to }) => to))]).toEqual([]);
});

test('only src/serve loads the index of the runtime; tests of users get its types', () => {
  const loaders = edges.filter(({ to }) => to === 'templates/runtime/index.ts').map(({ file }) => file);
  expect(loaders.filter((file) => file.startsWith('src/'))).toEqual([
    'src/serve/served-app.ts',
    'src/testing/index.ts',
  ]);
});

test('the runtime imports nothing of the compiler', () => {
  const wrong = edges.filter(({ file, to }) => file.startsWith('templates/') && to.startsWith('src/'));
  expect(wrong).toEqual([]);
});

test('nothing after the model knows where it came from', () => {
  const wrong = files
    .filter((file) => !/^src\/(frontends|cli|diagnostics\/locate)\//.test(file) && file !== TRANSPILER)
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => FRONT_END_PACKAGES.includes(name))
        .map((name) => `${file} → ${name}`),
    );
  expect(wrong).toEqual([]);
});

/** Packages of the runtime by the folder that needs each: projects without the feature have none. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  jose: /^templates\/runtime\/features\/(?:oauth|dpop)\//,
  '@redis/client': /^templates\/runtime\/features\/redis\//,
};

test('the runtime imports nothing but Node and itself', () => {
  const wrong = files
    .filter((file) => file.startsWith('templates/runtime/'))
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
        .filter((name) => PACKAGES[name]?.test(file) !== true)
        .map((name) => `${file} → ${name}`),
    );
  expect(wrong).toEqual([]);
});

test('the command line is the only code that touches the process', () => {
  const wrong = files
    .filter((file) => file.startsWith('src/') && !file.startsWith('src/cli/'))
    .filter((file) => /\bprocess\.|\bconsole\./.test(withoutComments(file)));
  expect(wrong).toEqual([]);
});

function withoutComments(file: string): string {
  return readFileSync(join(repositoryRoot, file), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
}
