/** The members of an answer by its schema, and the schema of what is kept of it. Lists are transparent. */
import type { MemberNames } from '../../model/bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { setOwnMember } from '../../util/json-value.ts';
import { asSchemaObject } from '../../model/schema-walk.ts';
import { type SchemaView, resolveLoneReference, inlineReference } from './schema-view.ts';

/** Deeper members may have any name. */
const DEEPEST = 4;
/** Number of names after which the remaining members may have any name; an object is always read whole. */
const MOST_NAMES = 400;

type Names = Record<string, MemberNames>;

/** Reads names breadth first, so that the outer ones are kept. */
export function collectAnswerNames(schema: JsonSchema, view: SchemaView): MemberNames {
  const root: Names = {};
  const open = [{ schemas: [schema], above: root, name: '', depth: 0 }];
  let remaining = MOST_NAMES;
  // The list grows during the loop.
  for (const { schemas, above, name, depth } of open) {
    const isLimit = depth > 0 && (depth > DEEPEST || remaining <= 0);
    const members = isLimit ? undefined : findAnswerMembers(schemas, view);
    const below: Names = {};
    setOwnMember(above, name, members === undefined ? true : below);
    for (const [member, inner] of members ?? []) {
      remaining--;
      open.push({ schemas: inner, above: below, name: member, depth: depth + 1 });
    }
  }
  return root[''] ?? true;
}

/** Finds the members of all that a value may be. Undefined: an object may have any name. */
function findAnswerMembers(
  schemas: readonly JsonSchema[],
  view: SchemaView,
): Map<string, JsonSchema[]> | undefined {
  const members = new Map<string, JsonSchema[]>();
  const seen = new Set<JsonSchema>();
  let isObject = false;
  const open = schemas.map((schema) => ({ schema, isPart: false }));
  for (const { schema, isPart } of open) {
    if (typeof schema === 'boolean' && schema && !isPart) return undefined;
    if (typeof schema === 'boolean' || seen.has(schema)) continue;
    seen.add(schema);
    if (isOpenObject(schema, isPart)) return undefined;
    isObject ||= allowsType(schema, 'object') && schema.additionalProperties !== false;
    const { $ref, items, prefixItems = [], allOf = [], anyOf = [], oneOf = [] } = schema;
    const values = [...($ref ? [view.findTarget($ref) ?? true] : []), ...prefixItems, ...anyOf, ...oneOf];
    if (items !== undefined) values.push(items);
    open.push(...values.map((schema) => ({ schema, isPart: false })));
    open.push(
      ...[
        ...allOf,
        ...[schema.then, schema.else, ...Object.values(schema.dependentSchemas ?? {})].filter(
          (subschema) => subschema !== undefined,
        ),
      ].map((subschema) => ({ schema: subschema, isPart: true })),
    );
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      members.set(name, [...(members.get(name) ?? []), property]);
  }
  return members.size === 0 && isObject ? undefined : members;
}

function allowsType({ type }: JsonSchemaObject, kind: 'object' | 'array'): boolean {
  return type !== undefined && [type].flat().includes(kind);
}

const SPEAKING = ['$ref', 'type', 'properties', 'items', 'prefixItems', 'allOf', 'anyOf', 'oneOf'] as const;
const ALTERNATIVES = ['$ref', 'allOf', 'anyOf', 'oneOf', 'then', 'else'] as const;

/** @param isPart other schemas describe the same value */
function isOpenObject(schema: JsonSchemaObject, isPart: boolean): boolean {
  const {
    additionalProperties: mapSchema = false,
    patternProperties,
    unevaluatedProperties = false,
  } = schema;
  if (mapSchema !== false || unevaluatedProperties !== false || patternProperties !== undefined) return true;
  if (isPart) return false;
  if (schema.enum !== undefined || schema.const !== undefined) return false;
  if (SPEAKING.every((keyword) => schema[keyword] === undefined)) return true;
  if (ALTERNATIVES.some((keyword) => schema[keyword] !== undefined)) return false;
  if (allowsType(schema, 'array') && schema.items === undefined && schema.prefixItems === undefined)
    return true;
  const isClosed = schema.additionalProperties === false || schema.properties !== undefined;
  return allowsType(schema, 'object') && !isClosed;
}

interface Kept {
  select?: MemberNames | undefined;
  drop?: Names | undefined;
}

/** Keywords about whole objects, which may have lost members. */
const OF_WHOLE = new Set(
  (
    'const contains dependentRequired dependentSchemas else enum if maxProperties minProperties not ' +
    'patternProperties propertyNames then uniqueItems'
  ).split(' '),
);

/** Keeps members in the answer's own schema. References on the way are written out. */
export function keepMembersInSchema(
  schema: JsonSchema,
  { select = true, drop = {} }: Kept,
  view: SchemaView,
): JsonSchema {
  if (select === true && Object.keys(drop).length === 0) return schema;
  return new Keeping(select, drop, view).keepMembersIn(schema);
}

/** Keeps the selected members at one level, shared by all alternatives and items of a value. */
class Keeping {
  readonly #select: MemberNames;
  readonly #drop: Names;
  readonly #view: SchemaView;
  readonly #done = new Map<JsonSchema, JsonSchema>();

  constructor(select: MemberNames, drop: Names, view: SchemaView) {
    this.#select = select;
    this.#drop = drop;
    this.#view = view;
  }

  keepMembersIn(schema: JsonSchema): JsonSchema {
    const target = resolveLoneReference(schema, this.#view);
    if (typeof target !== 'object') return target ?? true;
    const done = this.#done.get(target);
    if (done !== undefined) return done;
    // A schema inside itself at the same level accepts anything.
    this.#done.set(target, {});
    const reduced = this.#keepInKeywords(inlineReference(target, this.#view));
    this.#done.set(target, reduced);
    return reduced;
  }

  #keepInKeywords(schema: JsonSchema): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    const reduced: JsonSchemaObject = Object.fromEntries(
      Object.entries(schema).filter(([keyword]) => !OF_WHOLE.has(keyword)),
    );
    const { properties, items, prefixItems, allOf, anyOf, oneOf, required, additionalProperties } = schema;
    const selectInList = (list: readonly JsonSchema[]): JsonSchema[] =>
      list.map((schema) => this.keepMembersIn(schema));
    if (properties !== undefined || isMapSchema(additionalProperties))
      reduced.properties = this.#keepProperties(properties ?? {}, additionalProperties);
    if (this.#select !== true && additionalProperties !== false) delete reduced.additionalProperties;
    if (required !== undefined) reduced.required = required.filter((name) => this.#isKept(name));
    if (reduced.required?.length === 0) delete reduced.required;
    if (items !== undefined) reduced.items = this.keepMembersIn(items);
    if (prefixItems !== undefined) reduced.prefixItems = selectInList(prefixItems);
    if (allOf !== undefined) reduced.allOf = selectInList(allOf);
    // `oneOf` becomes `anyOf`, since alternatives may look alike without their other members.
    delete reduced.oneOf;
    if (anyOf !== undefined) reduced.anyOf = selectInList(anyOf);
    if (oneOf !== undefined && anyOf !== undefined)
      reduced.allOf = [...(reduced.allOf ?? []), { anyOf: selectInList(oneOf) }];
    else if (oneOf !== undefined) reduced.anyOf = selectInList(oneOf);
    return reduced;
  }

  #isKept(name: string): boolean {
    if (this.#select !== true && ownMember(this.#select, name) === undefined) return false;
    return ownMember(this.#drop, name) !== true;
  }

  #keepProperties(
    properties: Record<string, JsonSchema>,
    mapSchema: JsonSchema | undefined,
  ): Record<string, JsonSchema> {
    const extraNames = isMapSchema(mapSchema) && this.#select !== true ? Object.keys(this.#select) : [];
    const names = new Set([...Object.keys(properties), ...extraNames]);
    const kept: Record<string, JsonSchema> = {};
    for (const name of names) {
      if (!this.#isKept(name)) continue;
      const schema = ownMember(properties, name) ?? mapSchema ?? true;
      const select = this.#select === true ? true : (ownMember(this.#select, name) ?? true);
      const drop = ownMember(this.#drop, name) ?? {};
      const below = drop === true ? { select } : { select, drop };
      setOwnMember(kept, name, asSchemaObject(keepMembersInSchema(schema, below, this.#view)));
    }
    return kept;
  }
}

/** Members of any name have a schema. */
function isMapSchema(mapSchema: JsonSchema | undefined): mapSchema is JsonSchemaObject {
  return typeof mapSchema === 'object';
}
