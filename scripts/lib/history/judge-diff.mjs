/**
 * What two answers to `tools/list` differ in, found without the compiler, and whether `mcpgen diff` names it, and
 * `mcpgen.lock` what would have been renamed.
 */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { read } from './person.mjs';

/** Names of tools, in order. */
export function compareLists(before, after) {
  const now = new Map(after.map((tool) => [tool.name, tool]));
  const old = new Set(before.map(({ name }) => name));
  const both = before.filter(({ name }) => now.has(name));
  const isSame = (tool) => means(tool, now.get(tool.name));
  return {
    lost: before.map(({ name }) => name).filter((name) => !now.has(name)),
    added: after.map(({ name }) => name).filter((name) => !old.has(name)),
    changed: both.filter((tool) => !isSame(tool)).map(({ name }) => name),
    same: both.filter(isSame).map(({ name }) => name),
  };
}

function means(before, after) {
  const { inputSchema: oldInput, outputSchema: oldOutput, ...oldRest } = before;
  const { inputSchema: input, outputSchema: output, ...rest } = after;
  return isDeepStrictEqual(oldRest, rest) && isSameSchema(oldInput, input) && isSameSchema(oldOutput, output);
}

/** Whether two schemas are the same tree once every `$ref` is followed. A pair that is met again on the way is the same. */
function isSameSchema(before, after) {
  const [followOld, followNew] = [follower(before), follower(after)];
  const seen = new Map();
  const same = (one, other) => {
    const [left, right] = [followOld(one), followNew(other)];
    if (!isObject(left) || !isObject(right)) return Object.is(left, right);
    const partners = seen.get(left) ?? new Set();
    if (partners.has(right)) return true;
    seen.set(left, partners.add(right));
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    keys.delete('$defs');
    return (
      Array.isArray(left) === Array.isArray(right) && [...keys].every((key) => same(left[key], right[key]))
    );
  };
  return same(before, after);
}

/** Resolves a schema's `$ref`; returns the same object each time, and siblings of `$ref` win. */
function follower(root) {
  const known = new WeakMap();
  const follow = (schema) => {
    if (!isObject(schema) || typeof schema.$ref !== 'string') return schema;
    if (known.has(schema)) return known.get(schema);
    const { $ref, ...beside } = schema;
    const target = follow(root.$defs[nameOf($ref)]);
    const followed = Object.keys(beside).length === 0 ? target : { ...target, ...beside };
    known.set(schema, followed);
    return followed;
  };
  return follow;
}

/** RFC 6901, in a URI fragment. */
function nameOf(ref) {
  return decodeURIComponent(ref.slice('#/$defs/'.length)).replaceAll('~1', '/').replaceAll('~0', '~');
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** Changes that it tells of. */
export async function judgeDiff({ project, document, lists, folder, told }, faults) {
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
  faults.equal('changed tools that diff does not name', missed, []);
  const invented = lists.same.filter((name) => changed.has(name));
  faults.equal('unchanged tools that diff names', invented, []);
  return { breaking: diff.breaking, compatible: diff.compatible };
}

/**
 * By what does the work, the tools that have another name in a project that starts anew. `diff` of the two documents,
 * which know nothing of each other, has to call them renamed.
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
function renamedTools(before, now) {
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

/** Behind the name the lock has the operationId. */
function namesIn(project) {
  const { names } = JSON.parse(read(project, 'mcpgen.lock'));
  return Object.fromEntries(Object.entries(names).map(([key, text]) => [key, text.split(' ')[0]]));
}
