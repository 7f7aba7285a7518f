/**
 * Draws operations for retrieval tasks: node scripts/lib/retrieval/draw.mjs <folder> [seed] [count] [document…].
 * Names of tools are not shown. The added tasks have the seed 20261127: 24 of each document, 14 of argo and meilisearch.
 * Those of SEEN_DOCUMENTS and CHECKED_DOCUMENTS have the seed 20261128: docker 30, line 26, hydra 20, adyen 12, notion 8;
 * opencode 32, qdrant 24, etcd 14, paypal and backstage 7. Those of LATER_DOCUMENTS have the seed 20261129, 20 of each.
 * From `asana` on they were drawn in one row each by the numbers of 777001 (14 of each) and, from `trello` on, 777002 (12 of each, 6 of youneedabudget and circleci).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { load } from 'js-yaml';

import { compile } from '../../../dist/src/index.js';
import { ADDED_DOCUMENTS, ALL_DOCUMENTS, DOCUMENTS } from './documents.mjs';

const MOST_SUMMARY = 160;
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const [folder = '.', seed = '20261126', count = '34', ...ids] = process.argv.slice(2);
const chosen = ids.length === 0 ? Object.keys(DOCUMENTS) : ids;

/** Mulberry32: the same numbers everywhere. */
export function random(start) {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

console.log(`seed ${seed}, ${count} operations of each document`);
for (const id of chosen) {
  const file = join(folder, ALL_DOCUMENTS[id]);
  const operations =
    id in { ...DOCUMENTS, ...ADDED_DOCUMENTS } ? readOperations(file) : await compileOperations(file);
  const next = random(Number(seed) + id.length);
  const rest = operations.toSorted();
  console.log(`\n## ${id} (${rest.length})`);
  for (let drawn = 0; drawn < Number(count); drawn++) {
    const [operation] = rest.splice(Math.floor(next() * rest.length), 1);
    console.log(operation);
  }
}

function readOperations(file) {
  const document = load(readFileSync(file, 'utf8'));
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const { summary, description = '' } = item[method];
      return `${method.toUpperCase()} ${path} | ${summary ?? description.split(/\.\s|\n/)[0]}`;
    }),
  );
}

/** As the compiler reads them: it reads YAML that others refuse. */
async function compileOperations(file) {
  const { model } = await compile({ source: file });
  return model.tools.map(
    ({ binding, title = '' }) => `${binding.method} ${binding.path} | ${title.slice(0, MOST_SUMMARY)}`,
  );
}
