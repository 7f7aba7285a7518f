/** Faults of a run. */
export class Faults {
  /** @type {string[]} */
  found = [];

  /**
   * @param {string} what
   * @param {unknown} got
   * @param {unknown} wanted compared as JSON
   */
  equal(what, got, wanted) {
    const [left, right] = [brief(got), brief(wanted)];
    if (JSON.stringify(got) !== JSON.stringify(wanted)) this.found.push(`${what}: ${left}, and not ${right}`);
  }

  /**
   * @param {string} what
   * @param {boolean} holds
   */
  holds(what, holds) {
    if (!holds) this.found.push(what);
  }
}

function brief(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 400 ? `${text.slice(0, 400)} …` : text;
}
