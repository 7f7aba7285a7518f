/**
 * `npm run bench [-- --corpus <folder>]`: times and sizes, each beside its limit. Two programs take turns, A B A B, after
 * one round that is not counted; a ratio is the median of the rounds' own, with the smallest and largest beside it. Without a corpus only what fixtures can show is measured.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { installPeer, peerName } from './lib/bench/peer.mjs';
import { bareServer, coldStart } from './lib/bench/stdio.mjs';
import { thousandOperations } from './lib/bench/thousand.mjs';
import { cli, inRepository } from './lib/repository.mjs';
import { mcpgen, runOrThrow } from './lib/run.mjs';
import { median, paint, seconds, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readOptions } from './lib/usage.mjs';

const compileRounds = 9;
const startRounds = 15;
const mebibyte = 1024 * 1024;

/** What the same list of OpenAI's 288 operations weighs elsewhere, in bytes. */
const openaiElsewhere = [
  ['mcp-openapi-server 1.16.1', 2_045_759],
  ['openapi-mcp-generator 4.0.1', 2_182_035],
  ['punkpeye/fastmcp 4.20.16', 2_465_383],
  ['FastMCP 4.0.10', 7_249_357],
];

const rows = [];
let over = 0;

/** Adds a line; `figure` must not be above `limit`. */
function note(what, ours, other, figure, limit, unit, spread = '') {
  const fine = figure <= limit;
  if (!fine) over++;
  const verdict = fine ? paint('green', 'ok') : paint('red', 'over');
  rows.push([what, ours, other, `${unit(figure)}${spread}`, `≤ ${unit(limit)}`, verdict]);
}

/** Adds a line for two programs that took turns. */
function noteRatio(what, { left, right }, other, limit) {
  const ratios = left.map((ms, round) => ms / right[round]);
  const spread = ` (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
  note(
    what,
    seconds(median(left)),
    `${seconds(median(right))} ${other}`,
    median(ratios),
    limit,
    ratio,
    spread,
  );
}

const ratio = (value) => `${value.toFixed(2)} ×`;
const bytes = (value) => value.toLocaleString('en');
const mebibytes = (value) => `${(value / mebibyte).toFixed(1)} MiB`;

/** The times of two pieces of work that take turns; the first round only warms up. */
async function alternate(rounds, runLeft, runRight) {
  const [left, right] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    left.push(await runLeft());
    right.push(await runRight());
  }
  return { left: left.slice(1), right: right.slice(1) };
}

async function timeNode(args) {
  return (await runOrThrow(process.execPath, args)).ms;
}

/**
 * Each run writes into a folder of its own, and none is removed before the end: some file systems are slow to create
 * files right after others were removed.
 */
async function benchCompile(document, peer, folder, limit) {
  const name = path.basename(document);
  let runs = 0;
  const fresh = () => path.join(folder, `${name}-${runs++}`);
  const times = await alternate(
    compileRounds,
    () => timeNode([cli, 'openapi', document, '-o', fresh()]),
    () => timeNode([peer, '--input', document, '--output', fresh(), '--force']),
  );
  noteRatio(`compile ${name}`, times, peerName, limit);
}

/** Compiles a document and returns the project's folder. */
async function compile(document, project) {
  const ended = await mcpgen(['openapi', document, '-o', project]);
  if (ended.code !== 0) throw new Error(`${document} does not compile:\n${ended.stderr}`);
  return project;
}

async function benchStart(name, document, folder) {
  const project = await compile(document, path.join(folder, name));
  const main = path.join(project, 'dist/main.js');
  const { answers } = await coldStart(main, [], project);
  const [bare, answersFile] = [path.join(folder, `${name}.bare.mjs`), path.join(folder, `${name}.answers`)];
  await writeFile(bare, bareServer);
  await writeFile(answersFile, `${answers.join('\n')}\n`);
  const peaks = [];
  const times = await alternate(
    startRounds,
    async () => {
      const { ms, peak } = await coldStart(main, [], project);
      peaks.push(peak);
      return ms;
    },
    async () => (await coldStart(bare, [answersFile], project)).ms,
  );
  const what = `cold start, ${name} (${bytes(Buffer.byteLength(answers[1]))} bytes)`;
  noteRatio(what, times, 'bare Node', 1.3);
  return peaks.includes(undefined) ? undefined : Math.max(...peaks);
}

async function benchThousand(folder) {
  const document = path.join(folder, 'thousand.json');
  await writeFile(document, JSON.stringify(thousandOperations()));
  const peak = await benchStart('1000-tools', document, folder);
  if (peak === undefined) rows.push(['peak memory, 1000 tools', 'not measured: no /proc here']);
  else note('peak memory, 1000 tools', mebibytes(peak), '', peak, 70 * mebibyte, mebibytes);
}

async function benchOpenai(document, folder) {
  const project = await compile(document, path.join(folder, 'openai'));
  const { answers } = await coldStart(path.join(project, 'dist/main.js'), [], project);
  const { result } = JSON.parse(answers[1]);
  const size = Buffer.byteLength(JSON.stringify(result));
  const label = `tools/list of openai-yaml.yaml (${result.tools.length} tools)`;
  for (const [other, theirs] of openaiElsewhere) {
    note(label, bytes(size), `${bytes(theirs)} ${other}`, size, theirs - 1, bytes);
  }
}

async function benchCorpus(corpus, folder) {
  const home = path.join(folder, 'peer');
  await mkdir(home);
  const peer = await installPeer(home);
  await benchCompile(path.join(corpus, 'github.json'), peer, folder, 1.0);
  await benchCompile(path.join(corpus, 'stripe-2023.yaml'), peer, folder, 1.2);
  await benchOpenai(path.join(corpus, 'openai-yaml.yaml'), folder);
}

async function benchFixtures(folder) {
  await benchStart('petstore', inRepository('fixtures/petstore.yaml'), folder);
  await benchThousand(folder);
}

const { values } = readOptions('npm run bench [-- --corpus <folder>]', {
  options: { corpus: { type: 'string' } },
});
await withTempFolder('bench', async (folder) => {
  await benchFixtures(folder);
  if (values.corpus !== undefined) await benchCorpus(path.resolve(values.corpus), folder);
});
console.log(table(['what', 'mcpgen', 'compared with', 'figure', 'limit', ''], rows));
if (values.corpus === undefined) {
  console.log(
    '\nFixtures only. Compile times and the size of large lists need a corpus: npm run bench -- --corpus <folder>',
  );
}
if (over > 0) console.log(paint('red', `\n${over} over the limit.`));
process.exitCode = over > 0 ? 1 : 0;
