/**
 * `npm run nodes [-- --only <scenario>] [--full]`: several processes of an emitted server behind a balancer that streams,
 * with a real Redis where a scenario needs one. Each figure stands beside its limit. Ends with 1 when one misses it, or a
 * scenario could not run.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { Figures } from './lib/bench/figures.mjs';
import { compileNodes } from './lib/nodes/project.mjs';
import { installRedis } from './lib/nodes/redis.mjs';
import { changes } from './lib/nodes/scenarios/changes.mjs';
import { chaos } from './lib/nodes/scenarios/chaos.mjs';
import { once } from './lib/nodes/scenarios/once.mjs';
import { rollingRestart } from './lib/nodes/scenarios/rolling.mjs';
import { roundRobin } from './lib/nodes/scenarios/round-robin.mjs';
import { tasks } from './lib/nodes/scenarios/tasks.mjs';
import { seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

/** `small` is the size of a bounded run, `full` that with `--full`; `isTimed`: times are judged too, so the machine must be free. */
const scenarios = {
  'round-robin': {
    what: 'the secret alone: every call is answered, whichever node gets it',
    small: { nodes: [3], calls: 50 },
    full: { nodes: [2, 3], calls: 1_000 },
    run: roundRobin,
  },
  chaos: {
    what: 'nodes are killed hard: no result is lost or doubled, no call done twice',
    small: { sessions: 40, everyMs: 2_500, ms: 8_000, callMs: 800, thinkMs: 400 },
    full: { sessions: 1_000, everyMs: 10_000, ms: 300_000, callMs: 2_000, thinkMs: 4_000, isTimed: true },
    run: chaos,
  },
  rolling: {
    what: 'nodes are replaced under load: no connection refused, no call failed',
    small: { replaced: 2, perSecond: 100 },
    full: { replaced: 12, perSecond: 200, isTimed: true },
    run: rollingRestart,
  },
  once: {
    what: 'a state that counts once is taken once',
    small: { races: 50 },
    full: { races: 1_000 },
    run: once,
  },
  changes: {
    what: 'a change is heard by the subscribers of all nodes',
    small: { subscribers: 12, changes: 10 },
    full: { subscribers: 300, changes: 50, isTimed: true },
    run: changes,
  },
  tasks: {
    what: 'a task is known to every node, and fails with its node',
    small: { tasks: 15 },
    full: { tasks: 300 },
    run: tasks,
  },
};

const usage = [
  'npm run nodes [-- --only <scenario>] [--full]',
  '--only may be repeated. --full takes the sizes that a release is judged by.',
  ...Object.entries(scenarios).map(([name, { what }]) => `  ${name.padEnd(14)}${what}`),
].join('\n');
const { values } = readOptions(usage, {
  options: { only: { type: 'string', multiple: true }, full: { type: 'boolean' } },
});
const chosen = values.only ?? Object.keys(scenarios);
for (const name of chosen) if (!(name in scenarios)) misused(usage, `There is no scenario ${name}.`);

const figures = new Figures();
await withTempFolder('nodes', async (folder) => {
  await installRedis();
  const compiled = new Map();
  /** Compiles the server with some features, once. */
  const main = (features) => {
    const key = ['nodes', ...features].join('-');
    if (!compiled.has(key)) compiled.set(key, compileNodes(path.join(folder, key), features));
    return compiled.get(key);
  };
  for (const name of Object.keys(scenarios).filter((each) => chosen.includes(each))) {
    const { run, small, full } = scenarios[name];
    const began = performance.now();
    console.error(`${name} …`);
    const below = path.join(folder, name);
    mkdirSync(below);
    try {
      await run({ main, folder: below, figures, size: values.full ? full : small });
    } catch (error) {
      console.error(`${name} broke off: ${error.stack}`);
      const unit = (value) => (value === 0 ? 'to its end' : 'broke off');
      figures.atMost({ what: name, other: error.message.slice(0, 120), figure: 1, limit: 0, unit });
    }
    console.error(`${name}: ${seconds(performance.now() - began)}`);
  }
});
figures.print();
