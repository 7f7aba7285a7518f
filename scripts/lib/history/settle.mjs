/** The two ways to go on with generated files that were edited, each tried on a copy of the project. */
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';

import { Faults } from './faults.mjs';
import { edits, extraTool, ownAnswer, read, withOwnKeys } from './person.mjs';
import { askServer, build, runTests } from './prove.mjs';
import { differing, filesOf } from './snapshot.mjs';

const edited = Object.keys(edits);

/** Expected text of an edited file, from the person's text and the one generated now, and of its `.orig`. */
const outcomes = {
  '--keep': (mine) => ({ text: mine }),
  '--force': (mine, fresh) => ({ text: fresh, saved: mine }),
};

export const ways = Object.keys(outcomes);

/**
 * @typedef {object} Scene
 * @property {string} project the edited one, with its configuration naming the new document
 * @property {string} fresh one whose package.json alone was edited, generated from the new document
 * @property {string} overridden a tool that the handlers replace
 * @property {(project: string, ...flags: string[]) => Promise<{ code: number, told: object }>} generate
 * @property {(project: string) => Promise<{ code: number }>} check
 */

/**
 * @param {Scene} scene
 * @param {string} way
 * @param {boolean} builds whether it is type-checked and built, beside being tested as it was written
 * @returns {Promise<{ faults: string[], tests: number }>}
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
