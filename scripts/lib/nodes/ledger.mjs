/** The ledger counts how calls ended while nodes were killed. */
import { Faults } from './load.mjs';

/** Milliseconds from a client's return to its answer. */
const MOST_MS = 5_000;

export class Ledger {
  #calls = 0;
  #answered = 0;
  /** Calls whose connection broke before its first event: nothing can be resumed. */
  #early = 0;
  #foreign = 0;
  /** The result was there before the node was killed. */
  #stored = { count: 0, once: 0, faults: new Faults() };
  /** The node was killed while it was at work on the call. */
  #inFlight = { count: 0, ended: 0, unknown: 0, slowest: 0, faults: new Faults() };
  #faults = new Faults();

  /** @param {import('./api.mjs').Api} api @param {import('./fleet.mjs').Fleet} fleet @param {boolean} [isTimed] judges times */
  constructor(api, fleet, isTimed = false) {
    this.isTimed = isTimed;
    this.api = api;
    this.fleet = fleet;
  }

  begin() {
    this.#calls++;
  }

  /** Whether a message is of this call. @param {object} message @param {string} session @param {string} id */
  see(message, session, id) {
    const told = message.params?.data ?? message.result?.structuredContent;
    if (told !== undefined && (told.session !== session || told.id !== id)) this.#foreign++;
  }

  /** Nobody was killed on the way. @param {string} outcome `result`, or what came instead */
  plain(outcome) {
    if (outcome === 'result') this.#answered++;
    else this.#faults.add(outcome);
  }

  early() {
    this.#early++;
  }

  /** @param {string} outcome @param {number} copies of the result @param {boolean} again whether it came once more later */
  stored(outcome, copies, again) {
    this.#stored.count++;
    if (outcome === 'result' && copies === 1 && !again) this.#stored.once++;
    else this.#stored.faults.add(again ? 'It came again later.' : `${copies} results, ${outcome}`);
  }

  /** @param {string} outcome @param {number} ms from the first try to reconnect */
  inFlight(outcome, ms) {
    const counts = this.#inFlight;
    counts.count++;
    const ends = outcome === 'result' || outcome === 'unknown';
    if (outcome === 'unknown') counts.unknown++;
    if (ends && (ms <= MOST_MS || !this.isTimed)) counts.ended++;
    else counts.faults.add(ends ? `${outcome} after ${Math.round(ms)} ms` : outcome);
    if (ends) counts.slowest = Math.max(counts.slowest, ms);
  }

  /** @param {import('../bench/figures.mjs').Figures} figures @param {string} what */
  note(figures, what) {
    const of = (count) => (value) => `${value} of ${count}`;
    const { api } = this;
    const [stored, inFlight] = [this.#stored, this.#inFlight];
    figures.note(what, `${this.#calls} calls, ${this.#early} broken before their first event`);
    figures.atLeast({
      what: 'results stored before the kill: delivered once',
      other: String(stored.faults),
      figure: stored.once,
      limit: Math.max(1, stored.count),
      unit: of(stored.count),
    });
    figures.atLeast({
      what: `calls in flight on a killed node: ended${this.isTimed ? ' within 5 s' : ''}`,
      ours: `${inFlight.unknown} with an unknown outcome, the slowest after ${Math.round(inFlight.slowest)} ms`,
      other: String(inFlight.faults),
      figure: inFlight.ended,
      limit: Math.max(1, inFlight.count),
      unit: of(inFlight.count),
    });
    const others = this.#answered + this.#faults.count;
    figures.atLeast({
      what: 'other calls: answered',
      other: String(this.#faults),
      figure: this.#answered,
      limit: Math.max(1, others),
      unit: of(others),
    });
    figures.atMost({
      what: 'ids that the API did twice',
      figure: api.doubled(),
      limit: 0,
      unit: of(api.effects.size),
    });
    figures.atMost({ what: 'messages of another session', figure: this.#foreign, limit: 0, unit: String });
  }
}
