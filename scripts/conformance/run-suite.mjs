/** Runs one suite and reads what it found from the files that it writes, one folder a scenario. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { run } from '../lib/run.mjs';
import { expectedSkips } from './suites.mjs';
import { nodeForTools, programOf } from './tools.mjs';

/**
 * @typedef {object} ScenarioResult
 * @property {string} suite
 * @property {string} scenario
 * @property {number} passed
 * @property {string[]} skips the ids of the checks that were skipped as expected
 * @property {string[]} failures a line for each check that failed
 * @property {string[]} warnings a line for each check that warned, or was skipped unexpectedly
 */

/**
 * @param {import('./suites.mjs').Suite} suite
 * @param {string} url
 * @param {string} folder where the suite may write
 * @param {string | undefined} scenario only this one
 * @returns {Promise<ScenarioResult[]>} in the order of the run
 */
export async function runSuite({ name, tool, args, argsOfOne }, url, folder, scenario) {
  const output = path.join(folder, name);
  mkdirSync(output);
  const chosen = scenario === undefined ? args : [...argsOfOne, '--scenario', scenario];
  const program = [programOf(tool), 'server', '--url', url, '-o', output, ...chosen];
  const ended = await run(nodeForTools(), program, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } });
  const files = filesOf(output);
  return (scenario === undefined ? scenariosOf(name, ended) : [scenario]).map((each) => {
    const file = files.get(each);
    if (file !== undefined) return resultOf(name, each, file);
    const reason = ended.stderr.split('\n').find((line) => line.includes(each)) ?? 'It left no results.';
    return { suite: name, scenario: each, passed: 0, skips: [], failures: [reason], warnings: [] };
  });
}

/** All that ran; throws when that are fewer than were announced. */
function scenariosOf(name, { code, stdout, stderr }) {
  const scenarios = [...stdout.matchAll(/^=== Running scenario: (.+) ===$/gm)].map(([, each]) => each);
  const announced = Number(/\((\d+) scenarios\)/.exec(stdout)?.[1] ?? 0);
  if (announced > 0 && scenarios.length === announced) return scenarios;
  throw new Error(`${name} ended early, with ${code}:\n${stdout.slice(-2000)}\n${stderr}`);
}

/** The files with checks, by scenario: their folders' names end with a time. */
function filesOf(output) {
  const entries = readdirSync(output).map((folder) => [
    folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
    path.join(output, folder, 'checks.json'),
  ]);
  return new Map(entries.filter(([, file]) => existsSync(file)));
}

function resultOf(suite, scenario, file) {
  const checks = JSON.parse(readFileSync(file, 'utf8'));
  const of = (status) => checks.filter((check) => check.status === status);
  const isExpected = ({ id }) => expectedSkips.has(id);
  const skipped = of('SKIPPED');
  const passed = of('SUCCESS').length;
  const skips = skipped.filter(isExpected).map(({ id }) => id);
  const failures = of('FAILURE').map(lineOf);
  const warnings = [...of('WARNING'), ...skipped.filter((check) => !isExpected(check))].map(lineOf);
  const isVoid = passed + skips.length + failures.length + warnings.length === 0;
  return {
    suite,
    scenario,
    passed,
    skips,
    failures,
    warnings: isVoid ? ['Nothing was checked.'] : warnings,
  };
}

function lineOf({ id, status, errorMessage, description }) {
  return `${status.toLowerCase()} ${id}: ${errorMessage ?? description}`;
}
