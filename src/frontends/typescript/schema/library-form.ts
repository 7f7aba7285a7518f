import { ts } from 'ts-morph';
import type {
  BytesClass,
  Codec,
  NumbersClass,
  ScalarCodec,
} from '../../../../templates/runtime/functions/codec.ts';
import type { JsonSchemaObject } from '../../../../templates/runtime/schema/json-schema.ts';
import { itemNode, listForm, readItem } from './array-form.ts';
import { type Form, hasForm, type NoForm, type Place, type Reading, within, without } from './form.ts';
import { libraryName } from './library-kind.ts';
import { numberPattern, templatePattern } from './template-pattern.ts';
import { orderOf } from './written-order.ts';
import { keyTypes } from './key-types.ts';

const { TypeFlags } = ts;

const base64: JsonSchemaObject = { type: 'string', contentEncoding: 'base64' };

const scalars: Record<string, { schema: JsonSchemaObject; codec: ScalarCodec }> = {
  Date: { schema: { type: 'string', format: 'date-time' }, codec: { kind: 'date' } },
  URL: { schema: { type: 'string', format: 'uri' }, codec: { kind: 'url' } },
  RegExp: { schema: { type: 'string', format: 'regex' }, codec: { kind: 'regexp' } },
  Uint8Array: { schema: base64, codec: { kind: 'bytes' } },
  ...bytes('Buffer', 'ArrayBuffer', 'DataView'),
};

function bytes(...names: BytesClass[]): typeof scalars {
  return Object.fromEntries(names.map((as) => [as, { schema: base64, codec: { kind: 'bytes', as } }]));
}

/** The integers that each typed array holds; none for those of fractions. */
const numbers: Record<NumbersClass, [minimum: number, maximum: number] | undefined | 'bigint'> = {
  Int8Array: [-128, 127],
  Uint8ClampedArray: [0, 255],
  Int16Array: [-32_768, 32_767],
  Uint16Array: [0, 65_535],
  Int32Array: [-2_147_483_648, 2_147_483_647],
  Uint32Array: [0, 4_294_967_295],
  Float32Array: undefined,
  Float64Array: undefined,
  BigInt64Array: 'bigint',
  BigUint64Array: 'bigint',
};

const wrappers: Record<string, Form> = {
  String: { schema: { type: 'string' } },
  Number: { schema: { type: 'number' } },
  Boolean: { schema: { type: 'boolean' } },
};

/** What these are cannot travel. */
const formless: Record<string, string> = {
  Function: 'a function',
  CallableFunction: 'a function',
  NewableFunction: 'a function',
  Symbol: 'a symbol',
  Promise: 'a promise',
  PromiseLike: 'a promise',
  WeakMap: 'a `WeakMap`',
  WeakSet: 'a `WeakSet`',
  WeakRef: 'a `WeakRef`',
  Iterator: 'an iterator',
  AsyncIterator: 'an iterator',
  AsyncIterable: 'an async iterable',
  AsyncGenerator: 'an async generator',
  ...named('ReadableStream', 'WritableStream', 'TransformStream', 'Blob', 'File', 'FormData', 'Headers'),
  ...named('Request', 'Response', 'URLSearchParams', 'AbortSignal', 'AbortController', 'EventTarget'),
};

function named(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `${/^[AE]/.test(name) ? 'an' : 'a'} \`${name}\``]));
}

/** The form of a class of JavaScript or Node; undefined for any other type. */
export function libraryForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm | undefined {
  const name = libraryName(type, reading.program);
  if (name === undefined) return undefined;
  const own = Object.hasOwn(scalars, name) ? scalars[name] : undefined;
  if (own !== undefined) return { schema: { ...own.schema }, codec: { ...own.codec } };
  if (Object.hasOwn(numbers, name)) return numbersForm(name as NumbersClass);
  const wrapped = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (wrapped !== undefined) return { schema: { ...wrapped.schema } };
  const what = Object.hasOwn(formless, name) ? formless[name] : undefined;
  return what === undefined ? collectionForm(name, type, place, reading) : without(place, what);
}

function numbersForm(as: NumbersClass): Form {
  const range = numbers[as];
  const codec: Codec = { kind: 'numbers', as };
  if (range === undefined) return { schema: { type: 'array', items: { type: 'number' } }, codec };
  if (range === 'bigint') return { schema: { type: 'array', items: { type: 'integer' } }, codec };
  const [minimum, maximum] = range;
  return { schema: { type: 'array', items: { type: 'integer', minimum, maximum } }, codec };
}

function collectionForm(
  name: string,
  type: ts.Type,
  place: Place,
  reading: Reading,
): Form | NoForm | undefined {
  const [first, second] = reading.checker.getTypeArguments(type as ts.TypeReference);
  switch (name) {
    case 'Map':
    case 'ReadonlyMap':
      return first && second && mapForm(first, second, place, reading);
    case 'Set':
    case 'ReadonlySet':
      return first && setForm(first, place, reading);
    case 'Iterable':
    case 'IterableIterator':
    case 'Generator':
      return first && iterableForm(name, first, place, reading);
    default:
      return undefined;
  }
}

function setForm(item: ts.Type, place: Place, reading: Reading): Form | NoForm {
  const list = listForm(item, place, reading, itemNode(place.node));
  if (!hasForm(list)) return list;
  const items = list.codec?.kind === 'array' ? list.codec.items : undefined;
  return { schema: { ...list.schema, uniqueItems: true }, codec: { kind: 'set', ...(items && { items }) } };
}

/** A list is an iterable; as a result, an iterable is written as the list of its items. */
function iterableForm(name: string, item: ts.Type, place: Place, reading: Reading): Form | NoForm {
  if (reading.direction === 'input' && name !== 'Iterable') return without(place, 'an iterator');
  const list = listForm(item, place, reading, itemNode(place.node));
  return hasForm(list) && list.codec === undefined
    ? { ...list, codec: { kind: 'array', items: { kind: 'any' } } }
    : list;
}

/** Keys that are text or numbers make an object; any others a list of pairs. */
function mapForm(key: ts.Type, value: ts.Type, place: Place, reading: Reading): Form | NoForm {
  const values = readItem(value, within(place, '[]', valueNode(place.node)), reading);
  const keys = keyTypes(key)?.toSorted(byValue(place.node, reading.checker));
  if (keys === undefined) return entriesForm(key, values, place, reading);
  if (!hasForm(values)) return values;
  return {
    schema: { type: 'object', ...keySchema(keys, values.schema, reading) },
    codec: {
      kind: 'map',
      form: 'object',
      ...(keys.some(({ flags }) => flags & TypeFlags.NumberLike) && { key: { kind: 'number-key' } }),
      ...(values.codec && { value: values.codec }),
    },
  };
}

function valueNode(node: ts.TypeNode | undefined): ts.TypeNode | undefined {
  return node !== undefined && ts.isTypeReferenceNode(node) ? node.typeArguments?.[1] : undefined;
}

/** As they are written. */
function byValue(node: ts.TypeNode | undefined, checker: ts.TypeChecker): (a: ts.Type, b: ts.Type) => number {
  const { compare } = orderOf(node, checker);
  const valueOf = (type: ts.Type): string | number =>
    type.isStringLiteral() || type.isNumberLiteral() ? type.value : '';
  return (a, b) => compare(valueOf(a), valueOf(b));
}

function keySchema(keys: readonly ts.Type[], values: JsonSchemaObject, reading: Reading): JsonSchemaObject {
  if (keys.some(({ flags }) => flags & TypeFlags.String)) return { additionalProperties: values };
  const names = keys.map((key) => keyNames(key, reading));
  const literals = names.filter((name) => typeof name.const === 'string').map((name) => name.const as string);
  const propertyNames =
    literals.length === names.length
      ? { enum: literals }
      : names.length === 1 && names[0] !== undefined
        ? names[0]
        : { anyOf: names };
  return { propertyNames, additionalProperties: values };
}

function keyNames(key: ts.Type, reading: Reading): JsonSchemaObject {
  if (key.isStringLiteral() || key.isNumberLiteral()) return { const: String(key.value) };
  return { pattern: key.flags & TypeFlags.Number ? `^${numberPattern}$` : templatePattern(key, reading) };
}

function entriesForm(key: ts.Type, values: Form | NoForm, place: Place, reading: Reading): Form | NoForm {
  const keys = reading.read(key, within(place, '[]'));
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
