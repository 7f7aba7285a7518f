/**
 * `npm run wire:steady` and `npm run wire:prism`, `[-- <folder>] [--only a,b]`: every tool of the documents of a corpus is
 * called through MCP, with a judge in place of the API, which says of each request whether the document wants it so: Steady
 * for OpenAPI 3.0 and 3.1, Prism for Swagger 2.0. Ends with 1 on a miss that is not in the judge's table, an entry that is
 * not needed any more, or too low a score.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { readCorpus } from './lib/corpus/documents.mjs';
import { inRepository } from './lib/repository.mjs';
import { inParallel, mcpgenOrThrow } from './lib/run.mjs';
import { paint, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';
import { callTools } from './lib/wire/call-tools.mjs';
import { judges } from './lib/wire/judges.mjs';
import { credentialNames, readBindings, readInputSchemas } from './lib/wire/project.mjs';
import { percent } from './lib/wire/spector/score.mjs';

/** Documents at a time. */
const WIDTH = 2;
/** Least share of valid requests. */
const LEAST = 0.99;

const usage = 'node scripts/wire-corpus.mjs steady|prism [<folder>] [--only a,b]';
const { values, positionals } = readOptions(usage, {
  allowPositionals: true,
  options: { only: { type: 'string' } },
});
const [name, corpus = inRepository('../shared/corpus')] = positionals;
const judge = judges[name] ?? misused(usage, `There is no judge ${name}.`);
if (!existsSync(path.join(corpus, 'INDEX.tsv'))) misused(usage, `There is no INDEX.tsv in ${corpus}.`);

await judge.tools.install();
const all = await readCorpus(path.resolve(corpus), { only: values.only?.split(',') });
const documents = all.filter((one) => one.refused === undefined && judge.takes(one));
const judged = await withTempFolder(name, (folder) =>
  inParallel(documents, WIDTH, async (document, at) => {
    const result = await judgeDocument(document, path.join(folder, String(at)));
    const mark = result.misses.length > 0 ? paint('yellow', '·') : paint('green', '✓');
    console.error(`${mark} ${document.name} ${result.calls - result.misses.length}/${result.calls}`);
    return result;
  }),
);
report(JSON.parse(await readFile(inRepository(`test/judges/${name}/exclusions.json`), 'utf8')));

/** A failure before the first call is one miss for all tools. */
async function judgeDocument(document, folder) {
  const named = (misses) => misses.map((miss) => ({ document: document.name, ...miss }));
  try {
    await mcpgenOrThrow(['openapi', document.file, '-o', folder, '--quiet']);
    const { upstream } = await readBindings(folder);
    const env = Object.fromEntries(credentialNames(upstream).map((variable) => [variable, 'judged']));
    const { origin, close } = await judge.start(document);
    try {
      const schemas = await readInputSchemas(document.file);
      const run = { project: folder, env, judge: origin, faultOf: judge.faultOf, schemas };
      const { misses, calls } = await callTools(run);
      return { document: document.name, calls, misses: named(misses) };
    } finally {
      await close();
    }
  } catch (error) {
    const misses = named([{ tool: '*', sample: '', reason: error.message, sent: '' }]);
    return { document: document.name, calls: 1, misses };
  }
}

/** `exclusions`: misses that are known, each with its reason. */
function report(exclusions) {
  const judgedNames = new Set(documents.map((document) => document.name));
  const needed = new Set();
  const faults = [];
  for (const { document, tool, sample, reason, sent } of judged.flatMap(({ misses }) => misses)) {
    const exclusion = exclusions.find(
      (one) =>
        one.document === document &&
        (one.tools === '*' || one.tools.includes(tool)) &&
        (one.because === undefined || reason.includes(one.because)),
    );
    if (exclusion === undefined) faults.push(`${document} ${tool} ${sample}\n  ${sent}\n  ${reason}`);
    else needed.add(exclusion);
  }
  for (const exclusion of exclusions.filter((one) => judgedNames.has(one.document)))
    if (!needed.has(exclusion))
      faults.push(`${exclusion.document} ${exclusion.tools}: excluded without need`);
    else console.log(`known: ${exclusion.document} ${exclusion.tools}: ${exclusion.why}`);
  // Documents that the judge cannot read are not counted.
  const unread = [...needed].filter(({ tools }) => tools === '*').map(({ document }) => document);
  const counted = judged.filter(({ document }) => !unread.includes(document));
  const rows = counted.map(({ document, calls, misses }) => [document, calls, calls - misses.length]);
  const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
  const share = sum(2) / Math.max(1, sum(1));
  if (values.only === undefined && share < LEAST) faults.push(`less than ${percent(LEAST)} are valid`);
  if (counted.length < (values.only === undefined ? judge.documents : 1))
    faults.push(`only ${counted.length} documents were judged`);
  console.log(table(['document', 'calls', 'valid'], rows));
  console.log(
    `\n${sum(2)} of ${sum(1)} requests of ${counted.length} documents are valid: ${percent(share)}`,
  );
  for (const fault of faults) console.log(`${paint('red', '✗')} ${fault.slice(0, 900)}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
