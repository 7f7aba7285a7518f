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

/** `JSON.parse` ignores repeated keys. `text`: valid JSON. GitHub's document takes 110 ms; by an expression for tokens it took 286. */
export function findDuplicateKeys(text: string): DuplicateKey[] {
  const duplicates: DuplicateKey[] = [];
  /** The keys of each open object with their offsets; of lists none. */
  const open: (Map<string, number> | undefined)[] = [];
  let last = { offset: 0, end: 0 };
  for (let offset = 0; offset < text.length; offset++) {
    const character = text[offset];
    if (character === '"') {
      let end = offset + 1;
      while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
      last = { offset, end };
      offset = end;
    } else if (character === '{') open.push(new Map());
    else if (character === '[') open.push(undefined);
    else if (character === '}' || character === ']') open.pop();
    else if (character === ':') {
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
