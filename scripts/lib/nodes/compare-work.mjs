/** Servers are compared by the time that their processes are at work: what a busy machine does is not in it. */
import { takeTurns } from '../bench/turns.mjs';

/** Calls that a server answers before it is measured. */
export const WARM_UP = 4_000;

/** Share of the rounds that counts, the quietest: a neighbour empties caches too. */
const QUIET = 0.75;

/** Finer than `times`: limits are. */
const thousandths = (value) => `${value.toFixed(3)} ×`;

/**
 * Loads take turns, so many calls each. All start anew for each set: two processes of one program differ by some
 * percent as long as they live, since each compiles its code in another order.
 * @template {string} Name
 * @template {import('../bench-runtime/stdio-load.mjs').Load} Load
 * @param {Record<Name, () => Promise<Load>>} starts
 * @param {{ calls: number, rounds: number, sets: number }} size rounds of each set
 * @param {(loads: Record<Name, Load>) => Promise<void> | void} look at the loads of a set, when their rounds are over
 */
export async function compareWork(starts, { calls, rounds, sets }, look) {
  const turns = Object.fromEntries(Object.keys(starts).map((name) => [name, []]));
  for (let set = 0; set < sets; set++) {
    const times = await workOfSet(starts, { calls, rounds }, look);
    for (const [name, ms] of Object.entries(times)) turns[name].push(...ms);
  }
  const counted = Math.ceil(QUIET * rounds * sets);
  const ms = (name) =>
    turns[name]
      .toSorted((a, b) => a - b)
      .slice(0, counted)
      .reduce((sum, each) => sum + each, 0);
  const each = (name) => `${((1_000 * ms(name)) / (counted * calls)).toFixed(1)} µs a call`;
  return {
    /** @param {Name} ours @param {Name} other @param {number} limit @returns {Parameters<import('../bench/figures.mjs').Figures['atLeast']>[0]} */
    line: (what, ours, other, limit) => ({
      what: `calls a second, ${what}`,
      ours: each(ours),
      other: `${each(other)} without`,
      figure: ms(other) / ms(ours),
      limit,
      unit: thousandths,
    }),
  };
}

async function workOfSet(starts, { calls, rounds }, look) {
  const loads = {};
  try {
    for (const [name, start] of Object.entries(starts)) loads[name] = await start();
    for (const load of Object.values(loads)) await load.run(WARM_UP);
    const runs = Object.entries(loads).map(([name, load]) => [name, () => workOf(load, calls)]);
    const times = await takeTurns(rounds, Object.fromEntries(runs));
    await look(loads);
    return times;
  } finally {
    for (const load of Object.values(loads)) await load.close();
  }
}

async function workOf(load, calls) {
  const before = load.cpu();
  await load.run(calls);
  return load.cpu() - before;
}
