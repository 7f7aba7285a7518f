// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What models write as text, read by the schema: JSON in strings, numbers as text, null for what is left out. */
import { isRecord, isTooLarge, ownMember, parseJson, writeJson } from './json-rpc.ts';
import type { Schema, SchemaObject } from './types.ts';
import { isOfType, resolveReference } from './validate.ts';

/** Schemas inside one another, and values and schemas that are looked at. Past them nothing is repaired. */
const MAX_DEPTH = 100;
const MAX_STEPS = 50_000;

/**
 * Undoes what models get wrong, at every depth: a text that is JSON of the wanted type; a number where only a text fits;
 * a null for an optional argument that takes none. Returns the value itself if nothing changes.
 */
export function repair(root: Schema, value: unknown): unknown {
  let steps = 0;

  /** The schemas that say something of one value: also by `$ref`, `allOf`, alternatives and conditions. */
  const listSchemas = (schema: unknown, depth = 0): SchemaObject[] => {
    if (!isRecord(schema) || depth > 20 || ++steps > MAX_STEPS) return [];
    const { $ref: reference, allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas } = schema;
    const target = typeof reference === 'string' ? resolveReference(root, reference) : undefined;
    const parts = [target, allOf, anyOf, oneOf, then, otherwise, Object.values(dependentSchemas ?? {})];
    return [schema, ...parts.flat().flatMap((one) => listSchemas(one, depth + 1))];
  };

  const repairValue = (value: unknown, schemas: SchemaObject[], depth: number): unknown => {
    if (schemas.length === 0 || depth > MAX_DEPTH || ++steps > MAX_STEPS) return value;
    const types = schemas.flatMap(listTypes);
    const isWanted = (candidate: unknown): boolean => types.some((type) => isOfType(candidate, type));
    if (typeof value === 'string') {
      const parsed = types.length === 0 || mayBeText(schemas, value) ? value : parseText(value);
      // `1e3` may be a number, and is no id.
      if (typeof parsed === 'number' && /e/i.test(value) && !types.includes('number')) return value;
      return typeof parsed !== 'string' && isWanted(parsed) ? repairValue(parsed, schemas, depth + 1) : value;
    }
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value !== 'object')
      return types.includes('string') && !isWanted(value) ? writeJson(value) : value;
    const isList = Array.isArray(value);
    const entries = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const declaring = isList ? [] : schemas.filter(({ properties }) => ownMember(properties, name));
      const inner = declaring.flatMap(({ properties }) => listSchemas(ownMember(properties, name)));
      // A merge patch says null of what it may remove (RFC 7396).
      const innerTypes = member === null ? inner.flatMap(listTypes) : [];
      const isOptional = declaring.some(({ required }) => required?.includes(name) !== true);
      if (isOptional && innerTypes.length > 0 && !innerTypes.includes('null')) return [];
      if (declaring.length === 0)
        inner.push(
          ...schemas.slice(0, MAX_DEPTH).flatMap((schema) => listSchemas(restOf(schema, isList, name))),
        );
      return [[name, repairValue(member, inner, depth + 1)] as const];
    });
    const old = Object.entries(value);
    if (entries.length === old.length && entries.every(([, member], index) => member === old[index]?.[1]))
      return value;
    return isList ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  };
  return repairValue(value, listSchemas(root), 0);
}

/** The schema of an item, or of a member that `properties` don't have. */
function restOf(schema: SchemaObject, isList: boolean, name: string): unknown {
  const { prefixItems, items, additionalProperties } = schema;
  if (!isList) return additionalProperties;
  return (Array.isArray(prefixItems) ? (prefixItems as unknown[])[Number(name)] : undefined) ?? items;
}

function listLiterals({ enum: values, const: only }: SchemaObject): unknown[] | undefined {
  if (Array.isArray(values)) return values;
  return only === undefined ? undefined : [only];
}

/** An empty list admits any type. */
function listTypes(schema: SchemaObject): unknown[] {
  if (schema.type !== undefined) return [schema.type].flat();
  return (listLiterals(schema) ?? []).map((literal) => (literal === null ? 'null' : typeof literal));
}

/** A text among literals must be one of them: `"5"` becomes a number where an integer or `""` is wanted. */
function mayBeText(schemas: SchemaObject[], text: string): boolean {
  return schemas.some((one) => listLiterals(one)?.includes(text) ?? listTypes(one).includes('string'));
}

function parseText(text: string): unknown {
  try {
    // What a message may not hold, its texts may not hide.
    return isTooLarge(text) ? text : parseJson(text);
  } catch {
    return text;
  }
}
