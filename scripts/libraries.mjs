/** `npm run libraries -- <folder>`: reads every exported function of the packages in a folder's package.json. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ts } from 'ts-morph';

import { inspect } from '../dist/src/index.js';
import { table } from './lib/table.mjs';
import { misused, readOptions } from './lib/usage.mjs';

/** A package of thousands of functions is read in parts, so that a crash names few of them. */
const PART = 200;

const usage = [
  'npm run libraries -- <folder> [package…]',
  'The folder has a package.json and its dependencies are installed. Packages without types are read by their @types.',
].join('\n');
const [folder, ...chosen] = readOptions(usage, { allowPositionals: true }).positionals;
if (folder === undefined) misused(usage, 'No folder is given.');

const { dependencies = {} } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
const names = Object.keys(dependencies).filter(
  (name) => !name.startsWith('@types/') && name !== 'typescript',
);
const rows = [];
let crashes = 0;
for (const name of chosen.length > 0 ? chosen : names) {
  const functions = listFunctions(path.resolve(folder), name);
  const read = await readPackage(path.resolve(folder), name, functions);
  crashes += read.crashes.length;
  rows.push([
    name,
    functions.length,
    read.tools,
    read.errors,
    read.warnings,
    read.crashes.length,
    read.seconds,
  ]);
  for (const crash of read.crashes) console.error(`${name}: ${crash}`);
}
console.log(table(['package', 'functions', 'tools', 'errors', 'warnings', 'crashes', 'seconds'], rows));
if (crashes > 0) process.exitCode = 1;

/** The names of a package's exports that can be called. `folder`: where the package is installed. */
function listFunctions(folder, name) {
  const options = {
    strict: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
  };
  const resolved = ts.resolveModuleName(
    name,
    path.join(folder, 'all.mts'),
    options,
    ts.sys,
    undefined,
    undefined,
    ts.ModuleKind.ESNext,
  ).resolvedModule;
  if (resolved === undefined) throw new Error(`${name} is not installed in ${folder}.`);
  const program = ts.createProgram([resolved.resolvedFileName], options);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(resolved.resolvedFileName);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) return [];
  const isCallable = (symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return (
      (target.flags & ts.SymbolFlags.Value) !== 0 &&
      checker.getTypeOfSymbol(target).getCallSignatures().length > 0
    );
  };
  return checker
    .getExportsOfModule(module)
    .filter(isCallable)
    .map((symbol) => symbol.name)
    .filter((each) => /^[\w$]+$/.test(each) && each !== 'default');
}

/**
 * Compiles a file that exports every function as a tool. A crash is an exception of the compiler; what a function
 * lacks is a diagnostic.
 */
async function readPackage(folder, name, functions) {
  const start = performance.now();
  const found = { tools: 0, errors: 0, warnings: 0, crashes: [] };
  for (let at = 0; at < functions.length; at += PART) {
    const part = functions.slice(at, at + PART);
    const file = path.join(folder, `read-${at}.mts`);
    await writeFile(file, sourceOf(name, part));
    try {
      const { diagnostics } = await inspect({
        source: file,
        typescript: { files: [file] },
        cwd: folder,
      });
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      // Each function has a line of its own, in two.
      found.tools += part.length - new Set(errors.map(({ origin }) => origin?.line)).size;
      found.errors += errors.length;
      found.warnings += diagnostics.filter(({ severity }) => severity === 'warning').length;
    } catch (error) {
      found.crashes.push(`${part[0]} to ${part.at(-1)}: ${error instanceof Error ? error.stack : error}`);
    } finally {
      await rm(file, { force: true });
    }
  }
  return { ...found, seconds: Math.round((performance.now() - start) / 100) / 10 };
}

function sourceOf(name, functions) {
  const exports = functions.map(
    (each) => `/** Calls it. @tool t_${each.replaceAll('$', '_')} */\nexport const f_${each} = lib.${each};`,
  );
  return `import * as lib from '${name}';\n${exports.join('\n')}\n`;
}
