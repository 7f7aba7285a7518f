/** The command line of a judge that stands in front of a corpus. */
import { existsSync } from 'node:fs';
import path from 'node:path';

import { inRepository } from '../repository.mjs';
import { misused, readOptions } from '../usage.mjs';
import { judgeCorpus } from './judge-corpus.mjs';
import { printRun, summarize } from './report.mjs';

/**
 * Reads the options, judges, and prints. The process ends with 1 when something is wrong.
 * @param {import('./judge-corpus.mjs').Judge} judge
 * @param {{ share: number, documents: number, withPeer: boolean }} wanted what must be reached; of a choice of documents only that nothing unknown is missed
 */
export async function runJudge(judge, { withPeer, ...wanted }) {
  const usage = `npm run wire:${judge.name} [-- <folder>] [--only a,b] [--json]`;
  const { values, positionals } = readOptions(usage, {
    allowPositionals: true,
    options: { only: { type: 'string' }, json: { type: 'boolean' } },
  });
  const [corpus = inRepository('../shared/corpus')] = positionals;
  if (!existsSync(path.join(corpus, 'INDEX.tsv'))) misused(usage, `There is no INDEX.tsv in ${corpus}.`);
  const only = values.only?.split(',');
  const run = await judgeCorpus(judge, corpus, { only, withPeer });
  const summary = summarize(run, only === undefined ? wanted : { share: 0, documents: 1 });
  if (values.json) console.log(JSON.stringify({ ...summary, ...run }));
  else printRun(run, summary, withPeer);
  process.exitCode = summary.faults.length === 0 ? 0 : 1;
}
