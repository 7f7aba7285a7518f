// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
import { decode, longestUri, normalizeTriplets } from './plain-template.ts';
import {
  type Expression,
  type Operator,
  operatorRules,
  parseUriTemplate,
  type UriTemplate,
  type VariableSpec,
} from './uri-template.ts';

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

/** A part of a template, which matches a run of a URI's characters. */
type Slot = LiteralSlot | ValueSlot | NamedSlot;

/** Text that must match literally. */
interface LiteralSlot {
  kind: 'literal';
  text: string;
}

interface Run {
  /** The separator before the characters, or nothing. */
  lead: string;
  /** May be absent with its lead. */
  optional: boolean;
  /** Characters the run cannot hold. */
  excluded: ReadonlySet<string>;
  /** Least number of characters. */
  least: 0 | 1;
}

/** The value of one variable. */
interface ValueSlot extends Run {
  kind: 'value';
  variable: VariableSpec;
  /** May come again with its lead (an exploded list of `{/list*}`). */
  repeats: boolean;
  /** Commas are part of a text, not of a list. */
  keepsCommas: boolean;
}

/** `name=value` members in any order: `{?a,b}`, `{&a}`, `{;a}`. */
interface NamedSlot extends Run {
  kind: 'named';
  separator: string;
  variables: readonly VariableSpec[];
  repeats: false;
}

/** The characters that end a path segment. */
const delimiters = ['/', '?', '#'];

function toSlots(template: UriTemplate): Slot[] {
  const parts = mergeNeighbours(template);
  return parts.flatMap((part, index) => {
    if ('literal' in part) return [{ kind: 'literal', text: normalizeTriplets(part.literal) }];
    return expressionSlots(part, leadAfter(parts[index + 1]));
  });
}

/** `{/a}{/b}` is equivalent to `{/a,b}`, and `{?a}{&b}` to `{?a,b}`. */
function mergeNeighbours(template: UriTemplate): UriTemplate {
  const merged: UriTemplate = [];
  for (const part of template) {
    const last = merged.at(-1);
    if (
      last === undefined ||
      'literal' in last ||
      'literal' in part ||
      !continues(last.operator, part.operator)
    ) {
      merged.push(part);
    } else {
      merged[merged.length - 1] = { ...last, variables: [...last.variables, ...part.variables] };
    }
  }
  return merged;
}

function continues(first: Operator, second: Operator): boolean {
  return first === second ? './;&'.includes(first) && first !== '' : first === '?' && second === '&';
}

/** A run stops where the operator of the expression that follows at once may begin. */
function leadAfter(next: UriTemplate[number] | undefined): string[] {
  if (next === undefined || 'literal' in next) return [];
  const { first } = operatorRules[next.operator];
  return first === '' ? [] : [first];
}

function expressionSlots({ operator, variables }: Expression, stops: readonly string[]): Slot[] {
  const { first, separator, named, allowReserved } = operatorRules[operator];
  if (named) {
    const outside = operator === ';' ? delimiters : ['#'];
    const excluded = new Set([...outside, ...stops]);
    return [
      {
        kind: 'named',
        lead: first,
        optional: true,
        excluded,
        least: 1,
        separator,
        variables,
        repeats: false,
      },
    ];
  }
  const single = variables.length === 1;
  return variables.map((variable, index) => {
    const repeats = separator !== ',' && variable.explode === true;
    const outside = allowReserved ? [] : delimiters;
    const between =
      single && !repeats ? [] : separator === ',' && variable.explode === true ? [] : [separator];
    return {
      kind: 'value',
      variable,
      lead: index === 0 ? first : separator,
      optional: first !== '' || index > 0,
      excluded: new Set([...outside, ...stops, ...between]),
      least: first === '' ? 1 : 0,
      repeats,
      keepsCommas: allowReserved,
    };
  });
}

/** Collects the values of variables during a match. */
class Variables {
  /** Without prototype: `constructor` and `__proto__` are good names for a variable. */
  readonly found: Record<string, string | string[]> = Object.create(null) as Record<
    string,
    string | string[]
  >;
  /** Variables of which only the start is known. */
  readonly #shortened = new Set<string>();

  /** Reads what a slot has taken; false when that cannot be. */
  add(slot: ValueSlot | NamedSlot, pieces: readonly string[]): boolean {
    return slot.kind === 'named' ? this.#addNamed(slot, pieces[0] ?? '') : this.#addValue(slot, pieces);
  }

  #addValue({ variable, keepsCommas }: ValueSlot, pieces: readonly string[]): boolean {
    if (variable.explode === true) {
      return this.#set(variable, pieces.length > 1 ? pieces : (pieces[0] ?? '').split(','));
    }
    const [text = ''] = pieces;
    return this.#set(variable, keepsCommas || !text.includes(',') ? text : text.split(','));
  }

  #addNamed({ variables, separator }: NamedSlot, text: string): boolean {
    const members = new Map<VariableSpec, string[]>();
    for (const member of text.split(separator)) {
      const equals = member.indexOf('=');
      const name = equals === -1 ? member : member.slice(0, equals);
      const variable = variables.find((candidate) => candidate.name === name);
      if (variable === undefined) return false;
      const value = equals === -1 ? '' : member.slice(equals + 1);
      members.set(variable, [...(members.get(variable) ?? []), value]);
    }
    return [...members].every(([variable, values]) => this.#addMember(variable, values));
  }

  #addMember(variable: VariableSpec, values: readonly string[]): boolean {
    if (variable.explode === true) return this.#set(variable, values);
    const [value = '', ...others] = values;
    return others.length === 0 && this.#set(variable, value.includes(',') ? value.split(',') : value);
  }

  #set(variable: VariableSpec, encoded: string | readonly string[]): boolean {
    const value = typeof encoded === 'string' ? decode(encoded) : decodeAll(encoded);
    if (value === undefined) return false;
    const { name, prefix } = variable;
    if (prefix !== undefined && (typeof value !== 'string' || [...value].length > prefix)) return false;
    return this.#agree(name, value, prefix !== undefined);
  }

  /** Checks that a variable that occurs twice has one value, and that a prefix is the start of the whole value. */
  #agree(name: string, value: string | string[], isStart: boolean): boolean {
    const known = this.found[name];
    if (known === undefined || (this.#shortened.has(name) && !isStart)) {
      if (typeof known === 'string' && (typeof value !== 'string' || !value.startsWith(known))) return false;
      this.found[name] = value;
      if (isStart) this.#shortened.add(name);
      else this.#shortened.delete(name);
      return true;
    }
    if (isStart) return typeof known === 'string' && typeof value === 'string' && startsAlike(known, value);
    return String(known) === String(value);
  }
}

function startsAlike(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

function decodeAll(items: readonly string[]): string[] | undefined {
  const decoded = items.map(decode).filter((item) => item !== undefined);
  return decoded.length === items.length ? decoded : undefined;
}
