/** The members of an answer by its schema, and the schema of what is kept of it. Lists are transparent. */
import type { MemberNames } from '../../model/bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { setOwnMember } from '../../util/json-value.ts';
import {
  OTHER_MEMBERS,
  PARTS,
  asSchemaObject,
  inlineReference,
  keywordsThatJudge,
  mapSubschemas,
  omitKeywords,
  oneOfToAnyOf,
  subschemasOf,
} from '../../model/schema-walk.ts';
import { type SchemaView, resolveLoneReference } from './schema-view.ts';

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
    if (schema.$ref) open.push({ schema: view.findTarget(schema.$ref) ?? true, isPart: false });
    open.push(...subschemasOf(schema, WHOLES).map((whole) => ({ schema: whole, isPart: false })));
    open.push(...subschemasOf(schema, JOINED).map((part) => ({ schema: part, isPart: true })));
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      members.set(name, [...(members.get(name) ?? []), property]);
  }
  return members.size === 0 && isObject ? undefined : members;
}

function allowsType({ type }: JsonSchemaObject, kind: 'object' | 'array'): boolean {
  return type !== undefined && [type].flat().includes(kind);
}

const SPEAKING = ['$ref', 'type', 'properties', 'items', 'prefixItems', 'allOf', 'anyOf', 'oneOf'] as const;
/** Keywords whose schemas each describe a value, or with others. */
const WHOLES = keywordsThatJudge('alternative', 'item');
const JOINED = keywordsThatJudge('value', 'consequence');

/** @param isPart other schemas describe the same value */
function isOpenObject(schema: JsonSchemaObject, isPart: boolean): boolean {
  if (OTHER_MEMBERS.some((keyword) => (schema[keyword] ?? false) !== false)) return true;
  if (isPart) return false;
  if (schema.enum !== undefined || schema.const !== undefined) return false;
  if (SPEAKING.every((keyword) => schema[keyword] === undefined)) return true;
  if (['$ref', ...PARTS].some((keyword) => schema[keyword] !== undefined)) return false;
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
const OF_WHOLE = [
  ...['const', 'enum', 'dependentRequired', 'maxProperties', 'minProperties', 'uniqueItems'],
  ...['patternProperties', ...keywordsThatJudge('test', 'consequence', 'name', 'item-test')],
];
/** Keywords whose schemas describe what members are kept of, at the same level. */
const TRANSPARENT = keywordsThatJudge('value', 'alternative', 'item');

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
    const { properties, required, additionalProperties } = schema;
    const mapped = mapSubschemas(omitKeywords(schema, ...OF_WHOLE), (subschema, keyword) =>
      TRANSPARENT.includes(keyword) ? this.keepMembersIn(subschema) : subschema,
    );
    const reduced = { ...mapped };
    if (properties !== undefined || isMapSchema(additionalProperties))
      reduced.properties = this.#keepProperties(properties ?? {}, additionalProperties);
    if (this.#select !== true && additionalProperties !== false) delete reduced.additionalProperties;
    if (required !== undefined) reduced.required = required.filter((name) => this.#isKept(name));
    if (reduced.required?.length === 0) delete reduced.required;
    // Alternatives may look alike without their other members.
    return oneOfToAnyOf(reduced);
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
