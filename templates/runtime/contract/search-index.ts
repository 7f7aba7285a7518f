// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The index of tools that `search_tools` reads. The compiler writes it; the runtime adds the tools of the project's own code. */
import type { Binding } from './bindings.ts';
import type { JsonSchema, ListedTool } from './json-schema.ts';

/** In a posting, the fields of a tool that have the word, as bits. */
export const FIELDS = { name: 1, summary: 2, tags: 4, path: 8, args: 16, description: 32 } as const;

/** The kinds of work by which questions and tools are compared. A tool has the index of its own. */
export const VERBS = ['list', 'get', 'create', 'update', 'delete', 'other'] as const;
export type Verb = (typeof VERBS)[number];

export interface IndexedTool extends Pick<ListedTool, 'name' | 'title' | 'description' | 'inputSchema'> {
  binding?: Binding;
  tags?: readonly string[];
}

/** Also listed beside all tools, if the schema of one is cut. */
export const DESCRIBE_TOOL: ListedTool = {
  name: 'describe_tool',
  title: 'Describe a tool',
  description:
    'What a tool does, and the type of its arguments. `path` shows one argument in depth: /body/items/*',
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string' }, path: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

/** Members of one tool: its fields by word, its verb, and the words of its path. */
export interface ToolWords {
  fields: Map<string, number>;
  verb: Verb;
  path: readonly string[];
}

export interface IndexHead {
  format: 1;
  /** Chosen so that no two names have one hash. */
  salt: number;
  /** For each tool: a hash of its name, five characters. Its place is the number of the tool. */
  names: string;
  /** One character for each tool: its verb, the number of its words, the weight of the words of its path. */
  verbs: string;
  sizes: string;
  paths: string;
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

/** A posting ends with one of these, its fields; the digits before it are the distance to the tool before, 1 if there are none. */
const MASKS = 64;
const BASE = SAFE.length - MASKS;

export function charOf(value: number): string {
  return SAFE[Math.max(0, Math.min(SAFE.length - 1, Math.round(value)))] ?? ' ';
}

export function valueOf(text: string, at: number): number {
  return CODES[text.charCodeAt(at)] ?? 0;
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

export function hashesIn({ names }: Pick<IndexHead, 'names'>): string[] {
  return Array.from({ length: names.length / HASH_LENGTH }, (_, at) =>
    names.slice(at * HASH_LENGTH, (at + 1) * HASH_LENGTH),
  );
}

export function encodePosting(distance: number, mask: number): string {
  let digits = '';
  for (let rest = distance; distance > 1 && rest > 0; rest = Math.floor(rest / BASE))
    digits = (SAFE[MASKS + (rest % BASE)] ?? '') + digits;
  return digits + (SAFE[mask] ?? '');
}

/** The tools that have a word, and the fields where they have it: the first `count` of each array. */
export interface Postings {
  tools: Int32Array;
  masks: Uint8Array;
  count: number;
}

/** Adds what a line of the index says. */
export function readPostings(text: string, into: Postings): void {
  let { count } = into;
  let tool = -1;
  let distance = 0;
  for (let at = 0; at < text.length; at++) {
    const code = CODES[text.charCodeAt(at)] ?? 0;
    if (code >= MASKS) distance = distance * BASE + (code - MASKS);
    else {
      tool += distance === 0 ? 1 : distance;
      distance = 0;
      into.tools[count] = tool;
      into.masks[count] = code;
      count += 1;
    }
  }
  into.count = count;
}

/** The share of tools without a word says how much the word tells. */
export function weightOf(tools: number, having: number): number {
  return Math.log(1 + (tools - having + 0.5) / (having + 0.5));
}

/** Weights of paths are written in steps of this size. */
export const PATH_STEP = 0.5;

/** The words of texts and names: `listPetsByTag` has `list`, `pet` and `tag`. */
export function stems(text: string): string[] {
  return splitWords(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem);
}

export function splitWords(text: string): string[] {
  const spaced = text
    .normalize('NFKC')
    .replace(/\bto-?do(s?)\b/gi, 'task$1')
    .replace(/\b(e)-(mails?)\b/gi, '$1$2')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll}{2})/gu, '$1 $2')
    .replace(/(\p{L})['’](?:s|t|re|ll|ve|d|m)\b/giu, '$1');
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the of to in on for with by from at as is are was were be been being am do does did done doing has have had having ' +
    'this that these those it its and or if then than so but i me my mine we us our ours you your yours he she they them their ' +
    'his her who whom whose which what when where how why there here will would shall should can could may might must want wants ' +
    'need needs like likes please via per using used use given specified specific certain particular existing any some every each ' +
    'other others another into onto out up off down over under about just only also not no nor yes now still already too very more ' +
    'most again back away one ones own itself themselves somebody someone something anyone anybody anything everybody everyone ' +
    'everything nobody nothing let lets make makes making s t don doesn isn aren didn won right hand ever because until while ' +
    'after before during between against behind beside within without through across along instead currently actually really ' +
    'thing things stuff kind kinds sort way ways possible able go goes going gone got give gives gave'
  ).split(' '),
);

/** Longer ones are no words, and endings are sought in quadratic time. */
const LONGEST_WORD = 40;

const MOST_STEMS = 10_000;
const knownStems = new Map<string, string>();

/** Removes the commonest endings, so that `archived`, `archives` and `archiving` are one word. */
export function stem(word: string): string {
  if (word.length <= 3 || word.length > LONGEST_WORD || /\d/.test(word)) return word;
  let known = knownStems.get(word);
  if (known === undefined) {
    if (knownStems.size === MOST_STEMS) knownStems.clear();
    knownStems.set(word, (known = withoutEndings(word)));
  }
  return known;
}

function withoutEndings(word: string): string {
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/([^su])s$/, '$1');
  const bare = singular
    .replace(/^(.{3,})ied$/, '$1y')
    .replace(/^(.{3,})ification$/, '$1ify')
    .replace(/^(.{4,})(?:ation|ment)$/, '$1')
    .replace(/^(.{3,}t)ion$/, '$1')
    .replace(/^(.*[aeiouy].*)(?:ing|ed)$/, (whole, rest: string) =>
      rest.length < 3 ? whole : undoubled(rest),
    );
  return bare.replace(/is$/, 'iz').replace(/^(.{3,})e$/, '$1');
}

function undoubled(word: string): string {
  return word.replace(/([bdfgmnprt])\1$/, '$1');
}

const METHOD_VERBS: Readonly<Record<string, Verb>> = {
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
  HEAD: 'get',
  OPTIONS: 'get',
};

/** Words by which tools and questions name a kind of work, as stems. */
const VERB_WORDS: Readonly<Record<Exclude<Verb, 'other'>, string>> = {
  list: 'list search find query browse enumerate all which see show view who',
  get: 'get read fetch retrieve show see view lookup look describe download what info detail how is are am does did has have when where',
  create:
    'create add new insert register open start post issue send upload put give assign enable attach make set',
  update:
    'update change edit modify rename patch adjust replace set overwrite fix move configure turn disable mark restore',
  delete:
    'delete remove drop erase destroy clear purge cancel revoke stop wipe unassign detach rid throw close end kick take discard',
};

const VERB_OF: ReadonlyMap<string, readonly Verb[]> = readVerbWords();

function readVerbWords(): Map<string, Verb[]> {
  const verbs = new Map<string, Verb[]>();
  for (const [verb, words] of Object.entries(VERB_WORDS) as [Verb, string][])
    for (const word of words.split(' ').map(stem)) verbs.set(word, [...(verbs.get(word) ?? []), verb]);
  return verbs;
}

/** The kinds of work that a word may mean; none for most words. */
export function verbsOf(word: string): readonly Verb[] {
  return VERB_OF.get(word) ?? [];
}

/**
 * The words of a tool, with the fields that have them.
 * @param readStems `stems`, or a function that remembers its results
 */
function readWords(
  { name, title, description = '', tags = [], binding, inputSchema }: IndexedTool,
  readStems: (text: string) => readonly string[],
): ToolWords {
  const fields = new Map<string, number>();
  const add = (text: string, field: number): void => {
    for (const word of readStems(text)) fields.set(word, (fields.get(word) ?? 0) | field);
  };
  const summary = summarize({ title, description });
  const path = binding?.kind === 'http' ? binding.path : '';
  const segments = path
    .split(/[/#]/)
    .filter((segment) => !segment.includes('{') && !/^v?\d[\d.-]*$/.test(segment));
  add(binding?.kind === 'http' ? `${name} ${binding.operationId ?? ''}` : name, FIELDS.name);
  add(summary, FIELDS.summary);
  add(`${title ?? ''} ${description.slice(0, MOST_DESCRIPTION)}`, FIELDS.description);
  for (const tag of tags) add(tag, FIELDS.tags);
  add(segments.map((segment) => segment.replace(/\.json$/, '')).join(' '), FIELDS.path);
  for (const text of argumentTexts(inputSchema)) add(text, FIELDS.args);
  const words = readStems(segments.join(' '));
  return { fields, verb: findVerb(name, summary, path, binding), path: [...new Set(words)] };
}

const MOST_DESCRIPTION = 300;
const MOST_ARGUMENTS = 30;
const MOST_WORDS_OF_ARGUMENT = 120;

/** The first sentence of the title, or of the description. */
export function summarize({
  title,
  description = '',
}: {
  title?: string | undefined;
  description?: string;
}): string {
  const text = title === undefined || description.startsWith(title) ? description : title;
  return /^[^]*?[^.](?=\.(?:\s|$)|\n\n|$)/.exec(text)?.[0] ?? text;
}

function argumentTexts({ properties = {} }: { properties?: Record<string, JsonSchema> }): string[] {
  const shown = Object.entries(properties).slice(0, MOST_ARGUMENTS);
  return shown.map(([name, schema]) => {
    const words = typeof schema === 'boolean' ? '' : (schema.description ?? '');
    return `${name} ${words.slice(0, MOST_WORDS_OF_ARGUMENT)}`;
  });
}

function findVerb(name: string, summary: string, path: string, binding: Binding | undefined): Verb {
  const said = [...splitWords(summary).slice(0, 1), ...splitWords(name)].flatMap((word) =>
    verbsOf(stem(word)),
  )[0];
  if (binding?.kind !== 'http') return said ?? 'other';
  const known = METHOD_VERBS[binding.method];
  if (known !== undefined) return known;
  if (binding.method !== 'GET') return said ?? 'create';
  return /\}[^/]*$/.test(path) || said === 'get' ? 'get' : 'list';
}

/** Numbers the tools in the order that they are given. */
export class IndexBuilder {
  readonly words = new Map<string, [tool: number, mask: number][]>();
  readonly tools: ToolWords[] = [];
  /** Tools share texts of arguments, tags and paths. */
  readonly #stems = new Map<string, readonly string[]>();

  add(tool: IndexedTool): void {
    const read = readWords(tool, (text) => this.#readStems(text));
    for (const [word, mask] of read.fields) {
      const known = this.words.get(word);
      if (known === undefined) this.words.set(word, [[this.tools.length, mask]]);
      else known.push([this.tools.length, mask]);
    }
    this.tools.push(read);
  }

  #readStems(text: string): readonly string[] {
    let known = this.#stems.get(text);
    if (known === undefined) this.#stems.set(text, (known = stems(text)));
    return known;
  }
}

/** The number of words; those of arguments alone do not count, since many tools share them. */
export function sizeOf({ fields }: ToolWords): number {
  let size = 0;
  for (const mask of fields.values()) if (mask !== FIELDS.args) size += 1;
  return size;
}

/** What the weights of a path's words add up to. */
export function pathWeight({ path }: ToolWords, having: (word: string) => number, tools: number): number {
  return path.reduce((sum, word) => sum + weightOf(tools, having(word)), 0);
}

const MOST_GROUPS = 40;

/** The text of `src/generated/search.json`: a line for each word, in the order of code units, so that it can be searched unparsed. */
export function printIndex(tools: readonly IndexedTool[], pinned: readonly string[]): string {
  const builder = new IndexBuilder();
  for (const tool of tools) builder.add(tool);
  const having = (word: string): number => builder.words.get(word)?.length ?? 0;
  const salt = chooseSalt(tools);
  const head: IndexHead = {
    format: 1,
    salt,
    names: tools.map(({ name }) => hashName(name, salt)).join(''),
    verbs: builder.tools.map(({ verb }) => charOf(VERBS.indexOf(verb))).join(''),
    sizes: builder.tools.map((each) => charOf(sizeOf(each))).join(''),
    paths: builder.tools.map((each) => charOf(pathWeight(each, having, tools.length) / PATH_STEP)).join(''),
    groups: countGroups(tools),
    pinned: [...pinned],
  };
  const members = Object.entries(head).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  const lines = [...builder.words]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([word, postings]) => {
      let before = -1;
      const text = postings.map(([tool, mask]) => {
        const distance = tool - before;
        before = tool;
        return encodePosting(distance, mask);
      });
      return `"${word}":"${text.join('')}"`;
    });
  return `{\n${members.join(',\n')},\n"words":{\n${lines.join(',\n')}\n}\n}\n`;
}

function chooseSalt(tools: readonly IndexedTool[]): number {
  for (let salt = 0; ; salt++)
    if (
      new Set(tools.map(({ name }) => hashName(name, salt))).size ===
      new Set(tools.map(({ name }) => name)).size
    )
      return salt;
}

function countGroups(tools: readonly IndexedTool[]): IndexHead['groups'] {
  const counts = new Map<string, number>();
  for (const { tags = [] } of tools) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const all = [...counts].toSorted(([one, more], [other, less]) => less - more || (one < other ? -1 : 1));
  return all.slice(0, MOST_GROUPS);
}
