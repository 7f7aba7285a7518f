// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * JSON as text, without losing a digit of an integer: one that a double would round is read as a `bigint` and written as
 * its digits. `JSON.parse` and `JSON.stringify` can't do that on every Node that this runs on.
 */

/** Sixteen digits where a member or an item can begin: a double holds every integer of fifteen. */
const BIG_INTEGER = /[:,[]\s*-?\d{16}/;

/** Whether an object or array may hold an integer that a double would round; for almost no text it may. */
export function mayHoldBigInteger(text: string): boolean {
  return BIG_INTEGER.test(text);
}

/**
 * Reads JSON; integers beyond ±2^53 come as `bigint`. A number with a fraction or an exponent is a double, as RFC 8259,
 * section 6, lets readers expect.
 *
 * @throws {SyntaxError} as `JSON.parse` does
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'number') return readNumber(text.trim());
  if (!mayHoldBigInteger(text)) return value;
  const marked = withMarks(text);
  return marked === text ? value : withoutMarks(JSON.parse(marked));
}

/** A number as JSON writes it; beyond the range of doubles it is infinite, which no schema takes. */
export function readNumber(text: string): number | bigint {
  const value = Number(text);
  const isExact = Number.isSafeInteger(value) || !Number.isFinite(value);
  return isExact || !/^-?\d+$/.test(text) ? value : BigInt(text);
}

/**
 * Writes JSON; a `bigint` becomes its digits. `change` replaces each member before it is written.
 *
 * @throws {TypeError} for a cycle, as `JSON.stringify` does
 */
export function writeJson(value: unknown, change?: (member: unknown) => unknown): string {
  try {
    return JSON.stringify(value, change && ((_, member: unknown) => change(member)));
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    return writeBigIntegers(value, change ?? ((member) => member));
  }
}

/** `JSON.stringify` refuses a `bigint`; it refuses any other value again. */
function writeBigIntegers(value: unknown, change: (member: unknown) => unknown): string {
  const replace = (_: string, given: unknown): unknown => {
    const member = change(given);
    return typeof member === 'bigint' ? `${mark()}${member}` : member;
  };
  return JSON.stringify(value, replace).replaceAll(new RegExp(`"${mark()}(-?\\d+)"`, 'g'), '$1');
}

/** A string, up to its first quote, or a number: what may hold digits. */
const TOKEN = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A text of JSON, its big integers become strings that the mark begins. */
function withMarks(text: string): string {
  const token = new RegExp(TOKEN);
  let marked = '';
  let done = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found;
    if (word === '"') token.lastIndex = endOfString(text, token.lastIndex);
    else if (typeof readNumber(word) === 'bigint') {
      marked += `${text.slice(done, found.index)}"${mark()}${word}"`;
      done = token.lastIndex;
    }
  }
  return marked + text.slice(done);
}

/** Behind the quote that ends a string; the text is known to be JSON. */
function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start--;
  return (at - start) % 2 === 1;
}

/** Puts integers for the marked strings. Keeps its own stack: the depth of a text is its sender's choice. */
function withoutMarks(value: unknown): unknown {
  const root: Record<string, unknown> = { value };
  const open = [root];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      const member = holder[key];
      if (typeof member === 'object' && member !== null) open.push(member as Record<string, unknown>);
      else if (typeof member === 'string' && member.startsWith(mark()))
        holder[key] = BigInt(member.slice(mark().length));
    }
  }
  return root['value'];
}

/** Begins no other string: it is random and secret. */
function mark(): string {
  return (marking ??= `${crypto.randomUUID()} `);
}

let marking: string | undefined;
