// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Parses and expands URI templates (RFC 6570). */
import { encodeUnreserved } from '../contract/http-syntax.ts';
import { encodeReserved, isDefined, formatTemplateValue, UriTemplateError } from '../contract/patterns.ts';

/** Section 2.2; `''` is simple expansion. */
export type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';

export interface VariableSpec {
  name: string;
  /** `*` */
  explode?: true;
  /** `:n`, 1 to 9,999 characters. */
  prefix?: number;
}

export interface Expression {
  operator: Operator;
  variables: VariableSpec[];
}

/** Part of a parsed template: literal text, which the parser has percent-encoded where a URI demands it. */
export interface Literal {
  literal: string;
}

export type UriTemplate = (Literal | Expression)[];

/** Appendix A. */
interface OperatorRule {
  first: string;
  separator: string;
  /** Writes `name=value`. */
  named: boolean;
  /** Follows a name whose value is empty. */
  ifEmpty: string;
  /** Keeps reserved characters and triplets. */
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

/** Section 2.3: letters, digits, `_` and triplets, joined by single dots. */
const variableName = /^(?:\w|%[0-9A-Fa-f]{2})+(?:\.(?:\w|%[0-9A-Fa-f]{2})+)*$/;

/**
 * Percent-encodes characters that no URI may hold, instead of refusing them.
 * @throws UriTemplateError on unbalanced braces, an unknown or reserved operator, a bad name or modifier
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
  if (!variableName.test(name))
    throw new UriTemplateError(`{${expression}} is not an expression of RFC 6570`);
  if (modifier === undefined) return { name };
  return modifier === '*' ? { name, explode: true } : { name, prefix: Number(modifier.slice(1)) };
}

/** Section 2.3. */
type Value = string | string[] | [string, string][];

/**
 * `undefined`, `null` and empty lists and objects are undefined variables.
 * @throws UriTemplateError on a malformed template, a nested value, or a prefix (`:n`) of a list or object
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
    const { name } = spec;
    const value = readValue(Object.hasOwn(variables, name) ? variables[name] : undefined, name);
    return value === undefined ? [] : [expandVariable(spec, value, rule)];
  });
  return written.length === 0 ? '' : rule.first + written.join(rule.separator);
}

function expandVariable(spec: VariableSpec, value: Value, rule: OperatorRule): string {
  if (typeof value === 'string')
    return printNamed(spec.name, encodeByRule(takePrefix(value, spec.prefix), rule), rule);
  if (spec.prefix !== undefined)
    throw new UriTemplateError(
      `{${spec.name}:${spec.prefix}} asks for the start of a text, but it is given a list`,
    );
  const encodeForRule = (text: string): string => encodeByRule(text, rule);
  if (spec.explode !== true) return printNamed(spec.name, value.flat().map(encodeForRule).join(','), rule);
  return value
    .map((item) => {
      if (typeof item === 'string') return printNamed(spec.name, encodeForRule(item), rule);
      const [name, text] = item.map(encodeForRule);
      return text === '' && rule.named ? `${name}${rule.ifEmpty}` : `${name}=${text}`;
    })
    .join(rule.separator);
}

function printNamed(name: string, value: string, { named: isNamed, ifEmpty }: OperatorRule): string {
  if (!isNamed) return value;
  return value === '' ? name + ifEmpty : `${name}=${value}`;
}

function encodeByRule(text: string, { allowReserved }: OperatorRule): string {
  return allowReserved ? encodeReserved(text) : encodeUnreserved(text);
}

/** Code points, not UTF-16 units (section 2.4.1). */
function takePrefix(text: string, prefix: number | undefined): string {
  return prefix === undefined ? text : [...text.slice(0, prefix * 2)].slice(0, prefix).join('');
}

function readValue(value: unknown, name: string): Value | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return formatTemplateValue(value, name);
  if (Array.isArray(value)) {
    const items = value.filter(isDefined).map((item) => formatTemplateValue(item, name));
    return items.length === 0 ? undefined : items;
  }
  const pairs = Object.entries(value)
    .filter(([, item]) => isDefined(item))
    .map(([key, item]): [string, string] => [key, formatTemplateValue(item, name)]);
  return pairs.length === 0 ? undefined : pairs;
}
