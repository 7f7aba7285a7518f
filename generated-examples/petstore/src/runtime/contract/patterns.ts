// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Patterns and URI templates that need no feature.
 *
 * Regular expressions of `pattern` and `patternProperties`: no other module runs them, so none of them can keep a server busy.
 */
import { longestUri, missingFeatureText } from './feature.ts';
import { encodeUnreserved, toWellFormedText } from './http-syntax.ts';
import { getOwnMember, isRecord, percentDecode } from './json-value.ts';

export interface Pattern {
  readonly source: string;
  readonly test: PatternTest;
}

export type PatternTest = (text: string, meter: Meter) => boolean;

export interface Meter {
  spendSteps(units: number): void;
}

/** Steps of the regular-expression engine that count as one unit of work. */
export const STEPS_PER_UNIT = 256;

const tests = new Map<string, PatternTest>();
const MOST = 10_000;

/** Reads the expressions that are not plain. Absent in a server without the feature `patterns`. */
let readRare: ((expression: RegExp) => PatternTest) | undefined;

export function registerPatternCompiler(reader: (expression: RegExp) => PatternTest): void {
  readRare = reader;
}

/**
 * Reads a pattern at its first use: with the `u` flag (Core section 6.4), else without it (`\-` outside a class). One that is
 * no regular expression, and one that can't be run safely, accept everything.
 */
export function makePattern(source: string): Pattern {
  let test: PatternTest | undefined;
  return { source, test: (text, meter) => (test ??= getCachedPatternTest(source))(text, meter) };
}

function getCachedPatternTest(source: string): PatternTest {
  const test = tests.get(source) ?? createPatternTest(source);
  if (tests.size < MOST) tests.set(source, test);
  return test;
}

function createPatternTest(source: string): PatternTest {
  const expression = compilePattern(source);
  // Refusing all values for a typo in the schema would be worse.
  if (expression === undefined) return () => true;
  const ways = countWays(expression.source);
  if (ways === undefined) {
    if (readRare === undefined) throw new Error(`${source} can't be run. ${missingFeatureText('patterns')}`);
    return readRare(expression);
  }
  return (text, meter) => {
    meter.spendSteps(Math.ceil(((text.length + 1) * ways) / STEPS_PER_UNIT));
    return expression.test(text);
  };
}

export function compilePattern(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {}
  }
  return undefined;
}

export function* listUnprovenPatterns(schema: unknown): Generator<string> {
  if (Array.isArray(schema)) for (const each of schema) yield* listUnprovenPatterns(each);
  if (!isRecord(schema)) return;
  const { pattern, patternProperties } = schema;
  const names = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
  for (const source of [pattern, ...names])
    if (typeof source === 'string' && isUnprovenPattern(source)) yield source;
  for (const member of Object.values(schema)) yield* listUnprovenPatterns(member);
}

/** Whether only the feature `patterns` can run it. */
export function isUnprovenPattern(source: string): boolean {
  const expression = compilePattern(source);
  return expression !== undefined && countWays(expression.source) === undefined;
}

const TOKEN =
  /\\[pP]\{[^}]*\}|\\u\{|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?:|\(\?|[()|]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/g;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/;
const BOUNDS: Readonly<Record<string, [number, number]>> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
};

/** Ways through one text that the engine may try from one place, and characters of an expression with its counts written out. */
const MOST_WAYS = 1_024;
const MOST_CHARACTERS = 400;
/** A higher count is treated as any number of times. */
const MOST_COUNT = 128;

interface Part {
  ways: number;
  characters: number;
  isUnbounded: boolean;
}

/** `earlier` is the number of ways to match the alternatives before the last one. */
interface Group extends Part {
  earlier: number;
}

/**
 * Counts in how many ways the engine may try a plain expression from one place of a text; undefined for others. Plain
 * expressions have no look-around and no back references, and at most one character repeats without a bound, behind `^` or at
 * the end, so they take linear time.
 */
export function countWays(source: string): number | undefined {
  const tokens = source.match(TOKEN) ?? [];
  const top: Group = { ways: 1, characters: 0, isUnbounded: false, earlier: 0 };
  const open = [top];
  let unbounded = 0;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? '';
    let group = open.at(-1) ?? top;
    // A count that follows nothing has another meaning.
    if (token === '(?' || /^\\(?:[1-9k]|u\{)$/.test(token) || QUANTIFIER.test(token)) return undefined;
    if (token === '(' || token === '(?:') {
      open.push({ ways: 1, characters: 0, isUnbounded: false, earlier: 0 });
      continue;
    }
    if (token === '|') {
      group.earlier += group.ways;
      group.ways = 1;
      continue;
    }
    let part: Part = { ways: 1, characters: 1, isUnbounded: false };
    if (token === ')') {
      open.pop();
      part = { ...group, ways: group.earlier + group.ways };
      group = open.at(-1) ?? top;
    }
    const quantifier = QUANTIFIER.exec(tokens[index + 1] ?? '');
    if (quantifier !== null) {
      index++;
      const isLast = index === tokens.length - 1 && open.length === 1;
      const repeated = applyQuantifier(part, token === ')', parseQuantifier(quantifier), isLast);
      if (repeated === undefined) return undefined;
      if (repeated.isUnbounded && !part.isUnbounded) unbounded++;
      part = repeated;
    }
    group.ways *= part.ways;
    group.characters += part.characters;
    group.isUnbounded ||= part.isUnbounded;
  }
  const ways = top.earlier + top.ways;
  const isAnchored = tokens[0] === '^' && top.earlier === 0;
  if (unbounded > (isAnchored ? 1 : 0) || ways > MOST_WAYS || top.characters > MOST_CHARACTERS)
    return undefined;
  return ways;
}

function parseQuantifier([, sign, least, comma, most]: RegExpExecArray): [number, number] {
  if (sign !== undefined) return getOwnMember(BOUNDS, sign) ?? [0, Infinity];
  return [Number(least), comma === '' ? Number(least) : most === '' ? Infinity : Number(most)];
}

function applyQuantifier(
  { ways, characters, isUnbounded }: Part,
  isGroup: boolean,
  [min, max]: [number, number],
  isLast: boolean,
): Part | undefined {
  if (min > MOST_COUNT) return undefined;
  if (max > MOST_COUNT) {
    if (isGroup) return undefined;
    // At the end nothing can fail after it, so the engine never tries fewer repetitions.
    return { ways: 1, characters: Math.max(1, min), isUnbounded: !isLast };
  }
  if (isUnbounded && max > 1) return undefined;
  let sum = 0;
  for (let times = min; times <= max; times++) sum += ways ** times;
  return { ways: sum, characters: characters * max, isUnbounded };
}

// URI templates (RFC 6570) with at most one plain variable in a segment: `api://pets/{id}/photos/{photo}.png`. Others need the
// feature `uri-templates`.

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

export function registerTemplateReader(reader: TemplateReader): void {
  fullReader = reader;
}

function requireTemplateReader(template: string): TemplateReader {
  if (fullReader === undefined)
    throw new UriTemplateError(`${template} can't be used. ${missingFeatureText('uri-templates')}`);
  return fullReader;
}

const PLAIN = /^(?:[^{}]|\{\w+\}(?=[^{}/?#]*(?:[/?#]|$)))*$/;
const VARIABLE = /\{(\w+)\}/g;

/** Repeated names must agree, which only the feature checks. */
export function isPlainTemplate(template: string): boolean {
  const names = listTemplateVariables(template);
  return PLAIN.test(template) && new Set(names).size === names.length;
}

/** Lists the names in a template's expressions (RFC 6570), without operators and modifiers. */
export function listTemplateVariables(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].flatMap(([, expression = '']) =>
    expression
      .replace(/^[+#./;?&]/, '')
      .split(',')
      .map((each) => each.replace(/\*$|:\d+$/, '')),
  );
}

export function checkTemplate(template: string): void {
  if (!isPlainTemplate(template)) requireTemplateReader(template).parse(template);
}

const expressions = new Map<string, RegExp>();
const MOST_EXPRESSIONS = 1_000;

/**
 * Decoded values, or undefined when the template can't make the URI. A variable takes one character or more, never `/`,
 * `?` or `#`; a comma makes a list. Takes linear time.
 */
export function matchTemplate(template: string, uri: string): TemplateValues | undefined {
  const expression = expressions.get(template) ?? compileAndCacheTemplate(template);
  if (expression === undefined) return requireTemplateReader(template).match(template, uri);
  const found = uri.length > longestUri ? null : expression.exec(uppercasePercentTriplets(uri));
  if (found === null) return undefined;
  // Without prototype: a variable may be called `constructor`.
  const values = Object.create(null) as TemplateValues;
  for (const [index, name] of listTemplateVariables(template).entries()) {
    const items = (found[index + 1] ?? '').split(',').map(percentDecode);
    if (!items.every((item) => item !== undefined)) return undefined;
    values[name] = items.length > 1 ? items : (items[0] ?? '');
  }
  return values;
}

function compileAndCacheTemplate(template: string): RegExp | undefined {
  if (!isPlainTemplate(template)) return undefined;
  const parts = template.split(VARIABLE).map((part, index) => {
    if (index % 2 === 1) return '([^/?#]+)';
    return uppercasePercentTriplets(encodeReserved(part)).replace(/[\\^$.*+?()[\]|/{}-]/g, '\\$&');
  });
  const expression = new RegExp(`^${parts.join('')}$`, 's');
  if (expressions.size >= MOST_EXPRESSIONS) expressions.clear();
  expressions.set(template, expression);
  return expression;
}

export function expandTemplate(template: string, variables: Record<string, unknown>): string {
  if (!isPlainTemplate(template)) return requireTemplateReader(template).expand(template, variables);
  return template
    .split(VARIABLE)
    .map((part, index) => {
      if (index % 2 === 0) return encodeReserved(part);
      const value = Object.hasOwn(variables, part) ? variables[part] : undefined;
      return listValueItems(value)
        .map((item) => encodeUnreserved(formatTemplateValue(item, part)))
        .join(',');
    })
    .join('');
}

function listValueItems(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value].filter(isDefined);
  if (Array.isArray(value)) return value.filter(isDefined);
  return Object.entries(value)
    .filter(([, item]) => isDefined(item))
    .flat();
}

export function isDefined(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function formatTemplateValue(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  throw new UriTemplateError(`${name} has a value that a URI template cannot hold`);
}

/** Keeps reserved characters and triplets. */
export function encodeReserved(text: string): string {
  return text.replaceAll(/%[0-9A-Fa-f]{2}|%|[^\w\-.~:/?#[\]@!$&'()*+,;=%]+/g, (found) =>
    found.length === 3 && found.startsWith('%') ? found : encodeURIComponent(toWellFormedText(found)),
  );
}

/** Equal URIs become equal texts (RFC 3986, section 6.2.2.1). */
export function uppercasePercentTriplets(uri: string): string {
  return uri.replaceAll(/%[0-9A-Fa-f]{2}/g, (found) => found.toUpperCase());
}
