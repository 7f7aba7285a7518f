/** Value tags become keywords of a schema. */
import type { Json, JsonSchemaObject, JsonType } from '../../../../templates/runtime/schema/json-schema.ts';
import { nearMiss } from '../../../../templates/runtime/schema/near-miss.ts';
import { setMember } from '../../../../templates/runtime/schema/json-value.ts';
import { guardOf } from '../../../../templates/runtime/schema/patterns.ts';
import type { TellAt } from '../schema/form.ts';
import type { Docs, DocTag } from './doc-text.ts';
import { valueTags } from './tag-names.ts';

/** What a tag's text must be, and which JSON values its keyword says something of. */
interface ValueTag {
  wanted: string;
  types?: JsonType[];
  read: (text: string, types: ReadonlySet<JsonType>) => Json | undefined;
}

const numbers: JsonType[] = ['number', 'integer'];
const limit: ValueTag = { wanted: 'a number', types: numbers, read: readNumber };
const factor: ValueTag = { ...limit, wanted: 'a number above 0', read: readFactor };
const length: ValueTag = { wanted: 'a whole number from 0', types: ['string'], read: readCount };
const items: ValueTag = { ...length, types: ['array'] };
const text: ValueTag = { wanted: 'a word', read: (given) => (given === '' ? undefined : given) };
const flag: ValueTag = { wanted: 'nothing', read: () => true };

const keywords: Record<string, ValueTag> = {
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  multipleOf: factor,
  minLength: length,
  maxLength: length,
  minItems: items,
  maxItems: items,
  pattern: { wanted: 'a regular expression', types: ['string'], read: readRegExp },
  format: { ...text, types: ['string', ...numbers] },
  uniqueItems: { ...flag, types: ['array'] },
  title: text,
  deprecated: flag,
  default: { wanted: 'a JSON value', read: readValue },
};

/**
 * Adds what docs say to a schema: the description and the keywords. `types` are those of the value's JSON form, empty
 * when it may be anything. `@schema` and `@hidden` are the caller's.
 */
export function applyDocs(
  schema: JsonSchemaObject,
  docs: Docs,
  types: ReadonlySet<JsonType>,
  tell: TellAt,
): void {
  if (docs.description !== undefined) schema.description = docs.description;
  for (const tag of docs.tags) {
    const known = Object.hasOwn(keywords, tag.name) ? keywords[tag.name] : undefined;
    if (known !== undefined) applyTag(schema, tag, known, types, tell);
    else if (tag.name === 'example') addExample(schema, tag, types, tell);
    else tellMisspelt(tag, tell);
  }
}

function applyTag(
  schema: JsonSchemaObject,
  tag: DocTag,
  { wanted, types: of, read }: ValueTag,
  types: ReadonlySet<JsonType>,
  tell: TellAt,
): void {
  const { name } = tag;
  if (of !== undefined && types.size > 0 && !of.some((type) => types.has(type))) {
    tell('tag-does-not-apply', { tag: name, types: of[0] ?? '' }, tag);
    return;
  }
  const value = read(tag.text, types);
  if (value === undefined) tell('bad-tag-value', { tag: name, value: tag.text, wanted }, tag);
  else setMember(schema, name, value);
}

/** Code is an example for people, not a value. */
function addExample(schema: JsonSchemaObject, tag: DocTag, types: ReadonlySet<JsonType>, tell: TellAt): void {
  if (tag.text === '' || /```|~~~|\n|^<caption>/.test(tag.text)) return;
  const value = readValue(tag.text, types);
  if (value === undefined) {
    tell('bad-tag-value', { tag: 'example', value: tag.text, wanted: 'a JSON value' }, tag);
  } else schema.examples = [...(schema.examples ?? []), value];
}

/** Tags of TypeScript and of documentation tools that are near to one of ours. */
const others = new Set([
  'defaultValue',
  'format',
  'examples',
  'hideconstructor',
  'scheme',
  'fires',
  'final',
  'file',
]);

function tellMisspelt(tag: DocTag, tell: TellAt): void {
  if ((valueTags as readonly string[]).includes(tag.name) || others.has(tag.name)) return;
  const meant = tag.name.length < 5 ? undefined : nearMiss(tag.name, valueTags);
  if (meant !== undefined) tell('misspelt-member-tag', { tag: tag.name, meant }, tag);
}

function readNumber(given: string): number | undefined {
  const value = given === '' ? NaN : Number(given);
  return Number.isFinite(value) ? value : undefined;
}

function readFactor(given: string): number | undefined {
  const value = readNumber(given);
  return value !== undefined && value > 0 ? value : undefined;
}

function readCount(given: string): number | undefined {
  const value = readNumber(given);
  return Number.isSafeInteger(value) && value !== undefined && value >= 0 ? value : undefined;
}

/** A word in slashes or backticks is what stands between them. */
function readRegExp(given: string): string | undefined {
  const source = /^`(.+)`$/.exec(given)?.[1] ?? /^\/(.+)\/$/.exec(given)?.[1] ?? given;
  try {
    const usable = source !== '' && new RegExp(source) instanceof RegExp && guardOf(source) !== 'unsafe';
    return usable ? source : undefined;
  } catch {
    return undefined;
  }
}

/** A JSON value; where a string is meant, the text as it stands will do. */
function readValue(given: string, types: ReadonlySet<JsonType>): Json | undefined {
  const source = /^`(.+)`$/.exec(given)?.[1] ?? given;
  try {
    const value = JSON.parse(source) as Json;
    const isText = types.size === 1 && types.has('string') && typeof value !== 'string';
    return isText ? source : value;
  } catch {
    const quoted = /^'([^']*)'$/.exec(source)?.[1];
    return source !== '' && (types.size === 0 || types.has('string')) ? (quoted ?? source) : undefined;
  }
}
