/** Measured figures, each beside its limit. */
import { paint, table } from '../table.mjs';

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} ours as people read it
 * @property {string} other what it is compared with
 * @property {number} figure
 * @property {number} limit
 * @property {'most' | 'least'} bound what the limit is
 * @property {boolean} isFine
 * @property {string} text the figure as people read it
 * @property {string} limitText
 */

export class Figures {
  /** @type {Figure[]} */
  #figures = [];
  #notes = [];

  /**
   * Adds a figure that must not be above `limit`.
   * @param {{ what: string, ours?: string, other?: string, figure: number, limit: number, unit: (value: number) => string, spread?: string }} line
   */
  atMost(line) {
    this.#add(line, 'most', line.figure <= line.limit);
  }

  /** Adds a figure that must not be below `limit`. */
  atLeast(line) {
    this.#add(line, 'least', line.figure >= line.limit);
  }

  /** Adds a line about what was not measured. */
  note(what, text) {
    this.#notes.push({ what, text });
  }

  /** How many miss their limit. */
  get missed() {
    return this.#figures.filter(({ isFine }) => !isFine).length;
  }

  /** For machines. */
  toJSON() {
    return { figures: this.#figures, notes: this.#notes };
  }

  /** For people. */
  toString() {
    const rows = this.#figures.map(({ what, ours, other, text, limitText, isFine }) => [
      what,
      ours,
      other,
      text,
      limitText,
      isFine ? paint('green', 'ok') : paint('red', 'missed'),
    ]);
    const notes = this.#notes.map(({ what, text }) => [what, text]);
    const lines = [table(['what', 'mcpgen', 'compared with', 'figure', 'limit', ''], [...rows, ...notes])];
    if (this.missed > 0) lines.push('', paint('red', `${this.missed} missed the limit.`));
    return lines.join('\n');
  }

  #add({ what, ours = '', other = '', figure, limit, unit, spread = '' }, bound, isFine) {
    const text = `${unit(figure)}${spread}`;
    const limitText = `${bound === 'most' ? '≤' : '≥'} ${unit(limit)}`;
    this.#figures.push({ what, ours, other, figure, limit, bound, isFine, text, limitText });
  }
}

export const times = (value) => `${value.toFixed(2)} ×`;
export const bytes = (value) => value.toLocaleString('en');
export const mebibytes = (value) => `${(value / 1024 / 1024).toFixed(1)} MiB`;

/** @param {{ least: number, most: number }} ratio */
export const spreadOf = ({ least, most }) => ` (${least.toFixed(2)}–${most.toFixed(2)})`;
