// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What models and URIs write as text, read by the schema: JSON in strings, numbers as text, null for what is left out. */
import { isRecord, ownMember, parseJson, writeJson } from './json-rpc.ts';
import type { Schema, SchemaObject } from './types.ts';
import { isOfType, resolveReference } from './validate.ts';

/** Schemas inside one another, and values that are looked at. Past them nothing is repaired. */
const DEEPEST = 100;
const MOST_STEPS = 50_000;

/**
 * Undoes what models get wrong, at every depth: a text that is JSON of the wanted type; a number or object where only a text fits;
 * a null for an optional argument that takes none. Returns the value itself if nothing changes.
 */
export function repair(schema: Schema, value: unknown): unknown {
  const root = isRecord(schema) ? schema : {};
  let steps = 0;

  /** All schemas that say something of one value: `$ref`, `allOf`, and branches that the value's type allows. */
  const listSchemas = (schema: unknown, value: unknown, depth = 0): SchemaObject[] => {
    if (!isRecord(schema) || depth > 20 || ++steps > MOST_STEPS) return [];
    const { $ref: ref, allOf, anyOf, oneOf } = schema;
    const target = typeof ref === 'string' ? resolveReference(root, ref) : undefined;
    const branches = [anyOf, oneOf]
      .flat()
      .filter((branch) => branch !== undefined && mayAccept(branch, value));
    const others = [target, ...(Array.isArray(allOf) ? (allOf as unknown[]) : []), ...branches];
    return [schema, ...others.flatMap((other) => listSchemas(other, value, depth + 1))];
  };
  const mayAccept = (schema: unknown, value: unknown): boolean => {
    const target =
      isRecord(schema) && typeof schema['$ref'] === 'string'
        ? resolveReference(root, schema['$ref'])
        : schema;
    if (!isRecord(target) || typeof value !== 'object') return true;
    const types = [target['type'] ?? []].flat();
    return types.length === 0 || types.some((type) => isOfType(value, type));
  };
  /** Undefined: any type. */
  const wantedTypes = (schemas: readonly SchemaObject[]): Set<unknown> | undefined => {
    const stated = schemas.flatMap(({ type, enum: values, const: only }) => {
      if (type !== undefined) return [type].flat();
      const literals = Array.isArray(values) ? (values as unknown[]) : only === undefined ? [] : [only];
      return literals.map((literal) => (literal === null ? 'null' : typeof literal));
    });
    return stated.length === 0 ? undefined : new Set(stated);
  };

  const repairValue = (schema: unknown, value: unknown, depth: number): unknown => {
    if (depth > DEEPEST || ++steps > MOST_STEPS) return value;
    const schemas = listSchemas(schema, value);
    const types = wantedTypes(schemas);
    if (typeof value === 'string') {
      if (types === undefined || types.has('string')) return value;
      const parsed = parseText(value);
      const isWanted =
        parsed !== undefined &&
        typeof parsed !== 'string' &&
        [...types].some((type) => isOfType(parsed, type));
      return isWanted ? repairValue(schema, parsed, depth + 1) : value;
    }
    if (value === null || typeof value === 'boolean') return value;
    const isTextOnly = types?.has('string') === true && ![...types].some((type) => isOfType(value, type));
    if (isTextOnly) return writeJson(value);
    if (Array.isArray(value)) {
      const items = schemas.find((one) => one.items !== undefined)?.items;
      const prefix = schemas.find((one) => Array.isArray(one['prefixItems']))?.['prefixItems'] as
        unknown[] | undefined;
      return repairEach(value as unknown[], (item, index) =>
        repairValue(prefix?.[index] ?? items, item, depth + 1),
      );
    }
    if (!isRecord(value)) return value;
    const changed: Record<string, unknown> = {};
    let isChanged = false;
    for (const [name, member] of Object.entries(value)) {
      const declaring = schemas.filter(({ properties }) => ownMember(properties, name) !== undefined);
      const inner = declaring.map(({ properties }) => ownMember(properties, name));
      // Members of arguments keep their null: a merge patch removes what is null (RFC 7396).
      if (depth === 0 && member === null && mayDrop(declaring, inner, name)) {
        isChanged = true;
        continue;
      }
      const guide =
        inner.length > 0
          ? { allOf: inner }
          : schemas.find((one) => isRecord(one['additionalProperties']))?.['additionalProperties'];
      const repaired = guide === undefined ? member : repairValue(guide, member, depth + 1);
      isChanged ||= repaired !== member;
      Object.defineProperty(changed, name, {
        value: repaired,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return isChanged ? changed : value;
  };
  const mayDrop = (declaring: SchemaObject[], inner: unknown[], name: string): boolean => {
    const isOptional = declaring.some(({ required }) => !Array.isArray(required) || !required.includes(name));
    const types = wantedTypes(inner.flatMap((schema) => listSchemas(schema, null)));
    return isOptional && types?.has('null') === false;
  };
  return repairValue(schema, value, 0);
}

function repairEach(items: unknown[], change: (item: unknown, index: number) => unknown): unknown[] {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
}

function parseText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A text of a URI or a link, as its schema wants it. Others stay texts, for validation to refuse. */
export function convertText(text: string, schema: Schema | undefined): unknown {
  if (!isRecord(schema)) return text;
  if (schema['type'] === 'array')
    return text.split(',').map((item) => convertText(item, schema['items'] as Schema));
  const branches: SchemaObject[] = Array.isArray(schema['anyOf'])
    ? (schema['anyOf'] as unknown[]).filter(isRecord)
    : [schema];
  const accepts = (branch: SchemaObject): boolean => {
    const types = [branch.type ?? []].flat();
    if (types.length > 0 && !types.includes('string')) return false;
    if (Array.isArray(branch['enum'])) return branch['enum'].includes(text);
    if (branch['const'] !== undefined) return branch['const'] === text;
    return branch['format'] === undefined || !NUMBER.test(text);
  };
  if (branches.some(accepts)) return text;
  const types = branches.flatMap(({ type = [] }) => type);
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  return (types.includes('integer') || types.includes('number')) && NUMBER.test(text)
    ? parseJson(text)
    : text;
}
