/**
 * Prints literals the way Prettier would (two spaces, 110 columns), so that Prettier itself is not needed:
 * objects always expanded, arrays of scalars on one line when they fit. As JSON, or as TypeScript.
 */
import { identifierOrString, quote } from './quote.ts';
import { textWidth } from './text-width.ts';

const width = 110;

/** Below a shorter key a moved string would win nothing. */
const shortestMovingKey = 5;

interface Notation {
  text: (value: string) => string;
  key: (name: string) => string;
  /** What follows the last member of a broken list. */
  trailing: string;
  /** Whether a string too long for its line moves below its key. */
  moves: boolean;
}

const json: Notation = { text: JSON.stringify, key: JSON.stringify, trailing: '', moves: false };
const code: Notation = { text: quote, key: identifierOrString, trailing: ',', moves: true };

/** Pretty JSON. `indent` is the column of the line the value begins on; `used` what stands before it on that line. */
export function printJson(value: unknown, indent = 0, used = indent): string {
  return print(value, json, indent, used);
}

/** One member of an object literal in code, `name: value,`, for a line that begins at `indent`. */
export function printMember(name: string, value: unknown, indent: number): string {
  return `${member(name, value, code, indent)},`;
}

function print(value: unknown, notation: Notation, indent: number, used: number): string {
  if (Array.isArray(value)) return printArray(value, notation, indent, used);
  if (typeof value === 'object' && value !== null) return printObject(value, notation, indent);
  return typeof value === 'string' ? notation.text(value) : JSON.stringify(value);
}

function printObject(value: object, notation: Notation, indent: number): string {
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => member(name, item, notation, indent + 2));
  return members.length === 0 ? '{}' : broken('{', members, '}', notation, indent);
}

function member(name: string, value: unknown, notation: Notation, indent: number): string {
  const key = notation.key(name);
  const before = indent + key.length + ': '.length;
  const text = print(value, notation, indent, before);
  const moves = notation.moves && typeof value === 'string' && key.length >= shortestMovingKey;
  // One more column for the comma.
  return moves && before + textWidth(text) + 1 > width
    ? `${key}:\n${' '.repeat(indent + 2)}${text}`
    : `${key}: ${text}`;
}

function printArray(items: unknown[], notation: Notation, indent: number, used: number): string {
  const texts = items.map((item) => print(item, notation, indent + 2, indent + 2));
  const line = `[${texts.join(', ')}]`;
  const flat = !line.includes('\n') && used + textWidth(line) + 1 <= width;
  return flat ? line : broken('[', texts, ']', notation, indent);
}

function broken(open: string, items: string[], close: string, notation: Notation, indent: number): string {
  const inner = ' '.repeat(indent + 2);
  return `${open}\n${inner}${items.join(`,\n${inner}`)}${notation.trailing}\n${' '.repeat(indent)}${close}`;
}
