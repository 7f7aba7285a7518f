// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The index of tools that `search_tools` reads. The compiler writes it; the runtime adds the tools of the project's own code. */
import type { Binding } from './bindings.ts';
import { LONGEST_SEARCHED } from './feature.ts';
import type { JsonSchema, ListedTool } from './json-schema.ts';
import { VERBS, type Verb, deriveVerb, splitWords, stemWord, stemsOf, verbsOf } from './search-words.ts';

/** The fields of a tool that may have a word, as bits. `head` is the end of the path, `about` schemas and what the compiler says of the result. */
export const FIELDS = {
  name: 1,
  summary: 2,
  tags: 4,
  path: 8,
  head: 16,
  args: 32,
  hints: 64,
  description: 128,
  about: 256,
} as const;

/** How much each field tells. Tuned by `npm run bench:search`. */
export const WEIGHTS = {
  name: 2.9,
  summary: 2,
  tags: 2.4,
  path: 1.7,
  head: 0.8,
  args: 0.2,
  hints: 0.25,
  description: 0.6,
  about: 0.25,
  /** BM25: saturation, and what long texts cost. */
  k: 1.6,
  b: 0.25,
};

export interface IndexedTool extends Pick<ListedTool, 'name' | 'title' | 'description' | 'inputSchema'> {
  binding?: Binding;
  tags?: readonly string[];
  about?: string;
}

/** Listed beside all tools too, if the schema of one of them is cut. */
export const DESCRIBE_TOOL: ListedTool = {
  name: 'describe_tool',
  title: 'Describe a tool',
  description:
    'What a tool does, and the type of its arguments. `path` shows one argument in depth: /body/items/*',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: LONGEST_SEARCHED },
      path: { type: 'string', maxLength: LONGEST_SEARCHED },
    },
    required: ['name'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

export interface IndexedWord {
  /** The tools that have it, in order, each with the fields that have it, as bits. */
  postings: [tool: number, fields: number][];
  /** The tool that is being read, if it has the word, and its fields so far. */
  reading: number;
  fields: number;
}

/** The index knows this of one tool. */
export interface ToolWords {
  verb: Verb;
  path: readonly IndexedWord[];
  /** Names the resource of the tool, which other tools may share; empty if it has no path. */
  resource: string;
  /** The number of its words; those of arguments alone do not count, since many tools share them. */
  size: number;
}

export interface IndexHead {
  format: 1;
  /** The salt of the names' hashes, chosen so that no two names have the same. */
  salt: number;
  /** For each tool: a hash of its name, five characters. Its place is the number of the tool. */
  names: string;
  /** One character for each tool: its verb here, in `paths` the weight of its path's words. */
  verbs: string;
  paths: string;
  /** Two characters for each tool: the number of its resource, 0 for none. */
  resources: string;
  /** The tags with most tools, and their numbers. */
  groups: [name: string, tools: number][];
  /** Tools that are listed beside the five of the surface. */
  pinned: string[];
}

/** Characters that JSON does not escape, in the order of their codes. */
const SAFE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).filter(
  (each) => each !== '"' && each !== '\\',
);
const CODES: readonly number[] = Array.from({ length: 128 }, (_, code) =>
  SAFE.indexOf(String.fromCharCode(code)),
);

/** A posting ends with one of these, what the word tells; the digits before it are the distance to the tool before, 1 if there are none. */
const TELLING = 64;
const BASE = SAFE.length - TELLING;

/** Steps in which a posting says how much the word tells, and the bits beside them. */
const LEVELS = 16;
export const IN_PATH = 16;
export const IN_HEAD = 32;

export function encodeDigit(value: number): string {
  return SAFE[Math.max(0, Math.min(SAFE.length - 1, Math.round(value)))] ?? ' ';
}

export function decodeDigit(text: string, at: number): number {
  return CODES[text.charCodeAt(at)] ?? 0;
}

/** Resources beyond this number share one with others, which changes the rank of few. */
export const MOST_RESOURCES = SAFE.length * SAFE.length;

export function decodeResources({ resources }: Pick<IndexHead, 'resources'>, tools: number): Uint16Array {
  const numbers = new Uint16Array(tools);
  for (let tool = 0; tool < tools; tool++)
    numbers[tool] = decodeDigit(resources, 2 * tool) * SAFE.length + decodeDigit(resources, 2 * tool + 1);
  return numbers;
}

const HASH_LENGTH = 5;

/** FNV-1a, as five characters. */
export function hashName(name: string, salt: number): string {
  let hash = (0x811c9dc5 ^ salt) >>> 0;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0;
  let text = '';
  for (let digit = 0; digit < HASH_LENGTH; digit++) {
    text += SAFE[hash % SAFE.length] ?? '';
    hash = Math.floor(hash / SAFE.length);
  }
  return text;
}

export function listNameHashes({ names }: Pick<IndexHead, 'names'>): string[] {
  return Array.from({ length: names.length / HASH_LENGTH }, (_, at) =>
    names.slice(at * HASH_LENGTH, (at + 1) * HASH_LENGTH),
  );
}

export function encodePosting(distance: number, telling: number): string {
  let digits = '';
  for (let rest = distance; distance > 1 && rest > 0; rest = Math.floor(rest / BASE))
    digits = (SAFE[TELLING + (rest % BASE)] ?? '') + digits;
  return digits + (SAFE[telling] ?? '');
}

/** The tools that have a word, and what it tells of each: the first `count` of each array. */
export interface Postings {
  tools: Int32Array;
  telling: Uint8Array;
  count: number;
}

/** Appends the postings of one index line to `into`. */
export function decodePostings(text: string, into: Postings): void {
  let { count } = into;
  let tool = -1;
  let distance = 0;
  for (let at = 0; at < text.length; at++) {
    const code = CODES[text.charCodeAt(at)] ?? 0;
    if (code >= TELLING) distance = distance * BASE + (code - TELLING);
    else {
      tool += distance === 0 ? 1 : distance;
      distance = 0;
      into.tools[count] = tool;
      into.telling[count] = code;
      count += 1;
    }
  }
  into.count = count;
}

/** The number of words that a tool has on average, about. */
const USUAL_SIZE = 20;

/** The weight is BM25 without the word's rarity, in levels; two flags say whether the path, or its head, has the word. */
export function packWordWeight(fields: number, size: number): number {
  const { k, b } = WEIGHTS;
  let weight = 0;
  for (const name of FIELD_NAMES) if ((fields & FIELDS[name]) !== 0) weight += WEIGHTS[name];
  const share = weight / (weight + k * (1 - b + (b * size) / USUAL_SIZE));
  const level = Math.min(LEVELS - 1, Math.floor(share * LEVELS));
  const path = (fields & (FIELDS.path | FIELDS.head)) === 0 ? 0 : IN_PATH;
  return level + path + ((fields & FIELDS.head) === 0 ? 0 : IN_HEAD);
}

const FIELD_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** The weight, from 0 to 1, says how much the word tells of the tool. */
export function unpackWordWeight(telling: number): number {
  return ((telling % LEVELS) + 0.5) / LEVELS;
}

/** The share of tools without a word says how much the word tells. */
export function inverseDocumentFrequency(tools: number, having: number): number {
  return Math.log(1 + (tools - having + 0.5) / (having + 0.5));
}

/** Weights of paths are written in steps of this size. */
export const PATH_STEP = 0.5;

const MOST_DESCRIPTION = 300;
const MOST_ARGUMENTS = 30;
const MOST_WORDS_OF_ARGUMENT = 120;

/** Calls `add` with each text of a tool, and the field that it is. */
function forEachToolText(
  tool: IndexedTool,
  summary: string,
  segments: readonly string[],
  add: (text: string, field: number) => void,
): void {
  const { name, title, description = '', tags = [], about = '', binding, inputSchema } = tool;
  add(binding?.kind === 'http' ? `${name} ${binding.operationId ?? ''}` : name, FIELDS.name);
  add(summary, FIELDS.summary);
  const [told, answer] = splitOffResultDescription(description);
  add(`${title ?? ''} ${told.slice(0, MOST_DESCRIPTION)}`, FIELDS.description);
  add(`${answer} ${about}`, FIELDS.about);
  for (const tag of tags) add(tag, FIELDS.tags);
  add(segments.join(' '), FIELDS.path);
  add(lastNounOfPath(segments), FIELDS.head);
  for (const [argument, words] of argumentTexts(inputSchema)) {
    add(argument, FIELDS.args);
    add(words, FIELDS.hints);
  }
}

/** Leaves out parameters and versions; a name such as `users.list` makes two segments. */
function splitPathSegments(path: string): string[] {
  return path
    .replace(/\.json$/, '')
    .split(/[/#.]/)
    .filter(
      (segment) =>
        segment !== '' && !segment.includes('{') && !/^v?\d[\d-]*(?:(?:alpha|beta)\d*)?$/.test(segment),
    );
}

/** Whether a tool is about the caller: `/me/tracks`, `/user/repos`. */
function isAboutCaller(path: string, summary: string): boolean {
  return (
    /\/(?:@?me|myself|self|user|viewer|profile)(?:\/|$)/.test(path) ||
    /\b(?:current|authenticated|signed-in|logged-in) user\b/i.test(summary)
  );
}

/** Returns the last segment of a path, with the one before it if the last names only an action. */
function lastNounOfPath(segments: readonly string[]): string {
  const last = segments.at(-1) ?? '';
  const isAction = splitWords(last).every((word) => verbsOf(stemWord(word)).length > 0);
  return isAction ? `${segments.at(-2) ?? ''} ${last}` : last;
}

/** The compiler's own words of an operation's result say less than those of a person. */
function splitOffResultDescription(description: string): [told: string, answer: string] {
  const at = description.search(/\bReturns (?:an object|a list of objects|an array of objects) with `/);
  return at === -1 ? [description, ''] : [description.slice(0, at), description.slice(at)];
}

/** The first sentence of the title, or of the description. */
export function firstSentenceOf({
  title,
  description = '',
}: {
  title?: string | undefined;
  description?: string;
}): string {
  const text = title === undefined || description.startsWith(title) ? description : title;
  return /^[^]*?[^.](?=\.(?:\s|$)|\n\n|$)/.exec(text)?.[0] ?? text;
}

function argumentTexts({ properties = {} }: { properties?: Record<string, JsonSchema> }): [string, string][] {
  const shown = Object.entries(properties).slice(0, MOST_ARGUMENTS);
  return shown.map(([name, schema]) => {
    const words = typeof schema === 'boolean' ? '' : (schema.description ?? '');
    return [name, words.slice(0, MOST_WORDS_OF_ARGUMENT)];
  });
}

/** Numbers the tools in the order that they are given. */
export class IndexBuilder {
  readonly words = new Map<string, IndexedWord>();
  readonly tools: ToolWords[] = [];
  readonly #resources = new Map<string, number>([['', 0]]);
  /** Tools share texts of arguments, tags and paths. */
  readonly #texts = new Map<string, readonly IndexedWord[]>();

  add(tool: IndexedTool): void {
    const { name, binding } = tool;
    const summary = firstSentenceOf(tool);
    const path = binding?.kind === 'http' ? binding.path : '';
    const segments = splitPathSegments(path);
    const own: IndexedWord[] = [];
    forEachToolText(tool, summary, segments, (text, field) => {
      for (const word of this.#wordsOfText(text)) this.#markWordField(word, field, own);
    });
    if (isAboutCaller(path, summary)) this.#markWordField(this.#getOrAddWord('@me'), FIELDS.name, own);
    for (const word of own) word.postings.push([this.tools.length, word.fields]);
    this.tools.push({
      verb: deriveVerb(name, summary, path, binding),
      path: [...new Set(this.#wordsOfText(segments.join(' ')))],
      resource: segments.join('/'),
      size: own.filter(({ fields }) => (fields & ~(FIELDS.args | FIELDS.hints | FIELDS.about)) !== 0).length,
    });
  }

  /** @param own the words of the tool that is being read */
  #markWordField(word: IndexedWord, field: number, own: IndexedWord[]): void {
    if (word.reading === this.tools.length) word.fields |= field;
    else {
      word.reading = this.tools.length;
      word.fields = field;
      own.push(word);
    }
  }

  #wordsOfText(text: string): readonly IndexedWord[] {
    let known = this.#texts.get(text);
    if (known === undefined)
      this.#texts.set(text, (known = stemsOf(text).map((word) => this.#getOrAddWord(word))));
    return known;
  }

  #getOrAddWord(text: string): IndexedWord {
    let known = this.words.get(text);
    if (known === undefined) this.words.set(text, (known = { postings: [], reading: -1, fields: 0 }));
    return known;
  }

  /** 0 for a tool without a path. */
  assignResourceNumber({ resource }: ToolWords): number {
    const known = this.#resources.get(resource);
    if (known !== undefined) return known;
    const number = 1 + ((this.#resources.size - 1) % (MOST_RESOURCES - 1));
    this.#resources.set(resource, number);
    return number;
  }
}

/** Adds up the weights of a path's words. */
export function sumPathWeights({ path }: ToolWords, tools: number): number {
  return path.reduce((sum, { postings }) => sum + inverseDocumentFrequency(tools, postings.length), 0);
}

const MOST_GROUPS = 40;

/** The text of `src/generated/search.json`: a line for each word, in the order of code units, so that it can be searched unparsed. */
export function printIndex(tools: readonly IndexedTool[], pinned: readonly string[]): string {
  const builder = new IndexBuilder();
  for (const tool of tools) builder.add(tool);
  const salt = findCollisionFreeSalt(tools);
  const head: IndexHead = {
    format: 1,
    salt,
    names: tools.map(({ name }) => hashName(name, salt)).join(''),
    verbs: builder.tools.map(({ verb }) => encodeDigit(VERBS.indexOf(verb))).join(''),
    paths: builder.tools.map((each) => encodeDigit(sumPathWeights(each, tools.length) / PATH_STEP)).join(''),
    resources: builder.tools.map((each) => encodeResourceNumber(builder.assignResourceNumber(each))).join(''),
    groups: countToolsByTag(tools),
    pinned: [...pinned],
  };
  const members = Object.entries(head).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  const lines = [...builder.words.keys()].toSorted().map((word) => {
    let before = -1;
    let text = '';
    for (const [tool, fields] of builder.words.get(word)?.postings ?? []) {
      text += encodePosting(tool - before, packWordWeight(fields, builder.tools[tool]?.size ?? 0));
      before = tool;
    }
    return `"${word}":"${text}"`;
  });
  return `{\n${members.join(',\n')},\n"words":{\n${lines.join(',\n')}\n}\n}\n`;
}

function encodeResourceNumber(number: number): string {
  return encodeDigit(Math.floor(number / SAFE.length)) + encodeDigit(number % SAFE.length);
}

function findCollisionFreeSalt(tools: readonly IndexedTool[]): number {
  for (let salt = 0; ; salt++)
    if (
      new Set(tools.map(({ name }) => hashName(name, salt))).size ===
      new Set(tools.map(({ name }) => name)).size
    )
      return salt;
}

function countToolsByTag(tools: readonly IndexedTool[]): IndexHead['groups'] {
  const counts = new Map<string, number>();
  for (const { tags = [] } of tools) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const all = [...counts].toSorted(([one, more], [other, less]) => less - more || (one < other ? -1 : 1));
  return all.slice(0, MOST_GROUPS);
}
