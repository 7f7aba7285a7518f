/**
 * Large data files have equal parts once: tools of one API share arguments, schemas and parameters. `cutPool` and `withPool`
 * of the runtime put them back, as text.
 */
import { shortHash } from '../util/short-hash.ts';

/** Writes a value as JSON. */
export type Write = (value: unknown) => string;

/** Characters of a file without a pool; a smaller file is read faster than it is put together. */
const SMALLEST_FILE = 1024 * 1024;
/** A file with a pool is shorter at least by this factor. */
const GAIN = 1.5;
/** Characters of a text that is worth a mark. */
const SMALLEST_PART = 32;

/** @param print makes the text of the file: `printMembers` by the given way of writing values */
export function printPooled(print: (write: Write) => string): string {
  const plain = print(JSON.stringify);
  if (plain.length < SMALLEST_FILE || plain.includes(MARK)) return plain;
  const pool = new JsonPool();
  const pooled = pool.finish(print(pool.write));
  return pooled.length * GAIN > plain.length ? plain : pooled;
}

const MARK = '{"$":"';

interface Part {
  /** JSON in which parts inside stand as places. */
  text: string;
  /** Places that it stands at. */
  uses: number;
  /** Written out. */
  size: number;
  /** The JSON of it that a file has: its own text, or a mark. */
  printed?: string;
}

/** A place of a part until all are counted. Strings of JSON have no control characters. */
const PLACE = /\0(\d+)\0/g;

class JsonPool {
  readonly #parts: Part[] = [];
  readonly #ids = new Map<string, number>();
  readonly #known = new WeakMap<object, string>();
  readonly #names = new Map<string, string>();

  readonly write: Write = (value) => this.#write(value).text;

  finish(file: string): string {
    const text = this.#resolve(file);
    if (this.#names.size === 0) return text;
    const lines = [...this.#names].map(([name, part]) => `"${name}":${part}`);
    return `{\n"pool":{\n${lines.toSorted().join(',\n')}\n},\n${text.slice('{\n'.length)}`;
  }

  #write(value: unknown): { text: string; size: number } {
    if (typeof value !== 'object' || value === null) return written(JSON.stringify(value ?? null));
    const known = this.#known.get(value);
    if (known !== undefined) return this.#use(known);
    const { text, size } = Array.isArray(value) ? this.#list(value) : this.#object(value);
    const own = size < SMALLEST_PART ? text : this.#addPart(text, size);
    this.#known.set(value, own);
    return { text: own, size };
  }

  /** Counts a part once more. */
  #use(text: string): { text: string; size: number } {
    const part = text.startsWith('\0') ? this.#parts[Number(text.slice(1, -1))] : undefined;
    if (part === undefined) return written(text);
    part.uses += 1;
    return { text, size: part.size };
  }

  #list(list: readonly unknown[]): { text: string; size: number } {
    const items = list.map((item) => this.#write(item));
    const size = items.reduce((sum, item) => sum + item.size + 1, 1);
    return { text: `[${items.map(({ text }) => text).join(',')}]`, size };
  }

  #object(object: object): { text: string; size: number } {
    let size = 1;
    const members = Object.entries(object).flatMap(([key, member]) => {
      if (member === undefined) return [];
      const name = JSON.stringify(key);
      const value = this.#write(member);
      size += name.length + value.size + 2;
      return [`${name}:${value.text}`];
    });
    return { text: `{${members.join(',')}}`, size };
  }

  #addPart(text: string, size: number): string {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#parts.length;
      this.#ids.set(text, id);
      this.#parts.push({ text, uses: 1, size });
      return `\0${id}\0`;
    }
    // What is in it is there once.
    for (const [, inside] of text.matchAll(PLACE)) this.#countLess(Number(inside));
    return this.#use(`\0${id}\0`).text;
  }

  #countLess(id: number): void {
    const part = this.#parts[id];
    if (part !== undefined) part.uses -= 1;
  }

  #resolve(text: string): string {
    return text.replace(PLACE, (_, id: string) => this.#printed(Number(id)));
  }

  #printed(id: number): string {
    const part = this.#parts[id];
    if (part === undefined) throw new Error(`The pool has no part ${id}.`);
    return (part.printed ??= this.#print(part));
  }

  #print({ text, uses }: Part): string {
    const own = this.#resolve(text);
    return uses < 2 || own.length < SMALLEST_PART ? own : `${MARK}${this.#nameOf(own)}"}`;
  }

  /** The name follows from the text, so that a change of one part changes no other. */
  #nameOf(text: string): string {
    let name = shortName(text);
    while (this.#names.has(name) && this.#names.get(name) !== text) name = shortName(`${name}${text}`);
    this.#names.set(name, text);
    return name;
  }
}

/** Seven letters and digits at most. */
function shortName(text: string): string {
  return Number.parseInt(shortHash(text), 16).toString(36);
}

function written(text: string): { text: string; size: number } {
  return { text, size: text.length };
}
