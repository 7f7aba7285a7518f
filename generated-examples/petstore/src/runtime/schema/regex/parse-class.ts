/** Character classes and escapes of regular expressions (ECMA-262, section 22.2.1). */
import {
  type CharacterSet,
  classEscapes,
  complement,
  opaqueSet,
  type Range,
  setOf,
} from './character-set.ts';
import { NotKnown } from './not-known.ts';

export interface SetReading {
  set: CharacterSet;
  /** Where the source goes on. */
  end: number;
}

/** One member of a class: a character, which may start a range, or several that may not. */
interface Member {
  ranges: readonly Range[];
  single: boolean;
  end: number;
}

const classText = /\[(?:\\[^]|[^\]\\])*\]/y;
const property = /\\[pP]\{[^}]*\}/y;
const hexadecimal =
  /\\(?:x([0-9a-fA-F]{2})|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/y;
const braced = /\\u\{([0-9a-fA-F]+)\}/y;
const control: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

/** An escape outside a class. */
export function readEscape(source: string, at: number, unicode: boolean): SetReading {
  const known = unicode ? matchAt(property, source, at) : undefined;
  if (known !== undefined) return { set: opaqueSet(known[0]), end: at + known[0].length };
  const { ranges, end } = readMember(source, at, unicode, false);
  return { set: setOf(ranges), end };
}

/** A class with its brackets. One that names properties of Unicode is left to the engine as a whole. */
export function readClass(source: string, at: number, unicode: boolean): SetReading {
  const whole = matchAt(classText, source, at)?.[0];
  if (whole === undefined) throw new NotKnown();
  const end = at + whole.length;
  if (unicode && /(?<!\\)(?:\\\\)*\\[pP]\{/.test(whole)) return { set: opaqueSet(whole), end };
  const negative = whole[1] === '^';
  const ranges = readMembers(source, at + (negative ? 2 : 1), end - 1, unicode);
  return { set: setOf(negative ? complement({ ranges }) : ranges), end };
}

function readMembers(source: string, from: number, end: number, unicode: boolean): Range[] {
  const ranges: Range[] = [];
  for (let at = from; at < end;) {
    const first = readMember(source, at, unicode, true);
    at = first.end;
    const second = source[at] === '-' && at + 1 < end ? readMember(source, at + 1, unicode, true) : undefined;
    if (second === undefined || !first.single || !second.single) ranges.push(...first.ranges);
    else {
      ranges.push([first.ranges[0]?.[0] ?? 0, second.ranges[0]?.[1] ?? 0]);
      at = second.end;
    }
  }
  return ranges;
}

function readMember(source: string, at: number, unicode: boolean, inClass: boolean): Member {
  if (source[at] !== '\\') {
    const code = unicode ? (source.codePointAt(at) ?? 0) : source.charCodeAt(at);
    return one(code, at + (code > 0xffff ? 2 : 1));
  }
  const letter = source.charAt(at + 1);
  const several = Object.hasOwn(classEscapes, letter) ? classEscapes[letter] : undefined;
  if (several !== undefined) return { ranges: several, single: false, end: at + 2 };
  return readCharacterEscape(source, at, unicode, inClass);
}

function readCharacterEscape(source: string, at: number, unicode: boolean, inClass: boolean): Member {
  const long = unicode ? matchAt(braced, source, at) : undefined;
  if (long !== undefined) return one(parseInt(long[1] ?? '', 16), at + long[0].length);
  const code = matchAt(hexadecimal, source, at);
  if (code !== undefined) return hexadecimalMember(code, at, unicode);
  const letter = source.charAt(at + 1);
  if (letter === '0' && /[0-9]/.test(source.charAt(at + 2))) throw new NotKnown();
  const known = Object.hasOwn(control, letter) ? control[letter] : undefined;
  if (known !== undefined) return one(known, at + 2);
  if (inClass && letter === 'b') return one(8, at + 2);
  // Back references, `\cX`, and what only one of the two syntaxes knows.
  if (/[a-zA-Z0-9]/.test(letter) || letter === '') throw new NotKnown();
  const escaped = unicode ? (source.codePointAt(at + 1) ?? 0) : source.charCodeAt(at + 1);
  return one(escaped, at + 1 + (escaped > 0xffff ? 2 : 1));
}

function hexadecimalMember(found: RegExpExecArray, at: number, unicode: boolean): Member {
  const [whole, byte, high, low, unit] = found;
  if (high === undefined || low === undefined)
    return one(parseInt(byte ?? unit ?? '', 16), at + whole.length);
  if (!unicode) return one(parseInt(high, 16), at + 6);
  const codePoint = ((parseInt(high, 16) - 0xd800) << 10) + (parseInt(low, 16) - 0xdc00) + 0x1_0000;
  return one(codePoint, at + whole.length);
}

function one(code: number, end: number): Member {
  return { ranges: [[code, code]], single: true, end };
}

function matchAt(expression: RegExp, source: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(source) ?? undefined;
}
