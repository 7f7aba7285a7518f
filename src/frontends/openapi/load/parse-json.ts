import { findJsonSyntaxError } from '../../../diagnostics/locate/json-syntax.ts';
import { tryParseJson } from '../../../util/try-parse-json.ts';
import { type LoadFailure, type ParsedText, syntaxFailure, tooDeepFailure } from './load-failure.ts';
import type { DocumentLimits } from './loaded-document.ts';
import type { DuplicateKey } from './text-faults.ts';

export function parseJson(
  text: string,
  source: string,
  limits: Pick<DocumentLimits, 'jsonDepth'>,
): ParsedText | LoadFailure {
  const value = tryParseJson(text);
  if (value === undefined) {
    const { problem = 'the engine cannot read it', offset } = findJsonSyntaxError(text) ?? {};
    return syntaxFailure({ source, format: 'JSON', problem }, text, offset);
  }
  if (isContainer(value) && holdsDeeper(value, limits.jsonDepth - 1))
    return tooDeepFailure(source, limits.jsonDepth);
  const duplicateKeys = findDuplicateKeys(text);
  return { value, format: 'json', ...(duplicateKeys.length === 0 ? {} : { duplicateKeys }) };
}

type Container = Record<string, unknown> | unknown[];

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

/** Most duplicate keys that are reported of one document: if there are more, they have one cause. */
const mostDuplicateKeys = 20;

/** `JSON.parse` ignores repeated keys. `text`: valid JSON. Character codes and `indexOf` take a third of the time of an expression. */
export function findDuplicateKeys(text: string): DuplicateKey[] {
  const duplicates: DuplicateKey[] = [];
  /** The keys of each open object with their offsets; of lists none. */
  const open: (Map<string, number> | undefined)[] = [];
  let last = { offset: 0, end: 0 };
  for (let offset = 0; offset < text.length; offset++) {
    const character = text.charCodeAt(offset);
    if (character === QUOTE) {
      last = { offset, end: findStringEnd(text, offset) };
      offset = last.end;
    } else if (character === OPEN_BRACE) open.push(new Map());
    else if (character === OPEN_BRACKET) open.push(undefined);
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) open.pop();
    else if (character === COLON) {
      const literal = text.slice(last.offset + 1, last.end);
      const key = literal.includes('\\') ? String(JSON.parse(`"${literal}"`)) : literal;
      const keys = open.at(-1);
      const first = keys?.get(key);
      if (first === undefined) keys?.set(key, last.offset);
      else if (duplicates.push({ key, offset: last.offset, first }) === mostDuplicateKeys) break;
    }
  }
  return duplicates;
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The offset of the quote that ends the string that begins at `start`. */
function findStringEnd(text: string, start: number): number {
  let end = start;
  let backslashes: number;
  do {
    end = text.indexOf('"', end + 1);
    backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
  } while (backslashes % 2 === 1);
  return end;
}
