// Modules that the command loads at its start. Everything heavy is behind `await import`.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const STATIC = /^(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s)?'([^']+)'/gm;

/** Modules that load with `entry`: files relative to the repository, and packages. */
function loadedWith(entry: string): string[] {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(STATIC)) {
      if (name.startsWith('.')) visit(relative(root, join(root, dirname(file), name)));
      else if (!name.startsWith('node:')) seen.add(name);
    }
  };
  visit(entry);
  return [...seen].sort();
}

test('the command line loads commander and little of the compiler', () => {
  const loaded = loadedWith('src/cli/run.ts');
  expect(loaded.filter((name) => !name.endsWith('.ts'))).toEqual(['commander']);
  // Names for `--for` and `--feature`, and how a source is shown.
  expect(loaded.filter((name) => /^src\/(frontends|emit|write|model)\/|\/locate\//.test(name))).toEqual([
    'src/model/bindings.ts',
    'src/model/client-profiles.ts',
    'src/model/credential-origins.ts',
    'src/model/feature-needs.ts',
    'src/model/feature-table.ts',
    'src/model/features.ts',
    'src/model/published.ts',
    'src/model/variable-names.ts',
    'src/model/without-credentials.ts',
  ]);
  expect(loaded.filter((name) => name.startsWith('src/derive/'))).toEqual([]);
  // The table of features knows which documents need each.
  expect(loaded.filter((name) => name.startsWith('templates/'))).toEqual([
    'templates/runtime/features/operation-servers.ts',
    'templates/runtime/features/patterns/machine.ts',
    'templates/runtime/features/patterns/parse-regex.ts',
    'templates/runtime/json-rpc.ts',
    'templates/runtime/request.ts',
    'templates/runtime/types.ts',
    'templates/runtime/validate.ts',
  ]);
});

test('the command line loads no text of a diagnostic before one can be reported', () => {
  const loaded = loadedWith('src/cli/start.ts');
  expect(loaded.filter((name) => /^src\/diagnostics\/(?:registry|collector)/.test(name))).toEqual([]);
});

test.each([
  { entry: 'src/cli/main.ts', packages: [] },
  // Each kind of source brings its own: js-yaml, or ts-morph.
  { entry: 'src/index.ts', packages: [] },
])('$entry loads $packages', ({ entry, packages }) => {
  expect(loadedWith(entry).filter((name) => !name.endsWith('.ts'))).toEqual(packages);
});

test('a compilation loads no client for addresses that it does not ask', () => {
  const compiler = readFileSync(join(root, 'dist/bin/chunks/compiler.js'), 'utf8');
  const imports = [...compiler.matchAll(/^import .* from "(node:[^"]+)";$/gm)].map(([, name]) => name);
  expect(imports).toContain('node:fs');
  for (const name of ['node:http', 'node:https', 'node:zlib', 'node:dns'])
    expect(imports).not.toContain(name);
});

test('what understands the command line is built without the compiler', () => {
  const command = readFileSync(join(root, 'dist/bin/chunks/command.js'), 'utf8');
  const imports = [...command.matchAll(/^import .* from "\.\/(.+)";$/gm)].map(([, name]) => name);
  expect(imports).toEqual(['rolldown-runtime.js']);
});

test('the command loads TypeScript by itself, and no more of ts-morph', () => {
  const chunks = join(root, 'dist/bin/chunks');
  const names = readdirSync(chunks).filter((name) => name.endsWith('.js'));
  const texts = names.map((name) => readFileSync(join(chunks, name), 'utf8'));
  expect(texts.filter((text) => /(?:from|import|require|\))\s*\(?["']ts-morph["']/.test(text))).toEqual([]);
  expect(texts.filter((text) => /\)\("\.\/typescript\.js"\)/.test(text))).toHaveLength(1);
});
