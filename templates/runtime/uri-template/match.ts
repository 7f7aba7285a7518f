// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
import { getOwnMember, percentDecode } from '../contract/json-value.ts';
import { longestUri } from '../contract/feature.ts';
import { type TemplateValues, uppercasePercentTriplets } from '../contract/patterns.ts';
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
 * The inverse of expansion: the decoded values, or undefined when the template can't make the URI.
 * - `{id}` takes one character or more, never `/`, `?` or `#`; `{+path}` may take those too.
 * - Expressions with an operator of their own (`{/id}`, `{.ext}`, `{;v}`, `{?q}`, `{&q}`, `{#f}`) may be absent;
 * `name=value` members come in any order, unknown names don't match.
 * - A comma makes a list, except in `{+…}` and `{#…}`; `*` always does. Members of an object become `name=value` texts.
 * - If ambiguous, the earlier variable takes the most, but stops at the operator of the next expression: `{name}{.ext}`
 * reads `a.tar.gz` as `a` and `tar.gz`.
 * @throws UriTemplateError on a malformed template.
 */
export function matchUriTemplate(template: string, uri: string): TemplateValues | undefined {
  if (uri.length > longestUri) return undefined;
  const slots = cache.get(template) ?? parseAndCacheSlots(template);
  const text = uppercasePercentTriplets(uri);
  const [head] = slots;
  if (head?.kind === 'literal' && !text.startsWith(head.text)) return undefined;
  const reach = new Reach(slots, text);
  return reach.canMatch ? extractValues(slots, text, reach) : undefined;
}

function parseAndCacheSlots(template: string): readonly Slot[] {
  const slots = toSlots(parseUriTemplate(template));
  if (cache.size >= mostCached) cache.clear();
  cache.set(template, slots);
  return slots;
}

type RunSlot = Exclude<Slot, { kind: 'literal' }>;

/**
 * Whether the slots from here can take exactly the text from here. Filled from the end, so that reading never
 * backtracks and takes linear time.
 */
class Reach {
  readonly #slots: readonly Slot[];
  readonly #text: string;
  readonly #width: number;
  readonly #begin: Uint8Array;
  /** The lead and least characters are taken. */
  readonly #within: Uint8Array;

  constructor(slots: readonly Slot[], text: string) {
    this.#slots = slots;
    this.#text = text;
    this.#width = text.length + 1;
    this.#begin = new Uint8Array((slots.length + 1) * this.#width);
    this.#within = new Uint8Array(slots.length * this.#width);
    this.#begin[slots.length * this.#width + text.length] = 1;
    for (let slot = slots.length - 1; slot >= 0; slot--) this.#fillRow(slot);
  }

  get canMatch(): boolean {
    return this.#begin[0] === 1;
  }

  canBegin(slot: number, position: number): boolean {
    return this.#begin[slot * this.#width + position] === 1;
  }

  canContinue(slot: number, position: number): boolean {
    return this.#within[slot * this.#width + position] === 1;
  }

  canEnterRun(slot: number, position: number): boolean {
    const run = this.#slots[slot];
    if (run === undefined || run.kind === 'literal' || !this.#text.startsWith(run.lead, position))
      return false;
    const start = position + run.lead.length;
    return run.least === 0 ? this.canContinue(slot, start) : this.canExtendRun(slot, run, start);
  }

  canExtendRun(slot: number, run: RunSlot, position: number): boolean {
    if (position >= this.#text.length || run.excluded.has(this.#text.charAt(position))) return false;
    return this.canContinue(slot, position + 1);
  }

  #fillRow(index: number): void {
    const slot = this.#slots[index];
    const row = index * this.#width;
    for (let position = this.#text.length; position >= 0; position--) {
      if (slot?.kind === 'literal') {
        const ok =
          this.#text.startsWith(slot.text, position) && this.canBegin(index + 1, position + slot.text.length);
        this.#begin[row + position] = Number(ok);
      } else if (slot !== undefined) {
        const ends = this.canBegin(index + 1, position);
        const goesOn =
          this.canExtendRun(index, slot, position) || (slot.repeats && this.canEnterRun(index, position));
        this.#within[row + position] = Number(ends || goesOn);
        this.#begin[row + position] = Number((slot.optional && ends) || this.canEnterRun(index, position));
      }
    }
  }
}

/** Each slot takes as much as lets the rest succeed. */
function extractValues(slots: readonly Slot[], text: string, reach: Reach): TemplateValues | undefined {
  const variables = new Variables();
  let position = 0;
  for (const [index, slot] of slots.entries()) {
    if (slot.kind === 'literal') {
      position += slot.text.length;
      continue;
    }
    const pieces: string[] = [];
    while (reach.canEnterRun(index, position) && (pieces.length === 0 || slot.repeats)) {
      const start = position + slot.lead.length;
      position = start;
      while (reach.canExtendRun(index, slot, position)) position++;
      pieces.push(text.slice(start, position));
    }
    if (pieces.length > 0 && !variables.addValues(slot, pieces)) return undefined;
  }
  return variables.found;
}

type Slot = LiteralSlot | ValueSlot | NamedSlot;

interface LiteralSlot {
  kind: 'literal';
  text: string;
}

interface Run {
  /** The separator in front, if any. */
  lead: string;
  /** Whether the value, with its lead, may be absent. */
  optional: boolean;
  excluded: ReadonlySet<string>;
  least: 0 | 1;
}

interface ValueSlot extends Run {
  kind: 'value';
  variable: VariableSpec;
  /** May come again with its lead (`{/list*}`). */
  repeats: boolean;
  /** Commas don't make a list. */
  keepsCommas: boolean;
}

/** Members in any order: `{?a,b}`, `{&a}`, `{;a}`. */
interface NamedSlot extends Run {
  kind: 'named';
  separator: string;
  variables: readonly VariableSpec[];
  repeats: false;
}

const delimiters = ['/', '?', '#'];

function toSlots(template: UriTemplate): Slot[] {
  const parts = mergeNeighbours(template);
  return parts.flatMap((part, index) => {
    if ('literal' in part) return [{ kind: 'literal', text: uppercasePercentTriplets(part.literal) }];
    return slotsOfExpression(part, listFollowingOperators(parts[index + 1]));
  });
}

/** `{/a}{/b}` equals `{/a,b}`, and `{?a}{&b}` equals `{?a,b}`. */
function mergeNeighbours(template: UriTemplate): UriTemplate {
  const merged: UriTemplate = [];
  for (const part of template) {
    const last = merged.at(-1) ?? part;
    if (
      last === part ||
      'literal' in last ||
      'literal' in part ||
      !continuesOperator(last.operator, part.operator)
    )
      merged.push(part);
    else merged[merged.length - 1] = { ...last, variables: [...last.variables, ...part.variables] };
  }
  return merged;
}

function continuesOperator(first: Operator, second: Operator): boolean {
  return first === second ? './;&'.includes(first) && first !== '' : first === '?' && second === '&';
}

/** A run stops at the operator of the next expression. */
function listFollowingOperators(next: UriTemplate[number] | undefined): string[] {
  if (next === undefined || 'literal' in next) return [];
  const { first } = operatorRules[next.operator];
  return first === '' ? [] : [first];
}

function slotsOfExpression({ operator, variables }: Expression, stops: readonly string[]): Slot[] {
  const { first, separator, named, allowReserved } = operatorRules[operator];
  if (named) {
    const excluded = new Set([...(operator === ';' ? delimiters : ['#']), ...stops]);
    const run = { lead: first, optional: true, excluded, least: 1 } as const;
    return [{ kind: 'named', ...run, separator, variables, repeats: false }];
  }
  const outside = allowReserved ? [] : delimiters;
  return variables.map((variable, index) => {
    const isExploded = variable.explode === true;
    const repeats = separator !== ',' && isExploded;
    const between = isExploded ? repeats : variables.length > 1;
    return {
      kind: 'value',
      variable,
      lead: index === 0 ? first : separator,
      optional: first !== '' || index > 0,
      excluded: new Set([...outside, ...stops, ...(between ? [separator] : [])]),
      least: first === '' ? 1 : 0,
      repeats,
      keepsCommas: allowReserved,
    };
  });
}

class Variables {
  /** Without prototype: variables may be called `__proto__`. */
  readonly found = Object.create(null) as TemplateValues;
  /** Only a prefix is known. */
  readonly #shortened = new Set<string>();

  /** False if the values are not valid. */
  addValues(slot: ValueSlot | NamedSlot, pieces: readonly string[]): boolean {
    return slot.kind === 'named' ? this.#addNamed(slot, pieces[0] ?? '') : this.#addValue(slot, pieces);
  }

  #addValue({ variable, keepsCommas }: ValueSlot, pieces: readonly string[]): boolean {
    if (variable.explode === true) {
      return this.#setVariable(variable, pieces.length > 1 ? pieces : (pieces[0] ?? '').split(','));
    }
    const [text = ''] = pieces;
    return this.#setVariable(variable, keepsCommas || !text.includes(',') ? text : text.split(','));
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
    if (variable.explode === true) return this.#setVariable(variable, values);
    const [value = '', ...others] = values;
    return others.length === 0 && this.#setVariable(variable, value.includes(',') ? value.split(',') : value);
  }

  #setVariable(variable: VariableSpec, encoded: string | readonly string[]): boolean {
    const value = typeof encoded === 'string' ? percentDecode(encoded) : percentDecodeAll(encoded);
    if (value === undefined) return false;
    const { name, prefix } = variable;
    if (prefix !== undefined && (typeof value !== 'string' || [...value].length > prefix)) return false;
    return this.#setIfConsistent(name, value, prefix !== undefined);
  }

  /** Repeated variables must agree; a prefix must begin the whole value. */
  #setIfConsistent(name: string, value: string | string[], isStart: boolean): boolean {
    const known = getOwnMember(this.found, name);
    if (known === undefined || (this.#shortened.has(name) && !isStart)) {
      if (typeof known === 'string' && (typeof value !== 'string' || !value.startsWith(known))) return false;
      this.found[name] = value;
      if (isStart) this.#shortened.add(name);
      else this.#shortened.delete(name);
      return true;
    }
    if (isStart)
      return typeof known === 'string' && typeof value === 'string' && isPrefixOfOther(known, value);
    return String(known) === String(value);
  }
}

function isPrefixOfOther(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

function percentDecodeAll(items: readonly string[]): string[] | undefined {
  const decoded = items.map(percentDecode).filter((item) => item !== undefined);
  return decoded.length === items.length ? decoded : undefined;
}
