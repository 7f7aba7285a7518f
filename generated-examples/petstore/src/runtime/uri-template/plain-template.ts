// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * URI templates (RFC 6570) with at most one plain variable in a segment: `api://pets/{id}/photos/{photo}.png`. Others
 * need the feature `uri-templates`.
 */
import { withoutFeature } from '../contract/feature.ts';
import { encodeUnreserved, wellFormed } from '../contract/http-syntax.ts';

export type TemplateValues = Record<string, string | string[]>;

export interface TemplateReader {
  match(template: string, uri: string): TemplateValues | undefined;
  expand(template: string, variables: Record<string, unknown>): string;
  parse(template: string): unknown;
}

export class UriTemplateError extends Error {
  override readonly name = 'UriTemplateError';
}

/** Set by the feature `uri-templates`. */
let fullReader: TemplateReader | undefined;

export function useTemplateReader(reader: TemplateReader): void {
  fullReader = reader;
}

function requireReader(template: string): TemplateReader {
  if (fullReader === undefined)
    throw new UriTemplateError(`${template} can't be used. ${withoutFeature('uri-templates')}`);
  return fullReader;
}

/** UTF-16 code units; longer URIs match nothing. */
export const longestUri = 65_536;

const PLAIN = /^(?:[^{}]|\{\w+\}(?=[^{}/?#]*(?:[/?#]|$)))*$/;
const VARIABLE = /\{(\w+)\}/g;

/** Repeated names must agree, which only the feature checks. */
export function isPlainTemplate(template: string): boolean {
  const names = listVariables(template);
  return PLAIN.test(template) && new Set(names).size === names.length;
}

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
 * Decoded values, or undefined when the template can't make the URI. A variable takes one character or more, never `/`,
 * `?` or `#`; a comma makes a list. Takes linear time.
 */
export function matchTemplate(template: string, uri: string): TemplateValues | undefined {
  const expression = expressions.get(template) ?? remember(template);
  if (expression === undefined) return requireReader(template).match(template, uri);
  const text = normalizeTriplets(uri);
  const found = text.length > longestUri ? null : expression.exec(text);
  if (found === null) return undefined;
  // Without prototype: a variable may be called `constructor`.
  const values = Object.create(null) as TemplateValues;
  for (const [index, name] of listVariables(template).entries()) {
    const items = (found[index + 1] ?? '').split(',').map(decode);
    if (!items.every((item) => item !== undefined)) return undefined;
    values[name] = items.length > 1 ? items : (items[0] ?? '');
  }
  return values;
}

/** Undefined for a template that is not plain. */
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

export function toText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  throw new UriTemplateError(`${name} has a value that a URI template cannot hold`);
}

/** Keeps reserved characters and triplets. */
export function encodeReserved(text: string): string {
  return text.replaceAll(/%[0-9A-Fa-f]{2}|%|[^\w\-.~:/?#[\]@!$&'()*+,;=%]+/g, (found) =>
    found.length === 3 && found.startsWith('%') ? found : encodeURIComponent(wellFormed(found)),
  );
}

/** Undefined for broken triplets or invalid UTF-8. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Equal URIs become equal texts (RFC 3986, section 6.2.2.1). */
export function normalizeTriplets(uri: string): string {
  return uri.replaceAll(/%[0-9A-Fa-f]{2}/g, (found) => found.toUpperCase());
}
