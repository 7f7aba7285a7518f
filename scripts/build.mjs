/**
 * Builds `dist/`: - `src/`, `templates/runtime/`: the compiler and the runtime as tsc makes them, with their types; -
 * `bin/`: the command in few files, since loading two hundred modules takes longer than a small compilation; -
 * `runtime.json`: the runtime that emitted projects receive, as source and ready to run, in one file, since a hundred
 * small ones are slow to read; - `templates.js`: the built-in glue
 * templates, precompiled; - `preview/`: the page of `mcpgen preview`, in one script; - `language/`: the declarations
 * of the language itself, which every program of annotated functions begins with.
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
import { gzipSync } from 'node:zlib';
import handlebars from 'handlebars';
import { rolldown } from 'rolldown';
import { functionTypes } from './lib/function-types.mjs';
import { importedBy } from './lib/imported-by.mjs';
import { readOptions } from './lib/usage.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const morph = createRequire(fileURLToPath(import.meta.resolve('ts-morph')));

/** The modules of `mcpgen/testing` whose declarations are exported. */
const TESTING = ['index', 'fake-context'];

/** The page must be small, since it is loaded before anything is seen. */
const MOST_OF_PAGE = 60 * 1024;
/** Packages that are part of its script. */
const PAGE_PACKAGES = ['preact', '@preact/signals', '@preact/signals-core', 'htm', 'd3-hierarchy'];

readOptions('npm run build');
console.error('building dist/ …');
rmSync(`${root}/dist`, { recursive: true, force: true });
compile();
packLanguage();
await Promise.all([bundleCommand(), packRuntime(), precompileTemplates(), bundlePage()]);

function compile() {
  const tsc = `${root}/node_modules/typescript-7/bin/tsc`;
  const options = { cwd: root, stdio: 'inherit' };
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], options);
  if (status === 0) return;
  console.error('If a row or type of an option changed, run `npm run schema` first: it needs no build.');
  process.exit(status ?? 1);
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
      external: /^(?:handlebars|jsonc-parser|prettier|smol-toml)(?:$|\/(?!runtime))/,
      comments: { legal: true, annotation: false, jsdoc: false },
      plugins: [onlyTypeScript(), withoutPrograms()],
      groups: [
        { name: 'command', test: loadsAtStart() },
        { name: 'diagnostics', test: /dist[\\/]src[\\/]diagnostics[\\/](?!locate[\\/])/ },
        {
          name: 'compiler',
          test: /dist[\\/]src[\\/](?!cli[\\/])(?!.*(?:check|diff|doctor[\\/]|guarded-fetch|inspect|install[\\/]|overlay|preview|serve|transpile|locate|frontends[\\/]typescript))/,
        },
        { name: 'handlebars', test: /node_modules[\\/]handlebars[\\/]/ },
      ],
    },
  );
  mkdirSync(`${root}/dist/bin/chunks`, { recursive: true });
  for (const { path, contents } of files) writeFileSync(`${root}/dist/bin/${path}`, contents);
  chmodSync(`${root}/dist/bin/mcpgen.js`, 0o755);
}

/** The command line is one file and the compiler another, so each command loads only what it needs. */
function loadsAtStart() {
  const ids = importedBy([`${root}/dist/src/cli/start.js`]);
  return (id) => ids.has(id.replaceAll('\\', '/')) || /node_modules[\\/]commander[\\/]/.test(id);
}

/** The command loads TypeScript from ts-morph without the rest of it. It is CommonJS: `import` would search all of it for exported names. */
function onlyTypeScript() {
  const id = '\0typescript';
  const code = `import { createRequire } from 'node:module';
const morph = createRequire(createRequire(import.meta.url).resolve('ts-morph'));
export const ts = createRequire(morph.resolve('@ts-morph/common'))('./typescript.js');`;
  return {
    name: 'only-typescript',
    resolveId: (source) => (source === 'ts-morph' ? id : undefined),
    load: (source) => (source === id ? code : undefined),
  };
}

/** No command is a program of its own, so commander needs none of the modules of Node that start one. */
function withoutPrograms() {
  return {
    name: 'without-programs',
    transform: (code, id) =>
      /node_modules\/commander\/lib\/command\.js$/.test(id.replaceAll('\\', '/'))
        ? code.replace("const childProcess = require('node:child_process');\n", '')
        : undefined,
  };
}

/** Also for JSON, where a backslash before such a character is itself escaped. */
function escaped(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Each module as written, and as `tsc` makes it. Files that not every project has say which modules of the table of features lead to
 * them. The shape is `Runtime` in `src/emit/assets.ts`.
 */
async function packRuntime() {
  const [{ RUNTIME_HEADER }, { FEATURES }] = await Promise.all([
    import('../dist/src/emit/runtime-files.js'),
    import('../dist/src/model/feature-table.js'),
  ]);
  const licence = { path: 'LICENSE', contents: readFileSync(`${root}/LICENSE`, 'utf8') };
  const withFeatures = (files, extension) => {
    const starts = ['feature', 'run', 'types'].map((name) => `${name}${extension}`);
    const features = FEATURES.map(({ module }) => [module, `${module}${extension}`]);
    // What programs of functions import.
    return withEntries(files, starts, [...features, ['features/functions/index', `index${extension}`]]);
  };
  const folder = `${root}/dist/templates/runtime`;
  const sources = readFiles(`${root}/templates/runtime`, '.ts');
  const built = readFiles(folder, '.js').map(({ path, contents }) => ({
    path,
    contents: contents.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''),
  }));
  writePacked('runtime.json', {
    sources: [...withFeatures(sources, '.ts'), licence],
    built: [...withFeatures(built, '.js'), licence],
  });
  // Programs of users import them, also those without the declarations of Node.
  writeFileSync(
    `${folder}/index.d.ts`,
    await functionTypes(`${folder}/features/all-types.d.ts`, RUNTIME_HEADER),
  );
  for (const place of [`${folder}/index`, ...TESTING.map((name) => `${root}/dist/src/testing/${name}`)])
    forCommonJs(place);
}

/** TypeScript before 5.8 refuses declarations of ES modules in CommonJS, which Node can require. */
function forCommonJs(place) {
  const text = readFileSync(`${place}.d.ts`, 'utf8');
  writeFileSync(`${place}.d.cts`, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.cts'"));
}

function writePacked(name, value) {
  writeFileSync(`${root}/dist/${name}`, escaped(JSON.stringify(value)));
}

/** The files that are of use, each with the entries that lead to it, where the files `starts`, which are always there, do not. */
function withEntries(files, starts, entries) {
  const contentsOf = new Map(files.map(({ path, contents }) => [path, contents]));
  const always = reached(contentsOf, starts);
  const byEntry = entries.map(([entry, path]) => [entry, reached(contentsOf, [path])]);
  return files.flatMap((file) => {
    const { path } = file;
    if (always.has(path)) return [file];
    const leading = byEntry.filter(([, paths]) => paths.has(path)).map(([entry]) => entry);
    return leading.length === 0 ? [] : [{ ...file, entries: leading }];
  });
}

/** The paths of the files that the files `starts` import, at whatever distance. `contentsOf`: by path. */
function reached(contentsOf, starts) {
  const paths = new Set(starts);
  for (const file of paths)
    for (const [, specifier] of contentsOf
      .get(file)
      .matchAll(/(?:from|import)\s*\(?["'](\.[^"']+\.[jt]s)["']/g))
      paths.add(path.posix.join(path.posix.dirname(file), specifier));
  return paths;
}

/** The files it makes, sorted by path. */
async function bundle(input, { external = [], groups = [], plugins = [], comments = true } = {}) {
  // A module that is loaded later elsewhere is not a fault.
  const checks = { ineffectiveDynamicImport: false };
  const options = {
    input,
    platform: 'node',
    external,
    plugins,
    preserveEntrySignatures: 'strict',
    checks,
  };
  const build = await rolldown({ ...options, logLevel: 'warn' });
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    comments,
    minifyInternalExports: false,
    codeSplitting: { groups },
  });
  await build.close();
  return sorted(output.map(({ fileName, code }) => ({ path: fileName, contents: code })));
}

function sorted(files) {
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What a browser loads: no source map, no request to elsewhere. */
async function bundlePage() {
  const source = `${root}/preview`;
  const target = `${root}/dist/preview`;
  mkdirSync(target);
  const build = await rolldown({ input: `${source}/main.ts`, platform: 'browser', logLevel: 'warn' });
  const { output } = await build.generate({ format: 'esm', entryFileNames: 'page.js', minify: true });
  await build.close();
  writeFileSync(`${target}/page.js`, output[0].code);
  writeFileSync(`${target}/page.css`, withoutComments(readFileSync(`${source}/page.css`, 'utf8')));
  copyFileSync(`${source}/index.html`, `${target}/index.html`);
  writeFileSync(`${target}/LICENSES.txt`, PAGE_PACKAGES.map(licenceOf).join('\n\n'));
  const size = ['index.html', 'page.js', 'page.css']
    .map((file) => gzipSync(readFileSync(`${target}/${file}`)).length)
    .reduce((sum, length) => sum + length);
  console.error(`page: ${(size / 1024).toFixed(1)} kB compressed`);
  if (size <= MOST_OF_PAGE) return;
  console.error('The page is larger than 60 kB.');
  process.exit(1);
}

function licenceOf(name) {
  return `${name}\n\n${readFileSync(`${root}/node_modules/${name}/LICENSE`, 'utf8')}`;
}

function withoutComments(css) {
  return css.replace(/\/\*[^]*?\*\//g, '').replace(/\n\s*/g, '\n');
}

/** Same options as `src/emit/templates/compile-template.ts` gives to a user's templates. */
async function precompileTemplates() {
  const { templateOptions } = await import('../dist/src/emit/templates/helpers.js');
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
