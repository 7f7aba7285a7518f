/** The official suites, as they are called, and what they may leave out. */

/**
 * @typedef {object} Suite
 * @property {string} name as printed, and chosen by `--suite`
 * @property {'conformance-stable' | 'conformance-next'} tool the package, as `test/conformance/package.json` names it
 * @property {string[]} args of a whole run
 * @property {string[]} argsOfOne of a run of one scenario
 * @property {string[]} [scenarios] these alone, one after another: no revision requires an extension
 */

/** @type {Suite[]} */
export const suites = [
  stable('2025-06-18'),
  stable('2025-11-25'),
  next('2025-11-25'),
  next('2026-07-28'),
  skills(),
];

/** Checks that a suite skips whatever the server does, by id, with the reason. Any other skip counts as a warning. */
export const expectedSkips = new Map([
  ['tasks-status-notifications', 'The suite has no check for notifications of tasks yet, and says so.'],
]);

/** The extension `io.modelcontextprotocol/skills`. */
function skills() {
  const scenarios = ['enumeration', 'directory', 'manifest'].map((each) => `sep-2640-skills-${each}`);
  return { ...next('2026-07-28'), name: 'skills', scenarios };
}

function stable(revision) {
  const argsOfOne = ['--spec-version', revision];
  const args = ['--suite', 'all', ...argsOfOne];
  return { name: `stable-${revision}`, tool: 'conformance-stable', args, argsOfOne };
}

/** The scenarios that a revision requires. */
function next(revision) {
  const argsOfOne = ['--spec-version', revision, '--force'];
  const args = ['--requirements', revision];
  return { name: `next-${revision}`, tool: 'conformance-next', args, argsOfOne };
}
