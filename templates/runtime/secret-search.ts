/**
 * Finds secrets in texts, in every spelling that APIs, clients and libraries give them: escaped as JSON, URLs, forms, XML
 * and HTML do, also several times over, and in Base64, alone or as a part of what else was encoded.
 */
import {
  BACKSLASH,
  type Decoded,
  decodeEscapes,
  type Escape,
  escapeAt,
  hasFold,
  isBase64,
  isLetterOrDigit,
  isLineBefore,
  CONTROLS,
} from './decode-escapes.ts';
import { writtenForms, inBase64 } from './secret-forms.ts';

/** Where a text holds a secret: from, up to. */
export type Place = [start: number, end: number];

export interface SearchOptions {
  /** Shorter ones are not looked for. */
  shortest: number;
}

/** JSON in a form in JSON in a URL, and one more. */
const MOST_LEVELS = 5;

/** The shortest beginning of a secret that counts at the end of a cut text: fewer characters say too little. */
const SHORTEST_BEGINNING = 4;

/** The search skips this much at most. */
const LONGEST_STEP = 255;

/** A form writes a blank as `+`, and URLs write Base64 with `-` and `_`: characters that may stand for each other. */
const ALIKE = ['+- ', '/_'];

/** How many characters around an escape tell that it is in no secret. */
const LONGEST_RUN = 8;

/** `#;{}` and a line break, which few encode unless they encode all. */
const OF_ESCAPES = [35, 59, 123, 125, 10];

/** All pairs of characters below 128. */
const PAIRS = 1 << 14;

/** Bits of the filter per character of a token, so that one in 32 is set. */
const BITS_EACH = 32;
const HASH_FACTOR = 0x9e3779b1;

interface Needle {
  text: string;
  isBase64: boolean;
}

/** Looks through a text, and through what its escapes decode to. */
abstract class LevelSearch {
  /** In the order of the text, none of them in another. @param isCut that the text ends before its end */
  find(text: string, isCut = false): Place[] {
    const found = this.#findBelow(text, isCut, (level) => decodeEscapes(level));
    // JSON around a URL: a backslash that is decoded in the URL would escape what is behind it.
    if (text.includes('\\') && /[%&]/.test(text) && (isCut || this.mayHide(text)))
      found.push(
        ...this.#findBelow(text, isCut, (level) => decodeEscapes(level, BACKSLASH) ?? decodeEscapes(level)),
      );
    return together(found);
  }

  #findBelow(text: string, isCut: boolean, decode: (level: string) => Decoded | undefined): Place[] {
    const found: Place[] = [];
    const levels: Decoded[] = [];
    for (let level = text, rest = MOST_LEVELS; ; rest--) {
      for (const place of this.findIn(level, isCut)) found.push(placeInFirst(place, levels));
      const next = rest > 0 && (isCut || this.mayHide(level)) ? decode(level) : undefined;
      if (next === undefined) return found;
      levels.push(next);
      level = next.text;
    }
  }

  /** Finds what is not escaped. */
  protected abstract findIn(text: string, isCut: boolean): Place[];

  /** Whether the escapes of a text may spell a secret, now or once they are decoded. */
  protected abstract mayHide(text: string): boolean;
}

/**
 * Finds each part of a token that has so many characters. Prepared in one pass, since each caller has a token of its own and
 * most are looked for in few short texts.
 */
export class PartSearch extends LevelSearch {
  readonly #size: number;
  readonly #source: string;
  readonly #shift: number;
  /** By the hashes of its parts: most of what is in no part is told from one bit. */
  #bits: Uint8Array | undefined;

  constructor(token: string, size: number) {
    super();
    this.#size = Math.min(size, token.length);
    this.#source = [...new Set([token, ...encodeLevels(token, this.#size)].flatMap(writtenForms))].join('\0');
    this.#shift = Math.clz32(this.#source.length * BITS_EACH);
  }

  protected override findIn(text: string): Place[] {
    const found: Place[] = [];
    const bits = (this.#bits ??= this.#hashParts());
    let known = 0;
    eachHash(text, this.#size, (all, end) => {
      const hash = all >>> this.#shift;
      if (end <= known || ((bits[hash >> 3] ?? 0) & (1 << (hash & 7))) === 0) return;
      const start = end - this.#size;
      const at = this.#source.indexOf(text.slice(start, end));
      if (at === -1) return;
      for (known = end; text[known] === this.#source[at + known - start] && known < text.length;) known++;
      found.push([start, known]);
    });
    return found;
  }

  protected override mayHide(): boolean {
    return true;
  }

  #hashParts(): Uint8Array {
    const bits = new Uint8Array(1 << (29 - this.#shift));
    eachHash(this.#source, this.#size, (all) => {
      const hash = all >>> this.#shift;
      bits[hash >> 3] = (bits[hash >> 3] ?? 0) | (1 << (hash & 7));
    });
    return bits;
  }
}

export class SecretSearch extends LevelSearch {
  readonly #needles: readonly Needle[];
  #shortest = 0;
  /** How far to go on behind a pair of characters; those with 0 may end the first part of a secret. */
  #steps = new Uint8Array();
  readonly #byPair = new Map<number, Needle[]>();
  /** Pairs that stand in a secret. */
  readonly #pairs = new Uint8Array(PAIRS);
  /** Characters that do, by the lower seven bits of their code. */
  readonly #characters = new Uint8Array(128);

  constructor(secrets: readonly string[], { shortest }: SearchOptions) {
    super();
    const kept = secrets.filter((one) => one.length >= shortest);
    const forms = new Set(kept.flatMap((one) => [one, ...encodeLevels(one, shortest)]));
    const plain = [...forms].flatMap(writtenForms);
    const encoded = plain.flatMap(inBase64);
    this.#needles = [
      ...Array.from(new Set(plain), (text) => ({ text, isBase64: false })),
      ...Array.from(new Set(encoded), (text) => ({ text, isBase64: true })),
    ];
    this.#prepare();
  }

  protected override findIn(text: string, isCut: boolean): Place[] {
    return [...this.#findWhole(text), ...(isCut ? this.#beginningAtEnd(text) : [])];
  }

  /** As of Wu and Manber: most characters of a text are not looked at. */
  #findWhole(text: string): Place[] {
    const [found, first, steps]: [Place[], number, Uint8Array] = [[], this.#shortest - 1, this.#steps];
    for (let at = first; at < text.length;) {
      const pair = joinPair(text.charCodeAt(at - 1), text.charCodeAt(at));
      const step = steps[pair] ?? 1;
      at += step || 1;
      if (step > 0) continue;
      const start = at - 1 - first;
      const needles = this.#byPair.get(pair)?.filter((needle) => isAt(text, start, needle)) ?? [];
      for (const needle of needles) found.push(toPlace(text, start, needle));
    }
    return found;
  }

  #prepare(): void {
    this.#shortest = Math.min(LONGEST_STEP, ...this.#needles.map(({ text }) => text.length));
    this.#steps = new Uint8Array(PAIRS).fill(Math.max(1, this.#shortest - 1));
    for (const needle of this.#needles) {
      const { text } = needle;
      for (let at = 0; at < text.length; at++) {
        for (const code of alike(text.charCodeAt(at))) this.#characters[code] = 1;
        if (at > 0) for (const pair of pairsAt(text, at)) this.#addPair(pair, at);
      }
      for (const pair of pairsAt(text, this.#shortest - 1))
        this.#byPair.set(pair, [...(this.#byPair.get(pair) ?? []), needle]);
    }
  }

  #addPair(pair: number, at: number): void {
    this.#pairs[pair] = 1;
    const rest = this.#shortest - 1 - at;
    if (rest >= 0 && rest < (this.#steps[pair] ?? 0)) this.#steps[pair] = rest;
  }

  /** Nearly all texts fail this check: the characters around each are no run of pairs that stand in a secret. */
  protected override mayHide(text: string): boolean {
    for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at + 2))
      if (this.#mayStandFor(text.charCodeAt(at + 1)) && this.#isSuspect(text, at)) return true;
    for (const mark of ['%', '&'])
      for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1))
        if (this.#isSuspect(text, at)) return true;
    return hasFold(text);
  }

  /** Whether a backslash and this may be a part of a secret, as quotes and line breaks seldom are. */
  #mayStandFor(next: number): boolean {
    const isEscape = next === 92 || next === 37 || next === 38 || (next | 32) === 117 || (next | 32) === 120;
    return isEscape || this.#characters[(CONTROLS.get(next) ?? next) & 127] === 1;
  }

  /** Whether the first escape of a secret may begin at a place. */
  #isSuspect(text: string, at: number): boolean {
    const escape = escapeAt(text, at);
    if (escape === undefined) return false;
    if (this.#makesEscape(text, escape)) return true;
    if (this.#characters[escape.code & 127] !== 1) return false;
    const least = Math.min(this.#shortest, LONGEST_RUN);
    return this.#runBefore(text, escape) + 1 + this.#runBehind(text, escape) >= least;
  }

  /** How many characters before an escape may stand in a secret one behind the other. */
  #runBefore(text: string, { start, code }: Escape): number {
    let next = code > 0xffff ? highSurrogate(code) : code;
    for (let size = 0; size < LONGEST_RUN; size++) {
      const each = text.charCodeAt(start - 1 - size);
      if (this.#pairs[joinPair(each, next)] !== 1) return size;
      next = each;
    }
    return LONGEST_RUN;
  }

  #runBehind(text: string, { end, code }: Escape): number {
    let last = code;
    let at = end;
    for (let size = 0; size < LONGEST_RUN; size++) {
      const escape = escapeAt(text, at);
      const next = escape?.code ?? text.charCodeAt(at);
      if (this.#pairs[joinPair(last, next > 0xffff ? highSurrogate(next) : next)] !== 1) return size;
      last = next;
      at = escape?.end ?? at + 1;
    }
    return LONGEST_RUN;
  }

  /** Whether what an escape is decoded to may be a part of another. Few encode letters and digits. */
  #makesEscape(text: string, { start, end, code }: Escape): boolean {
    if (code === 37) return isHex(text.charCodeAt(end));
    if (code === 38) return /^(?:#|[a-z]{2,7};)/i.test(text.slice(end, end + 8));
    if (code === 92) return this.#makesBackslash(text, end) || isLineBefore(text, start);
    return end - start > 2 && (isLetterOrDigit(code) || OF_ESCAPES.includes(code));
  }

  #makesBackslash(text: string, end: number): boolean {
    const next = text.charCodeAt(end);
    if ((next | 32) === 117 || (next | 32) === 120)
      return text[end + 1] === '{' || isHex(text.charCodeAt(end + 1));
    const control = CONTROLS.get(next);
    if (isLetterOrDigit(next)) return control !== undefined && this.#characters[control] === 1;
    const { code } = escapeAt(text, end) ?? { code: next };
    return code === 92 || code === 37 || code === 38 || this.#characters[code & 127] === 1;
  }

  /** A text that was cut may end within a secret, and within an escape of it. */
  #beginningAtEnd(text: string): Place[] {
    const end = text.replace(/(?:\\[ux]?\{?[\da-f]{0,5}|%[\da-f]?|&#?\w{0,7})$/i, '');
    let longest = 0;
    for (const { text: secret, isBase64 } of this.#needles) {
      for (let size = Math.min(secret.length - 1, end.length); size > longest; size--) {
        if (size < SHORTEST_BEGINNING) break;
        if (isAt(end, end.length - size, { text: secret.slice(0, size), isBase64 })) longest = size;
      }
    }
    return longest === 0 ? [] : [[end.length - longest, text.length]];
  }
}

function joinPair(before: number, code: number): number {
  return ((before & 127) << 7) | (code & 127);
}

/** The pairs that may stand for the one that ends at a place. */
function pairsAt(text: string, at: number): number[] {
  return alike(text.charCodeAt(at - 1)).flatMap((before) =>
    alike(text.charCodeAt(at)).map((code) => joinPair(before, code)),
  );
}

function alike(code: number): number[] {
  const group = code > 127 ? undefined : ALIKE.find((one) => one.includes(String.fromCharCode(code)));
  return group === undefined ? [code & 127] : Array.from(group, (one) => one.charCodeAt(0));
}

function highSurrogate(code: number): number {
  return 0xd7c0 + (code >> 10);
}

function isHex(code: number): boolean {
  return isLetterOrDigit(code) && (code | 32) <= 102;
}

function isAt(text: string, start: number, { text: secret, isBase64: isEncoded }: Needle): boolean {
  for (let at = 0; at < secret.length; at++) {
    const [found, wanted] = [text.charCodeAt(start + at), secret.charCodeAt(at)];
    if (found === wanted || (wanted === 32 && found === 43)) continue;
    if (!isEncoded || !alike(wanted).includes(found)) return false;
  }
  return true;
}

/** In Base64 the characters at both ends belong to the secret and to what is beside it. */
function toPlace(text: string, start: number, { text: secret, isBase64: isEncoded }: Needle): Place {
  const end = start + secret.length;
  if (!isEncoded) return [start, end];
  const isPart = (at: number): boolean => isBase64(text.charCodeAt(at));
  const last = isPart(end) ? end + 1 : end;
  return [
    isPart(start - 1) ? start - 1 : start,
    last + (/^={1,2}/.exec(text.slice(last, last + 2))?.[0].length ?? 0),
  ];
}

function placeInFirst(place: Place, levels: readonly Decoded[]): Place {
  return levels.reduceRight<Place>(([start, end], level) => level.place(start, end), place);
}

/** Places that overlap are one. */
function together(places: Place[]): Place[] {
  const joined: Place[] = [];
  for (const [start, end] of places.sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last === undefined || start >= last[1]) joined.push([start, end]);
    else last[1] = Math.max(last[1], end);
  }
  return joined;
}

/** A secret that itself holds escapes is what a text becomes that is decoded further than it was encoded. */
function encodeLevels(secret: string, shortest: number): string[] {
  const levels: string[] = [];
  for (let next = decodeEscapes(secret); next !== undefined; next = decodeEscapes(next.text)) {
    if (levels.length === MOST_LEVELS || next.text.length < shortest) break;
    levels.push(next.text);
  }
  return levels;
}

/** Tells of each run of so many characters its hash and where it ends. */
function eachHash(text: string, size: number, tell: (hash: number, end: number) => void): void {
  let [hash, first] = [0, 1];
  for (let at = 0; at < size; at++) first = Math.imul(first, HASH_FACTOR);
  for (let at = 0; at < text.length; at++) {
    hash = (Math.imul(hash, HASH_FACTOR) + text.charCodeAt(at)) | 0;
    if (at >= size) hash = (hash - Math.imul(text.charCodeAt(at - size), first)) | 0;
    if (at >= size - 1) tell(hash, at + 1);
  }
}
