/** Runs one suite and reads what it found from the files that it writes, one folder a scenario. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { run } from '../lib/run.mjs';
import { judge } from './judge.mjs';
import { nodeForTools, programOf } from './tools.mjs';

/**
 * @param {import('./suites.mjs').Suite} suite
 * @param {string} url
 * @param {string} folder where the suite may write
 * @param {string | undefined} scenario only this one
 * @returns {Promise<({ suite: string, scenario: string } & import('./judge.mjs').Verdict)[]>} in the order of the run
 */
export async function runSuite({ name, tool, args, argsOfOne }, url, folder, scenario) {
  const output = path.join(folder, name);
  mkdirSync(output, { recursive: true });
  const chosen = scenario === undefined ? args : [...argsOfOne, '--scenario', scenario];
  const program = [programOf(tool), 'server', '--url', url, '-o', output, ...chosen];
  const ended = await run(nodeForTools(), program, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } });
  const files = filesOf(output);
  return (scenario === undefined ? scenariosOf(name, ended) : [scenario]).map((each) => {
    const file = files.get(each);
    const checks = file === undefined ? brokenOff(each, ended) : JSON.parse(readFileSync(file, 'utf8'));
    return { suite: name, scenario: each, ...judge(checks) };
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

/** A scenario that threw leaves no file. */
function brokenOff(scenario, { stderr }) {
  const words = stderr.split('\n').find((line) => line.includes(scenario)) ?? 'It left no results.';
  return [{ id: scenario, status: 'FAILURE', errorMessage: words }];
}
