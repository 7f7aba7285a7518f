/** The places of an expression that take a character, and which may follow which (Glushkov 1961). */
import { anyCharacter, type CharacterSet } from './character-set.ts';
import { isNullable, type RegexNode } from './regex-node.ts';

/**
 * Place 0 is where it starts. A place stands in a list as often as there are ways to it: an engine that goes back tries
 * each of them.
 */
export interface Automaton {
  readonly sets: readonly CharacterSet[];
  readonly follow: readonly (readonly number[])[];
}

/** Places that are judged; an expression with more is not. */
const PLACES = 400;
/** Ways from place to place that are judged. */
const WAYS = 20_000;

/** Times that one character is written out where it stands so often; more is taken for any number. */
const CHAIN = 128;

class TooLarge extends Error {}

/**
 * An automaton with at least as many ways through any text as an engine may try; undefined when it would be too large, or
 * no bound is known. What is looked at ahead is a way that ends.
 */
export function automatonOf(node: RegexNode, counting: Counting): Automaton | undefined {
  try {
    return new Builder(counting).build(node);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

/**
 * How `x{2,5}` of one character is read: as places in a row, or as any number of times, which has fewer places and more
 * ways. Counts of anything longer are taken as any number.
 */
export type Counting = 'exactly' | 'loosely';

interface Part {
  first: readonly number[];
  last: readonly number[];
}

class Builder {
  readonly #sets: CharacterSet[] = [anyCharacter];
  readonly #follow: number[][] = [[]];
  readonly #counting: Counting;
  #ways = 0;

  constructor(counting: Counting) {
    this.#counting = counting;
  }

  build(node: RegexNode): Automaton {
    const anywhere = isAnchored(node) ? [] : [this.#place(anyCharacter)];
    const { first } = this.#part(node);
    for (const from of [0, ...anywhere]) this.#link([from], [...first, ...anywhere]);
    return { sets: this.#sets, follow: this.#follow };
  }

  #place(set: CharacterSet): number {
    if (this.#sets.length >= PLACES) throw new TooLarge();
    this.#follow.push([]);
    return this.#sets.push(set) - 1;
  }

  #link(last: readonly number[], first: readonly number[]): void {
    this.#ways += last.length * first.length;
    if (this.#ways > WAYS) throw new TooLarge();
    for (const from of last) this.#follow[from]?.push(...first);
  }

  #part(node: RegexNode): Part {
    switch (node.kind) {
      case 'set': {
        const place = [this.#place(node.set)];
        return { first: place, last: place };
      }
      case 'sequence':
        return this.#sequence(node.items);
      case 'choice': {
        const parts = node.branches.map((branch) => this.#part(branch));
        return { first: parts.flatMap(({ first }) => first), last: parts.flatMap(({ last }) => last) };
      }
      case 'repeat':
        return this.#repeat(node);
      case 'edge':
        return { first: [], last: [] };
      case 'look':
        // Looking behind costs nothing where it sees one text of one length.
        if (node.behind && !isFixed(node.item)) throw new TooLarge();
        return { first: node.behind ? [] : this.#part(node.item).first, last: [] };
    }
  }

  #sequence(items: readonly RegexNode[]): Part {
    let first: readonly number[] = [];
    let last: readonly number[] = [];
    let nullable = true;
    for (const item of items) {
      const part = this.#part(item);
      this.#link(last, part.first);
      if (nullable) first = [...first, ...part.first];
      const skipped = isNullable(item);
      last = skipped ? [...last, ...part.last] : part.last;
      nullable &&= skipped;
    }
    return { first, last };
  }

  #repeat({ item, min, max }: RegexNode & { kind: 'repeat' }): Part {
    if (max === 1) return this.#part(item);
    if (item.kind === 'set' && max <= CHAIN && (min === max || this.#counting === 'exactly'))
      return this.#chain(item, min, max);
    const nullable = isNullable(item);
    // Turns that are demanded may be empty, and engines try each way to share the rest among them.
    if (nullable && min > 1) throw new TooLarge();
    const part =
      nullable && min === 1
        ? this.#sequence([item, { kind: 'repeat', item, min: 0, max }])
        : this.#part(item);
    if (!nullable || min === 0) this.#link(part.last, part.first);
    return part;
  }

  #chain(item: RegexNode, min: number, max: number): Part {
    const rest = Array.from({ length: max - min }).reduce<RegexNode | undefined>((inner) => {
      const turn: RegexNode = inner === undefined ? item : { kind: 'sequence', items: [item, inner] };
      return { kind: 'repeat', item: turn, min: 0, max: 1 };
    }, undefined);
    return this.#sequence([...Array<RegexNode>(min).fill(item), ...(rest === undefined ? [] : [rest])]);
  }
}

/** Whether every match starts where the text does. */
export function isAnchored(node: RegexNode): boolean {
  switch (node.kind) {
    case 'edge':
      return node.edge === 'start';
    case 'sequence':
      return node.items[0] !== undefined && isAnchored(node.items[0]);
    case 'choice':
      return node.branches.every(isAnchored);
    case 'repeat':
      return node.min > 0 && isAnchored(node.item);
    case 'set':
    case 'look':
      return false;
  }
}

function isFixed(node: RegexNode): boolean {
  return (
    node.kind === 'set' || node.kind === 'edge' || (node.kind === 'sequence' && node.items.every(isFixed))
  );
}
