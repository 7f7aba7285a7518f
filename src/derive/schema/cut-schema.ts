/**
 * Input schemas that are too large to list are cut: clients read a part, and the server checks arguments by the whole.
 * The part accepts whatever the whole accepts.
 */
import { getJsonType } from '../../util/json-value.ts';
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import {
  type JsonSchema,
  type JsonSchemaObject,
  type JsonType,
  type ObjectSchema,
  escapePointerToken,
} from '../../util/json-schema.ts';
import {
  OTHER_MEMBERS,
  asSchemaObject,
  definitionNameOf,
  keywordsThatJudge,
  listSubschemas,
  mapSubschemas,
  omitKeywords,
  oneOfToAnyOf,
} from '../../model/schema-walk.ts';
import { omitUndefined } from '../../util/collections.ts';
import { appendSentence, trimText } from '../text/plain-text.ts';
import { toListedSchema } from './listed-schema.ts';

/** Most bytes of JSON that a listed input schema has; a longer one is cut. */
export const LARGEST_INPUT = 16 * 1024;
/** A schema with more than this is cut without writing it out first: such closures are megabytes. */
const PLAINLY_TOO_LARGE = 4 * LARGEST_INPUT;
/** Values of an enum that are shown when enums are cut. */
const MOST_VALUES = 20;

interface ListedInput {
  schema: ObjectSchema;
  /** Whether the listed schema is cut: the server then needs the whole one, and clients a way to read it. */
  isCut: boolean;
}

/**
 * `$defs`, or the schema that has none → what is beside them, as JSON → the form. Measuring, emitting and linting each ask for that of
 * every tool, and two of three tools of Kubernetes are like another one: each form of a large schema takes some ms.
 */
const listedInputs = new WeakMap<object, Map<string, ListedInput>>();

/** Returns the form in which clients are given an input schema, `LARGEST_INPUT` at most. One with an `$id` stays whole. */
export function cutInputForListing(whole: ObjectSchema): ListedInput {
  const { $defs = whole, ...top } = whole;
  const text = JSON.stringify(top);
  const forms = listedInputs.get($defs) ?? new Map<string, ListedInput>();
  const listed = forms.get(text) ?? findListedInput(whole);
  listedInputs.set($defs, forms.set(text, listed));
  return listed;
}

function findListedInput(whole: ObjectSchema): ListedInput {
  if (whole.$id !== undefined) return { schema: whole, isCut: false };
  const listed = isPlainlyTooLarge(whole) ? undefined : toListedSchema(whole);
  return listed !== undefined && isWithinLimit(listed)
    ? { schema: listed, isCut: false }
    : { schema: cutToLimit(whole), isCut: true };
}

function isPlainlyTooLarge({ $defs = {}, ...top }: ObjectSchema): boolean {
  let size = 0;
  return [top, ...Object.values($defs)].some(
    (part) => (size += JSON.stringify(part).length) > PLAINLY_TOO_LARGE,
  );
}

function isWithinLimit(schema: JsonSchema): boolean {
  return Buffer.byteLength(JSON.stringify(schema)) <= LARGEST_INPUT;
}

/** A cut leaves this out, besides examples and keywords that refuse values. */
interface Cut {
  /** Descriptions at this level and below it. */
  described: number;
  /** Enums of more values become words. */
  values: number;
  /** The schemas of optional members below this level, with all that is in them. */
  optional: number;
  /** The schemas of required members below this level, with all that is in them. */
  required: number;
  /** Bytes of a longer description. Zero: cut members have no words at all. */
  words: number;
}

const NOTHING: Cut = {
  described: Infinity,
  values: Infinity,
  optional: Infinity,
  required: Infinity,
  words: Infinity,
};
const WORDS: Cut = { ...NOTHING, described: 3 };
const VALUES: Cut = { ...WORDS, values: MOST_VALUES };
const LEVELS = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
const WHOLE: Cut = { ...VALUES, optional: 0, required: 0 };

/** Each leaves out more than those before it. */
const CUTS: readonly Cut[] = [
  ...[NOTHING, WORDS, VALUES],
  ...LEVELS.map((optional) => ({ ...VALUES, optional })),
  ...LEVELS.map((required) => ({ ...VALUES, optional: 1, required })),
  ...[WHOLE, ...[200, 100, 50, 0].map((words) => ({ ...WHOLE, words }))],
];

/** Finds the first of `CUTS` that fits: for two of three schemas that is the one without deep descriptions. */
function cutToLimit(whole: ObjectSchema): ObjectSchema {
  const withoutWords = tryCut(whole, WORDS);
  if (withoutWords !== undefined) return tryCut(whole, NOTHING) ?? withoutWords;
  let best: ObjectSchema | undefined;
  let [start, end] = [CUTS.indexOf(VALUES), CUTS.length];
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    const listed = tryCut(whole, CUTS[middle] ?? WHOLE);
    if (listed === undefined) start = middle + 1;
    else {
      best = listed;
      end = middle;
    }
  }
  return best ?? dropArguments(whole);
}

function tryCut(whole: ObjectSchema, cut: Cut): ObjectSchema | undefined {
  const rendered = new CutRendering(whole, cut).renderCutSchema();
  const listed = rendered && toListedSchema(rendered);
  return listed !== undefined && isWithinLimit(listed) ? listed : undefined;
}

/** Optional arguments go first. The listed schema is then open: the server still knows them all. */
function dropArguments({ properties = {}, required = [], $defs, type }: ObjectSchema): ObjectSchema {
  const needed = new Set(required);
  const names = Object.keys(properties).toSorted((a, b) => Number(needed.has(b)) - Number(needed.has(a)));
  for (let count = Math.floor(names.length / 2); count > 0; count = Math.floor(count / 2)) {
    const firstNames = names.slice(0, count);
    const fewer: ObjectSchema = {
      type,
      properties: Object.fromEntries(firstNames.map((name) => [name, ownMember(properties, name) ?? true])),
      required: firstNames.filter((name) => needed.has(name)),
      ...omitUndefined({ $defs }),
    };
    const listed = tryCut(fewer, { ...WHOLE, words: 0 });
    const description = `${names.length - count} more arguments: describe_tool {name}.`;
    if (listed !== undefined) return { ...listed, description };
  }
  return { type, description: 'Arguments: describe_tool {name}.' };
}

interface Place {
  /** Depth of the place below the top of the schema, which is 0. */
  level: number;
  /** A JSON Pointer over arguments; `*` for items and for members of any name. */
  path: string;
  isRequired: boolean;
}

/** Keywords by which a schema refuses more when a part of it accepts more, and examples. */
const NARROWING = [
  ...['not', 'if', 'then', 'else', 'maxContains'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'examples'],
];
const OF_ITEMS = keywordsThatJudge('item', 'item-test');

/** Renders a schema without what a cut leaves out. */
class CutRendering {
  readonly #top: JsonSchemaObject;
  readonly #defs: Record<string, JsonSchema>;
  readonly #cut: Cut;
  /** Targets that are still referred to, each at the place nearest to the top. */
  readonly #open = new Map<string, Place>();
  readonly #done = new Map<string, JsonSchema>();
  #count = 0;

  constructor({ $defs = {}, ...top }: ObjectSchema, cut: Cut) {
    this.#top = top;
    this.#defs = $defs;
    this.#cut = cut;
  }

  /** Undefined if it doesn't fit: then the rest is not rendered. */
  renderCutSchema(): ObjectSchema | undefined {
    const top = this.#renderKeywords(this.#top, { level: 0, path: '', isRequired: true }) as ObjectSchema;
    while (this.#open.size > 0 && this.#count <= LARGEST_INPUT) {
      const [name, place] = [...this.#open].reduce((nearest, entry) =>
        entry[1].level < nearest[1].level ? entry : nearest,
      );
      this.#open.delete(name);
      const target = asSchemaObject(ownMember(this.#defs, name) ?? true);
      this.#done.set(name, this.#renderKeywords(target, place));
    }
    if (this.#count > LARGEST_INPUT) return undefined;
    // Cut members without words do not say where the rest is.
    if (this.#cut.words === 0) top.description = 'More of the arguments: describe_tool {name}.';
    return this.#done.size === 0 ? top : { ...top, $defs: Object.fromEntries(this.#done) };
  }

  #renderSchema(schema: JsonSchema, place: Place): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    if (this.#count > LARGEST_INPUT) return true;
    const deepest = place.isRequired ? this.#cut.required : this.#cut.optional;
    const cut = place.level > deepest && hasSubschemas(schema) ? this.#renderCut(schema, place) : undefined;
    const target = cut && isShorter(cut, schema) ? cut : this.#renderKeywords(schema, place);
    this.#count += estimateLength(target);
    return target;
  }

  #renderKeywords(schema: JsonSchemaObject, place: Place): JsonSchemaObject {
    const wide = this.#dropWords(oneOfToAnyOf(omitKeywords(schema, ...NARROWING)), place);
    const { $ref, properties, ...rest } = wide;
    const name = definitionNameOf($ref);
    const isNearer = place.level < (this.#open.get(name ?? '')?.level ?? Infinity);
    if (name !== undefined && !this.#done.has(name) && isNearer) this.#open.set(name, place);
    const mapped = mapSubschemas(rest, (subschema, keyword) =>
      this.#renderSchema(subschema, placeBehindKeyword(keyword, place)),
    );
    if (properties === undefined) return { ...wide, ...mapped };
    const required = new Set(wide.required);
    const members = Object.entries(properties).map(([member, subschema]): [string, JsonSchema] => {
      const path = `${place.path}/${escapePointerToken(member)}`;
      const isRequired = place.isRequired && required.has(member);
      return [member, this.#renderSchema(subschema, { level: place.level + 1, path, isRequired })];
    });
    return { ...wide, ...mapped, properties: Object.fromEntries(members) };
  }

  #dropWords(schema: JsonSchemaObject, { level, path }: Place): JsonSchemaObject {
    const { description, enum: values = [], ...keywords } = schema;
    const prose = description && values.length > 0 ? removeValueList(description, values) : description;
    const text = level < this.#cut.described ? this.#shortenDescription(prose, path) : undefined;
    const listed =
      text === description
        ? schema
        : { ...keywords, ...omitUndefined({ enum: schema.enum, description: text }) };
    if (values.length <= this.#cut.values) return listed;
    const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
    const note = `One of ${shown.join(', ')} and ${values.length - shown.length} more values: ${describeToolCall(path)}.`;
    const counted = {
      ...schemaOfTypes([keywords.type ?? typesOfValues(values)].flat()),
      ...keywords,
      description: addSentence(text, note),
    };
    return isShorter(counted, listed) ? counted : listed;
  }

  #shortenDescription(text: string | undefined, path: string): string | undefined {
    const { words } = this.#cut;
    const size = Buffer.byteLength(text ?? '');
    if (text === undefined || size <= words) return text;
    if (words === 0) return undefined;
    const short = addSentence(
      trimText(text, Math.floor((words * text.length) / size)),
      `${describeToolCall(path)}.`,
    );
    return short.length < text.length ? short : text;
  }

  #renderCut(schema: JsonSchemaObject, { level, path }: Place): JsonSchemaObject {
    const node = schemaOfTypes(this.#typesAccepted(schema, new Set()));
    if (this.#cut.words === 0) return node;
    const text = level < this.#cut.described ? schema.description : undefined;
    const size = Buffer.byteLength(text ?? '');
    const start = text && trimText(text, Math.floor((Math.min(size, 100) * text.length) / size));
    return { ...node, description: addSentence(start, `${describeToolCall(path)}.`) };
  }

  /** Lists the JSON types that the schema accepts; none if it does not say. */
  #typesAccepted(schema: JsonSchema, seen: Set<string>): JsonType[] {
    if (typeof schema === 'boolean') return [];
    const { type, $ref, allOf = [], anyOf, oneOf } = schema;
    if (type !== undefined) return [type].flat();
    const name = definitionNameOf($ref);
    const target = name === undefined || seen.has(name) ? true : (ownMember(this.#defs, name) ?? true);
    if (name !== undefined) seen.add(name);
    for (const part of [target, ...allOf]) {
      const types = this.#typesAccepted(part, seen);
      if (types.length > 0) return types;
    }
    const alternatives = (anyOf ?? oneOf ?? []).map((part) => this.#typesAccepted(part, seen));
    return alternatives.some((types) => types.length === 0) ? [] : [...new Set(alternatives.flat())];
  }
}

function describeToolCall(path: string): string {
  return `describe_tool {name, path: ${JSON.stringify(path)}}`;
}

function addSentence(text: string | undefined, sentence: string): string {
  return appendSentence(text, sentence, Infinity);
}

/** Lines that only repeat the values of an enum: "* `draft` - Draft", as drf-spectacular writes them. */
function removeValueList(description: string, values: readonly unknown[]): string {
  const texts = new Set(values.map(String));
  const lines = description.split('\n').filter((line) => {
    const [, value] = /^\s*[*-] `([^`]+)`/.exec(line) ?? [];
    return value === undefined || !texts.has(value);
  });
  return lines.join('\n').trim();
}

/** A cut saves room, or is none. What a reference leads to is not counted, and is mostly long. */
function isShorter(cut: JsonSchemaObject, whole: JsonSchemaObject): boolean {
  const text = JSON.stringify(whole);
  return text.includes('"$ref":') || JSON.stringify(cut).length < text.length;
}

/** Estimates a schema's length, without the schemas in it. */
function estimateLength(schema: JsonSchemaObject): number {
  const { description = '', enum: values = [], properties = {}, required = [] } = schema;
  const names = Object.keys(properties).join().length + required.join().length;
  return 20 + description.length + 6 * values.length + names;
}

function placeBehindKeyword(keyword: string, { level, path, isRequired }: Place): Place {
  if (OF_ITEMS.includes(keyword)) return { level: level + 1, path: `${path}/*`, isRequired };
  if (OTHER_MEMBERS.includes(keyword)) return { level: level + 1, path: `${path}/*`, isRequired: false };
  return { level, path, isRequired };
}

function hasSubschemas(schema: JsonSchemaObject): boolean {
  const isParent = listSubschemas(schema).some(
    ({ schema: part }) => typeof part === 'object' && Object.keys(part).length > 0,
  );
  return isParent || schema.$ref !== undefined;
}

/** Clients that refuse lists of types take alternatives. */
function schemaOfTypes(types: readonly JsonType[]): JsonSchemaObject {
  const [only, ...moreTypes] = types;
  if (only === undefined) return {};
  return moreTypes.length === 0 ? { type: only } : { anyOf: types.map((type) => ({ type })) };
}

function typesOfValues(values: readonly unknown[]): JsonType[] {
  const types = values.flatMap((value) => getJsonType(value) ?? []);
  return [...new Set(types.map((type) => (type === 'integer' ? 'number' : type)))];
}
