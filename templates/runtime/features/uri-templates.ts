// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Any URI template of RFC 6570: its expansion, and the inverse, in linear time. */
import type { Feature } from '../feature.ts';
import { isRecord, MAX_URI, ownMember } from '../json-rpc.ts';
import { decodeValue, type ExpandTemplate, type MatchTemplate } from './resources.ts';

export function uriTemplates(): Feature {
  return { name: 'uri-templates', parts: { templates: { match }, expansions: { expand } } };
}

/** Section 2.2; `''` is simple expansion. Appendix A has the rules. */
type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';
interface Variable {
  name: string;
  /** `*` */
  isExploded: boolean;
  /** `:n`, the most characters. */
  prefix: number;
}
interface Expression {
  operator: Operator;
  variables: Variable[];
}
interface Value {
  /** In front of each piece. */
  lead: string;
  isOptional: boolean;
  /** Characters that end it. */
  stops: string;
  /** Fewest characters. */
  least: 0 | 1;
  /** May come again with its lead (`{/list*}`). */
  repeats: boolean;
  variables: Variable[];
  /** Between members `name=value`, which come in any order (`{?a,b}`). */
  separator?: string | undefined;
}
type Slot = { literal: string } | Value;

const templates = new Map<string, Slot[] | undefined>();

/** If ambiguous, the earlier variable takes the most, but stops at the operator of the next expression. */
const match: MatchTemplate = (template, uri) => {
  if (!templates.has(template)) templates.set(template, parse(template));
  const slots = templates.get(template);
  if (slots === undefined || uri.length > MAX_URI) return undefined;
  const text = normalize(uri);
  const reach = new Reach(slots, text);
  return reach.canBegin(0, 0) ? readValues(slots, text, reach) : undefined;
};

/** Literals as they stand in a URI, and triplets in one case (RFC 3986, section 6.2.2.1). */
function normalize(text: string): string {
  return text
    .replace(/[^\x21-\x7E]+/g, (characters) =>
      encodeURIComponent(characters.replace(/\p{Surrogate}/gu, '\uFFFD')),
    )
    .replace(/%[\da-f]{2}/gi, (triplet) => triplet.toUpperCase());
}

/** Undefined for what is no template. */
function parse(template: string): Slot[] | undefined {
  const parts: (string | Expression)[] = [];
  for (const [, literal, text] of template.matchAll(/([^{}]+)|\{([^{}]*)\}|[{}]/g)) {
    if (literal !== undefined) parts.push(normalize(literal));
    else {
      const expression = text === undefined ? undefined : parseExpression(text);
      if (expression === undefined) return undefined;
      const last = parts.at(-1);
      // `{/a}{/b}` equals `{/a,b}`, and `{?a}{&b}` equals `{?a,b}`.
      if (typeof last === 'object' && /^(?:\/\/|\.\.|;;|&&|\?&)$/.test(last.operator + expression.operator))
        last.variables.push(...expression.variables);
      else parts.push(expression);
    }
  }
  return parts.flatMap((part, index): Slot[] => {
    if (typeof part === 'string') return [{ literal: part }];
    const next = parts[index + 1];
    return listSlots(part, typeof next === 'object' ? next.operator.replace('+', '') : '');
  });
}

function parseExpression(text: string): Expression | undefined {
  const [, operator = '', list = ''] = /^([+#./;?&]?)(.*)$/s.exec(text) ?? [];
  const specs = list
    .split(',')
    .map((spec) => /^((?:[\w.]|%[\dA-Fa-f]{2})+)(\*|:([1-9]\d{0,3}))?$/.exec(spec));
  const variables = specs.flatMap((found): Variable[] => {
    const [, name = '', modifier, prefix = Infinity] = found ?? [];
    return name === '' ? [] : [{ name, isExploded: modifier === '*', prefix: Number(prefix) }];
  });
  return variables.length < specs.length ? undefined : { operator: operator as Operator, variables };
}

function listSlots({ operator, variables }: Expression, next: string): Slot[] {
  const isNamed = /[;?&]/.test(operator);
  const first = operator === '+' ? '' : operator;
  const separator = /[?&]/.test(operator) ? '&' : /[./;]/.test(operator) ? operator : ',';
  if (isNamed) {
    const stops = (operator === ';' ? '/?#' : '#') + next;
    return [{ lead: first, isOptional: true, stops, least: 1, repeats: false, variables, separator }];
  }
  const outside = /[+#]/.test(operator) ? '' : '/?#';
  return variables.map((variable, index) => {
    const repeats = separator !== ',' && variable.isExploded;
    const isSplit = variable.isExploded ? repeats : variables.length > 1;
    return {
      lead: index === 0 ? first : separator,
      isOptional: first !== '' || index > 0,
      stops: outside + next + (isSplit ? separator : ''),
      least: first === '' ? 1 : 0,
      repeats,
      variables: [variable],
    };
  });
}

/** Whether the slots from one can take exactly the text from a position. Filled from the end, so that reading never goes back. */
class Reach {
  readonly #slots: readonly Slot[];
  readonly #text: string;
  readonly #begin: Uint8Array[];
  /** The lead and the least characters are taken. */
  readonly #within: Uint8Array[];

  constructor(slots: readonly Slot[], text: string) {
    this.#slots = slots;
    this.#text = text;
    this.#begin = [...slots, 0].map(() => new Uint8Array(text.length + 1));
    this.#within = slots.map(() => new Uint8Array(text.length + 1));
    this.#begin.at(-1)?.fill(1, text.length);
    for (let index = slots.length - 1; index >= 0; index--)
      for (let position = text.length; position >= 0; position--) this.#fill(index, position);
  }

  canBegin(index: number, position: number): boolean {
    return this.#begin[index]?.[position] === 1;
  }

  canEnter(index: number, position: number): boolean {
    const slot = this.#slots[index];
    if (slot === undefined || 'literal' in slot || !this.#text.startsWith(slot.lead, position)) return false;
    const start = position + slot.lead.length;
    return slot.least === 0 ? this.#within[index]?.[start] === 1 : this.canExtend(index, slot, start);
  }

  canExtend(index: number, { stops }: Value, position: number): boolean {
    if (position >= this.#text.length || stops.includes(this.#text.charAt(position))) return false;
    return this.#within[index]?.[position + 1] === 1;
  }

  #fill(index: number, position: number): void {
    const [slot, begin, within] = [this.#slots[index], this.#begin[index], this.#within[index]];
    if (slot === undefined || begin === undefined || within === undefined) return;
    if ('literal' in slot) {
      const isHere = this.#text.startsWith(slot.literal, position);
      begin[position] = Number(isHere && this.canBegin(index + 1, position + slot.literal.length));
      return;
    }
    const ends = this.canBegin(index + 1, position);
    const goesOn = this.canExtend(index, slot, position) || (slot.repeats && this.canEnter(index, position));
    within[position] = Number(ends || goesOn);
    begin[position] = Number((slot.isOptional && ends) || this.canEnter(index, position));
  }
}

function readValues(slots: readonly Slot[], text: string, reach: Reach): Record<string, string> | undefined {
  // Without prototype: variables may be called `__proto__`.
  const values = Object.create(null) as Record<string, string>;
  const prefixes = new Set<string>();
  let position = 0;
  for (const [index, slot] of slots.entries()) {
    if ('literal' in slot) {
      position += slot.literal.length;
      continue;
    }
    const pieces: string[] = [];
    while (reach.canEnter(index, position) && (pieces.length === 0 || slot.repeats)) {
      const start = (position += slot.lead.length);
      while (reach.canExtend(index, slot, position)) position++;
      pieces.push(text.slice(start, position));
    }
    const members = pieces.length === 0 ? new Map<Variable, string[]>() : listMembers(slot, pieces);
    if (members === undefined) return undefined;
    for (const [variable, texts] of members)
      if (!setValue(values, prefixes, variable, texts)) return undefined;
  }
  return values;
}

function listMembers({ variables, separator }: Value, pieces: string[]): Map<Variable, string[]> | undefined {
  const [only] = variables;
  if (separator === undefined) return only && new Map([[only, pieces]]);
  const members = new Map<Variable, string[]>();
  for (const member of pieces.join(separator).split(separator)) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(member) ?? [];
    const variable = variables.find((one) => one.name === name);
    const texts = variable && members.get(variable);
    if (variable === undefined || (texts !== undefined && !variable.isExploded)) return undefined;
    members.set(variable, [...(texts ?? []), value]);
  }
  return members;
}

/** Items of a list are joined by commas. Repeated variables must agree, and a prefix must begin the whole value. */
function setValue(
  values: Record<string, string>,
  prefixes: Set<string>,
  { name, prefix }: Variable,
  texts: string[],
): boolean {
  const items = texts.map(decodeValue).filter((item) => item !== undefined);
  const value = items.join(',');
  if (items.length < texts.length || [...value].length > prefix) return false;
  const other = ownMember(values, name);
  const isPrefix = prefix !== Infinity;
  if (other !== undefined) {
    const [shorter, longer] = other.length < value.length ? [other, value] : [value, other];
    const mayDiffer = isPrefix ? !prefixes.has(name) || longer.startsWith(shorter) : prefixes.has(name);
    if (other !== value && !(mayDiffer && longer.startsWith(shorter))) return false;
    if (isPrefix && other.length >= value.length) return true;
  }
  values[name] = value;
  if (isPrefix) prefixes.add(name);
  else prefixes.delete(name);
  return true;
}

// Expansion (section 3.2).

const expand: ExpandTemplate = (template, variables) =>
  template.replace(/[^{}]+|\{([^{}]*)\}/g, (whole, text: string | undefined) => {
    if (text === undefined) return normalize(whole);
    const expression = parseExpression(text);
    // A prefix is that of a text (section 2.4.1).
    const isRefused = ({ name, prefix }: Variable): boolean =>
      prefix !== Infinity && isRecord(ownMember(variables, name));
    if (expression === undefined || expression.variables.some(isRefused)) return whole;
    const { operator } = expression;
    const separator = /[?&]/.test(operator) ? '&' : /[./;]/.test(operator) ? operator : ',';
    const pieces = expression.variables.flatMap((variable) =>
      expandVariable(ownMember(variables, variable.name), variable, operator, separator),
    );
    return pieces.length === 0 ? '' : (operator === '+' ? '' : operator) + pieces.join(separator);
  });

function expandVariable(
  value: unknown,
  { name, isExploded, prefix }: Variable,
  operator: Operator,
  separator: string,
): string[] {
  const isNamed = /[;?&]/.test(operator);
  const encode = (text: string): string =>
    /[+#]/.test(operator)
      ? encodeURI(text)
          .replace(/%25(?=[\dA-F]{2})/gi, '%')
          .replace(/%5B/g, '[')
          .replace(/%5D/g, ']')
      : encodeURIComponent(text).replace(
          /[!'()*]/g,
          (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
        );
  const named = (text: string): string =>
    isNamed ? `${name}${text === '' && operator === ';' ? '' : `=${text}`}` : text;
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [named(encode(Array.from(String(value)).slice(0, prefix).join('')))];
  const isList = Array.isArray(value);
  const pairs = Object.entries(value)
    .filter(([, member]) => member !== undefined && member !== null)
    .map(([key, member]) => [encode(key), encode(String(member))] as const);
  if (pairs.length === 0) return [];
  if (!isExploded) return [named(pairs.flatMap((pair) => (isList ? pair[1] : pair)).join(','))];
  const all = pairs.map(([key, member]) => (isList ? named(member) : `${key}=${member}`));
  return [all.join(separator)];
}
