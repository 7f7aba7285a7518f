/** Prints JSON and TypeScript literals as Prettier would (two spaces, 110 columns), so that Prettier need not load. */
import { displayWidth } from '../diagnostics/render/terminal-text.ts';

const width = 110;

/** Moving a string below a shorter key would gain no room. */
const shortestMovingKey = 5;

interface Notation {
  text: (value: string) => string;
  key: (name: string) => string;
  /** The text after the last member of a broken list. */
  trailing: string;
  /** Whether a string too long for its line moves below its key. */
  moves: boolean;
}

const json: Notation = { text: JSON.stringify, key: JSON.stringify, trailing: '', moves: false };
const code: Notation = { text: quoteString, key: printPropertyKey, trailing: ',', moves: true };

/** Pretty JSON. `indent` is the column of the line the value begins on; `used` the characters before it on that line. */
export function printJson(value: unknown, indent = 0, used = indent): string {
  return printValue(value, json, indent, used);
}

/** Prints one member of an object literal in code, `name: value,`, for a line that begins at `indent`. */
export function printMember(name: string, value: unknown, indent: number): string {
  return `${printMemberLine(name, value, code, indent, 1)},`;
}

/** @param used columns of its line beside the value: those of the text before it, and of the comma after it */
function printValue(value: unknown, notation: Notation, indent: number, used: number): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + 2;
  const commaAfter = (index: number, items: unknown[]): number =>
    index === items.length - 1 && notation.trailing === '' ? 0 : 1;
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      printValue(item, notation, inner, inner + commaAfter(index, value)),
    );
    const line = `[${items.join(', ')}]`;
    const isFlat = !line.includes('\n') && used + displayWidth(line) <= width;
    return isFlat ? line : printOnLines('[', items, ']', notation, indent);
  }
  const present = Object.entries(value).filter(([, item]) => item !== undefined);
  const members = present.map(([name, item], index) =>
    printMemberLine(name, item, notation, inner, commaAfter(index, present)),
  );
  return members.length === 0 ? '{}' : printOnLines('{', members, '}', notation, indent);
}

function printMemberLine(
  name: string,
  value: unknown,
  notation: Notation,
  indent: number,
  comma: number,
): string {
  const key = notation.key(name);
  const used = indent + key.length + ': '.length + comma;
  const text = printValue(value, notation, indent, used);
  const moves = notation.moves && typeof value === 'string' && key.length >= shortestMovingKey;
  return moves && used + displayWidth(text) > width
    ? `${key}:\n${' '.repeat(indent + 2)}${text}`
    : `${key}: ${text}`;
}

function printOnLines(
  open: string,
  items: string[],
  close: string,
  notation: Notation,
  indent: number,
): string {
  const inner = ' '.repeat(indent + 2);
  return `${open}\n${inner}${items.join(`,\n${inner}`)}${notation.trailing}\n${' '.repeat(indent)}${close}`;
}

/** Matches texts that need no escapes between quotes. */
const plain = /^[\w .:/-]*$/;
const identifier = /^[A-Za-z_$][\w$]*$/;

/** A string literal in the quotes Prettier prefers: single, unless the text has more of those than of double ones. */
export function quoteString(text: string): string {
  if (plain.test(text)) return `'${text}'`;
  const escaped = escapeUnprintable(JSON.stringify(text).slice(1, -1));
  const singles = text.split("'").length;
  const doubles = text.split('"').length;
  return singles > doubles ? `"${escaped}"` : `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Prints an object or interface key: bare where the grammar allows it, quoted everywhere else. */
export function printPropertyKey(name: string): string {
  return identifier.test(name) ? name : quoteString(name);
}

/** Escapes what JSON leaves alone and an editor or an older parser may take for a line break or hide. */
export function escapeUnprintable(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
