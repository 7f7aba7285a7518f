import type { DiagnosticCollector } from '../../diagnostics/collector.ts';

/** Reports one diagnostic: `DiagnosticCollector.report`, or something that holds reports back. */
export type Report = DiagnosticCollector['report'];

/** Holds reports back until it is known whether a reading counts. */
export class HeldReports {
  readonly #held: ((report: Report) => void)[] = [];

  readonly report: Report = (name, parameters, place) => {
    this.#held.push((report) => {
      report(name, parameters, place);
    });
  };

  release(report: Report): void {
    for (const release of this.#held) release(report);
  }
}
