/**
 * Changes a YAML text where its value changes, so that comments, order and layout of everything else stay. Blocks are found by
 * their indentation; the caller compares what the new text says. The library `yaml` keeps comments, but prints the rest anew: no text
 * of this module's test comes back from it byte for byte.
 */
import { isDeepStrictEqual } from 'node:util';
import { dump } from 'js-yaml';

import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';

type Rec = Record<string, unknown>;

/** Changes the text; `undefined` if its blocks cannot be found, as in JSON. */
export function patchYaml(text: string, before: Rec, after: Rec): string | undefined {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = patchMapping(text.split(/\r?\n/), 0, before, after);
  return lines?.join(end);
}

interface Part {
  /** The comments and blank lines above the part. */
  above: string[];
  lines: string[];
}

const IDLE = /^\s*(?:#|$)/;
const KEY =
  /^ *(?:("(?:[^"\\]|\\.)*")|'((?:[^']|'')*)'|([^\s#'"[\]{}&*!|>%@`,?-][^#]*?|-[^\s:][^#]*?)) *:(?: |$)/;
const ITEM = /^ *-(?: |$)/;

function patchMapping(
  lines: readonly string[],
  indent: number,
  before: Rec,
  after: Rec,
): string[] | undefined {
  const { head, parts, rest } = splitYamlBlock(lines, indent, (line) => !ITEM.test(line) && KEY.test(line));
  const keys = parts.map(({ lines: [first = ''] }) => parseYamlKey(first));
  if (!isDeepStrictEqual(new Set(keys), new Set(Object.keys(before)))) return undefined;
  const patched: string[] = [...head];
  for (const [at, part] of parts.entries()) {
    const key = keys[at] ?? '';
    patched.push(...part.above);
    if (!Object.hasOwn(after, key)) continue;
    const changed = patchYamlMember(part.lines, indent, key, before[key], after[key]);
    if (changed === undefined) return undefined;
    patched.push(...changed);
  }
  const added = Object.entries(after).filter(([key]) => !Object.hasOwn(before, key));
  return [
    ...patched,
    ...added.flatMap((entry) => printYamlLines(Object.fromEntries([entry]), indent)),
    ...rest,
  ];
}

function patchYamlMember(
  lines: readonly string[],
  indent: number,
  key: string,
  before: unknown,
  after: unknown,
): string[] | undefined {
  if (isDeepStrictEqual(before, after)) return [...lines];
  const [first = '', ...below] = lines;
  const inner = below.find((line) => !IDLE.test(line));
  const isBlock = /: *(?:#.*)?$/.test(first) && inner !== undefined;
  const deeper = inner === undefined ? 0 : measureIndent(inner);
  const changed =
    isBlock && isRecord(before) && isRecord(after) && Object.keys(after).length > 0 && deeper > indent
      ? patchMapping(below, deeper, before, after)
      : isBlock && Array.isArray(before) && Array.isArray(after) && after.length > 0 && deeper >= indent
        ? patchYamlList(below, deeper, before, after)
        : undefined;
  return changed === undefined
    ? printYamlLines(Object.fromEntries([[key, after]]), indent)
    : [first, ...changed];
}

function patchYamlList(
  lines: readonly string[],
  indent: number,
  before: readonly unknown[],
  after: readonly unknown[],
): string[] | undefined {
  const { head, parts, rest } = splitYamlBlock(lines, indent, (line) => ITEM.test(line));
  if (parts.length !== before.length) return undefined;
  const patched: string[] = [...head];
  let next = 0;
  for (const [at, part] of parts.entries()) {
    const match = after.findIndex((item, place) => place >= next && isSameItem(before[at], item));
    patched.push(...part.above);
    if (match < 0) continue;
    patched.push(...after.slice(next, match).flatMap((item) => printYamlLines([item], indent)));
    patched.push(...patchYamlItem(part.lines, indent, before[at], after[match]));
    next = match + 1;
  }
  return [...patched, ...after.slice(next).flatMap((item) => printYamlLines([item], indent)), ...rest];
}

/** Actions of an overlay are known by their target. */
function isSameItem(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return isDeepStrictEqual(one, other);
  return one['target'] === other['target'] && Object.hasOwn(one, 'remove') === Object.hasOwn(other, 'remove');
}

function patchYamlItem(lines: readonly string[], indent: number, before: unknown, after: unknown): string[] {
  if (isDeepStrictEqual(before, after)) return [...lines];
  const [first = '', ...below] = lines;
  const inner = first.slice(indent + 1).search(/\S/);
  if (inner > 0 && isRecord(before) && isRecord(after)) {
    const plain = [first.slice(0, indent) + ' ' + first.slice(indent + 1), ...below];
    const [start = '', ...others] = patchMapping(plain, indent + 1 + inner, before, after) ?? [];
    if (start.startsWith(' '.repeat(indent + 2)))
      return [`${start.slice(0, indent)}-${start.slice(indent + 1)}`, ...others];
  }
  return printYamlLines([after], indent);
}

/** Splits a block at the lines of its own indentation that begin a part. */
function splitYamlBlock(
  lines: readonly string[],
  indent: number,
  begins: (line: string) => boolean,
): { head: string[]; parts: Part[]; rest: string[] } {
  const head: string[] = [];
  const parts: Part[] = [];
  let idle: string[] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (IDLE.test(line) && measureIndent(line) <= indent) idle.push(line);
    else if (measureIndent(line) === indent && begins(line)) {
      parts.push({ above: idle, lines: [line] });
      idle = [];
    } else {
      (last?.lines ?? head).push(...idle, line);
      idle = [];
    }
  }
  return { head, parts, rest: idle };
}

function measureIndent(line: string): number {
  const indent = line.search(/\S/);
  return indent < 0 ? 0 : indent;
}

function parseYamlKey(line: string): string {
  const [, double, single, plain = ''] = KEY.exec(line) ?? [];
  if (double !== undefined) return parseQuotedKey(double);
  return single === undefined ? plain : single.replaceAll("''", "'");
}

function parseQuotedKey(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

function printYamlLines(value: object, indent: number): string[] {
  const lines = dump(value, { lineWidth: -1, noRefs: true }).trimEnd().split('\n');
  return lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line));
}
