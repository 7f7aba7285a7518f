/** Servers are compared by the time that their processes are at work: what a busy machine does is not in it. */
import { takeTurns } from '../bench/turns.mjs';

const WARM_UP = 4_000;

/** Share of the rounds that counts, the quietest: a neighbour empties caches too. */
const QUIET = 0.75;

/** Finer than `times`: limits are. */
const thousandths = (value) => `${value.toFixed(3)} ×`;

/**
 * Loads take turns, so many calls each.
 * @template {string} Name
 * @param {Record<Name, import('../bench-runtime/stdio-load.mjs').Load>} loads
 * @param {{ calls: number, rounds: number }} size
 */
export async function compareWork(loads, { calls, rounds }) {
  for (const load of Object.values(loads)) await load.run(WARM_UP);
  const runs = Object.entries(loads).map(([name, load]) => [name, () => workOf(load, calls)]);
  const turns = await takeTurns(rounds, Object.fromEntries(runs));
  const counted = Math.ceil(QUIET * rounds);
  const ms = (name) =>
    turns[name]
      .toSorted((a, b) => a - b)
      .slice(0, counted)
      .reduce((sum, each) => sum + each, 0);
  const each = (name) => `${((1_000 * ms(name)) / (counted * calls)).toFixed(1)} µs a call`;
  return {
    /** How many calls each server got. */
    calls: WARM_UP + rounds * calls,
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

async function workOf(load, calls) {
  const before = load.cpu();
  await load.run(calls);
  return load.cpu() - before;
}
