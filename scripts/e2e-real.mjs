/**
 * `npm run e2e:real [-- --only <server>] [--json]`: servers of others, compiled from the documents they ship, driven by the
 * official clients. Each step asserts what came back, and asks the server itself what it holds.
 * Ends with 1 when a step failed or fewer than three servers ran.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { runServer } from './e2e-real/run-server.mjs';
import { servers } from './e2e-real/servers.mjs';
import { failedSteps, isGood } from './e2e-real/verdict.mjs';
import { paint, seconds, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const names = servers.map(({ name }) => name);
const usage = `npm run e2e:real [-- --only <server>] [--json]\nServers: ${names.join(', ')}. --only may be repeated.`;
const { values } = readOptions(usage, {
  options: { only: { type: 'string', multiple: true }, json: { type: 'boolean' } },
});
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
    all.push(await runServer(server, own));
  }
  return all;
}

function print() {
  console.log(table(['server', 'document', 'tools', 'connection', 'steps'], reports.flatMap(rowsOf)));
  for (const report of reports) {
    if (report.notRun) console.log(`\n${report.server} did not run: ${report.notRun}`);
    if (report.broken) console.log(`\n${report.server}: ${report.broken}`);
    for (const { connection, name, error } of failedSteps(report))
      console.log(`\n${report.server}, ${connection}, ${name}:\n  ${error.replaceAll('\n', '\n  ')}`);
  }
  const ran = reports.filter(({ driven }) => driven.length > 0).length;
  console.log(`\n${ran} of ${reports.length} servers ran, in ${seconds(performance.now() - began)}.`);
}

function rowsOf({ program, notRun, broken, version = '', tools = '', driven }) {
  if (notRun !== undefined) return [[program, '', '', '', 'not run']];
  if (broken !== undefined) return [[program, version, tools, '', paint('red', '✗ broken')]];
  return driven.map(({ connection, steps }, index) => {
    const passed = steps.filter(({ error }) => error === undefined).length;
    const mark = passed === steps.length ? paint('green', '✓') : paint('red', '✗');
    const words = `${mark} ${passed} of ${steps.length}`;
    return index === 0 ? [program, version, tools, connection, words] : ['', '', '', connection, words];
  });
}
