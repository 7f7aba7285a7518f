// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * URI templates (RFC 6570) with plain variables, at most one in a segment: `api://pets/{id}/photos/{photo}.png`. Others need the
 * feature `uri-templates`.
 */
import { withoutFeature } from '../contract/feature.ts';
import { encodeUnreserved, wellFormed } from '../contract/http-syntax.ts';

export type TemplateValues = Record<string, string | string[]>;

/** Reads any template. */
export interface TemplateReader {
  match(template: string, uri: string): TemplateValues | undefined;
  expand(template: string, variables: Record<string, unknown>): string;
  /** @throws {UriTemplateError} on a malformed template */
  parse(template: string): unknown;
}

/** A template that RFC 6570 does not allow, or a value that it cannot expand. */
export class UriTemplateError extends Error {
  override readonly name = 'UriTemplateError';
}

/** Absent in a server without the feature `uri-templates`. */
let fullReader: TemplateReader | undefined;

export function useTemplateReader(reader: TemplateReader): void {
  fullReader = reader;
}

function requireReader(template: string): TemplateReader {
  if (fullReader === undefined)
    throw new UriTemplateError(`${template} can't be used. ${withoutFeature('uri-templates')}`);
  return fullReader;
}

/** UTF-16 code units; a longer URI matches nothing. */
export const longestUri = 65_536;

const PLAIN = /^(?:[^{}]|\{\w+\}(?=[^{}/?#]*(?:[/?#]|$)))*$/;
const VARIABLE = /\{(\w+)\}/g;

/** Whether a template can be used without the feature. Names that occur twice must agree, which takes more than this module does. */
export function isPlainTemplate(template: string): boolean {
  const names = listVariables(template);
  return PLAIN.test(template) && new Set(names).size === names.length;
}

/** The names of its variables, in their order. */
export function listVariables(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].flatMap(([, expression = '']) =>
    expression
      .replace(/^[+#./;?&]/, '')
      .split(',')
      .map((each) => each.replace(/\*$|:\d+$/, '')),
  );
}

/** @throws {UriTemplateError} on a malformed template, or one that needs the feature */
export function checkTemplate(template: string): void {
  if (!isPlainTemplate(template)) requireReader(template).parse(template);
}

const expressions = new Map<string, RegExp>();
const MOST_EXPRESSIONS = 1_000;

/**
 * The variables' values, percent-decoded, or undefined when the URI is not one that the template makes. A variable takes one character
 * or more, never `/`, `?` or `#`; a comma makes a list. Takes time linear in the URI's length.
 */
export function matchTemplate(template: string, uri: string): TemplateValues | undefined {
  const expression = expressions.get(template) ?? remember(template);
  if (expression === undefined) return requireReader(template).match(template, uri);
  const text = normalizeTriplets(uri);
  const found = text.length > longestUri ? null : expression.exec(text);
  if (found === null) return undefined;
  // Without prototype: `constructor` is a good name for a variable.
  const values = Object.create(null) as TemplateValues;
  for (const [index, name] of listVariables(template).entries()) {
    const items = (found[index + 1] ?? '').split(',').map(decode);
    if (!items.every((item) => item !== undefined)) return undefined;
    values[name] = items.length > 1 ? items : (items[0] ?? '');
  }
  return values;
}

/** Compiles a plain template to an expression; undefined for any other template. */
function remember(template: string): RegExp | undefined {
  if (!isPlainTemplate(template)) return undefined;
  const parts = template.split(VARIABLE).map((part, index) => {
    if (index % 2 === 1) return '([^/?#]+)';
    return normalizeTriplets(encodeReserved(part)).replace(/[\\^$.*+?()[\]|/{}-]/g, '\\$&');
  });
  const expression = new RegExp(`^${parts.join('')}$`, 's');
  if (expressions.size >= MOST_EXPRESSIONS) expressions.clear();
  expressions.set(template, expression);
  return expression;
}

/** @throws {UriTemplateError} on a value that a template cannot hold */
export function expandTemplate(template: string, variables: Record<string, unknown>): string {
  if (!isPlainTemplate(template)) return requireReader(template).expand(template, variables);
  return template
    .split(VARIABLE)
    .map((part, index) => {
      if (index % 2 === 0) return encodeReserved(part);
      const value = Object.hasOwn(variables, part) ? variables[part] : undefined;
      return listItems(value)
        .map((item) => encodeUnreserved(toText(item, part)))
        .join(',');
    })
    .join('');
}

/** Lists the items of a list, or the names and values of an object; undefined values are left out. */
function listItems(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value].filter(isDefined);
  if (Array.isArray(value)) return value.filter(isDefined);
  return Object.entries(value)
    .filter(([, item]) => isDefined(item))
    .flat();
}

export function isDefined(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** @throws {UriTemplateError} if the value is nested */
export function toText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  throw new UriTemplateError(`${name} has a value that a URI template cannot hold`);
}

/** Encodes what no URI may hold; reserved characters and triplets stay. */
export function encodeReserved(text: string): string {
  return text.replaceAll(/%[0-9A-Fa-f]{2}|%|[^\w\-.~:/?#[\]@!$&'()*+,;=%]+/g, (found) =>
    found.length === 3 && found.startsWith('%') ? found : encodeURIComponent(wellFormed(found)),
  );
}

/** The text behind an encoded one; undefined when a triplet is broken or is not UTF-8. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The same URI with its triplets in upper case, so that equal URIs are equal texts (RFC 3986, 6.2.2.1). */
export function normalizeTriplets(uri: string): string {
  return uri.replaceAll(/%[0-9A-Fa-f]{2}/g, (found) => found.toUpperCase());
}
