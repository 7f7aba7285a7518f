/** The members of an answer by its schema, and the schema of what is kept of it. Lists are transparent. */
import type { MemberNames } from '../../../templates/runtime/contract/bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { getOwnMember, setOwnMember } from '../../../templates/runtime/contract/json-value.ts';
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
  let left = MOST_NAMES;
  // The list grows during the loop.
  for (const { schemas, above, name, depth } of open) {
    const isLimit = depth > 0 && (depth > DEEPEST || left <= 0);
    const members = isLimit ? undefined : findAnswerMembers(schemas, view);
    const below: Names = {};
    setOwnMember(above, name, members === undefined ? true : below);
    for (const [each, inner] of members ?? []) {
      left--;
      open.push({ schemas: inner, above: below, name: each, depth: depth + 1 });
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
    open.push(...values.map((each) => ({ schema: each, isPart: false })));
    open.push(
      ...[
        ...allOf,
        ...[schema.then, schema.else, ...Object.values(schema.dependentSchemas ?? {})].filter(
          (each) => each !== undefined,
        ),
      ].map((each) => ({ schema: each, isPart: true })),
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
  const { additionalProperties: others = false, patternProperties, unevaluatedProperties = false } = schema;
  if (others !== false || unevaluatedProperties !== false || patternProperties !== undefined) return true;
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
    const own = resolveLoneReference(schema, this.#view);
    if (typeof own !== 'object') return own ?? true;
    const done = this.#done.get(own);
    if (done !== undefined) return done;
    // A schema inside itself at the same level accepts anything.
    this.#done.set(own, {});
    const kept = this.#keepInKeywords(inlineReference(own, this.#view));
    this.#done.set(own, kept);
    return kept;
  }

  #keepInKeywords(schema: JsonSchema): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    const kept: JsonSchemaObject = Object.fromEntries(
      Object.entries(schema).filter(([keyword]) => !OF_WHOLE.has(keyword)),
    );
    const { properties, items, prefixItems, allOf, anyOf, oneOf, required, additionalProperties } = schema;
    const selectInList = (list: readonly JsonSchema[]): JsonSchema[] =>
      list.map((each) => this.keepMembersIn(each));
    if (properties !== undefined || isMapSchema(additionalProperties))
      kept.properties = this.#keepProperties(properties ?? {}, additionalProperties);
    if (this.#select !== true && additionalProperties !== false) delete kept.additionalProperties;
    if (required !== undefined) kept.required = required.filter((name) => this.#isKept(name));
    if (kept.required?.length === 0) delete kept.required;
    if (items !== undefined) kept.items = this.keepMembersIn(items);
    if (prefixItems !== undefined) kept.prefixItems = selectInList(prefixItems);
    if (allOf !== undefined) kept.allOf = selectInList(allOf);
    // `oneOf` becomes `anyOf`, since alternatives may look alike without their other members.
    delete kept.oneOf;
    if (anyOf !== undefined) kept.anyOf = selectInList(anyOf);
    if (oneOf !== undefined && anyOf !== undefined)
      kept.allOf = [...(kept.allOf ?? []), { anyOf: selectInList(oneOf) }];
    else if (oneOf !== undefined) kept.anyOf = selectInList(oneOf);
    return kept;
  }

  #isKept(name: string): boolean {
    if (this.#select !== true && getOwnMember(this.#select, name) === undefined) return false;
    return getOwnMember(this.#drop, name) !== true;
  }

  #keepProperties(
    properties: Record<string, JsonSchema>,
    others: JsonSchema | undefined,
  ): Record<string, JsonSchema> {
    const wanted = isMapSchema(others) && this.#select !== true ? Object.keys(this.#select) : [];
    const names = new Set([...Object.keys(properties), ...wanted]);
    const kept: Record<string, JsonSchema> = {};
    for (const name of names) {
      if (!this.#isKept(name)) continue;
      const schema = getOwnMember(properties, name) ?? others ?? true;
      const select = this.#select === true ? true : (getOwnMember(this.#select, name) ?? true);
      const drop = getOwnMember(this.#drop, name) ?? {};
      const below = drop === true ? { select } : { select, drop };
      setOwnMember(kept, name, asSchemaObject(keepMembersInSchema(schema, below, this.#view)));
    }
    return kept;
  }
}

/** Members of any name have a schema. */
function isMapSchema(others: JsonSchema | undefined): others is JsonSchemaObject {
  return typeof others === 'object';
}
