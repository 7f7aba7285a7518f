/** Proves that a project works: it type-checks, its own tests pass, and it serves the expected tools. */
import { existsSync } from 'node:fs';
import path from 'node:path';

import { linkPackages } from '../link-packages.mjs';
import { run } from '../run.mjs';
import { openSession } from '../wire/session.mjs';

/**
 * `npm run build`, which type-checks it, with this repository's TypeScript.
 * @param {string} project
 * @param {import('./faults.mjs').Faults} faults
 */
export async function build(project, faults) {
  if (!existsSync(path.join(project, 'node_modules'))) linkPackages(project);
  const built = await run('npm', ['run', 'build'], { cwd: project });
  faults.equal(`npm run build: ${lastWords(built)}`, built.code, 0);
}

/**
 * `npm test` in it.
 * @param {string} project
 * @param {import('./faults.mjs').Faults} faults
 * @returns {Promise<number>} tests that passed
 */
export async function runTests(project, faults) {
  const tested = await run('npm', ['test'], { cwd: project });
  faults.equal(`npm test: ${lastWords(tested)}`, tested.code, 0);
  const count = (what) => Number(new RegExp(`^\\W*${what} (\\d+)$`, 'm').exec(tested.stdout)?.[1] ?? NaN);
  faults.holds('no test of the project ran', count('pass') > 0);
  return count('pass');
}

function lastWords({ stdout, stderr }) {
  return `${stdout}\n${stderr}`.trim().slice(-600);
}

/**
 * A server's list over stdio, and its answers to some calls.
 * @param {string} project
 * @param {string[]} [calls] names of tools that need no arguments
 * @returns {Promise<{ tools: { name: string }[], answers: string[] }>}
 */
export async function askServer(project, calls = []) {
  const session = await openSession(project, { env: {} });
  try {
    const answers = [];
    for (const name of calls) answers.push(await session.call(name, {}));
    return { tools: session.tools, answers };
  } finally {
    await session.close();
  }
}
