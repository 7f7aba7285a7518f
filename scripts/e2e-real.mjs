/**
 * `npm run e2e:real [-- --only <server>] [--corpus <folder>]`: servers of others, compiled from the documents they ship,
 * driven by the official clients. Each step asserts what came back, and asks the server itself what it holds. Ends with 1
 * when a step failed or fewer than three servers ran.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { runServer } from './e2e-real/run-server.mjs';
import { alertmanager } from './e2e-real/servers/alertmanager.mjs';
import { etcd } from './e2e-real/servers/etcd.mjs';
import { fileTransfer } from './e2e-real/servers/file-transfer.mjs';
import { opencode } from './e2e-real/servers/opencode.mjs';
import { powerdns } from './e2e-real/servers/powerdns.mjs';
import { todo } from './e2e-real/servers/todo.mjs';
import { paint, seconds, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

/**
 * Each has `install`, which tells why it can't run here; `start`, in an empty folder: its `url`, the `document` that it
 * hands out, `env` for the emitted server and `headers` for who asks it directly; `steps`, in order; and maybe `workflows`.
 */
const servers = [todo, fileTransfer, opencode, etcd, powerdns, alertmanager];

/** So many have to run, unless fewer were chosen. */
const FEWEST = 3;

const names = servers.map(({ name }) => name);
const usage = [
  'npm run e2e:real [-- --only <server>] [--corpus <folder>]',
  `Servers: ${names.join(', ')}. --only may be repeated.`,
  'Some servers do not ship their documents: those are read from the corpus.',
].join('\n');
const { values } = readOptions(usage, {
  options: { only: { type: 'string', multiple: true }, corpus: { type: 'string' } },
});
const settings = { corpus: values.corpus && path.resolve(values.corpus) };
const chosen = values.only ?? names;
for (const name of chosen) if (!names.includes(name)) misused(usage, `There is no server ${name}.`);

const rows = [];
const faults = [];
let ran = 0;
await withTempFolder('e2e-real', async (folder) => {
  for (const server of servers.filter(({ name }) => chosen.includes(name))) {
    const { name, program } = server;
    const missing = await server.install(settings);
    if (missing !== undefined) {
      rows.push([program, '', '', `not run: ${missing}`]);
      continue;
    }
    console.error(`running ${name} …`);
    ran++;
    const home = path.join(folder, name);
    mkdirSync(home);
    const began = performance.now();
    try {
      const all = Object.keys(server.steps).length;
      for (const { connection, tools, faults: wrong } of await runServer(server, home, settings)) {
        const mark = wrong.length === 0 ? paint('green', '✓') : paint('red', '✗');
        rows.push([program, tools, connection, `${mark} ${all - wrong.length} of ${all}`]);
        faults.push(...wrong.map((fault) => `${name}, ${connection}, ${fault}`));
      }
      rows.push([program, '', '', seconds(performance.now() - began)]);
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
});
console.log(table(['server', 'tools', 'connection', 'steps'], rows));
for (const fault of faults) console.log(`\n${fault.replaceAll('\n', '\n  ')}`);
console.log(`\n${ran} of ${chosen.length} servers ran.`);
process.exitCode = faults.length === 0 && ran >= Math.min(FEWEST, chosen.length) ? 0 : 1;
