/** Servers under load take turns, in sets of processes. */
import { takeTurns } from '../bench/turns.mjs';

/** Calls that a server answers before it is measured. */
export const WARM_UP = 12_000;

/**
 * @typedef {object} Size
 * @property {number} calls of each server in each round
 * @property {number} rounds of each set
 * @property {number} sets all servers start anew for each: two processes of one program differ by some percent as long
 *   as they live, since each compiles its code in another order
 */

/**
 * The times of all rounds.
 * @template {string} Name
 * @template {import('./stdio-load.mjs').Load} Load
 * @param {Record<Name, () => Promise<Load>>} starts
 * @param {Size & { measure: (load: Load, calls: number) => Promise<number> }} size
 * @param {(loads: Record<Name, Load>) => Promise<void> | void} look at the loads of a set, when their rounds are over
 * @returns {Promise<Record<Name, number[]>>}
 */
export async function takeTurnsOfLoads(starts, { calls, rounds, sets, measure }, look) {
  const turns = Object.fromEntries(Object.keys(starts).map((name) => [name, []]));
  for (let set = 0; set < sets; set++) {
    const loads = {};
    try {
      for (const [name, start] of Object.entries(starts)) loads[name] = await start();
      for (const load of Object.values(loads)) await load.run(WARM_UP);
      const runs = Object.entries(loads).map(([name, load]) => [name, () => measure(load, calls)]);
      const times = await takeTurns(rounds, Object.fromEntries(runs));
      for (const [name, ms] of Object.entries(times)) turns[name].push(...ms);
      await look(loads);
    } finally {
      await Promise.all(Object.values(loads).map((load) => load.close()));
    }
  }
  return turns;
}
