// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The compiler's index of tools, searched unparsed, and the tools of the project's own code beside it. */
import {
  type IndexHead,
  IndexBuilder,
  type IndexedTool,
  PATH_STEP,
  type Postings,
  hashName,
  listNameHashes,
  sumPathWeights,
  decodePostings,
  decodeResources,
  packWordWeight,
  decodeDigit,
} from '../contract/search-index.ts';
import { VERBS, type Verb } from '../contract/search-words.ts';

const WORDS_START = '\n"words":{\n';

/** Each search reads these of all tools, so they are decoded once. */
interface ToolFacts {
  verbs: Uint8Array;
  paths: Uint8Array;
  resources: Uint16Array;
}

export class SearchIndex {
  readonly head: IndexHead;
  readonly #text: string;
  readonly #from: number;
  readonly #own: IndexBuilder;
  /** The number of tools: those of the compiler, then those of the project's own code. */
  readonly size: number;
  /** Number of tools that the compiler knew. */
  readonly known: number;
  #numbers: ReadonlyMap<string, number> | undefined;
  #facts: ToolFacts | undefined;

  /** @throws {Error} if the text is no index of this version */
  constructor(text: string, own: readonly IndexedTool[] = []) {
    const at = text.indexOf(WORDS_START);
    this.head = JSON.parse(`${text.slice(0, Math.max(0, at - 1))}}`) as IndexHead;
    this.#text = text;
    this.#from = at + WORDS_START.length;
    this.#own = new IndexBuilder();
    for (const tool of own) this.#own.add(tool);
    this.known = this.head.verbs.length;
    this.size = this.known + own.length;
  }

  /** Undefined for a tool that the compiler did not know. */
  toolNumberOf(name: string): number | undefined {
    this.#numbers ??= new Map(listNameHashes(this.head).map((hash, number) => [hash, number]));
    return this.#numbers.get(hashName(name, this.head.salt));
  }

  verbOfTool(tool: number): Verb {
    if (tool >= this.known) return this.#own.tools[tool - this.known]?.verb ?? 'other';
    return VERBS[this.#factsOfTools.verbs[tool] ?? 0] ?? 'other';
  }

  pathWeightOf(tool: number): number {
    if (tool < this.known) return (this.#factsOfTools.paths[tool] ?? 0) * PATH_STEP;
    const own = this.#own.tools[tool - this.known];
    return own === undefined ? 0 : sumPathWeights(own, this.size);
  }

  /** 0 if the tool has no path, or is the project's own. */
  resource(tool: number): number {
    return this.#factsOfTools.resources[tool] ?? 0;
  }

  get #factsOfTools(): ToolFacts {
    const { head, known } = this;
    return (this.#facts ??= {
      verbs: Uint8Array.from({ length: known }, (_, tool) => decodeDigit(head.verbs, tool)),
      paths: Uint8Array.from({ length: known }, (_, tool) => decodeDigit(head.paths, tool)),
      resources: decodeResources(head, known),
    });
  }

  readPostingsOf(word: string, into: Postings): void {
    into.count = 0;
    decodePostings(this.#findLine(word), into);
    for (const [tool, fields] of this.#own.words.get(word)?.postings ?? []) {
      into.tools[into.count] = this.known + tool;
      into.telling[into.count] = packWordWeight(fields, this.#own.tools[tool]?.size ?? 0);
      into.count += 1;
    }
  }

  hasWord(word: string): boolean {
    return this.#own.words.has(word) || this.#wordOfLineAt(this.#findLineFrom(word)) === word;
  }

  /** The words that begin with `start`, at most `most`. */
  wordsBeginningWith(start: string, most: number): string[] {
    const found: string[] = [];
    for (let at = this.#findLineFrom(start); found.length < most; at = this.#text.indexOf('\n', at) + 1) {
      const word = this.#wordOfLineAt(at);
      if (!word.startsWith(start) || at === 0) break;
      found.push(word);
    }
    return [...found, ...[...this.#own.words.keys()].filter((word) => word.startsWith(start))].slice(0, most);
  }

  #findLine(word: string): string {
    const at = this.#findLineFrom(word);
    if (this.#wordOfLineAt(at) !== word) return '';
    const from = at + word.length + 4;
    return this.#text.slice(from, this.#text.indexOf('"', from));
  }

  /** Where the first line begins whose word is not before `word`. Lines are in order, so half of the rest is left out at each step. */
  #findLineFrom(word: string): number {
    let low = this.#from;
    let high = this.#text.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const line = this.#nextLine(middle);
      const found = this.#wordOfLineAt(line);
      if (found !== '' && found < word) low = line + 1;
      else high = middle;
    }
    return this.#nextLine(low);
  }

  /** Where the first line begins that is not before `at`; 0 if there is none. */
  #nextLine(at: number): number {
    return this.#text.indexOf('\n', at - 1) + 1;
  }

  #wordOfLineAt(at: number): string {
    return this.#text.charAt(at) === '"' ? this.#text.slice(at + 1, this.#text.indexOf('"', at + 1)) : '';
  }
}
