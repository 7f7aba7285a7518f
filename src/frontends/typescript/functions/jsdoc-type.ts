import type { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';

/** Types without information. */
const VAGUE: ReadonlySet<string> = new Set(['', '*', 'any', 'unknown', 'object', 'array', 'function']);

export function saysType(written: string, type: ts.Type, { checker }: SourceProgram): boolean {
  const word = normalizeType(written.replace(/^\s*(?:\.\.\.|[?!])+|=\s*$/g, ''));
  if (VAGUE.has(word)) return true;
  const words = [type, checker.getNonNullableType(type)].map((each) =>
    normalizeType(checker.typeToString(each)),
  );
  return words.includes(word) || words.includes(`${word}[]`);
}

/** `String|null` and `null | string` become equal. */
function normalizeType(type: string): string {
  const plain = type
    .replaceAll(/\s+/g, '')
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^Array<(\w+)>$/i, '$1[]');
  return plain.toLowerCase().split('|').toSorted().join('|');
}
