// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Ranks tools for a question: BM25 over the fields of the index, the verb of the method, and the words of the path. */
import {
  FIELDS,
  type IndexHead,
  IndexBuilder,
  type Postings,
  type IndexedTool,
  PATH_STEP,
  VERBS,
  type Verb,
  hashName,
  hashesIn,
  pathWeight,
  sizeOf,
  readPostings,
  splitWords,
  stem,
  stems,
  valueOf,
  verbsOf,
  weightOf,
} from '../contract/search-index.ts';
import { SYNONYMS } from './synonyms.ts';

/** How much each field tells, and how the parts of a score are weighed. Tuned by `npm run bench:search`. */
export const TUNING = {
  name: 3.2,
  summary: 1.8,
  tags: 1.2,
  path: 2.2,
  args: 0.3,
  description: 1,
  /** BM25: saturation, and what long texts cost. */
  k: 1.6,
  b: 0.4,
  synonym: 0.75,
  /** The part of a score that coverage of the question decides. */
  coverage: 0.75,
  sameVerb: 1.25,
  otherVerb: 0.8,
  /** What the word counts by which a question names its kind of work. */
  verbWord: 0.48,
  plural: 1.1,
  /** What a word of the path costs that nobody asked for. */
  unasked: 0.06,
};

/** A question longer than this is cut: models ask by few words. */
const MOST_WORDS = 24;

const WORDS_START = '\n"words":{\n';

export class SearchIndex {
  readonly head: IndexHead;
  readonly #text: string;
  readonly #from: number;
  readonly #own: IndexBuilder;
  /** The number of tools: those of the compiler, then those of the project's own code. */
  readonly size: number;
  /** The number of those that the compiler knew. */
  readonly known: number;
  readonly #numbers: ReadonlyMap<string, number>;

  /** @throws {Error} if the text is no index of this version */
  constructor(text: string, own: readonly IndexedTool[] = []) {
    const at = text.indexOf(WORDS_START);
    this.head = JSON.parse(`${text.slice(0, Math.max(0, at - 1))}}`) as IndexHead;
    this.#text = text;
    this.#from = at + WORDS_START.length;
    const hashes = hashesIn(this.head);
    this.#numbers = new Map(hashes.map((hash, number) => [hash, number]));
    this.#own = new IndexBuilder();
    for (const tool of own) this.#own.add(tool);
    this.known = hashes.length;
    this.size = hashes.length + own.length;
  }

  /** Undefined for a tool that the compiler did not know. */
  numberOf(name: string): number | undefined {
    return this.#numbers.get(hashName(name, this.head.salt));
  }

  verb(tool: number): Verb {
    if (tool >= this.known) return this.#own.tools[tool - this.known]?.verb ?? 'other';
    return VERBS[valueOf(this.head.verbs, tool)] ?? 'other';
  }

  length(tool: number): number {
    if (tool < this.known) return valueOf(this.head.sizes, tool);
    const own = this.#own.tools[tool - this.known];
    return own === undefined ? 0 : sizeOf(own);
  }

  path(tool: number): number {
    if (tool < this.known) return valueOf(this.head.paths, tool) * PATH_STEP;
    const own = this.#own.tools[tool - this.known];
    if (own === undefined) return 0;
    return pathWeight(own, (word) => this.#own.words.get(word)?.length ?? 0, this.size);
  }

  /** Replaces what `into` holds. */
  read(word: string, into: Postings): void {
    into.count = 0;
    readPostings(this.#find(word), into);
    for (const [tool, mask] of this.#own.words.get(word) ?? []) {
      into.tools[into.count] = this.known + tool;
      into.masks[into.count] = mask;
      into.count += 1;
    }
  }

  /** The words that begin with `start`, at most `most`. */
  beginning(start: string, most: number): string[] {
    const found: string[] = [];
    for (let at = this.#lineFrom(start); found.length < most; at = this.#text.indexOf('\n', at) + 1) {
      const word = this.#wordAt(at);
      if (!word.startsWith(start) || at === 0) break;
      found.push(word);
    }
    return [...found, ...[...this.#own.words.keys()].filter((word) => word.startsWith(start))].slice(0, most);
  }

  #find(word: string): string {
    const at = this.#lineFrom(word);
    if (this.#wordAt(at) !== word) return '';
    const from = at + word.length + 4;
    return this.#text.slice(from, this.#text.indexOf('"', from));
  }

  /** The first line whose word is not before `word`. Lines are in order, so half of them are left out at each step. */
  #lineFrom(word: string): number {
    let low = this.#from;
    let high = this.#text.length;
    while (low < high) {
      const middle = this.#lineStart((low + high) >> 1, low);
      const found = this.#wordAt(middle);
      if (found !== '' && found < word) low = this.#text.indexOf('\n', middle) + 1 || high;
      else if (middle === low) return low;
      else high = middle;
    }
    return low;
  }

  #lineStart(at: number, least: number): number {
    return Math.max(least, this.#text.lastIndexOf('\n', at - 1) + 1);
  }

  #wordAt(at: number): string {
    return this.#text.charAt(at) === '"' ? this.#text.slice(at + 1, this.#text.indexOf('"', at + 1)) : '';
  }
}

interface Asked {
  /** The word and words that mean about the same; each with its part of the weight. */
  alternatives: readonly (readonly [word: string, part: number])[];
}

interface Question {
  asked: Asked[];
  verbs: ReadonlySet<Verb>;
  /** It has a noun in the plural. */
  isPlural: boolean;
}

export function readQuestion(question: string): Question {
  const said = splitWords(question).slice(0, MOST_WORDS);
  // The first word that names a kind of work; most questions begin with it.
  const verb = said.map(stem).find((word) => verbsOf(word).length > 0) ?? '';
  const words = [...new Set(stems(said.join(' ')))];
  const asked = words.map((word, at): Asked => {
    const part = word === verb ? TUNING.verbWord : 1;
    const others = SYNONYMS.get(word) ?? [];
    // `api service` is `apiservices` in many a path.
    const joined = [
      [words[at - 1], word],
      [word, words[at + 1]],
    ].filter((pair) => !pair.includes(undefined));
    return {
      alternatives: [
        [word, part],
        ...joined.map((pair) => [stem(pair.join('')), 1] as const),
        ...others.map((other) => [other, part * TUNING.synonym] as const),
      ],
    };
  });
  const isPlural = said.some((word) => word.length > 3 && /[^s]s$/.test(word) && !/(?:us|is)$/.test(word));
  return { asked, verbs: new Set(verbsOf(verb)), isPlural };
}

/** Field weights of each combination of fields. */
const MASK_WEIGHTS: number[] = [];

export function weighMasks(): void {
  const fields = Object.entries(FIELDS) as [keyof typeof FIELDS, number][];
  for (let mask = 0; mask < 64; mask++)
    MASK_WEIGHTS[mask] = fields.reduce(
      (sum, [name, bit]) => sum + ((mask & bit) === 0 ? 0 : TUNING[name]),
      0,
    );
}
weighMasks();

export interface Ranked {
  tool: number;
  score: number;
}

/** The best tools for which `isThere` holds, the best first. Equals are in the order of the index. */
export function rankTools(
  index: SearchIndex,
  question: string,
  most: number,
  isThere: (tool: number) => boolean,
): Ranked[] {
  const { asked, verbs, isPlural } = readQuestion(question);
  const scores = new Float64Array(index.size);
  const covered = new Float64Array(index.size);
  const pathWords = new Float64Array(index.size);
  const sums: Sums = { scores, covered, pathWords, all: 0, verbs, isPlural };
  const best = new Float64Array(index.size);
  const found: Postings = { tools: new Int32Array(index.size), masks: new Uint8Array(index.size), count: 0 };
  for (const { alternatives } of asked) {
    const touched: number[] = [];
    let weight = 0;
    for (const [word, part] of alternatives) {
      index.read(word, found);
      const own = weightOf(index.size, found.count) * part;
      if (found.count > 0) weight = Math.max(weight, own);
      for (let at = 0; at < found.count; at++) {
        const tool = found.tools[at] ?? 0;
        const mask = found.masks[at] ?? 0;
        const value = own * saturated(MASK_WEIGHTS[mask] ?? 0, index.length(tool));
        const before = best[tool] ?? 0;
        if (before === 0) touched.push(tool);
        if (value > before) best[tool] = value;
        if ((mask & FIELDS.path) !== 0) pathWords[tool] = (pathWords[tool] ?? 0) + own;
      }
    }
    sums.all += weight === 0 ? UNKNOWN_WEIGHT : weight;
    for (const tool of touched) {
      scores[tool] = (scores[tool] ?? 0) + (best[tool] ?? 0);
      covered[tool] = (covered[tool] ?? 0) + weight;
      best[tool] = 0;
    }
  }
  return pickBest(index, sums, most, isThere);
}

/** What a word that no tool has counts when coverage is judged. */
const UNKNOWN_WEIGHT = 1;

/** The number of words that a tool has on average, about. */
const USUAL_LENGTH = 20;

function saturated(weight: number, length: number): number {
  const { k, b } = TUNING;
  return (weight * (k + 1)) / (weight + k * (1 - b + (b * length) / USUAL_LENGTH));
}

/** A question without a verb, or with a plural, mostly asks for a list. */
function fitsVerb(verb: Verb, asked: ReadonlySet<Verb>, isPlural: boolean): number {
  const { sameVerb, otherVerb, plural } = TUNING;
  const fit = asked.size === 0 ? 1 : asked.has(verb) ? sameVerb : otherVerb;
  if (verb === 'list' && isPlural) return fit * plural;
  return verb === 'get' && !isPlural ? fit * plural : fit;
}

interface Sums {
  scores: Float64Array;
  covered: Float64Array;
  pathWords: Float64Array;
  all: number;
  verbs: ReadonlySet<Verb>;
  isPlural: boolean;
}

function pickBest(
  index: SearchIndex,
  { scores, covered, pathWords, all, verbs, isPlural }: Sums,
  most: number,
  isThere: (tool: number) => boolean,
): Ranked[] {
  const { coverage, unasked } = TUNING;
  const picked: Ranked[] = [];
  for (let tool = 0; tool < index.size; tool++) {
    const sum = scores[tool] ?? 0;
    if (sum === 0) continue;
    const share = Math.min(1, (covered[tool] ?? 0) / all);
    const verb = fitsVerb(index.verb(tool), verbs, isPlural);
    const left = Math.max(0, index.path(tool) - (pathWords[tool] ?? 0));
    const score = (sum * (1 - coverage + coverage * share) * verb) / (1 + unasked * left);
    const last = picked[most - 1];
    if ((last !== undefined && last.score >= score) || !isThere(tool)) continue;
    const at = picked.findIndex((each) => each.score < score);
    picked.splice(at === -1 ? picked.length : at, 0, { tool, score });
    picked.length = Math.min(picked.length, most);
  }
  return picked;
}
