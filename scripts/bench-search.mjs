/**
 * `npm run bench:search -- <folder of documents>`: how often `search_tools` finds the right tool, and what a task costs.
 * The tasks of scripts/lib/retrieval were never used to tune the ranker.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { compile } from '../dist/src/index.js';
import { estimateTokens } from '../dist/src/util/estimate-tokens.js';
import { makeSample } from '../dist/templates/runtime/features/mock/sample.js';
import { search } from '../dist/templates/runtime/features/search/index.js';
import { makeIndex, SearchIndex } from '../dist/templates/runtime/features/search/search-index.js';
import { openInProcess } from './lib/in-process.mjs';
import { table } from './lib/table.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = 'npm run bench:search -- <folder of documents>';
const [folder] = readOptions(usage, { allowPositionals: true }).positionals;
if (folder === undefined) misused(usage, 'Name the folder of the documents.');

const FILES = {
  github: 'github.json',
  stripe: 'stripe-2022.json',
  kubernetes: 'kubernetes.json',
  slack: 'slack-v2.json',
  twilio: 'twilio-api-v2010.json',
  box: 'box.json',
};
const DEPTHS = [1, 5, 10];
const tasks = JSON.parse(readFileSync(new URL('lib/retrieval/tasks.json', import.meta.url), 'utf8'));

const recall = [];
const costs = [];
for (const [id, file] of Object.entries(FILES)) {
  const server = await openServer(path.join(folder, file));
  for (const words of ['person', 'model'])
    recall.push([id, `words of a ${words}`, ...recallOf(server, tasks[id], words)]);
  costs.push([id, server.tools.length, ...(await costsOf(server, tasks[id]))]);
}
const all = Object.values(tasks).flat().length;
console.log(table([`${all} tasks`, '', ...DEPTHS.map((depth) => `R@${depth}`)], recall));
console.log(
  `\n${table(['document', 'tools', 'index', 'search p50', 'p99', 'tokens of a task', 'most'], costs)}`,
);

/** The tools of a document, and the five tools of the search surface as a server runs them. */
async function openServer(source) {
  const { model, diagnostics } = await compile({ source });
  if (model === undefined) throw new Error(`${source} can't be compiled: ${JSON.stringify(diagnostics[0])}`);
  const { tools } = model;
  const text = makeIndex(tools, []).print();
  const generated = {
    'catalog.json': JSON.stringify({ tools, resources: [], resourceTemplates: [], prompts: [] }),
    'bindings.json': '{"tools":{},"resources":{},"resourceTemplates":{},"prompts":{},"completions":[]}',
    'search.json': text,
  };
  const call = await openInProcess({ generated, features: [search({ surface: 'search' })] });
  const index = new SearchIndex(JSON.parse(text));
  const names = tools.map(({ name }) => name);
  return {
    tools,
    text,
    operations: tools.map(({ binding }) => `${binding.method} ${binding.path}`),
    run: async (name, args) => JSON.parse(await call(name, args)).result,
    rank: (question) => index.rank(question, 10, () => true).map((name) => names.indexOf(name)),
  };
}

function recallOf({ operations, rank }, asked, words) {
  const places = asked.map(({ gold, [words]: question }) =>
    rank(question).findIndex((tool) => gold.includes(operations[tool])),
  );
  return DEPTHS.map((depth) => {
    const hits = places.filter((place) => place >= 0 && place < depth).length;
    return `${Math.round((100 * hits) / places.length)} %`;
  });
}

/** Times of whole calls of `search_tools`: the least of three, since others use the machine too. */
async function costsOf(server, asked) {
  const times = [];
  for (const query of asked.flatMap(({ person, model }) => [person, model])) {
    const tries = [];
    for (let turn = 0; turn < 3; turn++) {
      const start = performance.now();
      await server.run('search_tools', { query });
      tries.push(performance.now() - start);
    }
    times.push(Math.min(...tries));
  }
  times.sort((one, other) => one - other);
  const quantile = (part) => `${times[Math.floor(times.length * part)].toFixed(2)} ms`;
  const tokens = [];
  for (const task of asked) tokens.push(await tokensOf(server, task));
  const mean = Math.round(tokens.reduce((sum, count) => sum + count, 0) / tokens.length);
  const size = `${Math.round(server.text.length / 1024)} KiB`;
  return [size, quantile(0.5), quantile(0.99), mean, Math.max(...tokens)];
}

/**
 * What a model writes and reads for one task, without the answer of the API: it searches, reads how the tool is called,
 * and calls it. Clients show either the text of a result or its structured content: the longer one counts.
 */
async function tokensOf({ run, tools, operations }, { person, gold }) {
  const tool = tools[operations.indexOf(gold[0])];
  const search = { query: person };
  const describe = { name: tool.name };
  const call = { name: tool.name, arguments: makeSample(tool.inputSchema, { full: true }) ?? {} };
  const results = [await run('search_tools', search), await run('describe_tool', describe)];
  const written = [search, describe, call].map((args) => JSON.stringify(args));
  const read = results.map(({ content, structuredContent }) => {
    const texts = [content.map(({ text }) => text).join('\n'), JSON.stringify(structuredContent ?? '')];
    return texts.toSorted((one, other) => estimateTokens(other) - estimateTokens(one))[0];
  });
  return [...written, ...read].reduce((sum, text) => sum + estimateTokens(text), 0);
}
