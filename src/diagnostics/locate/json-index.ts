import { toWellFormedText } from '../../../templates/runtime/contract/http-syntax.ts';
import type { DocumentIndex, Span } from './text-places.ts';

const space = /[ \t\n\r\ufeff]*/y;
const scalar = /[^\s,\]}]*/y;
const mark = /["[\]{}]/g;

interface Entry {
  key: Span;
  value: number;
}

interface Container {
  members: Map<string, Entry>;
  next: number;
  done: boolean;
}

/** Finds positions in a JSON text by scanning from member to member, without parsing values. */
export class JsonIndex implements DocumentIndex {
  readonly #text: string;
  readonly #containers = new Map<number, Container>();

  constructor(text: string) {
    this.#text = text;
  }

  find(tokens: readonly string[], target: 'value' | 'key'): Span {
    let at = this.#endOfMatch(space, 0);
    let key: Span | undefined;
    for (const token of tokens) {
      const entry = this.#findMember(at, token);
      if (entry === undefined) return key ?? this.#valueSpan(at);
      ({ key, value: at } = entry);
    }
    // A container is shown by its key, which says more than a bracket.
    const opens = this.#text[at] === '{' || this.#text[at] === '[';
    return key !== undefined && key.end > key.start && (target === 'key' || opens)
      ? key
      : this.#valueSpan(at);
  }

  #findMember(at: number, token: string): Entry | undefined {
    const opener = this.#text[at];
    if (opener !== '{' && opener !== '[') return undefined;
    const container = this.#openContainer(at);
    while (!container.members.has(token) && !container.done) this.#scanMember(container, opener === '{');
    return container.members.get(token);
  }

  #openContainer(at: number): Container {
    let container = this.#containers.get(at);
    if (container === undefined) {
      container = { members: new Map(), next: at + 1, done: false };
      this.#containers.set(at, container);
    }
    return container;
  }

  #scanMember(container: Container, isObject: boolean): void {
    const start = this.#endOfMatch(space, container.next);
    const character = this.#text[start];
    if (character === undefined || character === '}' || character === ']') {
      container.done = true;
      return;
    }
    if (!isObject) {
      this.#rememberEntry(container, String(container.members.size), {
        key: { start, end: start },
        value: start,
      });
      return;
    }
    const end = character === '"' ? this.#endOfString(start) : start;
    const colon = this.#endOfMatch(space, end);
    if (end === start || this.#text[colon] !== ':') {
      container.done = true;
      return;
    }
    const value = this.#endOfMatch(space, colon + 1);
    this.#rememberEntry(container, unquoteJson(this.#text.slice(start, end)), { key: { start, end }, value });
  }

  #rememberEntry(container: Container, name: string, entry: Entry): void {
    container.members.set(name, entry);
    const end = this.#endOfMatch(space, this.#endOfValue(entry.value));
    if (this.#text[end] === ',') container.next = end + 1;
    else container.done = true;
  }

  #endOfValue(start: number): number {
    const character = this.#text[start];
    if (character === '"') return this.#endOfString(start);
    if (character !== '{' && character !== '[') return this.#endOfMatch(scalar, start);
    let depth = 0;
    mark.lastIndex = start;
    while (mark.test(this.#text)) {
      const found = this.#text[mark.lastIndex - 1];
      if (found === '"') mark.lastIndex = this.#endOfString(mark.lastIndex - 1);
      else depth += found === '{' || found === '[' ? 1 : -1;
      if (depth === 0) return mark.lastIndex;
    }
    return this.#text.length;
  }

  #endOfString(start: number): number {
    let end = start;
    do end = this.#text.indexOf('"', end + 1);
    while (end !== -1 && this.#isEscaped(end));
    return end === -1 ? this.#text.length : end + 1;
  }

  #isEscaped(at: number): boolean {
    let first = at;
    while (this.#text[first - 1] === '\\') first -= 1;
    return (at - first) % 2 === 1;
  }

  #valueSpan(start: number): Span {
    const opens = this.#text[start] === '{' || this.#text[start] === '[';
    return { start, end: opens ? start + 1 : this.#endOfValue(start) };
  }

  #endOfMatch(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : at;
  }
}

function unquoteJson(quoted: string): string {
  try {
    return toWellFormedText(String(JSON.parse(quoted)));
  } catch {
    return quoted.slice(1, -1);
  }
}
