/**
 * `npm run examples`: writes generated-examples/ from fixtures/. With `--check` nothing is written: each example is
 * compiled into a temporary folder and compared with the files that are committed. Each is checked, type-checked,
 * runs its own tests and answers a client. With `--only <name>` the others stay as they are.
 */
import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { connectNewClient } from './lib/clients.mjs';
import { inRepository } from './lib/repository.mjs';
import { mcpgen, mcpgenOrThrow, run } from './lib/run.mjs';
import { paint, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readOptions } from './lib/usage.mjs';

const weatherFile = (name) => `fixtures/typescript/weather/src/${name}`;

/** By the folder's name: what `mcpgen` is told. */
const examples = {
  petstore: ['openapi', 'fixtures/petstore.yaml'],
  shop: ['openapi', 'fixtures/shop.yaml'],
  weather: [
    'ts',
    ...['forecast.ts', 'index.ts', 'notes.ts', 'stations.ts', 'words.js'].map(weatherFile),
    '--auth',
    'none',
  ],
  trip: ['generate', 'fixtures/mixed/trip'],
};

/** The folder of the examples, in the mirror as in the repository. */
const FOLDER = 'generated-examples';

/** The one that is committed with its runtime; of the others .gitignore leaves `src/runtime/` out. */
const WHOLE = 'petstore';

/** Whether a file of generated-examples/ is committed. `file`: `shop/src/server.ts`. */
function isCommitted(file) {
  const [name, ...rest] = file.split('/');
  if (rest.includes('dist') || rest.includes('node_modules')) return false;
  return name === WHOLE || !rest.join('/').startsWith('src/runtime/');
}

/** Compiles in a mirror of the repository, so that relative paths come out as they are committed. */
async function generate(mirror, names) {
  await cp(inRepository('fixtures'), path.join(mirror, 'fixtures'), { recursive: true });
  await mkdir(path.join(mirror, FOLDER));
  for (const name of names)
    await mcpgenOrThrow([...examples[name], '-o', `${FOLDER}/${name}`], { cwd: mirror });
}

/** All committed files below a folder: relative path → contents. A missing folder has none. */
async function filesOf(folder) {
  const files = new Map();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/');
    if (!entry.isFile() || !isCommitted(file)) continue;
    files.set(file, await readFile(path.join(folder, file)));
  }
  return files;
}

/** One line per file that differs, in the folders that are looked at, or in none of the examples'. */
async function compare(fresh, committed, names) {
  const isMeant = ([file]) => {
    const folder = file.split('/')[0];
    return names.includes(folder) || !Object.hasOwn(examples, folder);
  };
  const meantIn = async (folder) => new Map([...(await filesOf(folder))].filter(isMeant));
  const [wanted, present] = [await meantIn(fresh), await meantIn(committed)];
  const drift = [];
  for (const [file, contents] of wanted) {
    const now = present.get(file);
    if (now === undefined) drift.push(`missing  ${file}`);
    else if (!now.equals(contents))
      drift.push(`changed  ${file} ${paint('dim', firstDifference(now, contents))}`);
  }
  for (const file of present.keys()) if (!wanted.has(file)) drift.push(`orphan   ${file}`);
  return { drift, files: wanted.size };
}

function firstDifference(now, wanted) {
  const [left, right] = [now.toString('utf8').split('\n'), wanted.toString('utf8').split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  const line = at === -1 ? left.length : at;
  return `line ${line + 1}: ${(left[line] ?? '(end)').trim().slice(0, 60)} ≠ ${(right[line] ?? '(end)').trim().slice(0, 60)}`;
}

async function typecheck(mirror, project) {
  const tsc = inRepository('node_modules/typescript-7/bin/tsc');
  const args = [tsc, '-p', path.join(mirror, project), '--noEmit', '--pretty', 'false'];
  const ended = await run(process.execPath, args);
  return ended.code === 0 ? [] : [`${project} does not type-check:\n${ended.stdout}`];
}

async function checkProject(mirror, project) {
  // A configuration beside its sources places the project elsewhere.
  const ended = await mcpgen(['check', project, '--allow-output', project], { cwd: mirror });
  return ended.code === 0 ? [] : [`mcpgen check ${project}:\n${ended.stdout}${ended.stderr}`];
}

/** Runs the wire tests of the example, which start the server and call its tools. */
async function runTests(mirror, project) {
  const folder = path.join(mirror, project, 'test');
  const tests = (await readdir(folder)).filter((file) => file.endsWith('.js'));
  if (tests.length === 0) return [`${project} has no test`];
  const ended = await run(process.execPath, ['--test', ...tests], { cwd: folder });
  return ended.code === 0 ? [] : [`${project} fails its tests:\n${ended.stdout}`];
}

/** A client is given the tools of the catalog. */
async function talk(mirror, project) {
  const folder = path.join(mirror, project);
  const { tools } = JSON.parse(await readFile(path.join(folder, 'src/generated/catalog.json'), 'utf8'));
  const { client, close, stderr } = await connectNewClient(folder);
  try {
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    const wanted = tools.map(({ name }) => name);
    return listed.join() === wanted.join() ? [] : [`${project} lists ${listed.join(', ')}\n${stderr()}`];
  } finally {
    await close();
  }
}

async function check(mirror, names) {
  const { drift, files } = await compare(path.join(mirror, FOLDER), inRepository(FOLDER), names);
  if (drift.length > 0) {
    console.error(`generated-examples/ is not what the compiler writes:\n\n  ${drift.join('\n  ')}\n`);
    console.error('To fix this, run: npm run examples');
    return 1;
  }
  // Types of Node, which the projects take from packages that are not installed here.
  await symlink(inRepository('node_modules'), path.join(mirror, 'node_modules'));
  const judges = [checkProject, typecheck, runTests, talk];
  const faults = [];
  for (const name of names)
    faults.push(...(await Promise.all(judges.map((judge) => judge(mirror, `${FOLDER}/${name}`)))).flat());
  for (const fault of faults) console.error(fault);
  if (faults.length === 0)
    console.log(
      `generated-examples/: ${files} files, up to date; the projects type-check, pass their tests and answer a client.`,
    );
  return faults.length === 0 ? 0 : 1;
}

/** Replaces the committed folders; `dist/` comes along, so that the examples can be run. */
async function write(mirror, names) {
  const { drift, files } = await compare(path.join(mirror, FOLDER), inRepository(FOLDER), names);
  const present = await readdir(inRepository(FOLDER));
  const stale = present.filter((name) => names.includes(name) || !Object.hasOwn(examples, name));
  for (const name of stale) await rm(inRepository(FOLDER, name), { recursive: true, force: true });
  await cp(path.join(mirror, FOLDER), inRepository(FOLDER), { recursive: true });
  for (const line of drift) console.log(`  ${line}`);
  console.log(`generated-examples/: ${files} files, ${drift.length} changed.`);
  return 0;
}

const { values } = readOptions('npm run examples [-- --check] [-- --only <name>]', {
  options: { check: { type: 'boolean' }, only: { type: 'string', multiple: true } },
});
const names = Object.keys(examples).filter((name) => values.only?.includes(name) ?? true);
const start = performance.now();
process.exitCode = await withTempFolder('examples', async (mirror) => {
  await generate(mirror, names);
  return values.check ? check(mirror, names) : write(mirror, names);
});
console.log(paint('dim', seconds(performance.now() - start)));
