import { type JsonSyntaxError, findJsonSyntaxError } from '../../../diagnostics/locate/json-syntax.ts';
import { toLineColumn } from '../../../util/text-lines.ts';
import { type LoadFailure, type ParsedText, loadFailure, tooDeepFailure } from './load-failure.ts';
import type { DocumentLimits } from './loaded-document.ts';
import { type DuplicateKey, KeyGatherer } from './text-faults.ts';

type JsonLimits = Pick<DocumentLimits, 'jsonDepth' | 'duplicateKeys'>;

/** Duplicate keys are looked for in texts of up to `duplicateKeys` characters. */
export function parseJson(text: string, source: string, limits: JsonLimits): ParsedText | LoadFailure {
  const parsed = tryParse(text);
  if (parsed === undefined) return syntaxFailure(findJsonSyntaxError(text), text, source);
  if (isDeeper(parsed.value, limits.jsonDepth)) return tooDeepFailure(source, limits.jsonDepth);
  const duplicateKeys = text.length > limits.duplicateKeys ? [] : findDuplicateKeys(text, parsed.value);
  return { value: parsed.value, format: 'json', ...(duplicateKeys.length === 0 ? {} : { duplicateKeys }) };
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function syntaxFailure(error: JsonSyntaxError | undefined, text: string, source: string): LoadFailure {
  const problem = error?.problem ?? 'the engine cannot read it';
  const place = toLineColumn(text, error?.offset ?? 0);
  return loadFailure('invalid-json', { source, problem }, `it is not valid JSON: ${problem}`, {
    kind: 'code',
    file: source,
    ...place,
  });
}

type Container = Record<string, unknown> | unknown[];

function isDeeper(value: unknown, levels: number): boolean {
  return isContainer(value) && holdsDeeper(value, levels - 1);
}

/** Whether a container has more levels inside than allowed; scalars, most of a document, cost no call. */
function holdsDeeper(container: Container, levels: number): boolean {
  if (levels < 0) return true;
  if (Array.isArray(container))
    return container.some((item) => isContainer(item) && holdsDeeper(item, levels - 1));
  for (const name in container) {
    const member = container[name];
    if (isContainer(member) && holdsDeeper(member, levels - 1)) return true;
  }
  return false;
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/**
 * `JSON.parse` ignores repeated keys. Counting the ends of keys is cheap and never counts too few: if the value has
 * as many members, no key was lost.
 */
export function findDuplicateKeys(text: string, value: unknown): DuplicateKey[] {
  return countKeyEnds(text) === countMembers(value) ? [] : gatherDuplicateKeys(text);
}

/** Counts colons after a quote. Each key has one, and so has a string that begins with a colon. */
function countKeyEnds(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let at = colon - 1;
    while (isSpace(text.charCodeAt(at))) at -= 1;
    if (text.charCodeAt(at) === quote && !isEscaped(text, at)) count += 1;
  }
  return count;
}

const quote = 0x22;
const backslash = 0x5c;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

function countMembers(value: unknown): number {
  let count = 0;
  const open: object[] = isContainer(value) ? [value] : [];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const members: unknown[] = Array.isArray(at) ? at : Object.values(at);
    if (members !== at) count += members.length;
    for (const member of members) if (isContainer(member)) open.push(member);
  }
  return count;
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/gs;

function gatherDuplicateKeys(text: string): DuplicateKey[] {
  const gatherer = new KeyGatherer();
  let last = { text: '', offset: 0 };
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === ':') gatherer.addKey(String(JSON.parse(last.text)), last.offset);
    else if (found === '{') gatherer.enterContainer('mapping');
    else if (found === '[') gatherer.enterContainer('list');
    else if (found === '}' || found === ']') gatherer.leaveContainer();
    else last = { text: found, offset: index };
    if (gatherer.isFull) break;
  }
  return gatherer.found;
}
