/**
 * `npm run bench [-- --corpus <folder>]`: times, memory and sizes, each beside its limit: cold starts of emitted servers,
 * and, with a corpus, what its large documents cost: the first compilation beside a peer's, later ones beside the first,
 * bytes of the project and of the list.
 */
import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { reportStart } from './lib/bench/cold-start.mjs';
import { bytes, Figures, mebibytes, takeTurns } from './lib/bench/figures.mjs';
import { thousandOperations } from './lib/bench/thousand.mjs';
import { connectNewClient, listAll } from './lib/clients.mjs';
import { cli, inRepository } from './lib/repository.mjs';
import { mcpgenOrThrow, run, runOrThrow } from './lib/run.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readOptions } from './lib/usage.mjs';
import { Tools } from './lib/tools.mjs';

const mebibyte = 1024 * 1024;
const figures = new Figures();

/** Bytes of the list of OpenAI's 288 operations, by the generator with the shortest (README.md). */
const OPENAI_ELSEWHERE = 2_045_768;

/** The generator that compile times are compared with. */
const peerName = 'openapi-mcp-generator';
const peerTools = new Tools('test/judges/steady');
const peerGenerator = peerTools.path(peerName, 'bin/openapi-mcp-generator.js');

/** The largest documents of the corpus; `peer` is the limit beside the peer, which cannot compile some. */
const LARGE = [
  { name: 'github.json', peer: 1 },
  { name: 'stripe-2023.yaml', peer: 1.2 },
  { name: 'kubernetes.json', peer: 1.2 },
];

/** Tells the peak of the process at its end, in KiB, and its time on all processors, in microseconds. */
const TELL_USAGE =
  "data:text/javascript,process.on('exit',()=>{const u=process.resourceUsage();process.stderr.write(`\\nused ${u.maxRSS} ${u.userCPUTime+u.systemCPUTime}`)})";

/** Undefined if the program fails. */
async function measure(...args) {
  const { code, stderr } = await run(process.execPath, ['--import', TELL_USAGE, ...args]);
  const [, peak, cpu] = /\nused (\d+) (\d+)$/.exec(stderr) ?? [];
  return code === 0 ? { cpu: Number(cpu) / 1000, peak: Number(peak) * 1024 } : undefined;
}

async function compile(document, project) {
  await mcpgenOrThrow(['openapi', document, '-o', project]);
  return project;
}

async function benchStart(name, document, folder) {
  const project = await compile(document, path.join(folder, name));
  const main = path.join(project, 'dist/main.js');
  return reportStart(figures, `cold start, ${name}`, { main, folder: project, rounds: 15, limit: 1.3 });
}

async function benchFixtures(folder) {
  await benchStart('petstore', inRepository('fixtures/petstore.yaml'), folder);
  const document = path.join(folder, 'thousand.json');
  await writeFile(document, JSON.stringify(thousandOperations()));
  const peak = await benchStart('1000-tools', document, folder);
  const what = 'peak memory, 1000 tools';
  if (peak === undefined) figures.note(what, 'not measured: no /proc here');
  else figures.atMost({ what, figure: peak, limit: 70 * mebibyte, unit: mebibytes });
  const time = async (...args) => (await runOrThrow(process.execPath, args)).ms;
  const { help, bare } = await takeTurns(9, {
    help: () => time(cli, '--help'),
    bare: () => time('-e', '0'),
  });
  figures.slower('--help', help, bare, 'node -e 0', 1.5);
}

async function benchLarge({ name, peer: limit }, corpus, folder) {
  const document = path.join(corpus, name);
  const project = path.join(folder, name);
  const first = await measure(cli, 'openapi', document, '-o', project);
  if (first === undefined) throw new Error(`${document} does not compile.`);
  const memory = { figure: first.peak, limit: 1024 * mebibyte, unit: mebibytes };
  figures.atMost({ what: `${name}: peak memory`, ...memory });
  const size = { figure: await sizeOf(project), limit: 30 * mebibyte, unit: mebibytes };
  figures.atMost({ what: `${name}: project`, ...size });
  // None is removed before the end: some file systems are slow to create files right after others were removed.
  let count = 0;
  const fresh = () => path.join(folder, `${name}-${count++}`);
  const cpu = async (...args) => (await measure(...args))?.cpu ?? Number.NaN;
  const { full, again, check, theirs } = await takeTurns(5, {
    full: () => cpu(cli, 'openapi', document, '-o', fresh()),
    again: () => cpu(cli, 'generate', project),
    check: () => cpu(cli, 'check', project),
    theirs: () => cpu(peerGenerator, '--input', document, '--output', fresh(), '--force'),
  });
  if (theirs.some(Number.isNaN)) figures.note(`${name}: compile`, `${peerName} fails`);
  else figures.slower(`${name}: compile, CPU`, full, theirs, peerName, limit);
  figures.slower(`${name}: generate, nothing changed`, again, full, 'a full generation', 1.2);
  figures.slower(`${name}: check`, check, full, 'a full generation', 1.2);
  await benchList(name, project);
}

async function benchList(name, project) {
  const { client, close } = await connectNewClient(project);
  try {
    const page = Buffer.byteLength(JSON.stringify((await client.listTools()).tools));
    const { tools } = await listAll(client);
    const size = Buffer.byteLength(JSON.stringify(tools));
    figures.note(`${name}: list`, `${tools.length} tools, ${bytes(size)} bytes`);
    figures.atMost({ what: `${name}: first page`, figure: page, limit: 8 * mebibyte, unit: mebibytes });
    const inputs = tools.map(({ inputSchema }) => Buffer.byteLength(JSON.stringify(inputSchema)));
    const largest = { figure: Math.max(...inputs), limit: 16 * 1024, unit: bytes };
    figures.atMost({ what: `${name}: largest input`, ...largest });
    return size;
  } finally {
    await close();
  }
}

async function sizeOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const stats = await Promise.all(files.map((file) => stat(path.join(file.parentPath, file.name))));
  return stats.reduce((sum, { size }) => sum + size, 0);
}

async function benchCorpus(corpus, folder) {
  await peerTools.install();
  for (const one of LARGE) await benchLarge(one, corpus, folder);
  const name = 'openai-yaml.yaml';
  const size = await benchList(name, await compile(path.join(corpus, name), path.join(folder, name)));
  const other = `${bytes(OPENAI_ELSEWHERE)} mcp-openapi-server 1.16.1`;
  figures.atMost({ what: `${name}: list`, other, figure: size, limit: OPENAI_ELSEWHERE - 1, unit: bytes });
}

const usage = 'npm run bench [-- --corpus <folder>]';
const { values } = readOptions(usage, { options: { corpus: { type: 'string' } } });
await withTempFolder('bench', async (folder) => {
  await benchFixtures(folder);
  if (values.corpus !== undefined) await benchCorpus(path.resolve(values.corpus), folder);
  figures.print();
});
