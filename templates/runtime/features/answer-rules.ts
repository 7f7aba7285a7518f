// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Which members of an answer tools return: `output` of the configuration, and the argument `fields`. Lists are transparent. */
import type { PrepareAnswer } from '../call-api.ts';
import type { Feature } from '../feature.ts';
import { isRecord, ownMember } from '../json-rpc.ts';
import { type Json, type JsonObject, ToolError } from '../types.ts';
import { nearest } from '../validate.ts';

/** Members by name. `true`: with all that is below. */
export type MemberNames = true | { [name: string]: MemberNames };

declare module '../types.ts' {
  interface AnswerBinding {
    /** Members of a JSON answer that tools return. Default: all. */
    select?: MemberNames;
    drop?: MemberNames;
    /** The argument that names members, and those that answers have. `wrapped`: `result` may stand in front. */
    fields?: { argument: string; names: MemberNames; wrapped?: boolean };
  }
}

export function answerRules(): Feature {
  return { name: 'answer-rules', parts: { rules: { members: prepare } } };
}

/** @throws {ToolError} for a name that no answer has */
const prepare: PrepareAnswer = ({ result = {} }, args) => {
  const { select, drop, fields } = result;
  const asked = fields && ownMember(args, fields.argument);
  const names =
    fields && Array.isArray(asked) && asked.length > 0 ? readFields(asked.map(String), fields) : true;
  if (select === undefined && drop === undefined && names === true) return undefined;
  return (answer) => {
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (answer.body.kind !== 'json' || !isSuccess) return answer;
    const members = pickAndDropMembers(answer.body.value, { select, drop });
    const value = keepMembers(members, names, false);
    return { ...answer, body: { kind: 'json', value } };
  };
};

export function pickAndDropMembers(
  value: Json,
  { select = true, drop }: { select?: MemberNames | undefined; drop?: MemberNames | undefined },
): Json {
  const selection = keepMembers(value, select, false);
  return drop === undefined ? selection : keepMembers(selection, drop, true);
}

/** Keeps the named members, or drops them. A text or number in the place of an object stays. */
export function keepMembers(value: Json, names: MemberNames, isDropped: boolean): Json {
  if (names === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => keepMembers(item, names, isDropped));
  const entries = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const below = ownMember(names, name);
    if (member === undefined || below === (isDropped ? true : undefined)) return [];
    return [[name, below === undefined ? member : keepMembers(member, below, isDropped)]];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function readFields(
  given: string[],
  { argument, names: known, wrapped = false }: { argument: string; names: MemberNames; wrapped?: boolean },
): MemberNames {
  const isAround = wrapped && (known === true || ownMember(known, 'result') === undefined);
  const paths = isAround ? given.map((path) => path.replace(/^result\./, '')) : given;
  if (isAround && paths.includes('result')) return true;
  const unknown = findUnknownPaths(paths, known);
  if (unknown.length === 0) return parseMemberPaths(paths);
  const faults = unknown.slice(0, 20).map(({ path, near }) => {
    const hint = near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
    return `The answer has no member ${JSON.stringify(path)}.${hint}`;
  });
  const names = Object.keys(known).map((name) => joinPath([name]));
  const more = names.length > 20 ? ` and ${names.length - 20} more` : '';
  throw new ToolError(
    `${faults.join(' ')} Nothing was sent. \`${argument}\` takes: ${names.slice(0, 20).join(', ')}${more}.`,
  );
}

// Paths: `items.id` is the `id` of each item; a dot of a name itself is written `\.`.

function splitPath(path: string): string[] {
  return path.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'));
}

function joinPath(segments: readonly string[]): string {
  return segments.map((segment) => segment.replaceAll('.', '\\.')).join('.');
}

export function parseMemberPaths(paths: readonly string[]): Record<string, MemberNames> {
  const names: Record<string, MemberNames> = {};
  for (const path of paths) {
    const segments = splitPath(path);
    let at = names;
    for (const [index, segment] of segments.entries()) {
      const below = ownMember(at, segment);
      // The whole member was named.
      if (below === true) break;
      const value = index === segments.length - 1 ? true : (below ?? {});
      Object.defineProperty(at, segment, { value, enumerable: true, configurable: true, writable: true });
      if (value === true) break;
      at = value;
    }
  }
  return names;
}

/** Those that lead to no member, each with the nearest that exists. */
export function findUnknownPaths(paths: readonly string[], known: MemberNames) {
  return paths.flatMap((path) => {
    let at: MemberNames | undefined = known;
    for (const segment of splitPath(path)) {
      if (at === true) return [];
      at = ownMember(at, segment);
      if (at === undefined) return [{ path, near: findNearest(path, known) }];
    }
    return [];
  });
}

/** At the same depth, else with the same end (`owner.login` for `login`), else any. */
function findNearest(path: string, known: MemberNames): string | undefined {
  const listPaths = (names: MemberNames, above: string[]): string[][] =>
    isRecord(names)
      ? Object.entries(names).flatMap(([name, below]) => [
          [...above, name],
          ...listPaths(below, [...above, name]),
        ])
      : [];
  const segments = splitPath(path);
  const all = listPaths(known, []);
  const level = all.filter(({ length }) => length === segments.length).map(joinPath);
  const sameEnd = all.find((one) => one.at(-1) === segments.at(-1));
  return nearest(path, level) ?? (sameEnd && joinPath(sameEnd)) ?? nearest(path, all.map(joinPath));
}
