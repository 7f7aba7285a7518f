/** The verdict on the reports of a run. */

/** So many servers have to run, unless fewer were chosen. */
const FEWEST = 3;

/** @type {typeof import('./verdict.d.mts').failedSteps} */
export function failedSteps({ driven }) {
  return driven.flatMap(({ connection, steps }) =>
    steps.filter(({ error }) => error !== undefined).map((step) => ({ connection, ...step })),
  );
}

/** @type {typeof import('./verdict.d.mts').isGood} */
export function isGood(reports) {
  const ran = reports.filter(({ notRun }) => notRun === undefined);
  return ran.length >= Math.min(FEWEST, reports.length) && ran.every(isDone);
}

function isDone(report) {
  const steps = report.driven.flatMap((one) => one.steps);
  return report.broken === undefined && steps.length > 0 && failedSteps(report).length === 0;
}
