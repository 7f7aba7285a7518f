/** Measured figures, each beside its limit. Programs are compared by taking turns: what else the machine does meets all of them alike. */
import { median, paint, seconds, table } from '../table.mjs';

/** The times of several pieces of work that take turns, A B B A. `runs`: each resolves with its ms. */
export async function takeTurns(rounds, runs) {
  const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const turn = Object.entries(runs);
    for (const [name, run] of round % 2 === 0 ? turn : turn.reverse()) times[name].push(await run());
  }
  return times;
}

/** How many times `left` is `right`: the median of the rounds' own ratios, with the smallest and the largest. */
function ratioOf(left, right) {
  const ratios = left.map((value, round) => value / right[round]);
  const spread = ` (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
  return { figure: median(ratios), unit: times, spread };
}

export class Figures {
  #rows = [];
  #missed = 0;

  /** Adds a figure that must not be above `limit`. `ours` and `other` are what people read of both sides. */
  atMost(line) {
    this.#add(line, '≤', line.figure <= line.limit);
  }

  /** Adds a figure that must not be below `limit`. */
  atLeast(line) {
    this.#add(line, '≥', line.figure >= line.limit);
  }

  /** `ours` may take at most `limit` times as long as `theirs`, in the same rounds. */
  slower(what, ours, theirs, other, limit) {
    const words = { ours: seconds(median(ours)), other: `${seconds(median(theirs))} ${other}` };
    this.atMost({ what, ...words, limit, ...ratioOf(ours, theirs) });
  }

  /** `theirs` must take at least `limit` times as long as `ours`, for so many calls. */
  faster(what, calls, ours, theirs, other, limit) {
    const speed = (ms) => `${((calls / median(ms)) * 1000).toFixed(0)}/s`;
    const words = { ours: speed(ours), other: `${speed(theirs)} ${other}` };
    this.atLeast({ what, ...words, limit, ...ratioOf(theirs, ours) });
  }

  /** Adds a line without a limit. */
  note(what, text) {
    this.#rows.push([what, text]);
  }

  /** Prints all. The process ends with 1 when a limit was missed. */
  print() {
    console.log(table(['what', 'mcpgen', 'compared with', 'figure', 'limit', ''], this.#rows));
    if (this.#missed > 0) console.log(paint('red', `\n${this.#missed} missed the limit.`));
    process.exitCode = this.#missed > 0 ? 1 : 0;
  }

  #add({ what, ours = '', other = '', figure, limit, unit, spread = '' }, sign, isFine) {
    if (!isFine) this.#missed++;
    const verdict = isFine ? paint('green', 'ok') : paint('red', 'missed');
    this.#rows.push([what, ours, other, `${unit(figure)}${spread}`, `${sign} ${unit(limit)}`, verdict]);
  }
}

export const times = (value) => `${value.toFixed(2)} ×`;
export const bytes = (value) => value.toLocaleString('en');
export const mebibytes = (value) => `${(value / 1024 / 1024).toFixed(1)} MiB`;
