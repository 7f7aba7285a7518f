// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What models and URIs write as text, read by the schema: JSON in strings, numbers as text, null for what is left out. */
import { isRecord, isTooLarge, ownMember, parseJson, writeJson } from './json-rpc.ts';
import type { Schema, SchemaObject } from './types.ts';
import { isOfType, resolveReference } from './validate.ts';

/** Schemas inside one another, and values and schemas that are looked at. Past them nothing is repaired. */
const DEEPEST = 100;
const MOST_STEPS = 50_000;

/**
 * Undoes what models get wrong, at every depth: a text that is JSON of the wanted type; a number or object where only a text fits;
 * a null for an optional argument that takes none. Returns the value itself if nothing changes.
 */
export function repair(root: Schema, value: unknown): unknown {
  let steps = 0;

  /** The schemas that say something of one value: also by `$ref`, `allOf` and alternatives. */
  const listSchemas = (schema: unknown, depth = 0): SchemaObject[] => {
    if (!isRecord(schema) || depth > 20 || ++steps > MOST_STEPS) return [];
    const { $ref: reference, allOf, anyOf, oneOf } = schema;
    const target = typeof reference === 'string' ? resolveReference(root, reference) : undefined;
    return [schema, ...[target, allOf, anyOf, oneOf].flat().flatMap((one) => listSchemas(one, depth + 1))];
  };

  const repairValue = (value: unknown, schemas: SchemaObject[], depth: number): unknown => {
    if (schemas.length === 0 || depth > DEEPEST || ++steps > MOST_STEPS) return value;
    const types = listTypes(schemas);
    const isWanted = (candidate: unknown): boolean =>
      types.length === 0 || types.some((type) => isOfType(candidate, type));
    if (typeof value === 'string') {
      const parsed = types.length === 0 || mayBeText(schemas, value) ? value : parseText(value);
      return typeof parsed !== 'string' && isWanted(parsed) ? repairValue(parsed, schemas, depth + 1) : value;
    }
    if (value === null || typeof value === 'boolean') return value;
    if (types.includes('string') && !isWanted(value) && !Array.isArray(value)) return writeJson(value);
    if (Array.isArray(value)) {
      const prefix = schemas.find((one) => Array.isArray(one['prefixItems']))?.['prefixItems'] as
        unknown[] | undefined;
      const items = schemas.find((one) => one.items !== undefined)?.items;
      const newItems = value.map((item: unknown, index) =>
        repairValue(item, listSchemas(prefix?.[index] ?? items), depth + 1),
      );
      return newItems.some((item, index) => item !== value[index]) ? newItems : value;
    }
    if (!isRecord(value)) return value;
    const additional = schemas.find((one) => isRecord(one['additionalProperties']))?.['additionalProperties'];
    const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      const declaring = schemas.filter(({ properties }) => ownMember(properties, name) !== undefined);
      const inner = declaring.flatMap(({ properties }) => listSchemas(ownMember(properties, name)));
      // A merge patch says null of what it may remove (RFC 7396).
      if (member === null) {
        const isOptional = declaring.some(({ required }) => required?.includes(name) !== true);
        const innerTypes = listTypes(inner);
        if (isOptional && innerTypes.length > 0 && !innerTypes.includes('null')) return [];
      }
      return [[name, repairValue(member, declaring.length > 0 ? inner : listSchemas(additional), depth + 1)]];
    });
    const isChanged =
      entries.length < Object.keys(value).length || entries.some(([name, member]) => member !== value[name]);
    return isChanged ? Object.fromEntries(entries) : value;
  };
  return repairValue(value, listSchemas(root), 0);
}

function listLiterals({ enum: values, const: only }: SchemaObject): unknown[] | undefined {
  if (Array.isArray(values)) return values;
  return only === undefined ? undefined : [only];
}

/** None: any type. */
function listTypes(schemas: SchemaObject[]): unknown[] {
  return schemas.flatMap((schema): unknown[] => {
    if (schema.type !== undefined) return [schema.type].flat();
    return (listLiterals(schema) ?? []).map((literal) => (literal === null ? 'null' : typeof literal));
  });
}

/** A text among literals must be one of them: `"5"` becomes a number where an integer or `""` is wanted. */
function mayBeText(schemas: SchemaObject[], text: string): boolean {
  return schemas.some(
    (schema) => listLiterals(schema)?.includes(text) ?? listTypes([schema]).includes('string'),
  );
}

function parseText(text: string): unknown {
  try {
    // What a message may not hold, its texts may not hide.
    return isTooLarge(text) ? text : parseJson(text);
  } catch {
    return text;
  }
}

/** A text of a URI or a link, as its schema wants it. Others stay texts, for validation to refuse. */
export function convertText(text: string, schema: Schema | undefined): unknown {
  if (!isRecord(schema)) return text;
  if (schema.type !== 'array') return repair(schema, text);
  return text.split(',').map((item) => convertText(item, schema.items));
}
