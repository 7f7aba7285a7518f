/** `type`, `enum` and `const` (Validation, section 6.1). */
import { isEqual } from '../../contract/equality.ts';
import { assertion, list, literal, show } from '../findings.ts';
import type { Json, JsonType } from '../../contract/json-schema.ts';
import { member, typeOf } from '../../contract/json-value.ts';
import type { Check } from '../run.ts';
import type { SchemaNode } from '../schema-node.ts';

const tests: Readonly<Record<JsonType, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  number: (value) => (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'bigint',
  integer: (value) => Number.isInteger(value) || typeof value === 'bigint',
  string: (value) => typeof value === 'string',
};

const names: Readonly<Record<JsonType, string>> = {
  null: 'null',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  number: 'a number',
  integer: 'an integer',
  string: 'a string',
};

export function valueChecks(node: SchemaNode): Check[] {
  const { schema } = node;
  if (typeof schema === 'boolean') return [];
  return [...typeCheck(node, schema.type), ...enumCheck(node, schema.enum), ...constCheck(node)];
}

function isType(type: unknown): type is JsonType {
  return typeof type === 'string' && Object.hasOwn(tests, type);
}

function typeCheck(node: SchemaNode, type: unknown): Check[] {
  const types = (Array.isArray(type) ? (type as unknown[]) : [type]).filter(isType);
  const [only] = types;
  if (only === undefined) return [];
  const test =
    types.length === 1 ? tests[only] : (value: unknown) => types.some((name) => tests[name](value));
  const wanted = list(types.map((name) => names[name]));
  return [
    assertion(node, 'type', test, (value) => ({
      words: `must be ${wanted} but is ${show(value)}`,
      params: { type: types, actual: typeOf(value) ?? typeof value },
    })),
  ];
}

function enumCheck(node: SchemaNode, values: unknown): Check[] {
  if (!Array.isArray(values)) return [];
  const simple = new Set<unknown>(values.filter((value) => typeof value !== 'object' || value === null));
  const composite = values.filter((value) => typeof value === 'object' && value !== null) as Json[];
  const test = (value: unknown): boolean => {
    if (simple.has(value)) return true;
    if (typeof value === 'bigint')
      return simple.has(Number(value)) && values.some((item) => isEqual(item, value));
    return typeof value === 'object' && composite.some((item) => isEqual(item, value));
  };
  return [
    assertion(node, 'enum', test, (value) => ({
      words: `must be one of ${list((values as Json[]).map(literal))} but is ${show(value)}`,
      params: { allowedValues: values as Json[] },
    })),
  ];
}

function constCheck(node: SchemaNode): Check[] {
  if (typeof node.schema === 'boolean') return [];
  const wanted = member(node.schema, 'const');
  if (wanted === undefined) return [];
  return [
    assertion(
      node,
      'const',
      (value) => isEqual(wanted, value),
      (value) => ({
        words: `must be ${literal(wanted)} but is ${show(value)}`,
        params: { allowedValue: wanted as Json },
      }),
    ),
  ];
}
