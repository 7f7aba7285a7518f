// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A URI template (RFC 6570) as its parts. */
import { encodeUnreserved } from '../contract/http-syntax.ts';
import { encodeReserved, isDefined, toText, UriTemplateError } from './plain-template.ts';

/** The operators of RFC 6570, section 2.2; `''` is simple expansion. */
export type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';

/** One variable of an expression (section 2.3), with its modifier (section 2.4). */
export interface VariableSpec {
  name: string;
  /** `*` */
  explode?: true;
  /** `:n`: the first n characters, 1 to 9,999. */
  prefix?: number;
}

export interface Expression {
  operator: Operator;
  variables: VariableSpec[];
}

/** Text between expressions, percent-encoded where a URI demands it. */
export interface Literal {
  literal: string;
}

export type UriTemplate = (Literal | Expression)[];

/** How an operator writes its values (RFC 6570, appendix A). */
interface OperatorRule {
  /** Before the first value. */
  first: string;
  /** Between values. */
  separator: string;
  /** Values are written as `name=value`. */
  named: boolean;
  /** After a name whose value is empty. */
  ifEmpty: string;
  /** Reserved characters and percent-encoded triplets stay as they are. */
  allowReserved: boolean;
}

export const operatorRules: Readonly<Record<Operator, OperatorRule>> = {
  '': { first: '', separator: ',', named: false, ifEmpty: '', allowReserved: false },
  '+': { first: '', separator: ',', named: false, ifEmpty: '', allowReserved: true },
  '#': { first: '#', separator: ',', named: false, ifEmpty: '', allowReserved: true },
  '.': { first: '.', separator: '.', named: false, ifEmpty: '', allowReserved: false },
  '/': { first: '/', separator: '/', named: false, ifEmpty: '', allowReserved: false },
  ';': { first: ';', separator: ';', named: true, ifEmpty: '', allowReserved: false },
  '?': { first: '?', separator: '&', named: true, ifEmpty: '=', allowReserved: false },
  '&': { first: '&', separator: '&', named: true, ifEmpty: '=', allowReserved: false },
};

/** RFC 6570, section 2.3: letters, digits, `_` and triplets, joined by single dots. */
const variableName = /^(?:\w|%[0-9A-Fa-f]{2})+(?:\.(?:\w|%[0-9A-Fa-f]{2})+)*$/;

/**
 * Reads a template. In the text between expressions, characters that no URI may hold are percent-encoded rather
 * than refused.
 *
 * @throws UriTemplateError on unbalanced braces, an unknown or reserved operator, a bad name or modifier.
 */
export function parseUriTemplate(template: string): UriTemplate {
  const parts: UriTemplate = [];
  let position = 0;
  while (position < template.length) {
    const open = template.indexOf('{', position);
    const literal = template.slice(position, open === -1 ? undefined : open);
    if (literal.includes('}')) throw new UriTemplateError(`"}" without "{" in ${template}`);
    if (literal !== '') parts.push({ literal: encodeReserved(literal) });
    if (open === -1) break;
    const close = template.indexOf('}', open);
    if (close === -1) throw new UriTemplateError(`"{" without "}" in ${template}`);
    parts.push(parseExpression(template.slice(open + 1, close)));
    position = close + 1;
  }
  return parts;
}

function parseExpression(text: string): Expression {
  const first = text.charAt(0);
  const operator = isOperator(first) ? first : '';
  const variables = text
    .slice(operator.length)
    .split(',')
    .map((spec) => parseVariable(spec, text));
  return { operator, variables };
}

function isOperator(character: string): character is Operator {
  return Object.hasOwn(operatorRules, character);
}

function parseVariable(spec: string, expression: string): VariableSpec {
  const [, name = '', modifier] = /^([^:*]*)(\*|:[1-9][0-9]{0,3})?$/.exec(spec) ?? [];
  if (!variableName.test(name)) {
    throw new UriTemplateError(`{${expression}} is not an expression of RFC 6570`);
  }
  if (modifier === undefined) return { name };
  return modifier === '*' ? { name, explode: true } : { name, prefix: Number(modifier.slice(1)) };
}

/** A variable's value: a text, a list, or name-value pairs (RFC 6570, section 2.3). */
type Value = string | string[] | [string, string][];

/**
 * Expands a template of any level. Numbers and booleans are written as text; `undefined`, `null` and an empty
 * list or object are undefined variables, and undefined members are left out.
 *
 * @throws UriTemplateError on a malformed template, a prefix (`:n`) on a list or an object, or a value that is nested.
 */
export function expandUriTemplate(template: string, variables: Record<string, unknown>): string {
  return parseUriTemplate(template)
    .map((part) => ('literal' in part ? part.literal : expandExpression(part, variables)))
    .join('');
}

function expandExpression(
  { operator, variables: specs }: Expression,
  variables: Record<string, unknown>,
): string {
  const rule = operatorRules[operator];
  const written = specs.flatMap((spec) => {
    const value = readValue(
      Object.hasOwn(variables, spec.name) ? variables[spec.name] : undefined,
      spec.name,
    );
    return value === undefined ? [] : [expandVariable(spec, value, rule)];
  });
  return written.length === 0 ? '' : rule.first + written.join(rule.separator);
}

function expandVariable(spec: VariableSpec, value: Value, rule: OperatorRule): string {
  if (typeof value === 'string') return named(spec.name, encodeText(shorten(value, spec.prefix), rule), rule);
  if (spec.prefix !== undefined) {
    throw new UriTemplateError(
      `{${spec.name}:${spec.prefix}} asks for the start of a text, but it is given a list`,
    );
  }
  const encode = (text: string): string => encodeText(text, rule);
  if (spec.explode !== true) return named(spec.name, value.flat().map(encode).join(','), rule);
  return value
    .map((item) => {
      if (typeof item === 'string') return named(spec.name, encode(item), rule);
      const [name, text] = item.map(encode);
      return text === '' && rule.named ? `${name}${rule.ifEmpty}` : `${name}=${text}`;
    })
    .join(rule.separator);
}

function named(name: string, value: string, { named: isNamed, ifEmpty }: OperatorRule): string {
  if (!isNamed) return value;
  return value === '' ? name + ifEmpty : `${name}=${value}`;
}

function encodeText(text: string, { allowReserved }: OperatorRule): string {
  return allowReserved ? encodeReserved(text) : encodeUnreserved(text);
}

/** Counts characters, not UTF-16 code units (section 2.4.1). */
function shorten(text: string, prefix: number | undefined): string {
  return prefix === undefined ? text : [...text.slice(0, prefix * 2)].slice(0, prefix).join('');
}

function readValue(value: unknown, name: string): Value | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return toText(value, name);
  if (Array.isArray(value)) {
    const items = value.filter(isDefined).map((item) => toText(item, name));
    return items.length === 0 ? undefined : items;
  }
  const pairs = Object.entries(value)
    .filter(([, item]) => isDefined(item))
    .map(([key, item]): [string, string] => [key, toText(item, name)]);
  return pairs.length === 0 ? undefined : pairs;
}
