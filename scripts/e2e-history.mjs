/**
 * `npm run e2e:history -- <folder> [--only <name>]`: the second run. A project is generated from the older
 * of two documents of a corpus, a person edits it, and it is generated again from the newer one. Nothing of the
 * person may be lost, and `mcpgen diff` has to name what its clients lose. Ends with 1 on any miss.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { liveThrough } from './lib/history/live.mjs';
import { paint, seconds, table } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const histories = {
  stripe: { before: 'stripe-2022.json', after: 'stripe-2023.yaml' },
  // The documents name different servers. Without an address of the user's own, credentials for the other one are refused.
  github: { before: 'github-ghes.json', after: 'github.json', baseUrl: 'https://api.github.com' },
};
const names = Object.keys(histories);
const usage = `npm run e2e:history -- <folder> [--only <name>]\nHistories: ${names.join(', ')}. --only may be repeated.`;
const { values, positionals } = readOptions(usage, {
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true } },
});
const chosen = values.only ?? names;
for (const name of chosen) if (!names.includes(name)) misused(usage, `There is no history ${name}.`);
const [corpus] = positionals;
if (corpus === undefined) misused(usage, 'No folder is given.');

const lives = await withTempFolder('e2e-history', async (folder) => {
  const all = [];
  for (const name of chosen) all.push(await live(name, path.join(folder, name)));
  return all;
});
const ok = lives.every(({ faults }) => faults.length === 0);
print();
process.exitCode = ok ? 0 : 1;

async function live(name, folder) {
  const { before, after, ...known } = histories[name];
  console.error(`${before} → ${after} …`);
  mkdirSync(folder);
  const versions = { before: path.resolve(corpus, before), after: path.resolve(corpus, after) };
  const start = performance.now();
  const { faults, figures } = await liveThrough(versions, folder, known);
  return { history: name, before, after, ...figures, ms: performance.now() - start, faults };
}

function print() {
  const columns = ['kept', 'lost', 'added', 'changed', 'renamed', 'breaking', 'compatible', 'tests'];
  const row = (one) => [
    `${one.before} → ${one.after}`,
    ...columns.map((column) => one[column]),
    seconds(one.ms),
    one.faults.length === 0 ? paint('green', '✓') : paint('red', `${one.faults.length} ✗`),
  ];
  console.log(table(['documents', ...columns, 'time', ''], lives.map(row)));
  for (const { history, faults } of lives)
    for (const fault of faults) console.log(`\n${paint('red', '✗')} ${history}: ${fault}`);
}
