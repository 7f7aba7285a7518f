import { tryParseJsonExactly } from '../../../util/try-parse-json.ts';
import type { JsonSchemaObject, JsonType } from '../../../util/json-schema.ts';
import { parseNumber, setOwnMember } from '../../../util/json-value.ts';
import { classifyPattern } from '../../../util/classify-pattern.ts';
import type { NotedExample, ReportAt } from '../schema/form.ts';
import { findRoundedNumber } from '../schema/schema-shapes.ts';
import { isOfOtherTool, suggestTagFor } from '../tags/other-tags.ts';
import { type ValueTag, findTagEntry, isConstraint, isDetailTag } from '../tags/tag-registry.ts';
import { type DocTag, type Docs, deprecationNotice, stripQuotes } from './doc-text.ts';

interface Keyword {
  expected: string;
  types?: JsonType[];
  /** Reads the text: undefined if it is invalid, a `bigint` for an integer that a double would round. */
  read: (text: string, types: ReadonlySet<JsonType>) => unknown;
}

const numbers: JsonType[] = ['number', 'integer'];
const limit: Keyword = { expected: 'a number', types: numbers, read: parseFiniteNumber };
const factor: Keyword = {
  ...limit,
  expected: 'a number above 0',
  read: (value) => keepIf(parseFiniteNumber(value), (number) => number > 0),
};
const length: Keyword = {
  expected: 'a whole number from 0',
  types: ['string'],
  read: (value) => keepIf(parseFiniteNumber(value), (number) => Number.isSafeInteger(number) && number >= 0),
};
const items: Keyword = { ...length, types: ['array'] };
const text: Keyword = { expected: 'a text', read: (value) => (value === '' ? undefined : value) };
const word: Keyword = { expected: 'a word', read: (value) => (/^\S+$/.test(value) ? value : undefined) };
const FLAGS = new Map([
  ['', true],
  ['true', true],
  ['false', false],
]);
const flag: Keyword = { expected: '`true`, `false` or nothing', read: (value) => FLAGS.get(value) };

const keepIf = <T>(value: T | undefined, test: (value: T) => boolean): T | undefined =>
  value !== undefined && test(value) ? value : undefined;

/** `@example` adds to a list, and callers handle the others. */
const keywords: Record<Exclude<ValueTag, 'example' | 'schema' | 'hidden' | 'header'>, Keyword> = {
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  multipleOf: factor,
  minLength: length,
  maxLength: length,
  minItems: items,
  maxItems: items,
  pattern: { expected: 'a regular expression without flags', types: ['string'], read: extractSafePattern },
  format: { ...word, types: ['string', ...numbers] },
  uniqueItems: { ...flag, types: ['array'] },
  title: { ...text, read: (value) => text.read(stripQuotes(value), new Set()) },
  deprecated: { expected: 'any text', read: () => true },
  default: { expected: 'a JSON value', read: readValue },
};

/** `types` are the value's JSON types; empty means any. Callers handle `@schema` and `@hidden`. */
export function applyDocs(
  schema: JsonSchemaObject,
  docs: Docs,
  types: ReadonlySet<JsonType>,
  tell: ReportAt,
  examples: NotedExample[],
): void {
  const sentences = [deprecationNotice(docs), docs.description].filter((part) => part !== undefined);
  // The `deprecated` keyword is enough without a text.
  const text = sentences.filter((part) => part !== 'Deprecated.').join(' ');
  if (text !== '') schema.description = text;
  if (docs.label !== undefined) schema.title = docs.label;
  const seen = new Set<string>();
  for (const tag of docs.tags) {
    const entry = findTagEntry(tag.name);
    // Of two constraints both hold.
    const isSingle = entry?.values !== undefined && entry.repeats !== true && !isConstraint(tag.name);
    if (seen.has(tag.name) && isSingle) tell('idle-tag', { tag: tag.name, ...REPEATED }, tag);
    else if (tag.name === 'example') addExample(schema, tag, types, tell, examples);
    else if (Object.hasOwn(keywords, tag.name))
      applyTag(schema, tag, keywords[tag.name as keyof typeof keywords], types, tell);
    seen.add(tag.name);
  }
  reportMisspeltTags(docs, tell);
}

const REPEATED = { because: 'it occurs a second time', fix: 'Keep one of them.' };

function applyTag(
  schema: JsonSchemaObject,
  tag: DocTag,
  { expected, types: of, read }: Keyword,
  types: ReadonlySet<JsonType>,
  tell: ReportAt,
): void {
  const { name } = tag;
  if (of !== undefined && types.size > 0 && !of.some((type) => types.has(type))) {
    const because = `it applies to ${of[0] ?? ''} values, but this is never one`;
    tell('idle-tag', { tag: name, because, fix: 'Remove the tag, or use the one for this type.' }, tag);
    return;
  }
  if (name === 'default' && isCode(tag.text, schema)) {
    const because = `${tag.text} is code, so no default is listed`;
    const fix = 'Write a JSON value, quote text in double quotes, or remove the tag.';
    tell('idle-tag', { tag: name, because, fix }, tag);
    return;
  }
  const value = checkTagValue(read(tag.text, types), tag, expected, tell);
  if (value !== undefined) addKeyword(schema, name, value);
}

/** A constraint never replaces another one, of the type or of another tag: the narrower of two limits stays, and both of two patterns. */
export function addKeyword(schema: JsonSchemaObject, name: string, value: unknown): void {
  const present: unknown = schema[name as keyof JsonSchemaObject];
  // A day narrows the form of a `Date`.
  const isDay = name === 'format' && present === 'date-time';
  if (present === undefined || present === value || !isConstraint(name) || isDay)
    setOwnMember(schema, name, value);
  else if (typeof present === 'number' && name !== 'multipleOf')
    setOwnMember(
      schema,
      name,
      /^(?:min|exclusiveMin)/.test(name)
        ? Math.max(present, Number(value))
        : Math.min(present, Number(value)),
    );
  else if (name === 'uniqueItems') setOwnMember(schema, name, present === true || value === true);
  else schema.allOf = [...(schema.allOf ?? []), { [name]: value }];
}

function checkTagValue(value: unknown, tag: DocTag, expected: string, tell: ReportAt): unknown {
  const { name, text } = tag;
  if (value === undefined)
    tell('bad-tag', { tag: name, problem: `needs ${expected}, but its value is "${text}"` }, tag);
  if (findRoundedNumber(value) === undefined) return value;
  const problem = `has the value ${text} with an integer beyond ±2^53, which clients would round`;
  const fix = 'Use a smaller number, check it in the function, or use a string.';
  tell('bad-tag', { tag: name, problem, fix }, tag);
  return undefined;
}

function addExample(
  schema: JsonSchemaObject,
  tag: DocTag,
  types: ReadonlySet<JsonType>,
  tell: ReportAt,
  examples: NotedExample[],
): void {
  if (tag.text === '' || /```|~~~|\n|^<caption>/.test(tag.text)) return;
  const read = readValue(tag.text, types);
  if (read === undefined) {
    tell('example-does-not-fit', { value: tag.text, problem: 'It is no JSON value' }, tag);
    return;
  }
  const value = checkTagValue(read, tag, 'a JSON value', tell);
  if (value === undefined) return;
  setOwnMember(schema, 'examples', [...(schema.examples ?? []), value]);
  examples.push({ schema, value, tag });
}

function reportMisspeltTags({ tags }: Docs, tell: ReportAt): void {
  for (const tag of tags) {
    const { name } = tag;
    const isKnown = findTagEntry(name) !== undefined || isOfOtherTool(name);
    const intendedTag = isKnown ? undefined : suggestTagFor(name);
    if (isDetailTag(name)) tell('idle-tag', { tag: name, because: 'it belongs to a function' }, tag);
    else if (intendedTag !== undefined) {
      const fix = `Did you mean \`@${intendedTag}\`?`;
      tell('idle-tag', { tag: name, because: 'no tag has this name', fix }, tag);
    }
  }
}

function parseFiniteNumber(text: string): number | bigint | undefined {
  const value = text === '' ? NaN : parseNumber(text);
  return typeof value === 'bigint' || Number.isFinite(value) ? value : undefined;
}

const WITH_FLAGS = /^`?\/.+\/[dgimsuvy]+`?$/;

function extractSafePattern(text: string): string | undefined {
  if (WITH_FLAGS.test(text)) return undefined;
  const source = /^`(.+)`$/.exec(text)?.[1] ?? /^\/(.+)\/$/.exec(text)?.[1] ?? text;
  try {
    const usable =
      source !== '' && new RegExp(source) instanceof RegExp && classifyPattern(source) !== 'unsafe';
    return usable ? source : undefined;
  } catch {
    return undefined;
  }
}

/** Parses JSON; a string needs no quotes. An integer that a double would round is a `bigint`. */
function readValue(text: string, types: ReadonlySet<JsonType>): unknown {
  const source = stripBackticks(text);
  const digits = types.has('integer') ? /^(-?\d+)n$/.exec(source)?.[1] : undefined;
  const value = tryParseJsonExactly(digits ?? source);
  if (value === undefined) {
    const isText = source !== '' && (types.size === 0 || types.has('string'));
    return isText ? (parseSingleQuoted(source) ?? source) : undefined;
  }
  const isText = types.size === 1 && types.has('string') && typeof value !== 'string' && value !== null;
  return isText ? source : value;
}

const NAME = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]*`;

const EXPRESSION = new RegExp(
  String.raw`^(?:(?:new|await)\s+)?${NAME}(?:\??\.${NAME}|(?:\?\.)?[([].*[)\]])+$`,
  'u',
);

/** TSDoc writes defaults as code. A value in the schema's enum is no code. */
function isCode(text: string, { enum: values = [], const: only }: JsonSchemaObject): boolean {
  const source = stripBackticks(text);
  if (tryParseJsonExactly(source) !== undefined || parseSingleQuoted(source) !== undefined) return false;
  if (only === source || values.includes(source)) return false;
  return source !== text || source === 'undefined' || EXPRESSION.test(source);
}

function stripBackticks(text: string): string {
  return /^`(.+)`$/.exec(text)?.[1] ?? text;
}

function parseSingleQuoted(source: string): string | undefined {
  return /^'([^']*)'$/.exec(source)?.[1];
}
