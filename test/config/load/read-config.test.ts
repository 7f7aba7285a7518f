// The forms in which a person may write a configuration, and what is said of those that can't be used.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { readConfig } from '../../../src/config/load/read-config.ts';
import { runModule } from '../../../src/config/load/run-module.ts';
import { temporaryFolder } from '../../cli/support/temporary-folder.ts';

const cwd = temporaryFolder();
let count = 0;

/** A folder with the files. */
function folderOf(files: Record<string, string>): string {
  const dir = `project-${count++}`;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(cwd, dir, dirname(name)), { recursive: true });
    writeFileSync(join(cwd, dir, name), text);
  }
  return dir;
}

const TYPED = `import { defineConfig } from 'mcpgen';
enum Prefix { Pets = 'pets_' }
const prefix: string = Prefix.Pets;
export default defineConfig({ sources: [{ openapi: 'a.yaml', prefix }] });
`;
const want = { sources: [{ openapi: 'a.yaml', prefix: 'pets_' }] };

test.each([
  { name: 'mcpgen.config.ts', text: TYPED },
  { name: 'mcpgen.config.mts', text: TYPED },
  { name: 'mcpgen.config.js', text: `export default ${JSON.stringify(want)};` },
  { name: 'mcpgen.config.mjs', text: `export default await Promise.resolve(${JSON.stringify(want)});` },
  { name: 'mcpgen.config.json', text: JSON.stringify(want) },
])('$name is read, and nothing is left beside it', async ({ name, text }) => {
  const dir = folderOf({ [name]: text });
  const diagnostics = new DiagnosticCollector();
  for (const path of [dir, join(dir, name)])
    expect(await readConfig(path, { cwd, diagnostics })).toMatchObject({ config: want, dir, name });
  expect(diagnostics.found).toEqual([]);
  expect(readdirSync(join(cwd, dir))).toEqual([name]);
});

test('what a killed run left is removed, and what another run is loading is not', async () => {
  const [left, loading] = ['.mcpgen.config.ts.0123abcd.mjs', '.mcpgen.config.ts.4567cdef.mjs'];
  const dir = folderOf({ 'mcpgen.config.ts': TYPED, [left]: '', [loading]: '', 'own.0123abcd.mjs': '' });
  const anHourAgo = Date.now() / 1000 - 3_600;
  for (const name of [left, 'own.0123abcd.mjs']) utimesSync(join(cwd, dir, name), anHourAgo, anHourAgo);
  await readConfig(dir, { cwd, diagnostics: new DiagnosticCollector() });
  expect(readdirSync(join(cwd, dir)).sort()).toEqual([loading, 'mcpgen.config.ts', 'own.0123abcd.mjs']);
});

/** The code that runs, and its folder. */
const OWN_TEXT =
  "import { readFileSync } from 'node:fs';\nexport const text = readFileSync(new URL(import.meta.url), 'utf8');";
const ALONE = 'dist/src/config/options/project-config.js';
const WHOLE = 'dist/src/index.js';

test.each([
  { imports: "import { defineConfig } from 'mcpgen';", loads: ALONE },
  { imports: "import { defineConfig, type Hooks } from 'mcpgen';", loads: ALONE },
  { imports: "import { compile, defineConfig } from 'mcpgen';", loads: WHOLE },
  { imports: "import { defineConfig } from 'mcpgen';\nimport { compile } from 'mcpgen';", loads: WHOLE },
  { imports: "import * as mcpgen from 'mcpgen';", loads: WHOLE },
])('$imports loads $loads', async ({ imports, loads }) => {
  const path = join(cwd, folderOf({ 'a.ts': '' }), 'a.ts');
  const ran = await runModule(path, `${imports}\n${OWN_TEXT}`);
  const { text } = 'exports' in ran ? ran.exports : { text: ran.problem };
  expect(
    String(text)
      .match(/dist\/src\/[\w/-]+\.js/g)
      ?.at(-1),
  ).toBe(loads);
});

test('what a configuration imports is code too, and is read anew each time', async () => {
  const dir = folderOf({
    'mcpgen.config.ts': "import { sources } from './lib/sources.ts';\nexport default { sources };",
    'lib/sources.ts':
      "import type { Stats } from 'node:fs';\nexport const sources: object[] = [{ openapi: 'a.yaml' }];\nexport type S = Stats;",
  });
  const diagnostics = new DiagnosticCollector();
  const first = await readConfig(dir, { cwd, diagnostics });
  expect(first?.config).toEqual({ sources: [{ openapi: 'a.yaml' }] });
  writeFileSync(join(cwd, dir, 'lib/sources.ts'), "export const sources = [{ openapi: 'b.yaml' }];");
  const second = await readConfig(dir, { cwd, diagnostics });
  expect(second?.config).toEqual({ sources: [{ openapi: 'b.yaml' }] });
  expect(readdirSync(join(cwd, dir), { recursive: true }).sort()).toEqual([
    'lib',
    'lib/sources.ts',
    'mcpgen.config.ts',
  ]);
});

test.each([
  {
    files: { 'mcpgen.config.ts': 'export default { sources: [' },
    problem: /^PROJECT\/mcpgen\.config\.ts cannot be used: it cannot be run \(mcpgen\.config\.ts:1:\d+: /,
  },
  {
    files: { 'mcpgen.config.ts': "throw new Error('No.');" },
    problem: /it cannot be run \(No\.\)/,
  },
  {
    files: { 'mcpgen.config.ts': "import './missing.ts';\nexport default {};" },
    problem: /it cannot be run \(Cannot find module .*missing/,
  },
  {
    files: { 'mcpgen.config.js': "export const source = 'a.yaml';" },
    problem: /it needs a default export/,
  },
  {
    files: { 'mcpgen.config.js': 'export default () => ({})' },
    problem: /it exports a function, but must export an object/,
  },
  { files: { 'mcpgen.config.js': 'export default []' }, problem: /it is not an object/ },
  {
    files: { 'mcpgen.config.mjs': "export default { sources: [{ opnapi: 'a.yaml' }] }" },
    problem: /has an unknown member "opnapi" \(did you mean "openapi"\?\)/,
  },
  {
    files: {
      'a.yaml': '',
      'mcpgen.config.json':
        '{ "source": "a.yaml", "tools": { "a": { "arguments": { "b": { "env": "${B}" } } } } }',
    },
    problem: /"tools\.a\.arguments\.b\.env" must not contain \$\{…\}/,
  },
  {
    files: { 'mcpgen.config.json': '{ "sorces": [] }' },
    problem: /unknown member "sorces" \(did you mean "sources"\?\)/,
  },
  {
    files: { 'mcpgen.config.json': '{ "source": "a" }', 'mcpgen.config.ts': '' },
    problem:
      /^PROJECT has several configurations, mcpgen\.config\.ts and mcpgen\.config\.json, but only one can apply/,
  },
])('$files: $problem', async ({ files, problem }) => {
  const dir = folderOf(files as Record<string, string>);
  const diagnostics = new DiagnosticCollector();
  expect(await readConfig(dir, { cwd, diagnostics })).toBeUndefined();
  expect(diagnostics.found.map(({ message }) => message.replaceAll(dir, 'PROJECT'))).toEqual([
    expect.stringMatching(problem),
  ]);
  const left = readdirSync(join(cwd, dir)).sort();
  expect(left).toEqual(Object.keys(files).sort());
});

test('several configurations: several-configs', async () => {
  const dir = folderOf({ 'mcpgen.config.json': '{}', 'mcpgen.config.js': '' });
  const diagnostics = new DiagnosticCollector();
  await readConfig(dir, { cwd, diagnostics });
  expect(diagnostics.found.map(({ name }) => name)).toEqual(['several-configs']);
});
