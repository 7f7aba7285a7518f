/** Work that comes at its own pace, whatever it takes. */

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Pieces at once: a machine that cannot keep the pace does fewer, else they would wait until they time out. */
const MOST_OPEN = 200;

/**
 * Begins so many pieces a second until `until` resolves, as far as the machine keeps up. Resolves when all have ended.
 * @param {number} perSecond
 * @param {Promise<unknown>} until
 * @param {(index: number) => Promise<void>} work never rejects
 * @returns {Promise<{ count: number, pace: number }>} how many there were, and how many a second
 */
export async function atPace(perSecond, until, work) {
  const began = performance.now();
  const open = new Set();
  let goesOn = true;
  let [count, skipped] = [0, 0];
  const ended = until.finally(() => (goesOn = false));
  while (goesOn) {
    const due = Math.floor(((performance.now() - began) / 1_000) * perSecond);
    while (count + skipped < due) {
      if (open.size >= MOST_OPEN) {
        skipped++;
        continue;
      }
      const piece = work(count++).finally(() => open.delete(piece));
      open.add(piece);
    }
    await pause(5);
  }
  const pace = (1_000 * count) / (performance.now() - began);
  await Promise.all(open);
  await ended;
  return { count, pace };
}

/** Counts how often each fault was seen, for people. */
export class Faults {
  #counts = new Map();

  add(text) {
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  get count() {
    return [...this.#counts.values()].reduce((sum, each) => sum + each, 0);
  }

  /** The most frequent. */
  toString() {
    const [most] = [...this.#counts].toSorted(([, a], [, b]) => b - a);
    return most === undefined ? '' : `${most[1]} × ${most[0].slice(0, 110)}`;
  }
}
