import type { DiagnosticCollector } from '../../diagnostics/collector.ts';

export type Report = DiagnosticCollector['report'];

/** Holds reports back until the last reading, and drops repeated ones: a schema may be read in several contexts. */
export class HeldReports {
  readonly #held = new Map<string, (report: Report) => void>();

  readonly report: Report = (name, parameters, place) => {
    const key = JSON.stringify([name, parameters, place?.at]);
    if (this.#held.has(key)) return;
    this.#held.set(key, (report) => {
      report(name, parameters, place);
    });
  };

  release(report: Report): void {
    for (const release of this.#held.values()) release(report);
  }
}
