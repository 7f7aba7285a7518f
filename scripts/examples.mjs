/**
 * `npm run examples`: writes generated-examples/ from fixtures/. With `--check` nothing is written: what is
 * committed is compared with what would be written, and type-checked.
 */
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { inRepository } from './lib/repository.mjs';
import { mcpgen, run } from './lib/run.mjs';
import { paint, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readOptions } from './lib/usage.mjs';

const examples = ['petstore', 'shop'];

/** Folders of a project that are not committed. */
const ignored = new Set(['dist', 'node_modules']);

/** Compiles in a mirror of the repository, so that relative paths come out as they are committed. */
async function generate(mirror) {
  await cp(inRepository('fixtures'), path.join(mirror, 'fixtures'), { recursive: true });
  await mkdir(path.join(mirror, 'generated-examples'));
  for (const name of examples) {
    const target = `generated-examples/${name}`;
    const ended = await mcpgen(['openapi', `fixtures/${name}.yaml`, '-o', target], { cwd: mirror });
    if (ended.code !== 0) throw new Error(`fixtures/${name}.yaml does not compile:\n${ended.stderr}`);
  }
}

/** All committed files below a folder: relative path → contents. A missing folder has none. */
async function filesOf(folder) {
  const files = new Map();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const file = path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/');
    if (!entry.isFile() || file.split('/').some((part) => ignored.has(part))) continue;
    files.set(file, await readFile(path.join(folder, file)));
  }
  return files;
}

/** One line per file that differs. */
async function compare(fresh, committed) {
  const [wanted, present] = [await filesOf(fresh), await filesOf(committed)];
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

async function typecheck(name) {
  const tsc = inRepository('node_modules/typescript/bin/tsc');
  const project = inRepository('generated-examples', name);
  const ended = await run(process.execPath, [tsc, '-p', project, '--noEmit', '--pretty', 'false']);
  return ended.code === 0 ? [] : [`generated-examples/${name} does not type-check:\n${ended.stdout}`];
}

async function check(mirror) {
  const { drift, files } = await compare(
    path.join(mirror, 'generated-examples'),
    inRepository('generated-examples'),
  );
  if (drift.length > 0) {
    console.error(`generated-examples/ is not what the compiler writes:\n\n  ${drift.join('\n  ')}\n`);
    console.error('To fix this, run: npm run examples');
    return 1;
  }
  const faults = (await Promise.all(examples.map(typecheck))).flat();
  for (const fault of faults) console.error(fault);
  if (faults.length === 0)
    console.log(`generated-examples/: ${files} files, up to date, and they type-check.`);
  return faults.length === 0 ? 0 : 1;
}

/** Replaces the committed folder; `dist/` comes along, so that the examples can be run. */
async function write(mirror) {
  const { drift, files } = await compare(
    path.join(mirror, 'generated-examples'),
    inRepository('generated-examples'),
  );
  await rm(inRepository('generated-examples'), { recursive: true, force: true });
  await cp(path.join(mirror, 'generated-examples'), inRepository('generated-examples'), { recursive: true });
  for (const line of drift) console.log(`  ${line}`);
  console.log(`generated-examples/: ${files} files, ${drift.length} changed.`);
  return 0;
}

const { values } = readOptions('npm run examples [-- --check]', { options: { check: { type: 'boolean' } } });
const start = performance.now();
process.exitCode = await withTempFolder('examples', async (mirror) => {
  await generate(mirror);
  return values.check ? check(mirror) : write(mirror);
});
console.log(paint('dim', seconds(performance.now() - start)));
