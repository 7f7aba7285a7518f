// npm run libraries -- <folder>: reads every exported function of the packages in a folder's package.json.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { listFunctions } from './lib/libraries/list-functions.mjs';
import { readPackage } from './lib/libraries/read-package.mjs';
import { table } from './lib/table.mjs';
import { misused, readOptions } from './lib/usage.mjs';

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
