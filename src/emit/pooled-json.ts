/**
 * Large data files have equal parts once: tools of one API share arguments, schemas and parameters. `splitOffTextPool` and `expandPoolMarks`
 * of the runtime put them back, as text.
 */
import { shortHash } from '../util/short-hash.ts';

/** Writes a value as JSON. */
export type Write = (value: unknown) => string;

/** A file of fewer characters has no pool: it is read faster than it is put together. */
const SMALLEST_FILE = 1024 * 1024;
/** A file with a pool is shorter at least by this factor. */
const GAIN = 1.5;
/** Fewest characters of a part that may be worth a mark. */
const SMALLEST_PART = 20;
/** Fewest characters of a string that may be worth a mark. */
const SMALLEST_TEXT = 32;
/** Characters that a mark needs, and its line of the pool beside the text. */
const MARK_SIZE = 15;
const ENTRY_SIZE = 14;

/** @param print makes the text of the file: `printMembers` by the given way of writing values */
export function printPooled(print: (write: Write) => string): string {
  const plain = printIfSmall(print);
  if (plain !== undefined) return plain;
  const pool = new JsonPool();
  const text = print(pool.writeToPool);
  const isPoolWorthwhile = (pooled: string): boolean => pooled.length * GAIN <= text.length + pool.saved;
  const pooled = pool.hasMark ? undefined : pool.printWithPool(text);
  return pooled !== undefined && isPoolWorthwhile(pooled) ? pooled : print(JSON.stringify);
}

/** Stops writing where the file becomes too large to do without a pool. */
function printIfSmall(print: (write: Write) => string): string | undefined {
  let size = 0;
  const text = print((value) => {
    if (size >= SMALLEST_FILE) return '';
    const text = JSON.stringify(value);
    size += text.length;
    return text;
  });
  return size < SMALLEST_FILE && text.length < SMALLEST_FILE ? text : undefined;
}

type Members = Readonly<Record<string, unknown>>;

const MARK = '{"$":"';

interface Part {
  /** JSON in which parts inside stand as places. */
  text: string;
  /** Number of places where the part stands. */
  uses: number;
  /** Number of characters of the part when written out. */
  size: number;
  /** JSON of the part as the file has it: its own text, or a mark. */
  printed?: string;
}

/** Matches the place of a part until all are counted. Strings of JSON have no control characters. */
const PLACE = /\0(\d+)\0/g;

class JsonPool {
  readonly #parts: Part[] = [];
  readonly #ids = new Map<string, number>();
  readonly #texts = new Map<object, string>();
  readonly #names = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  /** Characters by which the texts that `write` has returned are shorter than without places. */
  saved = 0;
  /** Whether a value reads like a mark. */
  hasMark = false;

  /** The characters of the value that was written last, in full. */
  #size = 0;

  readonly writeToPool: Write = (value) => {
    const text = this.#write(value);
    this.saved += this.#size - text.length;
    return text;
  };

  printWithPool(file: string): string {
    const text = this.#resolvePlaces(file);
    if (this.#names.size === 0) return text;
    const lines = [...this.#names].map(([name, part]) => `"${name}":${part}`);
    return `{\n"pool":{\n${lines.toSorted().join(',\n')}\n},\n${text.slice('{\n'.length)}`;
  }

  /** Sets `#size` too. */
  #write(value: unknown): string {
    if (typeof value !== 'object' || value === null) {
      const text = JSON.stringify(value ?? null);
      this.#size = text.length;
      return text.length < SMALLEST_TEXT ? text : this.#addPart(text);
    }
    const knownText = this.#texts.get(value);
    if (knownText !== undefined) return this.#countUse(knownText);
    const text = Array.isArray(value) ? this.#writeList(value) : this.#writeObject(value as Members);
    const place = this.#size < SMALLEST_PART ? text : this.#addPart(text);
    this.#texts.set(value, place);
    return place;
  }

  /** Counts a part once more. */
  #countUse(text: string): string {
    const part = text.startsWith('\0') ? this.#parts[Number(text.slice(1, -1))] : undefined;
    if (part !== undefined) part.uses += 1;
    this.#size = part?.size ?? text.length;
    return text;
  }

  #writeList(list: readonly unknown[]): string {
    let size = list.length === 0 ? 2 : 1;
    const items = list.map((item) => {
      const text = this.#write(item);
      size += this.#size + 1;
      return text;
    });
    this.#size = size;
    return `[${items.join(',')}]`;
  }

  #writeObject(object: Members): string {
    let size = 1;
    let text = '';
    for (const key of Object.keys(object)) {
      const member = object[key];
      if (member === undefined) continue;
      if (key === '$' && text === '' && typeof member === 'string') this.hasMark = true;
      const name = this.#writeKey(key);
      text += `${text === '' ? '{' : ','}${name}:${this.#write(member)}`;
      size += name.length + this.#size + 2;
    }
    this.#size = Math.max(size, 2);
    return text === '' ? '{}' : `${text}}`;
  }

  #writeKey(key: string): string {
    let text = this.#keys.get(key);
    if (text === undefined) this.#keys.set(key, (text = JSON.stringify(key)));
    return text;
  }

  /** Adds a text of `#size` characters in full. */
  #addPart(text: string): string {
    const id = this.#ids.get(text);
    if (id === undefined) {
      this.#ids.set(text, this.#parts.length);
      this.#parts.push({ text, uses: 1, size: this.#size });
      return `\0${this.#parts.length - 1}\0`;
    }
    // The parts inside a repeated part are written once, so this use of them does not count.
    if (text.includes('\0')) for (const [, inside] of text.matchAll(PLACE)) this.#countLess(Number(inside));
    return this.#countUse(`\0${id}\0`);
  }

  #countLess(id: number): void {
    const part = this.#parts[id];
    if (part !== undefined) part.uses -= 1;
  }

  #resolvePlaces(text: string): string {
    return text.replace(PLACE, (_, id: string) => this.#printOnce(Number(id)));
  }

  #printOnce(id: number): string {
    const part = this.#parts[id];
    if (part === undefined) throw new Error(`The pool has no part ${id}.`);
    return (part.printed ??= this.#printPart(part));
  }

  #printPart({ text, uses }: Part): string {
    const own = this.#resolvePlaces(text);
    const isShorter = uses * (own.length - MARK_SIZE) > own.length + ENTRY_SIZE;
    return isShorter ? `${MARK}${this.#assignName(own)}"}` : own;
  }

  /** The name follows from the text, so that a change of one part changes no other. */
  #assignName(text: string): string {
    let name = shortName(text);
    while (this.#names.has(name) && this.#names.get(name) !== text) name = shortName(`${name}${text}`);
    this.#names.set(name, text);
    return name;
  }
}

/** Makes a name of seven letters and digits at most. */
function shortName(text: string): string {
  return Number.parseInt(shortHash(text), 16).toString(36);
}
