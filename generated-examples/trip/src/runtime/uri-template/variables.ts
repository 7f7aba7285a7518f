import { decode } from './percent.ts';
import type { NamedSlot, ValueSlot } from './slots.ts';
import type { VariableSpec } from './uri-template.ts';

/** Values of variables as a match finds them. */
export class Variables {
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

  /** A variable that stands twice must have one value; a prefix must be the start of the whole. */
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
