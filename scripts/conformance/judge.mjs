/** The result of one scenario's checks. */
import { expectedSkips } from './suites.mjs';

/** @type {typeof import('./judge.d.mts').judge} */
export function judge(checks) {
  const skips = checks.filter(isExpectedSkip);
  const failures = checks.filter(({ status }) => status === 'FAILURE');
  const passed = checks.filter(({ status }) => status === 'SUCCESS');
  const told = checks.filter(({ status }) => status === 'INFO');
  const known = new Set([...skips, ...failures, ...passed, ...told]);
  const warnings = checks.filter((check) => !known.has(check)).map(lineOf);
  return {
    passed: passed.length,
    failures: failures.map(lineOf),
    warnings: told.length === checks.length ? ['Nothing was checked.'] : warnings,
    skips: skips.map(({ id }) => id),
  };
}

function isExpectedSkip({ id, status }) {
  return status === 'SKIPPED' && expectedSkips.has(id);
}

function lineOf({ id, status, errorMessage, description }) {
  return `${status.toLowerCase()} ${id}: ${errorMessage ?? description}`;
}
