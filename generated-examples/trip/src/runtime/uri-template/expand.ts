import { encodeReserved, encodeUnreserved } from './percent.ts';
import { parseUriTemplate } from './parse.ts';
import {
  type Expression,
  type OperatorRule,
  operatorRules,
  UriTemplateError,
  type VariableSpec,
} from './uri-template.ts';

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

function isDefined(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function toText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  throw new UriTemplateError(`${name} has a value that a URI template cannot hold`);
}
