/**
 * `npm run bench [-- --corpus <folder>]`: times and sizes, each beside its limit. Two programs take turns, A B A B, after
 * one round that is not counted; a ratio is the median of the rounds' own, with the smallest and largest beside it. Without a corpus only what fixtures can show is measured.
 * `--readme` measures the table of README.md and docs/comparison.md instead: it installs the other generators and runs each.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { coldStart, compareStart } from './lib/bench/cold-start.mjs';
import { bytes, Figures, mebibytes, spreadOf, times } from './lib/bench/figures.mjs';
import { installPeer, peerName } from './lib/bench/peer.mjs';
import { measureReadme } from './lib/bench/readme-table.mjs';
import { thousandOperations } from './lib/bench/thousand.mjs';
import { ratioOf, takeTurns } from './lib/bench/turns.mjs';
import { cli, inRepository } from './lib/repository.mjs';
import { mcpgen, runOrThrow } from './lib/run.mjs';
import { median, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readOptions } from './lib/usage.mjs';

const compileRounds = 9;
const startRounds = 15;
const mebibyte = 1024 * 1024;
const figures = new Figures();

/** Bytes of the same list of OpenAI's 288 operations, made by other generators, as `--readme` measured them. */
const openaiElsewhere = [
  ['mcp-openapi-server 1.16.1', 2_045_768],
  ['openapi-mcp-generator 4.0.1', 2_187_696],
  ['punkpeye/fastmcp 4.20.16', 2_465_377],
  ['FastMCP 4.0.10', 7_247_593],
];

/** Adds a line for two programs that took turns. */
function noteRatio(what, { left, right }, other, limit) {
  const ratio = ratioOf(left, right);
  figures.atMost({
    what,
    ours: seconds(median(left)),
    other: `${seconds(median(right))} ${other}`,
    figure: ratio.ratio,
    limit,
    unit: times,
    spread: spreadOf(ratio),
  });
}

/** The times of two pieces of work that take turns; the first round only warms up. */
async function alternate(rounds, left, right) {
  const runs = { left, right };
  await takeTurns(1, runs);
  return takeTurns(rounds, runs);
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
  const turns = await alternate(
    compileRounds,
    () => timeNode([cli, 'openapi', document, '-o', fresh()]),
    () => timeNode([peer, '--input', document, '--output', fresh(), '--force']),
  );
  noteRatio(`compile ${name}`, turns, peerName, limit);
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
  const { ours, bare, listBytes, peak } = await compareStart(main, path.join(folder, name), startRounds);
  noteRatio(`cold start, ${name} (${bytes(listBytes)} bytes)`, { left: ours, right: bare }, 'bare Node', 1.3);
  return peak;
}

async function benchThousand(folder) {
  const document = path.join(folder, 'thousand.json');
  await writeFile(document, JSON.stringify(thousandOperations()));
  const peak = await benchStart('1000-tools', document, folder);
  const what = 'peak memory, 1000 tools';
  if (peak === undefined) figures.note(what, 'not measured: no /proc here');
  else figures.atMost({ what, figure: peak, limit: 70 * mebibyte, unit: mebibytes });
}

async function benchOpenai(document, folder) {
  const project = await compile(document, path.join(folder, 'openai'));
  const { answers } = await coldStart(path.join(project, 'dist/main.js'), [], project);
  const { result } = JSON.parse(answers[1]);
  const size = Buffer.byteLength(JSON.stringify(result));
  const what = `tools/list of openai-yaml.yaml (${result.tools.length} tools)`;
  for (const [name, theirs] of openaiElsewhere) {
    figures.atMost({ what, other: `${bytes(theirs)} ${name}`, figure: size, limit: theirs - 1, unit: bytes });
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

const { values } = readOptions('npm run bench [-- --corpus <folder>] [--readme [--only <part of a name>]]', {
  options: {
    corpus: { type: 'string' },
    readme: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const corpus = values.corpus && path.resolve(values.corpus);
await withTempFolder('bench', async (folder) => {
  if (values.readme) return console.log(await measureReadme(folder, { corpus, only: values.only }));
  await benchFixtures(folder);
  if (corpus !== undefined) await benchCorpus(corpus, folder);
  console.log(String(figures));
});
if (values.corpus === undefined && !values.readme) {
  console.log(
    '\nFixtures only. Compile times and the size of large lists need a corpus: npm run bench -- --corpus <folder>',
  );
}
process.exitCode = figures.missed > 0 ? 1 : 0;
