/**
 * `npm run e2e:examples [-- --only <name> …]`: the servers in examples/ are type-checked, compiled without a warning,
 * and tested by their own tests on Node 24, as their authors would. A server that needs a newer Node than this one
 * must say so.
 */
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';

import { cli, inRepository, root } from './lib/repository.mjs';
import { run } from './lib/run.mjs';
import { paint } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { Tools } from './lib/tools.mjs';
import { readOptions } from './lib/usage.mjs';

const usage = 'npm run e2e:examples [-- --only <name> …]';
const { values } = readOptions(usage, { options: { only: { type: 'string', multiple: true } } });
const packages = new Tools('test/examples');
const newer = new Tools('test/conformance');
await packages.install();
await newer.install();
const node = newer.node(24);

const entries = await readdir(inRepository('examples'), { withFileTypes: true });
const all = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
const names = all.filter((name) => values.only?.includes(name) ?? true);
const failed = await withTempFolder('e2e-examples', async (folder) => {
  const found = [];
  for (const name of names) {
    const project = path.join(folder, name);
    const start = performance.now();
    const faults = await tryExample(name, project);
    const mark = faults.length === 0 ? paint('green', '✓') : paint('red', '✗');
    console.log(`${mark} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    for (const fault of faults) console.error(fault);
    found.push(...faults);
  }
  return found;
});
if (names.length === 0) console.error(`There is no example ${values.only}. Examples: ${all.join(', ')}.`);
process.exitCode = failed.length > 0 || names.length === 0 ? 1 : 0;

async function tryExample(name, project) {
  await cp(inRepository('examples', name), project, { recursive: true });
  await linkPackages(project);
  const tests = (await readdir(path.join(project, 'test'))).map((file) => path.join('test', file));
  const steps = {
    'type-check': [process.execPath, inRepository('node_modules/typescript-7/bin/tsc'), '-p', '.'],
    compile: [process.execPath, cli, 'generate'],
    test: [node, '--test', ...tests],
  };
  for (const [step, [program, ...args]] of Object.entries(steps)) {
    const { code, stdout, stderr } = await run(program, args, { cwd: project });
    const hasWarnings = step === 'compile' && / - warning /.test(stderr);
    if (code !== 0 || hasWarnings) return [`${name}: ${step} ended with ${code}:\n${stdout}${stderr}`];
  }
  return tryStart(name, project);
}

/** On the Node of this process the emitted server starts, or says that it needs a newer one. */
async function tryStart(name, project) {
  const { code, stderr } = await run(process.execPath, ['server/dist/main.js'], { cwd: project });
  if (code === 0 || stderr.includes('start the server with a newer one')) return [];
  return [`${name}: the server ended with ${code}:\n${stderr}`];
}

/** Links the packages that `npm install` would bring. */
async function linkPackages(project) {
  const link = async (from, to) => {
    const place = path.join(project, 'node_modules', to);
    await mkdir(path.dirname(place), { recursive: true });
    await symlink(from, place);
  };
  await link(root, 'mcpgen');
  await link(inRepository('node_modules/@modelcontextprotocol/client'), '@modelcontextprotocol/client');
  for (const name of ['@types/node', 'undici-types', 'stripe']) await link(packages.path(name), name);
}
