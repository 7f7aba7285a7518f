/** Programs are compared by taking turns, A B B A: what the machine or a neighbour still does meets all of them alike. */
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
    const turn = Object.entries(runs);
    for (const [name, run] of round % 2 === 0 ? turn : turn.reverse()) times[name].push(await run());
  }
  return times;
}

/**
 * How many times `left` is `right`: the median of the rounds' own ratios, with the smallest and the largest.
 * @param {number[]} left
 * @param {number[]} right
 */
export function ratioOf(left, right) {
  const ratios = ratiosOf(left, right);
  return { ratio: median(ratios), ...spread(ratios) };
}

/**
 * How many times the median of `left` is that of `right`, with the smallest and the largest of the rounds' own ratios.
 * @param {number[]} left
 * @param {number[]} right
 */
export function ratioOfMedians(left, right) {
  return { ratio: median(left) / median(right), ...spread(ratiosOf(left, right)) };
}

/**
 * The geometric mean of the rounds' own ratios, with its 95 % interval: taken of the logarithms, by
 * Student's distribution for 24 rounds.
 * @param {number[]} left
 * @param {number[]} right
 */
export function intervalOf(left, right) {
  const logs = ratiosOf(left, right).map(Math.log);
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const variance = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (logs.length - 1);
  const reach = 2.07 * Math.sqrt(variance / logs.length);
  return { ratio: Math.exp(mean), lower: Math.exp(mean - reach), upper: Math.exp(mean + reach) };
}

const ratiosOf = (left, right) => left.map((value, round) => value / right[round]);

const spread = (ratios) => ({ least: Math.min(...ratios), most: Math.max(...ratios) });
