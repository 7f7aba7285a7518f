/**
 * `npm run mounts [-- --only <name>,…]`: runs each program of docs/fetch.md, with the handler of an emitted server in
 * a web server or another runtime, and calls it with the official client in both eras.
 */
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { MOUNTS, mountTools, withMount } from './lib/mounts.mjs';
import { inRepository } from './lib/repository.mjs';
import { mcpgenOrThrow } from './lib/run.mjs';
import { paint, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = `npm run mounts [-- --only <name>,…]\nNames: ${MOUNTS.join(', ')}.`;
const { values } = readOptions(usage, { options: { only: { type: 'string' } } });
const names = values.only?.split(',') ?? MOUNTS;
const unknown = names.find((name) => !MOUNTS.includes(name));
if (unknown !== undefined) misused(usage, `There is no program ${unknown}.`);

const ERAS = [
  ['by session', { versionNegotiation: { mode: 'legacy' } }],
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
];

await mountTools.install();
const rows = await withTempFolder('mounts', async (folder) => {
  const project = path.join(folder, 'petstore');
  const source = inRepository('fixtures/petstore.yaml');
  await mcpgenOrThrow(['openapi', source, '-o', project, '--feature', 'fetch,mock,metrics']);
  const all = [];
  for (const name of names)
    await withMount(name, project, { MCP_MOCK: '1' }, async (url) => {
      for (const [era, options] of ERAS) all.push([name, era, await tryOut(url, options)]);
    });
  return all;
});
const shown = (fault) => (fault === undefined ? paint('green', '✓') : paint('red', fault));
const cells = rows.map(([name, era, fault]) => [name, era, shown(fault)]);
console.log(table(['program', 'era', 'outcome'], cells));
process.exitCode = rows.some(([, , fault]) => fault !== undefined) ? 1 : 0;

/** Lists and calls; the fault, if there is one. */
async function tryOut(url, options) {
  const client = new Client({ name: 'mounts', version: '1' }, options);
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const { tools } = await client.listTools();
    const called = await client.callTool({ name: 'getPet', arguments: { petId: 1 } });
    if (tools.length === 0 || called.isError) return `unexpected: ${JSON.stringify(called)}`;
    const refused = await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' } });
    return refused.status === 403 ? undefined : `a foreign origin is answered with ${refused.status}`;
  } catch (thrown) {
    return String(thrown);
  } finally {
    await client.close();
  }
}
