import type { DiagnosticCollector } from '../../diagnostics/collector.ts';

/** Reports one diagnostic: `DiagnosticCollector.report`, or something that holds reports back. */
export type Report = DiagnosticCollector['report'];

/**
 * Holds reports back until it is known whether a reading counts. What is told of one place is told once: a schema
 * may be read where it stands, and again where something refers to it.
 */
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
