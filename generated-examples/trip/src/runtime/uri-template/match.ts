import { parseUriTemplate } from './parse.ts';
import { normalizeTriplets } from './percent.ts';
import { type Slot, toSlots } from './slots.ts';
import { Variables } from './variables.ts';

/** UTF-16 code units; a longer URI matches nothing. */
const longestUri = 65_536;
const mostCached = 1_000;
const cache = new Map<string, readonly Slot[]>();

/**
 * The inverse of expansion: the variables' values, percent-decoded, or undefined when the URI is not one that the
 * template makes.
 *
 * - `{id}` takes one character or more, never `/`, `?` or `#`; `{+path}` may take those too.
 * - Expressions with an operator of their own (`{/id}`, `{.ext}`, `{;v}`, `{?q}`, `{&q}`, `{#f}`) may be absent;
 *   `name=value` members come in any order, and a name the template does not have is no match.
 * - A comma makes a list, except in `{+…}` and `{#…}`; a variable with `*` is always a list. Members of an object come
 *   back as `name=value` texts of a list.
 * - Where several readings are possible, the earlier variable takes the most, but stops where the operator of an
 *   expression right behind it begins: `{name}{.ext}` reads `a.tar.gz` as `a` and `tar.gz`.
 *
 * Takes time linear in the URI's length.
 *
 * @throws UriTemplateError on a malformed template.
 */
export function matchUriTemplate(
  template: string,
  uri: string,
): Record<string, string | string[]> | undefined {
  const slots = cache.get(template) ?? remember(template);
  const text = normalizeTriplets(uri);
  const [head] = slots;
  if (text.length > longestUri || (head?.kind === 'literal' && !text.startsWith(head.text))) return undefined;
  const reach = new Reach(slots, text);
  return reach.canStart ? read(slots, text, reach) : undefined;
}

function remember(template: string): readonly Slot[] {
  const slots = toSlots(parseUriTemplate(template));
  if (cache.size >= mostCached) cache.clear();
  cache.set(template, slots);
  return slots;
}

type RunSlot = Exclude<Slot, { kind: 'literal' }>;

/**
 * For each slot and position, whether the rest of the slots can take exactly the rest of the text. Filled from the
 * end, so that reading from the start never has to try twice.
 */
class Reach {
  readonly #slots: readonly Slot[];
  readonly #text: string;
  readonly #width: number;
  /** A slot begins here. */
  readonly #begin: Uint8Array;
  /** A slot has its lead and least characters, and goes on here. */
  readonly #within: Uint8Array;

  constructor(slots: readonly Slot[], text: string) {
    this.#slots = slots;
    this.#text = text;
    this.#width = text.length + 1;
    this.#begin = new Uint8Array((slots.length + 1) * this.#width);
    this.#within = new Uint8Array(slots.length * this.#width);
    this.#begin[slots.length * this.#width + text.length] = 1;
    for (let slot = slots.length - 1; slot >= 0; slot--) this.#fill(slot);
  }

  get canStart(): boolean {
    return this.#begin[0] === 1;
  }

  begins(slot: number, position: number): boolean {
    return this.#begin[slot * this.#width + position] === 1;
  }

  within(slot: number, position: number): boolean {
    return this.#within[slot * this.#width + position] === 1;
  }

  /** Whether a run can begin here: its lead, its least characters, and then the rest. */
  enters(slot: number, position: number): boolean {
    const run = this.#slots[slot];
    if (run === undefined || run.kind === 'literal' || !this.#text.startsWith(run.lead, position))
      return false;
    const start = position + run.lead.length;
    return run.least === 0 ? this.within(slot, start) : this.continues(slot, run, start);
  }

  /** Whether the run can take this character and then the rest. */
  continues(slot: number, run: RunSlot, position: number): boolean {
    if (position >= this.#text.length || run.excluded.has(this.#text.charAt(position))) return false;
    return this.within(slot, position + 1);
  }

  #fill(index: number): void {
    const slot = this.#slots[index];
    const row = index * this.#width;
    for (let position = this.#text.length; position >= 0; position--) {
      if (slot?.kind === 'literal') {
        const ok =
          this.#text.startsWith(slot.text, position) && this.begins(index + 1, position + slot.text.length);
        this.#begin[row + position] = Number(ok);
      } else if (slot !== undefined) {
        const ends = this.begins(index + 1, position);
        const goesOn =
          this.continues(index, slot, position) || (slot.repeats && this.enters(index, position));
        this.#within[row + position] = Number(ends || goesOn);
        this.#begin[row + position] = Number((slot.optional && ends) || this.enters(index, position));
      }
    }
  }
}

/** Walks from the start; every slot takes as much as lets the rest succeed. */
function read(
  slots: readonly Slot[],
  text: string,
  reach: Reach,
): Record<string, string | string[]> | undefined {
  const variables = new Variables();
  let position = 0;
  for (const [index, slot] of slots.entries()) {
    if (slot.kind === 'literal') {
      position += slot.text.length;
      continue;
    }
    const pieces: string[] = [];
    while (reach.enters(index, position) && (pieces.length === 0 || slot.repeats)) {
      const start = position + slot.lead.length;
      position = start;
      while (reach.continues(index, slot, position)) position++;
      pieces.push(text.slice(start, position));
    }
    if (pieces.length > 0 && !variables.add(slot, pieces)) return undefined;
  }
  return variables.found;
}
