import {
  EVENT_ID,
  type Event,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
  getScalarValue,
  parseEvents,
} from 'js-yaml';

import { toWellFormedText } from '../../util/http-syntax.ts';
import type { DocumentIndex, Span } from './text-places.ts';

interface Entry {
  key: number;
  value: number;
}

/** Finds positions in a YAML text by the events of the parser. Nodes are the indexes of their first events; members are read on demand. */
export class YamlIndex implements DocumentIndex {
  readonly #text: string;
  readonly #events: Event[];
  readonly #containers = new Map<number, Map<string, Entry>>();

  constructor(text: string) {
    this.#text = text;
    this.#events = parseYamlEvents(text);
  }

  find(tokens: readonly string[], target: 'value' | 'key'): Span {
    let entry: Entry = { key: 1, value: 1 };
    for (const token of tokens) {
      const next = this.#membersOf(this.#resolveAlias(entry.value))?.get(token);
      if (next === undefined) return this.#spanOf(entry.key);
      entry = next;
    }
    const type = this.#events[entry.value]?.type;
    // A container is shown by its key, since a block starts on the next line.
    const opens = type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE;
    const span = this.#spanOf(target === 'key' || opens ? entry.key : entry.value);
    return span.end < span.start || span.start < 0 ? this.#spanOf(entry.key) : span;
  }

  #membersOf(at: number): Map<string, Entry> | undefined {
    const type = this.#events[at]?.type;
    if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) return undefined;
    let members = this.#containers.get(at);
    if (members === undefined) {
      members = new Map();
      this.#containers.set(at, members);
      if (type === EVENT_ID.MAPPING) this.#readMapping(at, members);
      else this.#readSequence(at, members);
    }
    return members;
  }

  #readMapping(at: number, members: Map<string, Entry>): void {
    const merged: number[] = [];
    let key = at + 1;
    while (this.#isNode(key)) {
      const value = this.#eventAfterNode(key);
      const name = this.#scalarText(key);
      if (name === '<<') merged.push(value);
      else if (name !== undefined) members.set(name, { key, value });
      key = this.#eventAfterNode(value);
    }
    for (const value of merged) this.#addMergedMembers(members, value);
  }

  /** `<<` adds the members of a mapping, or of a list of mappings; own members win. */
  #addMergedMembers(members: Map<string, Entry>, value: number): void {
    const source = this.#resolveAlias(value);
    const isList = this.#events[source]?.type === EVENT_ID.SEQUENCE;
    for (const [name, entry] of this.#membersOf(source) ?? []) {
      if (isList) this.#addMergedMembers(members, entry.value);
      else if (!members.has(name)) members.set(name, entry);
    }
  }

  #readSequence(at: number, members: Map<string, Entry>): void {
    let item = at + 1;
    while (this.#isNode(item)) {
      members.set(String(members.size), { key: item, value: item });
      item = this.#eventAfterNode(item);
    }
  }

  #isNode(at: number): boolean {
    const type = this.#events[at]?.type;
    return type !== undefined && type !== EVENT_ID.POP;
  }

  /** Finds the index of the event after a node and its content. */
  #eventAfterNode(at: number): number {
    let depth = 0;
    let next = at;
    do {
      const type = this.#events[next]?.type;
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth += 1;
      if (type === EVENT_ID.POP) depth -= 1;
      next += 1;
    } while (depth > 0 && next < this.#events.length);
    return next;
  }

  #scalarText(at: number): string | undefined {
    const event = this.#events[this.#resolveAlias(at)];
    return event?.type === EVENT_ID.SCALAR ? toWellFormedText(getScalarValue(this.#text, event)) : undefined;
  }

  /** Finds the node of an alias: the last one before it with that anchor. */
  #resolveAlias(at: number): number {
    const alias = this.#events[at];
    if (alias?.type !== EVENT_ID.ALIAS) return at;
    const name = this.#text.slice(alias.anchorStart, alias.anchorEnd);
    for (let index = at - 1; index >= 0; index -= 1) {
      const event = this.#events[index];
      if (event === undefined || !('style' in event) || event.anchorStart < 0) continue;
      if (this.#text.slice(event.anchorStart, event.anchorEnd) === name) return index;
    }
    return at;
  }

  #spanOf(at: number): Span {
    const event = this.#events[at];
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return scalarSpan(event);
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        return { start: event.start, end: event.start + 1 };
      case EVENT_ID.ALIAS:
        return { start: event.anchorStart - 1, end: event.anchorEnd };
      default:
        return { start: 0, end: 0 };
    }
  }
}

/** An invalid text has no positions. */
function parseYamlEvents(text: string): Event[] {
  try {
    return parseEvents(text, { maxDepth: 1000 });
  } catch (error) {
    if (error instanceof YAMLException || error instanceof RangeError) return [];
    throw error;
  }
}

/** The span of a YAML scalar, including its quotes. */
function scalarSpan({ valueStart, valueEnd, style }: ScalarEvent): Span {
  const quoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  const quotes = quoted ? 1 : 0;
  return { start: valueStart - quotes, end: Math.max(valueEnd, valueStart) + quotes };
}
