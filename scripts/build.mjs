/**
 * Builds `dist/`:
 * - `src/`, `templates/runtime/`: the compiler and the runtime as tsc makes them, with their types;
 * - `bin/`: the command in few files, since loading two hundred modules takes longer than a small compilation;
 * - `runtime.json`, `runtime-oauth.json`: the runtime that emitted projects receive, as source and ready to run (in few files, for a quick cold
 *   start); in one file, since two hundred small ones are slow to read;
 * - `templates.js`: the built-in glue templates, precompiled;
 * - `language/`: the declarations of the language itself, which every program of annotated functions begins with.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import handlebars from 'handlebars';
import { rolldown } from 'rolldown';
import { importedBy } from './lib/imported-by.mjs';
import { runtimeChunks } from './lib/runtime-chunks.mjs';
import { readOptions } from './lib/usage.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const morph = createRequire(fileURLToPath(import.meta.resolve('ts-morph')));

/** Parts of the runtime that only some projects need, by what the compiler calls them: the modules that lead to each. */
const PARTS = {
  functions: ['functions/index'],
  upstream: ['core/upstream/index', 'main/api-settings'],
};

/** What stands in the place of a module of a part that the rest imports, where a project does without the part. */
const STANDINS = [
  { module: 'core/upstream/index', standin: 'core/upstream/none', insteadOf: 'upstream' },
  { module: 'main/api-settings', standin: 'main/no-api-settings', insteadOf: 'upstream' },
];

/** What asks callers for tokens: likewise, and in a file of its own. */
const OAUTH = 'oauth/index';

readOptions('npm run build');
console.error('building dist/ …');
rmSync(`${root}/dist`, { recursive: true, force: true });
compile();
packLanguage();
await Promise.all([bundleCommand(), packRuntime(), precompileTemplates()]);

function compile() {
  const tsc = `${root}/node_modules/typescript-7/bin/tsc`;
  const options = { cwd: root, stdio: 'inherit' };
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], options);
  if (status !== 0) process.exit(status ?? 1);
}

/** The language's own declarations, each a file: ts-morph has all of them in one module. */
function packLanguage() {
  mkdirSync(`${root}/dist/language`);
  for (const { fileName, text } of morph('@ts-morph/common').getLibFiles())
    writeFileSync(`${root}/dist/language/${fileName}`, text);
}

/** The packages that every compilation needs are in it too; those for rarer work are loaded as packages. */
async function bundleCommand() {
  const files = await bundle(
    { mcpgen: `${root}/dist/src/cli/main.js` },
    {
      external: /^(?:handlebars|prettier)(?:$|\/(?!runtime))/,
      plugins: [onlyTypeScript()],
      groups: [
        { name: 'command', test: loadsAtStart() },
        {
          name: 'compiler',
          test: /dist\/src\/(?!cli\/)(?!.*(?:check|diff|guarded-fetch|inspect|overlay|serve|transpile|locate|frontends\/typescript))/,
        },
        { name: 'handlebars', test: /node_modules\/handlebars\// },
      ],
    },
  );
  mkdirSync(`${root}/dist/bin/chunks`, { recursive: true });
  for (const { path, contents } of files) writeFileSync(`${root}/dist/bin/${path}`, contents);
  const common = createRequire(morph.resolve('@ts-morph/common'));
  copyFileSync(common.resolve('./typescript.js'), `${root}/dist/bin/chunks/typescript.cjs`);
  chmodSync(`${root}/dist/bin/mcpgen.js`, 0o755);
}

/** What understands the command line is one file, and the compiler another: each command loads what it needs. */
function loadsAtStart() {
  const ids = importedBy([`${root}/dist/src/cli/start.js`]);
  return (id) => ids.has(id.replaceAll('\\', '/')) || /node_modules\/commander\//.test(id);
}

/** The command loads TypeScript without the rest of ts-morph. It is CommonJS: `import` would search all of it for exported names. */
function onlyTypeScript() {
  const id = '\0typescript';
  const code = `import { createRequire } from 'node:module';
export const ts = createRequire(import.meta.url)('./typescript.cjs');`;
  return {
    name: 'only-typescript',
    resolveId: (source) => (source === 'ts-morph' ? id : undefined),
    load: (source) => (source === id ? code : undefined),
  };
}

/** Also for JSON, where a backslash before such a character is itself escaped. */
function escaped(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The modules that glue and handlers import keep their names; what they share becomes chunks. The shape is `Runtime` in
 * `src/emit/assets.ts`.
 */
async function packRuntime() {
  const sources = readFiles(`${root}/templates/runtime`, '.ts');
  const { hashContents } = await import(`${root}/dist/src/emit/hash.js`);
  const hashed = sources.map((file) => ({ ...file, hash: hashContents(file.contents) }));
  const names = ['main/run', 'index', 'definition'];
  // Each by itself: what two parts share becomes a chunk, and those without OAuth would have more and smaller ones.
  await Promise.all([
    packWith(names, 'runtime', hashed),
    packWith([...names, OAUTH], 'runtime-oauth', hashed),
  ]);
}

async function packWith(names, file, hashed) {
  const all = [...names, ...Object.values(PARTS).flat()];
  const input = all.map((name) => [name, `${root}/dist/templates/runtime/${name}.js`]);
  const groups = runtimeChunks(`${root}/dist/templates/runtime`, names.includes(OAUTH));
  const built = await bundle(Object.fromEntries(input), { groups, external: ['jose'] });
  const runtime = {
    sources: sorted([...withParts(reached(hashed, all, '.ts'), names, '.ts'), ...standins(hashed, '.ts')]),
    built: sorted([
      ...withParts(built, names, '.js'),
      ...standins(readFiles(`${root}/dist/templates/runtime`, '.js'), '.js'),
    ]),
  };
  writeFileSync(`${root}/dist/${file}.json`, escaped(JSON.stringify(runtime)));
}

/** Names the parts that a file belongs to, where the modules `names` do without it. */
function withParts(files, names, extension) {
  const pathsOf = (modules) => new Set(reached(files, modules, extension).map(({ path }) => path));
  const common = pathsOf(names);
  const parts = Object.entries(PARTS).map(([part, modules]) => [part, pathsOf(modules)]);
  return files.map((file) => {
    if (common.has(file.path)) return file;
    return { ...file, parts: parts.filter(([, paths]) => paths.has(file.path)).map(([part]) => part) };
  });
}

/** They have the names of what they stand for. */
function standins(files, extension) {
  return STANDINS.map(({ module, standin, insteadOf }) => {
    const { contents, ...rest } = files.find(({ path }) => path === `${standin}${extension}`);
    return { ...rest, contents, path: `${module}${extension}`, insteadOf };
  });
}

/**
 * Of `files`, those that the modules `names` import, at whatever distance: a project gets no part it does not use. What
 * something may stand in for is not followed.
 */
function reached(files, names, extension) {
  const ends = new Set(STANDINS.map(({ module }) => `${module}${extension}`));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const paths = new Set(names.map((name) => `${name}${extension}`));
  for (const file of paths) {
    const { contents } = byPath.get(file);
    for (const [, specifier] of contents.matchAll(/(?:from|import)\s*\(?["'](\.[^"']+\.[jt]s)["']/g)) {
      const imported = path.posix.join(path.posix.dirname(file), specifier);
      if (!ends.has(imported)) paths.add(imported);
    }
  }
  return files.filter((file) => paths.has(file.path));
}

/** The files it makes, sorted by path. */
async function bundle(input, { external = [], groups = [], plugins = [] } = {}) {
  // That a module is loaded later elsewhere is no fault.
  const checks = { ineffectiveDynamicImport: false };
  const build = await rolldown({ input, platform: 'node', external, plugins, checks, logLevel: 'warn' });
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    comments: true,
    minifyInternalExports: false,
    codeSplitting: { groups },
  });
  await build.close();
  return sorted(output.map(({ fileName, code }) => ({ path: fileName, contents: code })));
}

function sorted(files) {
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Same options as `src/emit/templates/compile-template.ts` gives to a user's templates. */
async function precompileTemplates() {
  const { templateOptions } = await import(`${root}/dist/src/emit/templates/template-options.js`);
  const templates = readFiles(`${root}/templates/project`, '.hbs').map(({ path, contents }) => {
    const name = JSON.stringify(path.slice(0, -'.hbs'.length));
    return `${name}: ${handlebars.precompile(contents.replaceAll('\r\n', '\n'), templateOptions)},`;
  });
  writeFileSync(`${root}/dist/templates.js`, `export const templates = {\n${templates.join('\n')}\n};\n`);
}

/** The files below a folder, sorted by path. */
function readFiles(folder, extension) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, contents: readFileSync(`${folder}/${path}`, 'utf8') }));
}
