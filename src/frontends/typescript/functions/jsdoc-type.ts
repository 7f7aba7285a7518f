/** Types as JSDoc writes them, beside those of TypeScript. */
import type { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';

/** These say no more than any type does. */
const VAGUE: ReadonlySet<string> = new Set(['', '*', 'any', 'unknown', 'object', 'array', 'function']);

/** Whether what is written is the type, or says nothing that it doesn't. */
export function saysType(written: string, type: ts.Type, { checker }: SourceProgram): boolean {
  const word = normalizeType(written.replace(/^\s*(?:\.\.\.|[?!])+|=\s*$/g, ''));
  if (VAGUE.has(word)) return true;
  const words = [type, checker.getNonNullableType(type)].map((each) =>
    normalizeType(checker.typeToString(each)),
  );
  return words.includes(word) || words.includes(`${word}[]`);
}

/** One for each way to write it: `String|null` and `null | string`. */
function normalizeType(type: string): string {
  const plain = type
    .replaceAll(/\s+/g, '')
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^Array<(\w+)>$/i, '$1[]');
  return plain.toLowerCase().split('|').toSorted().join('|');
}
