import type { JsonSchemaObject, JsonType } from '../../../../templates/runtime/contract/json-schema.ts';
import { parseNumber, setOwnMember } from '../../../../templates/runtime/contract/json-value.ts';
import { suggestNearest } from '../../../../templates/runtime/contract/feature.ts';
import { classifyPattern } from '../../../../templates/runtime/contract/regex/linear-patterns.ts';
import type { Reading, ReportAt } from '../schema/form.ts';
import { findRoundedNumber } from '../schema/schema-shapes.ts';
import { suggestTagFor } from '../tags/other-tags.ts';
import { VALUE_TAGS, type ValueTag, findTagEntry, isDetailTag } from '../tags/tag-registry.ts';
import { type DocTag, type Docs, deprecationNotice, stripQuotes } from './doc-text.ts';
import { isCode, readValue } from './read-value.ts';

interface Keyword {
  expected: string;
  types?: JsonType[];
  /** Reads the text: undefined if it is invalid, a `bigint` for an integer that a double would round. */
  read: (text: string, types: ReadonlySet<JsonType>) => unknown;
}

const numbers: JsonType[] = ['number', 'integer'];
const limit: Keyword = { expected: 'a number', types: numbers, read: parseFiniteNumber };
const factor: Keyword = { ...limit, expected: 'a number above 0', read: parsePositiveNumber };
const length: Keyword = { expected: 'a whole number from 0', types: ['string'], read: readCount };
const items: Keyword = { ...length, types: ['array'] };
const text: Keyword = { expected: 'a text', read: (value) => (value === '' ? undefined : value) };
const word: Keyword = { expected: 'a word', read: (value) => (/^\S+$/.test(value) ? value : undefined) };
const flag: Keyword = { expected: '`true`, `false` or nothing', read: parseBooleanFlag };

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
  pattern: { expected: 'a regular expression', types: ['string'], read: extractSafePattern },
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
  { tell, examples }: Pick<Reading, 'tell' | 'examples'>,
): void {
  if (hasNoDocs(docs)) return;
  const sentences = [deprecationNotice(docs), docs.description].filter((part) => part !== undefined);
  // The `deprecated` keyword is enough without a text.
  const text = sentences.filter((part) => part !== 'Deprecated.').join(' ');
  if (text !== '') schema.description = text;
  if (docs.label !== undefined) schema.title = docs.label;
  const seen = new Set<string>();
  for (const tag of docs.tags) {
    if (seen.has(tag.name) && mayOccurOnlyOnce(tag)) tell('idle-tag', { tag: tag.name, ...repeatedTag }, tag);
    else if (tag.name === 'example') addExample(schema, tag, types, { tell, examples });
    else if (isKeyword(tag.name)) applyTag(schema, tag, keywords[tag.name], types, tell);
    seen.add(tag.name);
  }
  reportMisspeltTags(docs, tell);
  reportUnsatisfiable(schema, docs.tags, tell);
}

export const repeatedTag = { because: 'it occurs a second time', fix: 'Keep one of them.' };

/** Most members have no docs. */
function hasNoDocs({ description, tags, label, mentions }: Docs): boolean {
  return tags.length === 0 && description === undefined && label === undefined && mentions === undefined;
}

function isKeyword(name: string): name is keyof typeof keywords {
  return Object.hasOwn(keywords, name);
}

function mayOccurOnlyOnce({ name }: DocTag): boolean {
  const entry = findTagEntry(name);
  return entry?.values !== undefined && entry.repeats !== true;
}

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
  const flags = name === 'pattern' ? findFlags(tag.text) : undefined;
  if (flags !== undefined) {
    const problem = `does not support flags, so \`${tag.text}\` cannot have \`${flags}\``;
    const fix = 'Remove the flags. For `i`, write both cases: `[Aa]`. For literal slashes, start with `[/]`.';
    tell('bad-tag', { tag: name, problem, fix }, tag);
    return;
  }
  if (name === 'default' && isCode(tag.text, schema)) {
    const because = `${tag.text} is code, so no default is listed`;
    const fix = 'Write a JSON value, quote text in double quotes, or remove the tag.';
    tell('idle-tag', { tag: name, because, fix }, tag);
    return;
  }
  const value = checkTagValue(read(tag.text, types), tag, expected, tell);
  if (value === undefined) return;
  setOwnMember(schema, name, value);
  const suggestion = name === 'format' ? suggestFormat(tag.text) : undefined;
  if (suggestion !== undefined) tell('misspelt-format', { format: tag.text, meant: suggestion }, tag);
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
  { tell, examples }: Pick<Reading, 'tell' | 'examples'>,
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

const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['min', 'minimum'],
  ['max', 'maximum'],
  ['regex', 'pattern'],
  ['regexp', 'pattern'],
  ['length', 'maxLength'],
  ['int', 'multipleOf 1'],
  ['integer', 'multipleOf 1'],
  ['isInt', 'multipleOf 1'],
  ['asType', 'multipleOf 1'],
  ['TJS-type', 'multipleOf 1'],
  ['additionalProperties', 'schema {…}'],
  ['enum', 'schema {"enum":[…]}'],
  ['items', 'schema {"type":"array","items":{…}}'],
  ['range', 'minimum'],
  ['unique', 'uniqueItems'],
  ['email', 'format email'],
  ['uuid', 'format uuid'],
  ['url', 'format uri'],
  ['uri', 'format uri'],
  ['const', 'schema {"const":…}'],
]);

function reportMisspeltTags({ tags, mentions = [] }: Docs, tell: ReportAt): void {
  for (const { name, file, offset } of [...tags, ...mentions, ...tags.flatMap((tag) => tag.mentions ?? [])]) {
    const isUnknown = findTagEntry(name) === undefined && name.length >= 5;
    const near = isUnknown ? suggestTagFor(name, VALUE_TAGS) : undefined;
    const place = { file, offset };
    const intendedTag = ELSEWHERE.get(name) ?? near;
    if (isDetailTag(name)) tell('idle-tag', { tag: name, because: 'it belongs to a function' }, place);
    else if (intendedTag !== undefined) {
      const fix = `Did you mean \`@${intendedTag}\`?`;
      tell('idle-tag', { tag: name, because: 'no tag has this name', fix }, place);
    }
  }
}

function parseFiniteNumber(text: string): number | bigint | undefined {
  const value = text === '' ? NaN : parseNumber(text);
  return typeof value === 'bigint' || Number.isFinite(value) ? value : undefined;
}

function parseBooleanFlag(text: string): boolean | undefined {
  if (text === '' || text === 'true') return true;
  return text === 'false' ? false : undefined;
}

function parsePositiveNumber(text: string): number | bigint | undefined {
  const value = parseFiniteNumber(text);
  return value !== undefined && value > 0 ? value : undefined;
}

function readCount(text: string): number | undefined {
  const value = parseFiniteNumber(text);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function findFlags(text: string): string | undefined {
  return /^`?\/.+\/([dgimsuvy]+)`?$/.exec(text)?.[1];
}

function extractSafePattern(text: string): string | undefined {
  const source = /^`(.+)`$/.exec(text)?.[1] ?? /^\/(.+)\/$/.exec(text)?.[1] ?? text;
  try {
    const usable =
      source !== '' && new RegExp(source) instanceof RegExp && classifyPattern(source) !== 'unsafe';
    return usable ? source : undefined;
  } catch {
    return undefined;
  }
}

/** The formats of JSON Schema 2020-12 (Validation, section 7.3) and of the OpenAPI format registry. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid ' +
    'uri-template json-pointer relative-json-pointer regex ' +
    'int8 int16 int32 int64 uint8 uint16 uint32 uint64 float double double-int decimal decimal128 byte binary base64url char ' +
    'password html commonmark media-range http-date date-time-local time-local etag sf-string'
  ).split(' '),
);

/** Suggests a known format; undefined for known formats and for custom ones. */
function suggestFormat(format: string): string | undefined {
  return KNOWN.has(format) ? undefined : suggestNearest(format, KNOWN);
}

const PAIRS = [
  ['minimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'maximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

function reportUnsatisfiable(schema: JsonSchemaObject, tags: readonly DocTag[], tell: ReportAt): void {
  if (tags.length === 0) return;
  for (const [lower, upper] of PAIRS) {
    const tag = tags.find(({ name }) => name === lower || name === upper);
    const { [lower]: least, [upper]: highest } = schema;
    if (tag === undefined || least === undefined || highest === undefined) continue;
    const isStrict = lower.startsWith('exclusive') || upper.startsWith('exclusive');
    if (least < highest || (least === highest && !isStrict)) continue;
    const problem = `${least} and @${upper} ${highest} allow no value`;
    tell('bad-tag', { tag: lower, problem, fix: 'Correct or remove one of them.' }, tag);
  }
}
