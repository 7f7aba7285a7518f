/**
 * `npm run e2e:real [-- --only <server>] [--corpus <folder>] [--json]`: servers of others, compiled from the documents they
 * ship, driven by the official clients. Each step asserts what came back, and asks the server itself what it holds. The
 * peer's server does the same steps, which don't count. Ends with 1 when a step failed or fewer than three servers ran.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { runServer } from './e2e-real/run-server.mjs';
import { servers } from './e2e-real/servers.mjs';
import { failedSteps, isGood } from './e2e-real/verdict.mjs';
import { paint, seconds, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';
import { peerName } from './lib/wire/peer.mjs';

const names = servers.map(({ name }) => name);
const usage = [
  'npm run e2e:real [-- --only <server>] [--corpus <folder>] [--json]',
  `Servers: ${names.join(', ')}. --only may be repeated.`,
  'Some servers do not ship their documents: those are read from the corpus.',
].join('\n');
const { values } = readOptions(usage, {
  options: {
    only: { type: 'string', multiple: true },
    corpus: { type: 'string' },
    json: { type: 'boolean' },
  },
});
const settings = { corpus: values.corpus && path.resolve(values.corpus) };
const chosen = values.only ?? names;
for (const name of chosen) if (!names.includes(name)) misused(usage, `There is no server ${name}.`);

const began = performance.now();
const reports = await withTempFolder('e2e-real', runAll);
const ok = isGood(reports);
if (values.json) console.log(JSON.stringify({ ok, servers: reports }, null, 2));
else print();
process.exitCode = ok ? 0 : 1;

async function runAll(folder) {
  const all = [];
  for (const server of servers.filter(({ name }) => chosen.includes(name))) {
    console.error(`running ${server.name} …`);
    const own = path.join(folder, server.name);
    mkdirSync(own);
    all.push(await runServer(server, own, settings));
  }
  return all;
}

function print() {
  console.log(table(['server', 'document', 'tools', 'connection', 'steps', 'time'], reports.flatMap(rowsOf)));
  for (const report of reports) {
    if (report.notRun) console.log(`\n${report.server} did not run: ${report.notRun}`);
    if (report.broken) console.log(`\n${report.server}: ${report.broken}`);
    for (const { connection, name, error } of failedSteps(report))
      console.log(`\n${report.server}, ${connection}, ${name}:\n  ${error.replaceAll('\n', '\n  ')}`);
  }
  const ran = reports.filter(({ driven }) => driven.length > 0).length;
  console.log(`\n${ran} of ${reports.length} servers ran, in ${seconds(performance.now() - began)}.`);
}

function rowsOf({ program, notRun, broken, version = '', driven, peer, ms }) {
  if (notRun !== undefined) return [[program, '', '', '', 'not run']];
  if (broken !== undefined) return [[program, version, '', '', paint('red', '✗ broken')]];
  const rows = driven.map(({ connection, tools, steps }) => ['', '', tools, connection, markedCount(steps)]);
  const refused = peer.listRefused ? ', its list of tools refused' : '';
  const counted = peer.broken === undefined ? `${count(peer.steps)}${refused}` : 'broken';
  rows.push(['', '', peer.tools, `stdio, ${peerName}`, counted]);
  rows[0].splice(0, 2, program, version);
  rows[0].push(seconds(ms));
  return rows;
}

function isPassed({ error }) {
  return error === undefined;
}

function markedCount(steps) {
  const mark = steps.every(isPassed) ? paint('green', '✓') : paint('red', '✗');
  return `${mark} ${count(steps)}`;
}

function count(steps) {
  return `${steps.filter(isPassed).length} of ${steps.length}`;
}
