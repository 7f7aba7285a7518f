import { ts } from 'ts-morph';
import type { JsonType } from '../../../../templates/runtime/contract/json-schema.ts';
import { inDeclaredOrder } from './declared-order.ts';
import type { Reading } from './form.ts';
import { isList } from './array-form.ts';
import { isBareIterable } from './iterable-form.ts';
import { keyTypes } from './key-types.ts';
import { libraryType } from './library-types.ts';
import { closedType, isOpen, standardType } from './open-type.ts';

/** Lists the JSON types of a type's values; empty if any are possible. */
export function jsonTypesOf(type: ts.Type, reading: Reading): Set<JsonType> {
  const parts = type.isUnion() ? inDeclaredOrder(type.types, reading.checker) : [type];
  const found = new Set<JsonType>();
  for (const part of parts) {
    if (part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) continue;
    const json = findJsonType(part, reading);
    if (json === undefined) return new Set();
    found.add(json);
  }
  return found;
}

function findJsonType(type: ts.Type, reading: Reading): JsonType | undefined {
  const { flags } = type;
  if (flags & (ts.TypeFlags.StringLike | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping))
    return 'string';
  if (flags & ts.TypeFlags.NumberLike) return 'number';
  if (flags & ts.TypeFlags.BigIntLike) return 'integer';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if (flags & ts.TypeFlags.Null) return 'null';
  if (isOpen(type)) {
    const closed = closedType(type, reading.checker);
    const [only, ...others] = closed === undefined ? [] : jsonTypesOf(closed, reading);
    return others.length === 0 ? only : undefined;
  }
  if (type.isIntersection()) return intersectionType(type, reading);
  return flags & ts.TypeFlags.Object ? objectType(type, reading) : undefined;
}

function intersectionType(type: ts.IntersectionType, reading: Reading): JsonType {
  const types = type.types.map((part) => findJsonType(part, reading));
  return types.find((part) => part !== undefined && part !== 'object') ?? 'object';
}

function objectType(type: ts.Type, reading: Reading): JsonType | undefined {
  const { checker } = reading;
  if (isList(type, checker) || isBareIterable(type, reading)) return 'array';
  const entry = libraryType(type, reading.program);
  switch (entry?.as) {
    case 'text':
      return 'string';
    case 'numbers':
    case 'set':
    case 'items':
      return 'array';
    case 'primitive':
      return entry.type;
    case 'map':
      return mapType(type, checker);
    case 'anything':
      return undefined;
    default:
      return reading.direction === 'output' && type.getProperty('toJSON') ? undefined : 'object';
  }
}

function mapType(type: ts.Type, checker: ts.TypeChecker): JsonType {
  const [key] = checker.getTypeArguments(type as ts.TypeReference);
  return key !== undefined && keyTypes(standardType(key, checker)) !== undefined ? 'object' : 'array';
}
