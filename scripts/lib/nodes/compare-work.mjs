/** Servers are compared by the time that their processes are at work: what a busy machine does is not in it. */
import { takeTurnsOfLoads } from '../bench-runtime/turns-of-loads.mjs';

/** Share of the rounds that counts, the quietest: a neighbour empties caches too. */
const QUIET = 0.75;

/** Finer than `times`: limits are. */
const thousandths = (value) => `${value.toFixed(3)} ×`;

/**
 * @template {string} Name
 * @template {import('../bench-runtime/stdio-load.mjs').Load} Load
 * @param {Record<Name, () => Promise<Load>>} starts
 * @param {import('../bench-runtime/turns-of-loads.mjs').Size} size
 * @param {(loads: Record<Name, Load>) => Promise<void> | void} look at the loads of a set, when their rounds are over
 */
export async function compareWork(starts, size, look) {
  const turns = await takeTurnsOfLoads(starts, { ...size, measure: workOf }, look);
  const { calls } = size;
  const counted = Math.ceil(QUIET * size.rounds * size.sets);
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

async function workOf(load, calls) {
  const before = load.cpu();
  await load.run(calls);
  return load.cpu() - before;
}
