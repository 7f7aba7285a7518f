/** The command line of a judge that stands in front of a corpus. */
import { inRepository } from '../repository.mjs';
import { readOptions } from '../usage.mjs';
import { judgeCorpus } from './judge-corpus.mjs';
import { printRun, summarize } from './report.mjs';

/**
 * Reads the options, judges, and prints. The process ends with 1 when something is wrong.
 * @param {import('./judge-corpus.mjs').Judge} judge
 * @param {{ share: number, documents: number, withPeer: boolean }} wanted what must be reached; a choice of documents may be small
 */
export async function runJudge(judge, { withPeer, ...wanted }) {
  const { values, positionals } = readOptions(
    `npm run wire:${judge.name} [-- <folder>] [--only a,b] [--json]`,
    {
      allowPositionals: true,
      options: { only: { type: 'string' }, json: { type: 'boolean' } },
    },
  );
  const [corpus = inRepository('../shared/corpus')] = positionals;
  const only = values.only?.split(',');
  const run = await judgeCorpus(judge, corpus, { only, withPeer });
  const summary = summarize(run, only === undefined ? wanted : { ...wanted, documents: 1 });
  if (values.json) console.log(JSON.stringify({ ...summary, ...run }));
  else printRun(run, summary, withPeer);
  process.exitCode = summary.faults.length === 0 ? 0 : 1;
}
