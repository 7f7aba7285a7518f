/** A judge in front of documents of a corpus: each is compiled, its server started, and every tool called. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { readCorpus } from '../corpus/documents.mjs';
import { inRepository } from '../repository.mjs';
import { inParallel } from '../run.mjs';
import { paint } from '../table.mjs';
import { withTempFolder } from '../temp.mjs';
import { callTools } from './call-tools.mjs';
import { sortMisses } from './exclusions.mjs';
import { compilePeer, peerCredentials, peerProgram } from './peer.mjs';
import { compileProject, credentialNames, readBindings, readInputSchemas } from './project.mjs';

/**
 * @typedef {object} Judge
 * @property {string} name
 * @property {string} exclusions the table of what is known, relative to the root
 * @property {() => Promise<void>} install
 * @property {(document: import('../corpus/documents.mjs').CorpusDocument) => boolean} takes whether it is meant for such documents
 * @property {(document: import('../corpus/documents.mjs').CorpusDocument) => Promise<{ origin: string, close: () => Promise<void> }>} start
 * @property {(exchange: import('./recording-proxy.mjs').Exchange) => string | undefined} faultOf what it has against a request
 */

/**
 * @typedef {object} Judged
 * @property {string} document
 * @property {number} tools
 * @property {number} calls
 * @property {import('./exclusions.d.mts').Miss[]} misses
 * @property {{ tools: number, calls: number, misses: object[], failed?: string }} [peer]
 */

/** Documents at a time. */
const width = 2;

/**
 * @param {Judge} judge
 * @param {string} corpus
 * @param {{ only?: string[], withPeer?: boolean }} options
 */
export async function judgeCorpus(judge, corpus, { only, withPeer = false }) {
  await judge.install();
  const all = await readCorpus(path.resolve(corpus), { only });
  const documents = all.filter((one) => one.refused === undefined && judge.takes(one));
  const judged = await withTempFolder(judge.name, (folder) =>
    inParallel(documents, width, async (document, at) => {
      const one = await judgeDocument(judge, document, path.join(folder, String(at)), withPeer);
      const mark = one.misses.length > 0 ? paint('yellow', '·') : paint('green', '✓');
      console.error(`${mark} ${document.name} ${one.calls - one.misses.length}/${one.calls}`);
      return one;
    }),
  );
  const table = JSON.parse(await readFile(inRepository(judge.exclusions), 'utf8'));
  const names = new Set(documents.map(({ name }) => name));
  const exclusions = table.filter(({ document }) => names.has(document));
  return {
    judged: judged.toSorted(byName),
    exclusions,
    ...sortMisses(
      judged.flatMap(({ misses }) => misses),
      exclusions,
    ),
  };
}

function byName(left, right) {
  return left.document < right.document ? -1 : 1;
}

/** A failure before the first call is one miss for all tools. */
async function judgeDocument(judge, document, folder, withPeer) {
  const named = (misses) => misses.map((miss) => ({ document: document.name, ...miss }));
  try {
    await compileProject(document.file, folder);
    const { upstream } = await readBindings(folder);
    const env = Object.fromEntries(credentialNames(upstream).map((name) => [name, 'judged']));
    const started = await judge.start(document);
    try {
      const run = { env, judge: started.origin, faultOf: judge.faultOf };
      const schemas = await readInputSchemas(document.file);
      const { misses, ...counts } = await callTools({ ...run, project: folder, schemas });
      const peer = withPeer ? await judgePeer(document, `${folder}-peer`, run) : undefined;
      return { document: document.name, ...counts, misses: named(misses), peer };
    } finally {
      await started.close();
    }
  } catch (error) {
    const misses = named([{ tool: '*', sample: '', reason: error.message, sent: '' }]);
    return { document: document.name, tools: 0, calls: 1, misses };
  }
}

async function judgePeer(document, project, run) {
  try {
    await compilePeer(document.file, project);
    return await callTools({ ...run, project, program: peerProgram, env: peerCredentials(run.env) });
  } catch (error) {
    return { tools: 0, calls: 0, misses: [], failed: error.message };
  }
}
