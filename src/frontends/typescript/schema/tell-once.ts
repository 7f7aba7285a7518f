import { ts } from 'ts-morph';

import type { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import { type FileLabel, originAt, makeNodeOrigin } from '../program/source-program.ts';
import type { Held, ReportAt } from './form.ts';

export function makeReportOnce(diagnostics: Pick<DiagnosticCollector, 'report'>, label: FileLabel): ReportAt {
  const reportedKeys = new Set<string>();
  return (name, parameters, at) => {
    const origin = 'offset' in at ? originAt(at.file, at.offset, label) : makeNodeOrigin(at, label);
    // The path to a value is not the cause of a problem. A type parameter of a function is one cause, wherever it stands.
    const owner =
      'offset' in at || name !== 'unresolved-generic' ? undefined : ts.findAncestor(at, ts.isFunctionLike);
    const cause = owner === undefined ? origin : makeNodeOrigin(owner, label);
    const key = JSON.stringify([name, { ...parameters, subject: '' }, cause]);
    if (reportedKeys.has(key)) return;
    reportedKeys.add(key);
    diagnostics.report(name, parameters, { at: origin });
  };
}

/** Reports of held work wait until the work is kept. */
export class DeferredReports {
  #now: ReportAt;

  constructor(tell: ReportAt) {
    this.#now = tell;
  }

  readonly tell: ReportAt = (...report) => {
    this.#now(...report);
  };

  holdReports<T>(work: () => T): Held<T> {
    const heldReports: (() => void)[] = [];
    const tell = this.#now;
    this.#now = (...report) => {
      heldReports.push(() => {
        tell(...report);
      });
    };
    try {
      return {
        result: work(),
        keep: () =>
          heldReports.forEach((report) => {
            report();
          }),
      };
    } finally {
      this.#now = tell;
    }
  }
}
