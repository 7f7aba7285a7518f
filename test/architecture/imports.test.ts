// The dependency rule of ARCHITECTURE.md, proved over the import graph.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot, sourceFiles } from './support/source-files.ts';

/** Folder → the folders and files it may import from, besides itself. */
const MAY_IMPORT: Record<string, string[]> = {
  'src/model': ['templates/runtime'],
  'src/diagnostics': ['src/model', 'templates/runtime'],
  'src/frontends/openapi': ['src/model', 'src/diagnostics', 'templates/runtime'],
  'src/frontends/typescript': ['src/model', 'src/diagnostics', 'templates/runtime'],
  'src/derive': ['src/model', 'src/diagnostics', 'templates/runtime'],
  'src/emit': ['src/model', 'src/diagnostics', 'templates/runtime'],
  'src/write': ['src/emit', 'src/model', 'src/diagnostics', 'templates/runtime'],
  'src/diff': ['src/derive', 'src/emit', 'src/write', 'src/model', 'src/diagnostics', 'templates/runtime'],
  'src/config/options': [
    'src/config/load/interpolate.ts',
    'src/derive',
    'src/model',
    'src/diagnostics',
    'templates/runtime',
  ],
  'src/config/load': [
    ...['src/config/options', 'src/frontends/openapi/load', 'src/derive', 'src/emit', 'src/hooks'],
    ...['src/model', 'src/diagnostics', 'templates/runtime'],
    ...['src/api/generate.ts', 'src/project/output-permission.ts'],
  ],
  'src/hooks': [...['src/config', 'src/emit', 'src/model', 'src/diagnostics', 'templates/runtime']],
  'src/project': [
    ...[
      'src/api/generate.ts',
      'src/write',
      'src/emit',
      'src/derive',
      'src/config',
      'src/frontends/openapi/load',
    ],
    ...['src/model', 'src/diagnostics', 'templates/runtime'],
  ],
  'src/util': [],
  'templates/runtime': [],
};

/** Packages that stay in front of the model. */
const FRONT_END_PACKAGES = ['openapi-types', '@apidevtools/swagger-parser', 'ts-morph', 'js-yaml'];

/** Strips types from a person's handlers; see docs/adr/0005-edited-handlers-are-transpiled.md. */
const TRANSPILER = 'src/emit/transpile.ts';

const IMPORT = /\b(?:from|import)\s*\(?\s*'([\w./@:-]+)'/g;

/** Helpers that know nothing of the pipeline. */
const LEAVES = /^src\/util\//;

/** The compiler's way in. */
const LOOSE = ['src/index.ts'];

function importsOf(file: string): string[] {
  return [...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(IMPORT)].map(([, name]) => name ?? '');
}

function folderOf(file: string): string | undefined {
  return Object.keys(MAY_IMPORT).find((folder) => file.startsWith(`${folder}/`));
}

const files = sourceFiles(['src', 'templates/runtime']);

test('the graph has files to judge', () => {
  expect(files.length).toBeGreaterThan(40);
});

test('no folder imports against the pipeline', () => {
  const wrong = files.flatMap((file) => {
    const folder = folderOf(file);
    if (folder === undefined) return [];
    const allowed = [folder, ...(MAY_IMPORT[folder] ?? [])];
    return importsOf(file)
      .filter((name) => name.startsWith('.'))
      .map((name) => relative(repositoryRoot, join(repositoryRoot, dirname(file), name)))
      .filter(
        (target) =>
          !LEAVES.test(target) && !allowed.some((each) => target === each || target.startsWith(`${each}/`)),
      )
      .map((target) => `${file} → ${target}`);
  });
  expect(wrong).toEqual([]);
});

test('no file lies loose in src', () => {
  const loose = files.filter((file) => /^src\/[^/]+$/.test(file) && !LOOSE.includes(file));
  expect(loose).toEqual([]);
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

test('the transpiler loads TypeScript only when called', () => {
  const source = readFileSync(join(repositoryRoot, TRANSPILER), 'utf8');
  const imports = [...source.matchAll(/^.*\bts-morph\b.*$/gm)].map(([line]) => line.trim());
  expect(new Set(importsOf(TRANSPILER))).toEqual(new Set(['ts-morph']));
  expect(imports).toEqual([
    "import type { ts as TypeScript } from 'ts-morph';",
    "const { ts } = await import('ts-morph');",
  ]);
});

/** Checks signatures for the projects that ask for tokens, and is their only dependency. */
const SIGNATURES = 'jose';

test('the runtime imports nothing but Node and itself', () => {
  const wrong = files
    .filter((file) => file.startsWith('templates/runtime/'))
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
        .filter((name) => name !== SIGNATURES || !file.startsWith('templates/runtime/oauth/'))
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

test('tests make their cores where every message is judged', () => {
  const makes = /\bcreateCore\b/;
  const makers = sourceFiles(['test']).filter((file) => makes.test(withoutComments(file)));
  expect(makers).toEqual(['test/support/checked-core.ts']);
});

function withoutComments(file: string): string {
  return readFileSync(join(repositoryRoot, file), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
}
