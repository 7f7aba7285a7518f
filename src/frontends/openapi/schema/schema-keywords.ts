import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { JsonSchema } from '../../../../templates/runtime/contract/json-schema.ts';
import { setOwn } from '../document/record.ts';
import { childOf, originOf } from '../reference/source-node.ts';
import { type KeywordReader, type SchemaScope, convertMember, reportKeyword } from './schema-scope.ts';
import { addRequired, usablePattern } from './value-keywords.ts';

export const readSchema: KeywordReader = (value, keyword, scope) => {
  scope.out[keyword] = convertMember(scope, keyword, value);
};

/** Reads `if` and `not`. Other keywords use their result, so nothing may be added to them. */
export const readTest: KeywordReader = (value, keyword, scope) => {
  const schema = scope.convertTest(childOf(scope.node, keyword, value), scope.depth + 1);
  // A schema with a fault accepts anything, so its negation would refuse everything.
  if (keyword === 'not' && saysNothing(schema) && !saysNothing(value)) return;
  scope.out[keyword] = schema;
};

function saysNothing(schema: unknown): boolean {
  return schema === true || (isRecord(schema) && Object.keys(schema).length === 0);
}

export const readItems: KeywordReader = (value, keyword, scope) => {
  if (!Array.isArray(value)) {
    scope.out.items = convertMember(scope, keyword, value);
    return;
  }
  readSchemas(value, 'prefixItems', scope, keyword);
  const { additionalItems } = scope.raw;
  if (additionalItems !== undefined)
    scope.out.items = convertMember(scope, 'additionalItems', additionalItems);
};

export function readSchemas(value: unknown, keyword: string, scope: SchemaScope, written = keyword): void {
  if (!Array.isArray(value) || value.length === 0) {
    reportKeyword(scope, written, 'a list with at least one schema');
    return;
  }
  const list = childOf(scope.node, written, value);
  scope.out[keyword] = value.map((member: unknown, index) =>
    scope.convert(childOf(list, index, member), scope.depth + 1),
  );
}

export const readAllOf: KeywordReader = (value, keyword, scope) => {
  if (!Array.isArray(value) || value.length === 0) {
    reportKeyword(scope, keyword, 'a list with at least one schema');
    return;
  }
  const list = childOf(scope.node, keyword, value);
  scope.out.allOf = value.map((member: unknown, index) =>
    scope.convertExtended(childOf(list, index, member), scope.depth + 1, scope.node),
  );
};

function readSchemaMap(
  value: unknown,
  keyword: string,
  scope: SchemaScope,
): Record<string, JsonSchema> | undefined {
  if (!isRecord(value)) {
    reportKeyword(scope, keyword, 'an object of schemas');
    return undefined;
  }
  const map = childOf(scope.node, keyword, value);
  const schemas: Record<string, JsonSchema> = {};
  for (const name of Object.keys(value))
    setOwn(schemas, name, scope.convert(childOf(map, name, value[name]), scope.depth + 1));
  return schemas;
}

export const readProperties: KeywordReader = (value, keyword, scope) => {
  const schemas = readSchemaMap(value, keyword, scope);
  if (schemas === undefined || !isRecord(value)) return;
  scope.out.properties = schemas;
  for (const name of Object.keys(value)) {
    const property = value[name];
    if (!isRecord(property) || property.required !== true) continue;
    const at = originOf(
      childOf(childOf(childOf(scope.node, keyword, value), name, property), 'required', true),
    );
    scope.report('boolean-required', { property: name }, { at });
    addRequired(scope.out, [name]);
  }
};

export const readPatternProperties: KeywordReader = (value, keyword, scope) => {
  const schemas = readSchemaMap(value, keyword, scope);
  if (schemas === undefined) return;
  const usable: Record<string, JsonSchema> = {};
  for (const [pattern, schema] of Object.entries(schemas)) {
    const rewritten = usablePattern(pattern, keyword, scope);
    if (rewritten !== undefined) setOwn(usable, rewritten, schema);
  }
  scope.out.patternProperties = usable;
};

export const readDependentSchemas: KeywordReader = (value, keyword, scope) => {
  const schemas = readSchemaMap(value, keyword, scope);
  if (schemas !== undefined) scope.out.dependentSchemas = schemas;
};

/** `dependencies` of older drafts mixes names and schemas. */
export const readDependencies: KeywordReader = (value, keyword, scope) => {
  if (!isRecord(value)) {
    reportKeyword(scope, keyword, 'an object');
    return;
  }
  const map = childOf(scope.node, keyword, value);
  for (const [name, dependency] of Object.entries(value)) {
    if (Array.isArray(dependency)) {
      const names = dependency.filter((item): item is string => typeof item === 'string');
      setOwn((scope.out.dependentRequired ??= {}), name, names);
    } else if (keyword === 'dependencies') {
      const schema = scope.convert(childOf(map, name, dependency), scope.depth + 1);
      setOwn((scope.out.dependentSchemas ??= {}), name, schema);
    } else {
      reportKeyword(scope, keyword, 'an object of lists of names');
    }
  }
};
