/** Programs are compared by taking turns, A B A B: what else the machine does meets all of them alike. */
import { median } from '../table.mjs';

/**
 * The times of several pieces of work that take turns.
 * @template {string} Name
 * @param {number} rounds
 * @param {Record<Name, () => Promise<number>>} runs each tells its ms
 * @returns {Promise<Record<Name, number[]>>}
 */
export async function takeTurns(rounds, runs) {
  const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) times[name].push(await run());
  }
  return times;
}

/**
 * How many times `left` is `right`: the median of the rounds' own ratios, with the smallest and the largest.
 * @param {number[]} left
 * @param {number[]} right
 */
export function ratioOf(left, right) {
  const ratios = left.map((value, round) => value / right[round]);
  return { ratio: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}
