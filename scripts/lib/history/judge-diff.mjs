/** Whether `mcpgen diff` names what two lists differ in, and `mcpgen.lock` what would have been renamed. */
import path from 'node:path';

import { read } from './person.mjs';

/**
 * @param {{ project: string, document: string, lists: object, alike: string[], folder: string, told: Function }} scene
 * @param {import('./faults.mjs').Faults} faults
 * @returns {Promise<{ breaking: number, compatible: number }>} changes that it tells of
 */
export async function judgeDiff({ project, document, lists, alike, folder, told }, faults) {
  const { code, told: diff } = await told(['diff', path.basename(project), document], folder);
  faults.equal('exit code of diff', code, 0);
  const tools = diff.changes.filter(({ item }) => item === 'tool');
  const named = (kind) => tools.filter((change) => change.kind === kind).map(({ name }) => name);
  faults.equal('tools that diff calls removed', named('removed').toSorted(), lists.lost.toSorted());
  faults.equal('tools that diff calls added', named('added').toSorted(), lists.added.toSorted());
  const changed = new Set(
    tools.filter(({ kind }) => kind !== 'removed' && kind !== 'added').map(({ name }) => name),
  );
  const missed = lists.changed.filter((name) => !changed.has(name));
  faults.equal('changed tools that diff does not name', missed, alike);
  const invented = lists.same.filter((name) => changed.has(name));
  faults.equal('unchanged tools that diff names', invented, []);
  return { breaking: diff.breaking, compatible: diff.compatible };
}

/**
 * By what does the work, the tools that have another name in a project that starts anew. `diff` of the two documents,
 * which know nothing of each other, has to call them renamed.
 * @param {{ before: string, after: string, project: string, folder: string, told: Function }} scene
 * @param {import('./faults.mjs').Faults} faults
 * @returns {Promise<number>}
 */
export async function judgeNames({ before, after, project, folder, told }, faults) {
  const anew = path.join(folder, 'anew');
  await told(['openapi', after, '-o', 'anew'], folder);
  const renamed = renamedTools(namesIn(project), namesIn(anew));
  const { told: diff } = await told(['diff', before, after], folder);
  const said = diff.changes
    .filter(({ item, kind }) => item === 'tool' && kind === 'renamed')
    .map(({ name, was }) => `${was} ${name}`);
  faults.equal('tools that diff calls renamed', said.toSorted(), renamed.toSorted());
  return renamed.length;
}

/** Paths that differ in the names of their variables alone are the same, where there is one on either side. */
export function renamedTools(before, now) {
  const alike = (names, others, key) =>
    Object.keys(names).filter((each) => !Object.hasOwn(others, each) && shapeOf(each) === shapeOf(key));
  return Object.entries(before).flatMap(([key, was]) => {
    const [born, another] = alike(now, before, key);
    const isAlone = another === undefined && alike(before, now, key).length === 1;
    const today = Object.hasOwn(now, key) ? key : isAlone ? born : undefined;
    return today === undefined || now[today] === was ? [] : [`${was} ${now[today]}`];
  });
}

function shapeOf(key) {
  return key.replace(/\{[^{}]*\}/g, '{}');
}

function namesIn(project) {
  return JSON.parse(read(project, 'mcpgen.lock')).names;
}
