/**
 * `npm run corpus -- <folder> [--only a,b] [--subset]`: compiles every document of a corpus (its INDEX.tsv),
 * type-checks and starts what comes out, lists it with both official clients, checks every schema, name, description
 * and hint, samples every schema, judges values by each as it was derived and as it is listed, applies the overlay
 * that `mcpgen overlay init` writes, calls each tool by name and through the tools that call others, checks the
 * document's examples of request bodies, and compiles for each client. Ends with 1 on any failure.
 */
import path from 'node:path';
import { Worker } from 'node:worker_threads';

import { readCorpus } from './lib/corpus/documents.mjs';
import { typecheckProjects } from './lib/corpus/typecheck.mjs';
import { inParallel } from './lib/run.mjs';
import { paint, seconds, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = 'npm run corpus -- <folder> [--only a,b] [--subset]';
const width = 2;

/** Sends each document to the next free worker. */
async function checkAll(documents, folder) {
  const free = Array.from({ length: width }, () => startWorker(folder));
  const workers = [...free];
  try {
    return await inParallel(documents, width, async (document, at) => {
      const worker = free.pop();
      const checked = await ask(worker, document);
      free.push(worker);
      const failed = Object.values(checked.faults).flat().length > 0;
      const mark = failed ? paint('red', '✗') : paint('green', '✓');
      console.error(`${mark} ${paint('dim', `${at + 1}/${documents.length}`)} ${document.name}`);
      return checked;
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function startWorker(folder) {
  return new Worker(new URL('./lib/corpus/worker.mjs', import.meta.url), { workerData: { folder } });
}

function ask(worker, document) {
  return new Promise((resolve, reject) => {
    worker.removeAllListeners();
    worker.once('error', reject);
    worker.once('message', resolve);
    worker.postMessage(document);
  });
}

const head = ['document', 'version', 'ops', 'tools', 'list bytes', 'ms', 'err/warn/info', 'compile'];
const checks = [
  ...['types', 'model', 'sdk1', 'sdk2', 'schemas', 'listed', 'names', 'words', 'samples', 'order'],
  ...['overlay', 'calls', 'examples', 'clients'],
];

function row({ document, ms, counts, tools, bytes, faults }) {
  const shown = (kind) => {
    if (faults[kind] === undefined) return '';
    if (faults[kind].length > 0) return paint('red', `${faults[kind].length} ✗`);
    return kind === 'compile' && document.refused ? 'refused' : 'ok';
  };
  const figures = [document.operations, tools, bytes, Math.round(ms), counts];
  return [document.name, document.version, ...figures, ...['compile', ...checks].map(shown)];
}

/** Share of schemas that must have a sample; for some there is none. */
const ENOUGH = 0.995;

function report(results) {
  const ordered = results.toSorted((a, b) => (a.document.name < b.document.name ? -1 : 1));
  console.log(table([...head, ...checks], ordered.map(row)));
  for (const { document } of ordered.filter(({ document }) => document.refused))
    console.log(`Refused, as it must be: ${document.name}: ${document.refused}`);
  const sum = (part, key) => ordered.reduce((all, one) => all + (one[part]?.[key] ?? 0), 0);
  console.log(
    `\nValues judged by the derived and the listed schema: ${sum('listed', 'compared')}, ${sum('listed', 'refused')} invalid`,
  );
  console.log(
    `Tools called by name: ${sum('calls', 'called')}; through the tools that call others with the same bytes and result: ${sum('calls', 'pairs')}, and refused: ${sum('calls', 'refused')}`,
  );
  const misses = new Map();
  for (const [cause, count] of ordered.flatMap(({ examples }) => Object.entries(examples?.misses ?? {})))
    misses.set(cause, (misses.get(cause) ?? 0) + count);
  console.log(`Examples of request bodies: ${sum('examples', 'examples')}`);
  for (const [cause, count] of misses) console.log(`  ${count} refused: ${cause}`);
  const made = sum('samples', 'made');
  const missing = ordered.flatMap(({ document, samples }) =>
    (samples?.missing ?? []).map((where) => `${document.name}: ${where}`),
  );
  const rate = made === 0 ? 1 : (made - missing.length) / made;
  console.log(`Samples: ${made - missing.length} of ${made} (${(100 * rate).toFixed(2)} %)`);
  for (const where of missing.slice(0, 20)) console.log(`  none for ${where}`);
  const failed = ordered.filter(({ faults }) => Object.values(faults).flat().length > 0);
  for (const { document, faults } of failed) tellFaults(document.name, faults);
  return failed.length + (rate < ENOUGH ? 1 : 0);
}

function tellFaults(name, faults) {
  console.log(`\n${paint('red', '✗')} ${name}`);
  for (const [kind, words] of Object.entries(faults)) {
    for (const word of words.slice(0, 5)) console.log(`  ${kind}: ${word}`);
    if (words.length > 5) console.log(`  ${kind}: … ${words.length - 5} more`);
  }
}

async function main() {
  const { values, positionals } = readOptions(usage, {
    allowPositionals: true,
    options: { only: { type: 'string' }, subset: { type: 'boolean' } },
  });
  const [folder] = positionals;
  if (folder === undefined) misused(usage, 'No folder is given.');
  const start = performance.now();
  const documents = await readCorpus(path.resolve(folder), {
    only: values.only?.split(','),
    subset: values.subset,
  });
  const results = await withTempFolder('corpus', async (scratch) => {
    const checked = await checkAll(documents, scratch);
    const projects = checked.flatMap(({ project }) => project ?? []);
    console.error(`type-checking ${projects.length} projects …`);
    const errors = projects.length === 0 ? new Map() : typecheckProjects(projects);
    for (const one of checked) if (one.project) one.faults.types = errors.get(one.project) ?? [];
    return checked;
  });
  const failed = report(results);
  const sum = (key) => results.reduce((total, one) => total + one[key], 0);
  const verdict = failed === 0 ? paint('green', 'all fine') : paint('red', `${failed} failed`);
  console.log(
    `\n${results.length} documents, ${sum('tools')} tools, ${sum('bytes')} bytes of tools/list, ${seconds(performance.now() - start)}: ${verdict}`,
  );
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
