/** Renders an input schema without what a cut leaves out. */
import {
  type JsonSchema,
  type JsonSchemaObject,
  type JsonType,
  type ObjectSchema,
  escapePointerToken,
} from '../../../templates/runtime/contract/json-schema.ts';
import { getOwnMember, getJsonType } from '../../../templates/runtime/contract/json-value.ts';
import {
  asSchemaObject,
  forEachSubschema,
  mapSubschemas,
  definitionNameOf,
  oneOfToAnyOf,
} from '../../model/schema-walk.ts';
import { omitUndefined } from '../../util/collections.ts';
import { describeEnumValues, appendWords, describeToolCall, shortenDescription } from './cut-words.ts';

/** Most bytes of JSON that a listed input schema has; a longer one is cut. */
export const LARGEST_INPUT = 16 * 1024;

/** A cut leaves these out, in the order of their worth: each keeps those before it. */
export interface Cut {
  /** Leaves out descriptions at this level and below it. */
  described: number;
  /** Enums of more values become words. */
  values: number;
  /** Leaves out the schemas of optional members below this level, with all that is in them. */
  optional: number;
  /** Leaves out the schemas of required members below this level, with all that is in them. */
  required: number;
  /** Arguments that are cut whole. */
  whole: ReadonlySet<string>;
  /** Cut members keep their types alone. */
  bare: boolean;
}

interface Place {
  /** Depth of the place below the top of the schema, which is 0. */
  level: number;
  /** A JSON Pointer over arguments; `*` for items and for members of any name. */
  path: string;
  isRequired: boolean;
}

/** A sketch of more characters is not finished: written as JSON, it never fits. */
const MOST_CHARACTERS = 1.5 * LARGEST_INPUT;

export class CutRendering {
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

  /** Writes the cut schema; undefined if it plainly doesn't fit. */
  renderCutSchema(): ObjectSchema | undefined {
    const top = this.#renderKeywords(this.#top, { level: 0, path: '', isRequired: true }) as ObjectSchema;
    for (let next = this.#nearestOpen(); next !== undefined; next = this.#nearestOpen()) {
      const [name, place] = next;
      this.#open.delete(name);
      this.#done.set(
        name,
        this.#renderKeywords(asSchemaObject(getOwnMember(this.#defs, name) ?? true), place),
      );
      if (this.#count > MOST_CHARACTERS) return undefined;
    }
    if (this.#count > MOST_CHARACTERS) return undefined;
    return this.#done.size === 0 ? top : { ...top, $defs: Object.fromEntries(this.#done) };
  }

  #nearestOpen(): [string, Place] | undefined {
    let nearest: [string, Place] | undefined;
    for (const entry of this.#open)
      if (nearest === undefined || entry[1].level < nearest[1].level) nearest = entry;
    return nearest;
  }

  #renderSchema(schema: JsonSchema, place: Place): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    if (this.#count > MOST_CHARACTERS) return true;
    const target = this.#mustBeCut(schema, place)
      ? this.#renderCut(schema, place)
      : this.#renderKeywords(schema, place);
    this.#count += estimateLength(target);
    return target;
  }

  #mustBeCut(schema: JsonSchemaObject, { level, path, isRequired }: Place): boolean {
    if (level === 1 && this.#cut.whole.has(path)) return true;
    const deepest = isRequired ? this.#cut.required : this.#cut.optional;
    return level > deepest && hasSubschemas(schema);
  }

  #renderKeywords(schema: JsonSchemaObject, place: Place): JsonSchemaObject {
    const wide = this.#dropWords(widenSchema(schema), place);
    const { $ref, properties, ...rest } = wide;
    this.#noteReference(definitionNameOf($ref), place);
    const mapped = mapSubschemas(rest, (subschema, keyword) =>
      this.#renderSchema(subschema, placeBehindKeyword(keyword, place)),
    );
    if (properties === undefined) return { ...wide, ...mapped };
    const required = new Set(wide.required);
    const members = Object.entries(properties).map(([name, member]): [string, JsonSchema] => {
      const path = `${place.path}/${escapePointerToken(name)}`;
      const isRequired = place.isRequired && required.has(name);
      return [name, this.#renderSchema(member, { level: place.level + 1, path, isRequired })];
    });
    return { ...wide, ...mapped, properties: Object.fromEntries(members) };
  }

  #noteReference(name: string | undefined, place: Place): void {
    if (name === undefined || this.#done.has(name)) return;
    const before = this.#open.get(name);
    if (before === undefined || before.level > place.level) this.#open.set(name, place);
  }

  #dropWords(schema: JsonSchemaObject, { level, path }: Place): JsonSchemaObject {
    const { description, enum: values = [], ...keywords } = schema;
    const isSaid = level < this.#cut.described;
    if (values.length <= this.#cut.values) {
      if (isSaid || description === undefined) return schema;
      return schema.enum === undefined ? keywords : { ...keywords, enum: schema.enum };
    }
    const text = appendWords(isSaid ? description : undefined, describeEnumValues(values, path));
    return { ...schemaOfTypes(keywords.type ?? typesOfValues(values)), ...keywords, description: text };
  }

  #renderCut(schema: JsonSchemaObject, { level, path }: Place): JsonSchemaObject {
    const type = this.#typesAccepted(schema, new Set());
    const node: JsonSchemaObject =
      type === undefined || Array.isArray(schema.type) ? omitUndefined({ type }) : schemaOfTypes(type);
    if (this.#cut.bare) return node;
    const said = level < this.#cut.described ? shortenDescription(schema.description) : undefined;
    node.description = appendWords(said, `${describeToolCall(path)}.`);
    return node;
  }

  /** Lists the JSON types that the schema accepts; undefined if it does not say. */
  #typesAccepted(schema: JsonSchema, seen: Set<string>): JsonSchemaObject['type'] {
    if (typeof schema === 'boolean') return undefined;
    const { type, $ref, allOf = [], anyOf, oneOf } = schema;
    if (type !== undefined) return type;
    const name = definitionNameOf($ref);
    if (name !== undefined && !seen.has(name))
      return this.#typesAccepted(getOwnMember(this.#defs, name) ?? true, seen.add(name));
    const parts = allOf.map((part) => this.#typesAccepted(part, seen));
    const stated = parts.find((part) => part !== undefined);
    if (stated !== undefined) return stated;
    const alternatives = (anyOf ?? oneOf ?? []).map((part) => this.#typesAccepted(part, seen));
    if (alternatives.length === 0 || alternatives.includes(undefined)) return undefined;
    const types = [...new Set(alternatives.flatMap((alternative) => alternative ?? []))];
    return types.length === 1 ? types[0] : types;
  }
}

/** Estimates a schema's length, without the schemas in it. */
function estimateLength({
  description = '',
  enum: values = [],
  properties,
  required,
}: JsonSchemaObject): number {
  const names = properties === undefined ? 0 : Object.keys(properties).join().length;
  return 20 + description.length + 6 * values.length + names + (required?.join().length ?? 0);
}

/**
 * Leaves out keywords by which a schema refuses more when a part of it accepts more; one of several
 * alternatives becomes any of them. Examples go first.
 */
function widenSchema(schema: JsonSchemaObject): JsonSchemaObject {
  if (!Object.keys(schema).some((keyword) => NARROWING.has(keyword))) return oneOfToAnyOf(schema);
  const entries = Object.entries(schema).filter(([keyword]) => !NARROWING.has(keyword));
  return oneOfToAnyOf(Object.fromEntries(entries) as JsonSchemaObject);
}

const NARROWING = new Set([
  ...['not', 'if', 'then', 'else', 'maxContains'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'examples'],
]);

const OF_ITEMS = new Set(['items', 'prefixItems', 'contains']);
const OF_MEMBERS = new Set(['additionalProperties', 'patternProperties']);

function placeBehindKeyword(keyword: string, { level, path, isRequired }: Place): Place {
  if (OF_ITEMS.has(keyword)) return { level: level + 1, path: `${path}/*`, isRequired };
  if (OF_MEMBERS.has(keyword)) return { level: level + 1, path: `${path}/*`, isRequired: false };
  return { level, path, isRequired };
}

/** Whether cutting it saves room: a schema without subschemas is shorter than the note of the cut. */
function hasSubschemas(schema: JsonSchemaObject): boolean {
  let isParent = schema.$ref !== undefined;
  forEachSubschema(schema, (subschema) => {
    isParent ||= typeof subschema === 'object' && Object.keys(subschema).length > 0;
  });
  return isParent;
}

/** Clients that refuse lists of types take alternatives. */
function schemaOfTypes(type: JsonType | readonly JsonType[]): JsonSchemaObject {
  const [only, ...moreTypes] = [type].flat();
  if (only === undefined) return {};
  return moreTypes.length === 0
    ? { type: only }
    : { anyOf: [only, ...moreTypes].map((each) => ({ type: each })) };
}

function typesOfValues(values: readonly unknown[]): JsonType[] {
  const types = values.flatMap((value) => getJsonType(value) ?? []);
  return [...new Set(types.map((type) => (type === 'integer' ? 'number' : type)))];
}
