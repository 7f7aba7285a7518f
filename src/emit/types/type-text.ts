/** Spells types of TypeScript. */
import type { Json } from '../../../templates/runtime/contract/json-schema.ts';
import { quote } from '../quote.ts';

export interface TypeText {
  text: string;
  /** It is no union and no intersection, so that it needs no parentheses. */
  isOne: boolean;
}

/** What a type is where nothing narrower is known. */
export const unknown = one('unknown');

/** Columns of a union on one line; each member of a wider one has a line of its own. */
const ROOM = 90;

export function one(text: string): TypeText {
  return { text, isOne: true };
}

/** One of several; anything at all where one of them may be. */
export function unionOf(types: readonly TypeText[], indent: string): TypeText {
  const [first = unknown] = types;
  if (types.length < 2) return first;
  const texts = [
    ...new Set(types.map(({ text, isOne }) => (isOne || !text.includes('&') ? text : `(${text})`))),
  ];
  if (texts.includes('unknown')) return unknown;
  return joined(texts, indent);
}

function joined(texts: readonly string[], indent: string): TypeText {
  const line = texts.join(' | ');
  const isWide = line.length > ROOM && !line.includes('\n');
  return { text: isWide ? texts.join(`\n${indent}  | `) : line, isOne: texts.length === 1 };
}

/** All at once. */
export function intersectionOf(types: readonly TypeText[]): TypeText {
  const telling = types.filter((type) => type.text !== 'unknown');
  if (telling.length < 2) return telling[0] ?? unknown;
  const texts = [...new Set(telling.map(inParentheses))];
  return { text: texts.join(' & '), isOne: texts.length === 1 };
}

export function listOf(item: TypeText): TypeText {
  return one(`${inParentheses(item)}[]`);
}

/** Undefined where a value is no literal of TypeScript. */
export function literalsOf(values: readonly Json[], indent: string): TypeText | undefined {
  const texts: string[] = [];
  for (const value of values) {
    if (typeof value === 'object' && value !== null) return undefined;
    texts.push(typeof value === 'string' ? quote(value) : String(value));
  }
  return texts.length === 0 ? undefined : joined(texts, indent);
}

function inParentheses({ text, isOne }: TypeText): string {
  return isOne ? text : `(${text})`;
}
