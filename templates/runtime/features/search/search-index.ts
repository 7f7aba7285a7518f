// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The index of tools that `search_tools` ranks by BM25 (`src/generated/search.json`). The compiler writes it; tools of the project's own code are added at the start. */
import type { Binding, ToolInfo } from '../../types.ts';
import { SYNONYMS } from './synonyms.ts';
import { stemWord, splitWords, stemsOf, type Verb, verbsOf } from './words.ts';

/** How much a word tells by the field that it is in. Tuned by `npm run bench:search`. */
const WEIGHTS = { name: 2.9, summary: 2, tags: 2.4, path: 1.7, args: 0.2, description: 0.6 };
/** `k` and `b` of BM25: saturation, and what long texts cost. */
const [SATURATION, LENGTH, USUAL_SIZE] = [1.6, 0.25, 20];
/** One rare word does not outweigh two common ones. */
const RARITY = 0.7;
/** The part of a score that coverage of the question decides, and the weight of a word that no tool has. */
const [COVERAGE, UNKNOWN] = [0.75, 3.8];
/** The cost of a word of the path that nobody asked for. */
const UNASKED = 0.15;
/** How much other words count than those of the question. Verbs tell less of what a tool is about than nouns. */
const PARTS = { verb: 0.5, synonym: 0.8, known: 0.5, form: 0.15, replacement: 0.3 };
const [DESCRIPTION_CHARACTERS, ARGUMENTS, ARGUMENT_CHARACTERS, GROUPS, QUESTION_WORDS] = [
  300, 30, 120, 40, 24,
];

export interface IndexedTool extends Pick<ToolInfo, 'name' | 'title' | 'description' | 'inputSchema'> {
  binding?: Binding | undefined;
  tags?: readonly string[] | undefined;
  about?: string;
}

interface IndexData {
  /** The tags with most tools, and their numbers. */
  groups: [name: string, tools: number][];
  /** Listed beside the tools of the surface. */
  pinned: readonly string[];
  tools: { name: string; verb: Verb; size: number; path: string[] }[];
  /** For each word: a tool and ten times the weights of the fields that have it, one pair after the other. */
  words: Record<string, number[]>;
}

export class SearchIndex {
  readonly groups: IndexData['groups'];
  readonly pinned: readonly string[];
  readonly tools: IndexData['tools'];
  readonly #words: Map<string, number[]>;

  constructor({ groups, pinned, tools, words }: IndexData) {
    this.groups = groups;
    this.pinned = pinned;
    this.tools = tools;
    this.#words = new Map(Object.entries(words));
  }

  add(tool: IndexedTool): void {
    const { name, binding, tags = [], title = '', description = '', about = '', inputSchema } = tool;
    const summary = firstSentenceOf(tool);
    const isHttp = binding?.kind === 'http';
    const path = isHttp ? String(binding['path']).replace(/\{[^}]*\}|\bv\d\w*/g, ' ') : '';
    const args = Object.entries(inputSchema.properties ?? {}).slice(0, ARGUMENTS);
    const hints = args.map(([argument, schema]) => {
      const hint = typeof schema === 'boolean' ? '' : String(schema['description'] ?? '');
      return `${argument} ${hint.slice(0, ARGUMENT_CHARACTERS)}`;
    });
    const fields: [keyof typeof WEIGHTS, string][] = [
      ['name', isHttp ? `${name} ${String(binding['operationId'] ?? '')}` : name],
      ['summary', summary],
      ['tags', tags.join(' ')],
      ['path', path],
      ['description', `${title} ${description.slice(0, DESCRIPTION_CHARACTERS)}`],
      ['args', `${hints.join(' ')} ${about}`],
    ];
    const weights = new Map<string, number>();
    let size = 0;
    for (const [field, text] of fields)
      for (const word of new Set(stemsOf(text))) {
        // Arguments, which many tools share, make a tool no longer.
        if (!weights.has(word) && field !== 'args') size += 1;
        weights.set(word, (weights.get(word) ?? 0) + WEIGHTS[field]);
      }
    for (const [word, weight] of weights) {
      const postings = this.#words.get(word) ?? [];
      postings.push(this.tools.length, Math.round(10 * weight));
      this.#words.set(word, postings);
    }
    this.tools.push({ name, verb: verbOfTool(summary, tool), size, path: [...new Set(stemsOf(path))] });
  }

  /** The names of the best tools for which `isThere` holds, the best first. Equals are in the order of the index. */
  rank(question: string, limit: number, isThere: (name: string) => boolean): string[] {
    const fitOf = makeFit(question);
    const sums = new Map<number, { score: number; covered: number }>();
    let all = 0;
    for (const [word, alternatives] of this.#readWords(question)) {
      const best = new Map<number, number>();
      let weight = 0;
      for (const [other, part] of alternatives) {
        const postings = this.#words.get(other) ?? [];
        const rarity = this.#rarityOf(other) * part;
        if (postings.length > 0) weight = Math.max(weight, rarity);
        for (let at = 0; at < postings.length; at += 2) {
          const [tool = 0, telling = 0] = [postings[at], postings[at + 1]];
          const length = 1 - LENGTH + (LENGTH * (this.tools[tool]?.size ?? 0)) / USUAL_SIZE;
          const value = (rarity * telling) / (telling + 10 * SATURATION * length);
          best.set(tool, Math.max(best.get(tool) ?? 0, value));
        }
      }
      all += weight === 0 && verbsOf(word).length === 0 ? UNKNOWN : weight;
      for (const [tool, value] of best) {
        const { score, covered } = sums.get(tool) ?? { score: 0, covered: 0 };
        sums.set(tool, { score: score + value, covered: covered + weight });
      }
    }
    const asked = new Set(stemsOf(question));
    return [...sums]
      .toSorted(([one], [other]) => one - other)
      .map(([tool, { score, covered }]) => {
        const { name = '', verb = 'other', path = [] } = this.tools[tool] ?? {};
        const unasked = path.filter((word) => !asked.has(word)).map((word) => this.#rarityOf(word));
        const whole = 1 - COVERAGE + (COVERAGE * covered) / (all || 1);
        const cost = 1 + UNASKED * unasked.reduce((sum, rarity) => sum + rarity, 0);
        return { name, score: (score * whole * fitOf(verb)) / cost };
      })
      .filter(({ name }) => isThere(name))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit)
      .map(({ name }) => name);
  }

  /** Each word of a question with those that mean about the same, and how much of its weight they have. */
  #readWords(question: string): Map<string, [word: string, part: number][]> {
    const spelledWords = splitWords(question).slice(0, QUESTION_WORDS);
    const words = new Map<string, [word: string, part: number][]>();
    for (const word of stemsOf(spelledWords.join(' '))) {
      const part = verbsOf(word).length > 0 ? PARTS.verb : 1;
      const isKnown = this.#words.has(word);
      // `api service` is `apiservices` in many a path.
      const joined = spelledWords.flatMap((_, at) => [
        spelledWords.slice(at, at + 2),
        spelledWords.slice(at, at + 3),
      ]);
      const around = joined.filter((run) => run.length > 1 && run.some((one) => stemWord(one) === word));
      const synonyms = SYNONYMS.get(word) ?? [];
      words.set(word, [
        [word, part],
        ...around.map((run): [string, number] => [stemWord(run.join('')), 1]),
        ...synonyms.map((other): [string, number] => [other, part * (isKnown ? PARTS.known : PARTS.synonym)]),
        ...this.#formsOf(word).map((other): [string, number] => [
          other,
          part * (isKnown ? PARTS.form : PARTS.replacement),
        ]),
      ]);
    }
    return words;
  }

  #rarityOf(word: string): number {
    const having = (this.#words.get(word)?.length ?? 0) / 2;
    return Math.log(1 + (this.tools.length - having + 0.5) / (having + 0.5)) ** RARITY;
  }

  /** Words that begin alike: `approve`, `approval`. */
  #formsOf(word: string): string[] {
    if (word.length < 5) return [];
    const start = word.slice(0, Math.max(5, Math.ceil(word.length * 0.7)));
    return [...this.#words.keys()].filter(
      (other) => other !== word && other.startsWith(start) && Math.abs(other.length - word.length) <= 4,
    );
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

const METHOD_VERBS = new Map<unknown, Verb>([
  ['PUT', 'update'],
  ['PATCH', 'update'],
  ['DELETE', 'delete'],
  ['HEAD', 'get'],
  ['OPTIONS', 'get'],
]);

function verbOfTool(summary: string, { name, binding }: IndexedTool): Verb {
  const words = [...splitWords(summary).slice(0, 1), ...splitWords(name)];
  const [verb] = words.filter((word) => word !== 'post').flatMap(verbsOf);
  if (binding?.kind !== 'http') return verb ?? 'other';
  const isItem = /\}[^/]*$/.test(String(binding['path']));
  const byMethod = METHOD_VERBS.get(binding['method']);
  if (byMethod !== undefined) return byMethod;
  if (binding['method'] === 'GET') return isItem ? 'get' : 'list';
  return verb ?? (isItem ? 'update' : 'create');
}

/** Who begins so asks, and changes nothing. */
const ASKING =
  /^(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|am|does|do|did|has|have|had|can|could)\b/i;
/** Somebody no longer wants a thing. */
const ENDING =
  /\b(?:any ?(?:more|longer)|no longer|not? more|after all|do(?:n['’]?t| not) (?:need|want|use)|get rid|(?:shut|tear)\w* down|(?:tak|throw|kick|clean|drop|wip)(?:e|ing)?\b.*\b(?:away|off|out))\b/i;
const READING: readonly Verb[] = ['list', 'get'];
const WRITING: readonly Verb[] = ['create', 'update'];

/** How well a tool fits the kind of work that a question asks for, and whether it asks for one thing or many. */
function makeFit(question: string): (verb: Verb) => number {
  const isEnding = ENDING.test(question);
  const isAsking = ASKING.test(question) && !isEnding;
  // A word after these says which thing is meant, not what to do: `the chapters of a book`.
  const [main = ''] = question.split(/\b(?:of|that|which|who|whose)\b/);
  const said = splitWords(main)
    .map(verbsOf)
    .find((kinds) => kinds.length > 0);
  const kinds = isEnding ? ['delete' as const] : isAsking ? READING : (said ?? READING);
  const verbs = new Set(kinds.some((kind) => READING.includes(kind)) ? [...kinds, ...READING] : kinds);
  const isPlural = splitWords(question).some((word) => /^.{2,}[^su]s$/.test(word));
  return (verb) => {
    const isSame = verbs.has(verb);
    // Many an API creates by PUT, and changes by POST.
    const isNear = WRITING.includes(verb) && WRITING.some((kind) => verbs.has(kind));
    let fit = isSame ? 1.5 : isNear ? 1.15 : 0.7;
    if (isAsking && !isSame) fit *= 0.2;
    // An order that changes something is rarely followed by reading.
    if (READING.includes(verb) && !READING.some((kind) => verbs.has(kind))) fit *= 0.4;
    return verb === (isPlural ? 'list' : 'get') ? fit * 1.1 : fit;
  };
}

/** The first sentence of the title, or of the description. */
export function firstSentenceOf({ title, description = '' }: Pick<IndexedTool, 'title' | 'description'>) {
  const text = title === undefined || description.startsWith(title) ? description : title;
  return /^[^]*?[^.](?=\.(?:\s|$)|\n\n|$)/.exec(text)?.[0] ?? text;
}
