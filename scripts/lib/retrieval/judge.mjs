/** Asks the questions of the retrieval tasks, and counts how often a right tool is among the first. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { compile } from '../../../dist/src/index.js';
import { printIndex, splitWords } from '../../../dist/templates/runtime/contract/search-index.js';
import { SearchIndex, rankTools } from '../../../dist/templates/runtime/search/rank.js';
import { CatalogStore } from '../../../dist/templates/runtime/core/catalog-store.js';
import { openSurface } from '../../../dist/templates/runtime/search/index.js';
import { DOCUMENTS } from './documents.mjs';

export const { seed, tasks } = JSON.parse(readFileSync(new URL('tasks.json', import.meta.url), 'utf8'));

/** @param {string} file a document @returns {Promise<object[]>} its tools */
export async function readToolsOf(file) {
  const { model, diagnostics } = await compile({ source: file });
  if (model === undefined) throw new Error(`${file} can't be compiled: ${JSON.stringify(diagnostics.at(0))}`);
  return model.tools;
}

/** @param {string} folder of the documents */
export async function openServers(folder) {
  const servers = new Map();
  for (const [id, file] of Object.entries(DOCUMENTS)) {
    const tools = await readToolsOf(join(folder, file));
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
    plain: plainIndex(tools),
    ask: openSearch(tools, text),
  };
}

/** `search_tools` as a server runs it. */
function openSearch(tools, text) {
  const catalog = new CatalogStore(JSON.stringify({ tools }));
  const server = { info: { name: 'bench' }, catalog, features: {}, handlers: {}, cache: {} };
  server.surface = openSurface(server, ['search'], text);
  const { work } = server.surface.entries.get('search_tools');
  return async (query) => (await work({ server }, { query })).structuredContent.tools;
}

/** BM25 over the words of names and descriptions, as any library has it: the ranker must do better. */
function plainIndex(tools) {
  const words = tools.map(({ name, description = '' }) => splitWords(`${name} ${description}`));
  const having = new Map();
  for (const each of words) for (const word of new Set(each)) having.set(word, (having.get(word) ?? 0) + 1);
  return { words, having, length: words.reduce((sum, each) => sum + each.length, 0) / words.length };
}

function askPlain({ plain: { words, having, length } }, question) {
  const asked = new Set(splitWords(question));
  const scores = words.map((own, tool) => {
    let score = 0;
    for (const word of asked) {
      const count = own.filter((each) => each === word).length;
      if (count === 0) continue;
      const known = having.get(word);
      const weight = Math.log(1 + (words.length - known + 0.5) / (known + 0.5));
      score += (weight * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * own.length) / length));
    }
    return { tool, score };
  });
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
