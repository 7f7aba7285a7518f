/** Reads defaults from a function's code. */
import { ts } from 'ts-morph';
import type { JsonObject, JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { isRecord, member, setMember } from '../../../../templates/runtime/contract/json-value.ts';
import type { SourceProgram } from '../program/source-program.ts';
import type { Docs } from '../docs/read-docs.ts';
import { tagNamed } from '../tags/read-block.ts';
import { refuse } from '../tags/tag-values.ts';
import { type Declared, initializerOf } from './declared-parameter.ts';
import { literalMembers, literalValue } from './literal-value.ts';
import type { Types } from './types.ts';

/** Nobody could omit all arguments at once, so the default is refused. */
export function refuseDefault(schema: JsonSchemaObject, docs: Docs, source: SourceProgram): void {
  delete schema.default;
  const tag = tagNamed(docs, 'default');
  if (tag !== undefined) refuse(tag, 'says nothing about all arguments together: give each its own', source);
}

/** `({ days = 3 }: Query)` */
export function addDefaults(schema: JsonSchemaObject, declaration: Declared | undefined, types: Types): void {
  const { properties = {}, required = [] } = schema;
  const pattern = declaration?.name;
  const elements = pattern !== undefined && ts.isObjectBindingPattern(pattern) ? pattern.elements : [];
  const given: string[] = [];
  for (const { initializer, name, propertyName = name } of elements) {
    const member = ts.isIdentifier(propertyName) ? propertyName.text : '';
    const value = properties[member];
    if (typeof value === 'object') addDefault(value, initializer, types);
    if (initializer !== undefined) given.push(member);
  }
  const left = required.filter((name) => !given.includes(name));
  if (left.length === 0) delete schema.required;
  else schema.required = left;
}

/**
 * `(query: Query = { days: 3 })`: a call always passes an object, so each literal is its member's default. Returns
 * the members that get one.
 */
export function addWholeDefault(
  schema: JsonSchemaObject,
  declaration: Declared | undefined,
  types: Types,
): JsonObject {
  const initializer = initializerOf(declaration);
  const given: JsonObject = {};
  for (const [name, value] of Object.entries(
    initializer === undefined ? {} : literalMembers(initializer, types.checker),
  )) {
    const property = member(schema.properties ?? {}, name);
    if (!isRecord(property) || property['default'] !== undefined) continue;
    property['default'] = value;
    if (initializer !== undefined) types.noteDefault(property, initializer);
    setMember(given, name, value);
  }
  const required = schema.required?.filter((name) => !Object.hasOwn(given, name)) ?? [];
  if (required.length === 0) delete schema.required;
  else schema.required = required;
  return given;
}

/** A default in a tag wins. */
export function addDefault(
  schema: JsonSchemaObject,
  initializer: ts.Expression | undefined,
  types: Types,
): void {
  const value = initializer === undefined ? undefined : literalValue(initializer, types.checker);
  if (initializer === undefined || value === undefined || schema.default !== undefined) return;
  schema.default = value;
  types.noteDefault(schema, initializer);
}
