// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The index of tools that `search_tools` reads (`src/generated/search.json`). The compiler writes it; tools of the project's own code are added at the start. */
import type { Binding, ToolInfo } from '../../types.ts';
import { deriveVerb, splitWords, stemsOf, stemWord, type Verb, verbsOf } from './words.ts';

/** The fields of a tool that may have a word, as bits. `head` is the end of the path, `about` schemas and what the compiler says of the result. */
const FIELDS = {
  name: 1,
  summary: 2,
  tags: 4,
  path: 8,
  head: 16,
  args: 32,
  hints: 64,
  description: 128,
  about: 256,
};
export const IN_PATH = FIELDS.path | FIELDS.head;
export const IN_HEAD = FIELDS.head;
/** Words of these alone do not make a tool longer, since many tools share them. */
const SHARED = FIELDS.args | FIELDS.hints | FIELDS.about;

/** How much each field tells; `k` and `b` of BM25: saturation, and what long texts cost. Tuned by `npm run bench:search`. */
const WEIGHTS: Readonly<Record<keyof typeof FIELDS, number>> = {
  ...{ name: 2.9, summary: 2, tags: 2.4, path: 1.7, head: 0.8 },
  ...{ args: 0.2, hints: 0.25, description: 0.6, about: 0.25 },
};
const [SATURATION, LENGTH, USUAL_SIZE] = [1.6, 0.25, 20];
const DESCRIPTION_CHARACTERS = 300;
const ARGUMENTS = 30;
const ARGUMENT_CHARACTERS = 120;
const GROUPS = 40;

export interface IndexedTool extends Pick<ToolInfo, 'name' | 'title' | 'description' | 'inputSchema'> {
  binding?: Binding | undefined;
  tags?: readonly string[] | undefined;
  about?: string;
}

interface ToolEntry {
  name: string;
  verb: Verb;
  /** The segments of its path, which other tools may share; empty without a path. */
  resource: string;
  size: number;
}

interface IndexData {
  /** The tags with most tools, and their numbers. */
  groups: [name: string, tools: number][];
  /** Listed beside the tools of the surface. */
  pinned: readonly string[];
  tools: ToolEntry[];
  /** For each word: a tool and the fields that have it, one pair after the other. */
  words: Record<string, number[]>;
}

export class SearchIndex {
  readonly groups: IndexData['groups'];
  readonly pinned: readonly string[];
  readonly tools: ToolEntry[];
  readonly #words: Map<string, number[]>;
  #sorted: string[] | undefined;
  #pathWeights: number[] | undefined;

  constructor({ groups, pinned, tools, words }: IndexData) {
    this.groups = groups;
    this.pinned = pinned;
    this.tools = tools;
    this.#words = new Map(Object.entries(words));
  }

  add(tool: IndexedTool): void {
    const { name, binding } = tool;
    const path = binding?.kind === 'http' ? String(binding['path']) : '';
    const summary = firstSentenceOf(tool);
    const segments = splitPathSegments(path);
    const fields = new Map<string, number>();
    for (const [text, field] of textsOf(tool, summary, segments))
      for (const word of stemsOf(text)) fields.set(word, (fields.get(word) ?? 0) | FIELDS[field]);
    if (isAboutCaller(path, summary)) fields.set('@me', FIELDS.name);
    for (const [word, bits] of fields) {
      const postings = this.#words.get(word) ?? [];
      postings.push(this.tools.length, bits);
      this.#words.set(word, postings);
    }
    const size = [...fields.values()].filter((bits) => (bits & ~SHARED) !== 0).length;
    const verb = deriveVerb(name, summary, path, binding);
    this.tools.push({ name, verb, resource: segments.join('/'), size });
    this.#sorted = this.#pathWeights = undefined;
  }

  /** Calls `take` with each tool that has the word, how much it tells of the tool, and the fields that have it. Returns the number of tools. */
  forEachPosting(word: string, take: (tool: number, weight: number, fields: number) => void): number {
    const postings = this.#words.get(word) ?? [];
    for (let at = 0; at < postings.length; at += 2) {
      const [tool = 0, fields = 0] = [postings[at], postings[at + 1]];
      take(tool, weightOf(fields, this.tools[tool]?.size ?? 0), fields);
    }
    return postings.length / 2;
  }

  /** The share of tools without a word says how much the word tells. */
  rarityOf(word: string): number {
    const having = (this.#words.get(word)?.length ?? 0) / 2;
    return Math.log(1 + (this.tools.length - having + 0.5) / (having + 0.5));
  }

  /** What the words of a tool's path tell, together. */
  pathWeightOf(tool: number): number {
    this.#pathWeights ??= this.tools.map(({ resource }) => {
      const words = new Set(stemsOf(resource.replaceAll('/', ' ')));
      return Math.round(2 * [...words].reduce((sum, word) => sum + this.rarityOf(word), 0)) / 2;
    });
    return this.#pathWeights[tool] ?? 0;
  }

  hasWord(word: string): boolean {
    return this.#words.has(word);
  }

  wordsBeginningWith(start: string, most: number): string[] {
    const words = (this.#sorted ??= [...this.#words.keys()].toSorted());
    let [low, high] = [0, words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((words[middle] ?? '') < start) low = middle + 1;
      else high = middle;
    }
    const found = words.slice(low, low + most);
    const end = found.findIndex((word) => !word.startsWith(start));
    return end === -1 ? found : found.slice(0, end);
  }

  /** A line for each tool and word. */
  print(): string {
    const tools = this.tools.map((tool) => JSON.stringify(tool)).join(',\n');
    const words = [...this.#words].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const lines = words.map(([word, postings]) => `${JSON.stringify(word)}:${JSON.stringify(postings)}`);
    const head = `"groups":${JSON.stringify(this.groups)},\n"pinned":${JSON.stringify(this.pinned)}`;
    return `{\n${head},\n"tools":[\n${tools}\n],\n"words":{\n${lines.join(',\n')}\n}\n}\n`;
  }
}

export function makeIndex(tools: readonly IndexedTool[], pinned: readonly string[]): SearchIndex {
  const counts = new Map<string, number>();
  for (const { tags = [] } of tools) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const groups = [...counts].toSorted(([one, more], [other, less]) => less - more || (one < other ? -1 : 1));
  const index = new SearchIndex({ groups: groups.slice(0, GROUPS), pinned, tools: [], words: {} });
  for (const tool of tools) index.add(tool);
  return index;
}

const FIELD_ENTRIES = Object.entries(FIELDS) as [keyof typeof FIELDS, number][];
/** By the bits of the fields. */
const SUMS = Array.from({ length: 512 }, (_, bits) =>
  FIELD_ENTRIES.reduce((sum, [field, bit]) => sum + ((bits & bit) === 0 ? 0 : WEIGHTS[field]), 0),
);

/** BM25 without the word's rarity, from 0 to 1, in sixteen steps: small differences say nothing. */
function weightOf(fields: number, size: number): number {
  const sum = SUMS[fields] ?? 0;
  const share = sum / (sum + SATURATION * (1 - LENGTH + (LENGTH * size) / USUAL_SIZE));
  return (Math.min(15, Math.floor(share * 16)) + 0.5) / 16;
}

function textsOf(
  { name, title = '', description = '', tags = [], about = '', binding, inputSchema }: IndexedTool,
  summary: string,
  segments: readonly string[],
): [text: string, field: keyof typeof FIELDS][] {
  // The compiler's words of a result say less than those of a person.
  const at = description.search(/\bReturns (?:an object|a list of objects|an array of objects) with `/);
  const [told, answer] = at === -1 ? [description, ''] : [description.slice(0, at), description.slice(at)];
  const args = Object.entries(inputSchema.properties ?? {}).slice(0, ARGUMENTS);
  return [
    [binding?.kind === 'http' ? `${name} ${binding.operationId ?? ''}` : name, 'name'],
    [summary, 'summary'],
    [`${title} ${told.slice(0, DESCRIPTION_CHARACTERS)}`, 'description'],
    [`${answer} ${about}`, 'about'],
    [tags.join(' '), 'tags'],
    [segments.join(' '), 'path'],
    [lastNounOfPath(segments), 'head'],
    ...args.flatMap(([argument, schema]): [string, keyof typeof FIELDS][] => {
      const hint = typeof schema === 'boolean' ? '' : String(schema['description'] ?? '');
      return [
        [argument, 'args'],
        [hint.slice(0, ARGUMENT_CHARACTERS), 'hints'],
      ];
    }),
  ];
}

/** Leaves out parameters and versions; a name such as `users.list` makes two segments. */
function splitPathSegments(path: string): string[] {
  const isWord = (segment: string): boolean =>
    segment !== '' && !segment.includes('{') && !/^v?\d[\d-]*(?:(?:alpha|beta)\d*)?$/.test(segment);
  return path
    .replace(/\.json$/, '')
    .split(/[/#.]/)
    .filter(isWord);
}

/** Whether a tool is about the caller: `/me/tracks`, `/user/repos`. */
function isAboutCaller(path: string, summary: string): boolean {
  return (
    /\/(?:@?me|myself|self|user|viewer|profile)(?:\/|$)/.test(path) ||
    /\b(?:current|authenticated|signed-in|logged-in) user\b/i.test(summary)
  );
}

/** The last segment of a path, with the one before it if the last names only an action. */
function lastNounOfPath(segments: readonly string[]): string {
  const last = segments.at(-1) ?? '';
  const isAction = splitWords(last).every((word) => verbsOf(stemWord(word)).length > 0);
  return isAction ? `${segments.at(-2) ?? ''} ${last}` : last;
}

/** The first sentence of the title, or of the description. */
export function firstSentenceOf({ title, description = '' }: Pick<IndexedTool, 'title' | 'description'>) {
  const text = title === undefined || description.startsWith(title) ? description : title;
  return /^[^]*?[^.](?=\.(?:\s|$)|\n\n|$)/.exec(text)?.[0] ?? text;
}
