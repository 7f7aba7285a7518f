/**
 * `npm run peers [-- --typia <folder>]`: the same types read by mcpgen, by ts-json-schema-generator and by typia, in
 * one run, and how many schemas of each accept and reject what the type does. typia comes from npm, into a folder
 * that is removed, unless `--typia` names one where it is installed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

import { inRepository, root } from './lib/repository.mjs';
import { run } from './lib/run.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readOptions } from './lib/usage.mjs';

/** The last version whose transformer runs in TypeScript 6; later ones are built for TypeScript 7. */
const TYPIA = '12.2.1';
const TYPESCRIPT = '6.0.3';

const { values } = readOptions('npm run peers [-- --typia <folder>]', {
  options: { typia: { type: 'string' } },
});
await withTempFolder('peers', async (folder) => {
  const typia = values.typia === undefined ? await install(folder) : path.resolve(values.typia);
  const env = { ...process.env };
  if (typia !== undefined) {
    env.PEER_SCHEMAS = path.join(folder, 'schemas.json');
    const schemas = await makeSchemas(typia, await readRows(folder));
    await writeFile(env.PEER_SCHEMAS, JSON.stringify({ name: `typia ${TYPIA}`, schemas }));
  }
  const args = [
    inRepository('node_modules/vitest/vitest.mjs'),
    'run',
    'test/frontends/typescript/peers.test.ts',
  ];
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd: root, env });
  console.log(/\d+ \(.* types: .*$/m.exec(stdout)?.[0] ?? stdout + stderr);
  process.exitCode = code ?? 1;
});

/** Returns undefined if npm can't bring it; the others are compared then. */
async function install(folder) {
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const packages = [`typia@${TYPIA}`, `typescript@${TYPESCRIPT}`];
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages];
  const { code, stderr } = await run('npm', args, { cwd: folder });
  if (code === 0) return folder;
  console.error(`typia is missing, since npm could not install it:\n${stderr}`);
  return undefined;
}

/** The rows are TypeScript, which this Node may not run. */
async function readRows(folder) {
  const file = path.join(folder, 'rows.mjs');
  const bundle = await rolldown({
    input: inRepository('test/frontends/typescript/type-rows/comparable.ts'),
    external: /^[^./]/,
    logLevel: 'silent',
  });
  await bundle.write({ file });
  return (await import(pathToFileURL(file).href)).comparable;
}

/** Compiles all types in one program; null stands for a type that is refused. */
async function makeSchemas(typia, rows) {
  const require = createRequire(path.join(typia, 'package.json'));
  const ts = require('typescript');
  const { default: transform } = require('typia/lib/transform');
  const folder = path.join(typia, 'rows');
  await mkdir(folder, { recursive: true });
  const files = rows.map((_, at) => path.join(folder, `row-${at}.ts`));
  const ask = `import typia_ from 'typia';\nexport const schema_ = typia_.json.schema<T, '3.1'>();\n`;
  await Promise.all(rows.map(({ given }, at) => writeFile(files[at], `${given}\n${ask}`)));
  const program = ts.createProgram(files, {
    strict: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
    rootDir: folder,
    outDir: path.join(typia, 'out'),
  });
  return Promise.all(
    files.map(async (file, at) => readSchema(emit(file), path.join(typia, `out-${at}.mjs`))),
  );

  function emit(file) {
    const refused = [];
    let text;
    try {
      const before = [transform(program, {}, { addDiagnostic: (problem) => refused.push(problem) })];
      const write = (_name, written) => (text = written);
      program.emit(program.getSourceFile(file), write, undefined, false, { before });
    } catch {
      return undefined;
    }
    return refused.length === 0 ? text : undefined;
  }
}

async function readSchema(text, file) {
  if (text === undefined) return null;
  await writeFile(file, text);
  try {
    const { schema, components } = (await import(pathToFileURL(file).href)).schema_;
    const all = { ...schema, $defs: components.schemas ?? {} };
    return JSON.parse(JSON.stringify(all).replaceAll('#/components/schemas/', '#/$defs/'));
  } catch {
    return null;
  }
}
