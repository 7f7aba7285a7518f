/**
 * Builds `dist/`:
 * - `src/`, `templates/runtime/`: the compiler and the runtime as tsc makes them, with their types;
 * - `bin/`: the command in few files, since loading two hundred modules takes longer than a small compilation;
 * - `runtime/`: the runtime that emitted projects receive ready to run, in few files for a quick cold start;
 * - `templates.js`: the built-in glue templates, precompiled.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import handlebars from 'handlebars';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

rmSync(`${root}/dist`, { recursive: true, force: true });
compile();
await Promise.all([bundleCommand(), bundleRuntime(), precompileTemplates()]);

function compile() {
  const tsc = `${root}/node_modules/typescript/bin/tsc`;
  const options = { cwd: root, stdio: 'inherit' };
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], options);
  if (status !== 0) process.exit(status ?? 1);
}

async function bundleCommand() {
  await bundle({ mcpgen: `${root}/dist/src/cli/main.js` }, `${root}/dist/bin`);
  chmodSync(`${root}/dist/bin/mcpgen.js`, 0o755);
}

/** The modules that glue and handlers import keep their names; what they share becomes chunks. */
async function bundleRuntime() {
  const names = ['main/run', 'index', 'definition'];
  const input = names.map((name) => [name, `${root}/dist/templates/runtime/${name}.js`]);
  await bundle(Object.fromEntries(input), `${root}/dist/runtime`);
}

async function bundle(input, dir) {
  const build = await rolldown({ input, platform: 'node', external: /^[^./]/, logLevel: 'warn' });
  await build.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    comments: true,
    minifyInternalExports: false,
  });
  await build.close();
}

/** Same options as `src/emit/templates/compile-template.ts` gives to a user's templates. */
async function precompileTemplates() {
  const { templateOptions } = await import(`${root}/dist/src/emit/templates/template-options.js`);
  const folder = `${root}/templates/project`;
  const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.hbs'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => {
      const source = readFileSync(`${folder}/${file}`, 'utf8').replaceAll('\r\n', '\n');
      const name = JSON.stringify(file.slice(0, -'.hbs'.length));
      return `${name}: ${handlebars.precompile(source, templateOptions)},`;
    });
  writeFileSync(`${root}/dist/templates.js`, `export const templates = {\n${templates.join('\n')}\n};\n`);
}
