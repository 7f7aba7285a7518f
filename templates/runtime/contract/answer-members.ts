// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Members of an answer that are kept, by dotted names. Lists are transparent: `items.id` is the `id` of each item. */
import type { MemberNames, ResultBinding } from './bindings.ts';
import { suggestNearest } from './feature.ts';
import type { Json, JsonObject } from './json-schema.ts';
import { getOwnMember, setOwnMember } from './json-value.ts';

/** A dot of a member's own name is written `\.`. */
export function parseMemberPaths(paths: readonly string[]): Record<string, MemberNames> {
  const names: Record<string, MemberNames> = {};
  for (const path of paths) {
    const segments = splitMemberPath(path);
    let at = names;
    for (const [index, segment] of segments.entries()) {
      const known = getOwnMember(at, segment);
      // The whole member was named.
      if (known === true) break;
      const next = index === segments.length - 1 ? true : (known ?? {});
      setOwnMember(at, segment, next);
      if (next === true) break;
      at = next;
    }
  }
  return names;
}

function splitMemberPath(path: string): string[] {
  return path.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'));
}

/** Text and other scalars in the place of an object stay. */
export function pickMembers(value: Json, names: MemberNames): Json {
  return mapObjects(value, names, (object, wanted) => {
    const picked: JsonObject = {};
    for (const name of Object.keys(object)) {
      const below = getOwnMember(wanted, name);
      const own = object[name];
      if (below !== undefined && own !== undefined) setOwnMember(picked, name, pickMembers(own, below));
    }
    return picked;
  });
}

export function dropMembers(value: Json, names: MemberNames): Json {
  return mapObjects(value, names, (object, dropped) => {
    const left: JsonObject = {};
    for (const name of Object.keys(object)) {
      const below = getOwnMember(dropped, name);
      const own = object[name];
      if (below === true || own === undefined) continue;
      setOwnMember(left, name, below === undefined ? own : dropMembers(own, below));
    }
    return left;
  });
}

function mapObjects(
  value: Json,
  names: MemberNames,
  change: (object: JsonObject, names: Record<string, MemberNames>) => JsonObject,
): Json {
  if (names === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, names, change));
  return change(value, names);
}

export function pickAndDropMembers(
  value: Json,
  { select, drop }: Pick<ResultBinding, 'select' | 'drop'>,
): Json {
  const selected = select === undefined ? value : pickMembers(value, select);
  return drop === undefined ? selected : dropMembers(selected, drop);
}

export interface UnknownMember {
  path: string;
  near: string | undefined;
}

/** Finds the paths that lead to no known member. */
export function findUnknownPaths(paths: readonly string[], known: MemberNames): UnknownMember[] {
  return paths.flatMap((path) => {
    const segments = splitMemberPath(path);
    let at: MemberNames | undefined = known;
    for (const segment of segments) {
      if (at === true) return [];
      at = getOwnMember(at, segment);
      if (at === undefined) return [{ path, near: findNearestPath(path, segments, known) }];
    }
    return [];
  });
}

/** The nearest at the same depth, else a name with the same end (`owner.login` for `login`), else any. */
function findNearestPath(path: string, segments: readonly string[], known: MemberNames): string | undefined {
  const names = listMemberPaths(known);
  const level = names.filter((name) => splitMemberPath(name).length === segments.length);
  const end = `.${joinMemberPath(segments.slice(-1))}`;
  return (
    suggestNearest(path, level) ??
    names.find((name) => `.${name}`.endsWith(end)) ??
    suggestNearest(path, names)
  );
}

function joinMemberPath(segments: readonly string[]): string {
  return segments.map((segment) => segment.replaceAll('.', '\\.')).join('.');
}

function listMemberPaths(names: MemberNames, above: readonly string[] = []): string[] {
  if (names === true) return [];
  return Object.entries(names).flatMap(([name, below]) => {
    const path = [...above, name];
    return [joinMemberPath(path), ...listMemberPaths(below, path)];
  });
}

const MOST_NAMES = 20;

/** @returns the words of a refusal, or how an answer is cut */
export function createMemberSelection(
  { fields, ...kept }: ResultBinding,
  args: Record<string, unknown>,
): string | ((value: Json) => Json) {
  const selectKeptMembers = (value: Json): Json => pickAndDropMembers(value, kept);
  const asked = fields && getOwnMember(args, fields.argument);
  if (fields === undefined || !Array.isArray(asked) || asked.length === 0) return selectKeptMembers;
  const { argument, names: known, wrapped } = fields;
  const isAround = wrapped === true && (known === true || getOwnMember(known, 'result') === undefined);
  const paths = asked.map((path) => (isAround ? String(path).replace(/^result\./, '') : String(path)));
  if (isAround && paths.includes('result')) return selectKeptMembers;
  const unknown = findUnknownPaths(paths, known);
  if (unknown.length > 0) return describeUnknownMembers(argument, unknown, known);
  const names = parseMemberPaths(paths);
  return (value) => pickMembers(selectKeptMembers(value), names);
}

function describeUnknownMembers(
  argument: string,
  unknown: readonly UnknownMember[],
  known: MemberNames,
): string {
  const words = unknown.slice(0, MOST_NAMES).map(({ path, near }) => {
    const hint = near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
    return `The answer has no member ${JSON.stringify(path)}.${hint}`;
  });
  const names = known === true ? [] : Object.keys(known).map((name) => joinMemberPath([name]));
  const others = names.length - MOST_NAMES;
  const more = others > 0 ? ` and ${others} more` : '';
  return `${words.join(' ')} Nothing was sent. \`${argument}\` takes: ${names.slice(0, MOST_NAMES).join(', ')}${more}.`;
}
