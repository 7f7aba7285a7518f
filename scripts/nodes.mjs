/**
 * `npm run nodes [-- --only <scenario>] [--full] [--json]`: several processes of an emitted server behind a balancer that
 * streams, with a real Redis where a scenario needs one. Each figure stands beside its limit. Ends with 1 when one misses it, or a
 * scenario could not run.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { Figures } from './lib/bench/figures.mjs';
import { compileNodes } from './lib/nodes/project.mjs';
import { installRedis } from './lib/nodes/redis.mjs';
import { scenarios } from './lib/nodes/scenarios.mjs';
import { seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const names = scenarios.map(({ name }) => name);
const usage = [
  'npm run nodes [-- --only <scenario>] [--full] [--json]',
  '--only may be repeated. --full takes the sizes that a release is judged by.',
  ...scenarios.map(({ name, what }) => `  ${name.padEnd(14)}${what}`),
].join('\n');
const { values } = readOptions(usage, {
  options: {
    only: { type: 'string', multiple: true },
    full: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
const chosen = values.only ?? names;
for (const name of chosen) if (!names.includes(name)) misused(usage, `There is no scenario ${name}.`);

const figures = new Figures();
await withTempFolder('nodes', runAll);
console.log(values.json ? JSON.stringify(figures, undefined, 2) : String(figures));
process.exitCode = figures.missed > 0 ? 1 : 0;

async function runAll(folder) {
  const main = compiler(folder);
  for (const scenario of scenarios.filter(({ name }) => chosen.includes(name))) {
    const began = performance.now();
    console.error(`${scenario.name} …`);
    const own = path.join(folder, scenario.name);
    mkdirSync(own);
    try {
      if (scenario.needsRedis) await installRedis();
      await scenario.run({ main, folder: own, figures, size: values.full ? scenario.full : scenario.small });
    } catch (error) {
      console.error(`${scenario.name} broke off: ${error.stack}`);
      const unit = (value) => (value === 0 ? 'to its end' : 'broke off');
      figures.atMost({ what: scenario.name, other: firstLine(error), figure: 1, limit: 0, unit });
    }
    console.error(`${scenario.name}: ${seconds(performance.now() - began)}`);
  }
}

/** Compiles the server with some features, once. */
function compiler(folder) {
  const compiled = new Map();
  return (features) => {
    const key = ['nodes', ...features].join('-');
    if (!compiled.has(key)) compiled.set(key, compileNodes(path.join(folder, key), features));
    return compiled.get(key);
  };
}

function firstLine({ message }) {
  return message.split('\n', 1)[0].slice(0, 120);
}
