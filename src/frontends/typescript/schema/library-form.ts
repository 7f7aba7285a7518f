import { ts } from 'ts-morph';
import type { JsonSchemaObject } from '../../../util/json-schema.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { valueOfLiteralType } from '../program/checker-queries.ts';
import { findItemNode, readIterableItems, readListForm, readItem } from './array-form.ts';
import {
  type Form,
  hasForm,
  type NoForm,
  type Place,
  type Reading,
  innerPlace,
  makeNoJsonFault,
} from './form.ts';
import { type LibraryType, libraryType } from './library-types.ts';
import { findWrittenType } from './written-types.ts';
import { notNullForm, numberPattern, templatePattern } from './primitive-form.ts';
import { keyTypes, closeIfParameter } from './open-type.ts';

export function libraryForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm | undefined {
  const entry = libraryType(type, reading.program);
  if (entry === undefined) return undefined;
  switch (entry.as) {
    case 'text':
      return { schema: { ...entry.schema }, codec: { ...entry.codec } };
    case 'temporal':
      return {
        schema: { type: 'string', ...omitUndefined({ format: entry.format }) },
        codec: reading.direction === 'input' ? { kind: 'temporal', as: entry.name } : { kind: 'toJSON' },
      };
    case 'numbers':
      return {
        schema: { type: 'array', items: { ...entry.items } },
        codec: { kind: 'numbers', as: entry.codec },
      };
    case 'primitive':
      return { schema: { type: entry.type }, ...(entry.codec && { codec: { ...entry.codec } }) };
    case 'anything':
      return notNullForm(reading);
    case 'error':
      // The error of a result is read by members like any other object.
      return reading.direction === 'input' ? makeNoJsonFault(place, 'an error') : undefined;
    case 'nothing':
      // `JSON.stringify` calls `toJSON`.
      return reading.direction === 'output' && type.getProperty('toJSON') !== undefined
        ? undefined
        : makeNoJsonFault(place, entry.what);
    default:
      return collectionForm(entry, type, place, reading);
  }
}

function collectionForm(
  entry: LibraryType & { as: 'map' | 'set' | 'items' },
  type: ts.Type,
  place: Place,
  reading: Reading,
): Form | NoForm | undefined {
  const [first, second] = reading.checker.getTypeArguments(type as ts.TypeReference);
  if (first === undefined) return undefined;
  if (entry.as === 'set') return readSetForm(first, place, reading);
  if (entry.as === 'map') return second && readMapForm(first, second, place, reading);
  if (reading.direction === 'input' && !entry.isList) return makeNoJsonFault(place, 'an iterator');
  return readIterableItems(first, place, reading, findItemNode(place.node, reading.checker));
}

function readSetForm(item: ts.Type, place: Place, reading: Reading): Form | NoForm {
  const list = readListForm(item, place, reading, findItemNode(place.node, reading.checker));
  if (!hasForm(list)) return list;
  const items = list.codec?.kind === 'array' ? list.codec.items : undefined;
  return { schema: { ...list.schema, uniqueItems: true }, codec: { kind: 'set', ...(items && { items }) } };
}

/** Reads a map: text or number keys make an object; other keys make a list of pairs. */
function readMapForm(key: ts.Type, value: ts.Type, place: Place, reading: Reading): Form | NoForm {
  const values = readItem(
    value,
    innerPlace(place, '[]', findValueNode(place.node, reading.checker)),
    reading,
  );
  const keys = keyTypes(closeIfParameter(key, reading.checker));
  if (keys === undefined) return entriesForm(key, values, place, reading);
  if (!hasForm(values)) return values;
  return {
    schema: { type: 'object', ...mapKeywords(keys, values.schema, reading) },
    codec: {
      kind: 'map',
      form: 'object',
      ...(keys.some(({ flags }) => flags & ts.TypeFlags.NumberLike) && { key: { kind: 'number-key' } }),
      ...(values.codec && { value: values.codec }),
    },
  };
}

/** `Port` in `Record<string, Port>` and `Map<string, Port>` */
export function findValueNode(
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  const map = findWrittenType(node, checker);
  return map !== undefined && ts.isTypeReferenceNode(map) ? map.typeArguments?.[1] : undefined;
}

function mapKeywords(keys: readonly ts.Type[], values: JsonSchemaObject, reading: Reading): JsonSchemaObject {
  if (keys.some(({ flags }) => flags & ts.TypeFlags.String)) return { additionalProperties: values };
  const literals = keys.flatMap((key) => valueOfLiteralType(key) ?? []).map(String);
  const patterns = keys
    .filter((key) => valueOfLiteralType(key) === undefined)
    .map((key) => ({
      pattern: key.flags & ts.TypeFlags.Number ? `^${numberPattern}$` : templatePattern(key, reading),
    }));
  const names: JsonSchemaObject[] = [...(literals.length === 0 ? [] : [{ enum: literals }]), ...patterns];
  const [only] = names;
  return {
    propertyNames: names.length === 1 && only ? only : { anyOf: names },
    additionalProperties: values,
  };
}

function entriesForm(key: ts.Type, values: Form | NoForm, place: Place, reading: Reading): Form | NoForm {
  const inner = innerPlace(place, '[]');
  const keys = reading.read(key, inner);
  if (!hasForm(keys)) return keys;
  if (!hasForm(values)) return values;
  const pair: JsonSchemaObject = {
    type: 'array',
    prefixItems: [keys.schema, values.schema],
    minItems: 2,
    maxItems: 2,
  };
  return {
    schema: { type: 'array', items: pair },
    codec: {
      kind: 'map',
      form: 'entries',
      ...(keys.codec && { key: keys.codec }),
      ...(values.codec && { value: values.codec }),
    },
  };
}
