import type { DiagnosticCollector } from '../../diagnostics/collector.ts';

export type Report = DiagnosticCollector['report'];

/** Holds reports back until the last reading, and drops repeated ones: a schema may be read in several contexts. */
export class HeldReports {
  readonly #reports = new Map<string, (report: Report) => void>();

  readonly report: Report = (name, parameters, place) => {
    const key = JSON.stringify([name, parameters, place?.at]);
    if (this.#reports.has(key)) return;
    this.#reports.set(key, (report) => {
      report(name, parameters, place);
    });
  };

  release(report: Report): void {
    for (const release of this.#reports.values()) release(report);
  }
}
