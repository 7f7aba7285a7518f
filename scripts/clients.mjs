/**
 * `npm run clients [-- --corpus <folder>] [--only <client>]`: clients of others, pinned, list and call
 * emitted servers over each transport and in each mode they have. Those that hand tools to a model get a fake one,
 * whose requests are judged. Ends with 1 when one fails.
 */
import path from 'node:path';
import { readFileSync } from 'node:fs';

import { apis } from './clients/apis.mjs';
import { runWay } from './clients/run-way.mjs';
import { ways } from './clients/ways.mjs';
import { connectOldClient } from './lib/clients.mjs';
import { root } from './lib/repository.mjs';
import { inParallel, mcpgenOrThrow } from './lib/run.mjs';
import { paint, seconds, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { Tools } from './lib/tools.mjs';
import { misused, readOptions } from './lib/usage.mjs';

/** Most clients want it. */
const OLDEST_NODE = 22;

const names = [...new Set(ways.map(({ client }) => client))];
const usage = `npm run clients [-- --corpus <folder>] [--only <client>]
Clients: ${names.join(', ')}. --only may be repeated. The corpus has kubernetes.json.`;
const { values } = readOptions(usage, {
  options: {
    corpus: { type: 'string' },
    only: { type: 'string', multiple: true },
  },
});
const chosen = values.only ?? names;
for (const name of chosen) if (!names.includes(name)) misused(usage, `There is no client ${name}.`);
const served = apis(values.corpus && path.resolve(values.corpus));
if (values.corpus === undefined)
  console.error('Only petstore is served. kubernetes.json comes from a corpus: --corpus <folder>.');

const began = performance.now();
const packages = new Tools('scripts/clients');
await packages.install();
const rows = await withTempFolder('clients', runAll);
const failed = rows.filter(({ faults }) => faults.length > 0);
print();
process.exitCode = failed.length === 0 ? 0 : 1;

async function runAll(folder) {
  const machine = {
    node: packages.node(OLDEST_NODE),
    packages: (...parts) => packages.path(...parts),
    home: folder,
  };
  const all = [];
  for (const api of served) {
    const upstream = await api.start();
    try {
      const project = await compile(api, path.join(folder, api.name.replaceAll(/\W+/g, '-')));
      const main = path.join(project, 'dist/main.js');
      const pages = await pagesOf(project, api);
      const tools = pages.flat();
      const mine = ways.filter(({ client }) => chosen.includes(client));
      all.push(
        ...(await inParallel(mine, 2, (way) =>
          run(way, { api, main, upstream: upstream.url, tools, pages }, machine),
        )),
      );
    } finally {
      await upstream.close();
    }
  }
  return all;
}

async function compile({ document }, project) {
  const args = ['openapi', document, '-o', project, '--feature', 'sse', '--feature', 'websocket', '--quiet'];
  await mcpgenOrThrow(args, { cwd: root });
  return project;
}

/** The tools in the pages that the server gives. */
async function pagesOf(project, { env, args }) {
  const { client, close } = await connectOldClient(project, { env, args });
  try {
    const pages = [];
    for (let cursor; pages.length === 0 || cursor !== undefined;) {
      const { tools, nextCursor } = await client.listTools({ cursor });
      pages.push(tools);
      cursor = nextCursor;
    }
    return pages;
  } finally {
    await close();
  }
}

async function run(way, one, machine) {
  const { client, package: name, transport, mode, driver, bridge } = way;
  const head = {
    client,
    version: JSON.parse(readFileSync(packages.path(name, 'package.json'), 'utf8')).version,
    transport: bridge ? `${transport} → ${bridge.side}` : transport,
    mode: bridge ? `${driver} ${mode}`.trim() : mode,
    api: one.api.name,
    tools: one.tools.length,
  };
  console.error(`${one.api.name}: ${client} ${head.transport} ${head.mode} …`);
  return { ...head, ...(await runWay(way, one, machine)) };
}

function print() {
  const head = ['', 'API', 'client', 'version', 'transport', 'mode', 'listed', 'called'];
  head.push('to the model', 'time');
  console.log(table(head, rows.map(cellsOf)));
  for (const { api, client, transport, mode, faults } of failed)
    console.log(`\n${api}, ${client}, ${transport} ${mode}\n  ${faults.join('\n  ')}`);
  const took = seconds(performance.now() - began);
  console.log(`\n${rows.length - failed.length} of ${rows.length} ways are right, in ${took}.`);
}

function cellsOf({ faults, api, client, version, transport, mode, listed, called, offered, offerBytes, ms }) {
  const mark = faults.length === 0 ? paint('green', '✓') : paint('red', '✗');
  const offer = offered === undefined ? '' : `${offered} tools, ${Math.ceil(offerBytes / 1024)} KiB`;
  return [mark, api, client, version, transport, mode, listed ?? '', called, offer, seconds(ms)];
}
