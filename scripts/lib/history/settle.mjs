/** What is made of a project by the two ways to go on with generated files that were edited, each tried on a copy. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { linkPackages } from '../link-packages.mjs';
import { run } from '../run.mjs';
import { openSession } from '../wire/project.mjs';
import { edits, extraTool, ownAnswer, read, withOwnKeys } from './person.mjs';

/** Faults of a run. */
export class Faults {
  found = [];

  /** `wanted`: compared as JSON. */
  equal(what, got, wanted) {
    const [left, right] = [brief(got), brief(wanted)];
    if (JSON.stringify(got) !== JSON.stringify(wanted)) this.found.push(`${what}: ${left}, and not ${right}`);
  }

  holds(what, holds) {
    if (!holds) this.found.push(what);
  }
}

function brief(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 400 ? `${text.slice(0, 400)} …` : text;
}

const edited = Object.keys(edits);

/** Expected text of an edited file, from the person's text and the one generated now, and of its `.orig`. */
const outcomes = {
  '--keep': (mine) => ({ text: mine }),
  '--force': (mine, fresh) => ({ text: fresh, saved: mine }),
};

export const ways = Object.keys(outcomes);

/**
 * `project` is the edited one, `fresh` one whose package.json alone was edited, `overridden` a tool that the handlers
 * replace. `builds`: whether it is type-checked and built, beside being tested as it was written.
 */
export async function settle({ project, fresh, overridden, generate, check }, way, builds) {
  const faults = new Faults();
  const copy = `${project}${way}`;
  cpSync(project, copy, { recursive: true });
  const mine = filesOf(copy);
  const { code } = await generate(copy, way);
  faults.equal('exit code', code, 0);
  const now = filesOf(copy);
  for (const file of edited) judgeEdited(file, way, { mine, now, fresh }, faults);
  judgeRest({ mine, now, fresh, freshFiles: filesOf(fresh), way }, faults);
  const again = await generate(copy);
  faults.equal('exit code of a second run', again.code, 0);
  faults.equal('changed by a second run', differing(now, filesOf(copy)), []);
  faults.equal('exit code of check', (await check(copy)).code, 0);
  const served = await askServer(copy, [overridden]);
  faults.equal(`answer of ${overridden}`, served.answers, [ownAnswer]);
  faults.holds(
    `${extraTool} is not listed`,
    served.tools.some(({ name }) => name === extraTool),
  );
  if (builds) await build(copy, faults);
  const tests = await runTests(copy, faults);
  rmSync(copy, { recursive: true });
  return { faults: faults.found.map((fault) => `${way}: ${fault}`), tests };
}

function judgeEdited(file, way, { mine, now, fresh }, faults) {
  const { text, saved } = outcomes[way](mine.get(file), read(fresh, file));
  faults.holds(`${file} is not as it has to be`, now.get(file) === text);
  faults.equal(`${file}.orig`, now.get(`${file}.orig`), saved);
}

/** Files that stay, and those that equal a project with only package.json edited. `dist/` follows, and the build proves that it does. */
function judgeRest({ mine, now, fresh, freshFiles, way }, faults) {
  const ours = [...mine.keys()].filter(
    (file) => file.startsWith('src/handlers/') || file === 'notes.md' || file === 'mcpgen.config.json',
  );
  for (const file of ours) faults.holds(`${file} was changed`, now.get(file) === mine.get(file));
  const manifest = withOwnKeys(JSON.parse(read(fresh, 'package.json')));
  faults.equal('package.json', sorted(JSON.parse(now.get('package.json'))), sorted(manifest));
  const settled = new Set([...ours, ...edited, 'package.json', 'mcpgen.lock']);
  // A kept `src/server.ts` imports modules that the new document alone would not need.
  const isImported = (file) => file.startsWith('src/runtime/') && now.get(file) === mine.get(file);
  const rest = differing(now, freshFiles).filter(
    (file) =>
      !settled.has(file) &&
      !file.endsWith('.orig') &&
      !file.startsWith(`dist${path.posix.sep}`) &&
      !(way === '--keep' && isImported(file)),
  );
  faults.equal('files that are neither generated nor kept', rest, []);
}

/** In the order of the keys' names. */
function sorted(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

/** Not of the project, or made of it. */
const others = /^(?:\.git|node_modules)(?:\/|$)/;

/** Text by path, below `folder`. */
export function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  return new Map(
    paths
      .filter((name) => !others.test(name))
      .toSorted()
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );
}

/** Paths of files that are not the same in both. */
export function differing(before, after) {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}

/** `npm run build`, which type-checks it, with this repository's TypeScript. */
async function build(project, faults) {
  if (!existsSync(path.join(project, 'node_modules'))) linkPackages(project);
  const built = await run('npm', ['run', 'build'], { cwd: project });
  faults.equal(`npm run build: ${lastWords(built)}`, built.code, 0);
}

/** `npm test` in it. Returns tests that passed. */
async function runTests(project, faults) {
  const tested = await run('npm', ['test'], { cwd: project });
  faults.equal(`npm test: ${lastWords(tested)}`, tested.code, 0);
  const count = (what) => Number(new RegExp(`^\\W*${what} (\\d+)$`, 'm').exec(tested.stdout)?.[1] ?? NaN);
  faults.holds('no test of the project ran', count('pass') > 0);
  return count('pass');
}

function lastWords({ stdout, stderr }) {
  return `${stdout}\n${stderr}`.trim().slice(-600);
}

/** A server's list over stdio, and its answers to some calls. `calls`: names of tools that need no arguments. */
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
