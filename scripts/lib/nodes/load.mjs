/** Work that comes at its own pace, whatever it takes. */

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Begins so many pieces a second until `until` resolves. Resolves when all have ended.
 * @param {number} perSecond
 * @param {Promise<unknown>} until
 * @param {(index: number) => Promise<void>} work never rejects
 * @returns {Promise<number>} how many there were
 */
export async function atPace(perSecond, until, work) {
  const began = performance.now();
  const open = new Set();
  let goesOn = true;
  let count = 0;
  const ended = until.finally(() => (goesOn = false));
  while (goesOn) {
    const due = Math.floor(((performance.now() - began) / 1_000) * perSecond);
    while (count < due) {
      const piece = work(count++).finally(() => open.delete(piece));
      open.add(piece);
    }
    await pause(5);
  }
  await Promise.all(open);
  await ended;
  return count;
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
