/** The official suites, pinned: each is run, and what it found is read from the files that it writes, one folder a scenario. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { withMount } from '../lib/mounts.mjs';
import { inRepository } from '../lib/repository.mjs';
import { mcpgenOrThrow, run } from '../lib/run.mjs';
import { start } from '../lib/start.mjs';
import { Tools } from '../lib/tools.mjs';

const tools = new Tools('test/conformance');

export const installTools = () => tools.install();

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

/** `folder`: where the suite may write; `scenario`: only this one; returns in the order of the run. */
export async function runSuite({ name, tool, args, argsOfOne }, url, folder, scenario) {
  const output = path.join(folder, name);
  mkdirSync(output, { recursive: true });
  const chosen = scenario === undefined ? args : [...argsOfOne, '--scenario', scenario];
  const program = [tools.path(tool, 'dist/index.js'), 'server', '--url', url, '-o', output, ...chosen];
  const ended = await run(tools.node(22), program, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } });
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

/** The result of one scenario's checks. */
function judge(checks) {
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

/** Compiles it into a folder. Returns the module to run. */
export async function compileEverything(folder) {
  const project = path.join(folder, 'everything');
  const args = ['ts', 'src/*.ts', '-o', project, '--feature', 'fetch'];
  await mcpgenOrThrow(args, { cwd: inRepository('fixtures/everything') });
  return path.join(project, 'dist/main.js');
}

/** Runs `work` with the server's URL, and ends the server afterwards. `mount`: the program of docs/fetch.md that serves instead. */
export async function withServer(main, work, mount) {
  if (mount !== undefined)
    return withMount(mount, path.resolve(main, '../..'), { MCP_RATE_LIMIT: 'off' }, work);
  const args = [main, '--transport', 'http', '--port', '0', '--rate-limit', 'off'];
  const { url, close } = await start({ command: process.execPath, args, ready: /(http:\/\/\S+\/mcp)/ });
  try {
    return await work(url);
  } finally {
    await close();
  }
}
