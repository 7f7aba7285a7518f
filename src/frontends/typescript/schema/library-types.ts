import { ts } from 'ts-morph';

import type { BytesClass, NumbersClass, ScalarCodec } from '../../../model/codec.ts';
import type { JsonSchemaObject, JsonType } from '../../../util/json-schema.ts';
import { omitUndefined } from '../../../util/collections.ts';

export type LibraryType =
  | { as: 'text'; schema: JsonSchemaObject; codec: ScalarCodec }
  | { as: 'numbers'; items: JsonSchemaObject; codec: NumbersClass }
  /** A class that reads by `from`, and writes by `toJSON`. */
  | { as: 'temporal'; name: string; format?: string }
  /** The value that the object wraps. */
  | { as: 'primitive'; type: JsonType; codec?: ScalarCodec }
  | { as: 'map' }
  | { as: 'set' }
  /** Results have a list of the items; arguments only if a list is accepted there (`isList`). */
  | { as: 'items'; isList: boolean }
  /** Results have the members of the error, without the stack. */
  | { as: 'error' }
  | { as: 'anything' }
  | { as: 'nothing'; what: string };

function textType(codec: ScalarCodec, schema: JsonSchemaObject): LibraryType {
  return { as: 'text', schema: { type: 'string', ...schema }, codec };
}

function bytesType(name: BytesClass): LibraryType {
  const codec: ScalarCodec = name === 'Uint8Array' ? { kind: 'bytes' } : { kind: 'bytes', as: name };
  return textType(codec, { contentEncoding: 'base64' });
}

const TEMPORAL: Readonly<Record<string, string | undefined>> = {
  Instant: 'date-time',
  PlainDate: 'date',
  PlainDateTime: 'date-time-local',
  PlainTime: 'time-local',
  Duration: 'duration',
  PlainMonthDay: undefined,
  PlainYearMonth: undefined,
  ZonedDateTime: undefined,
};

function makeIntegerArrayType(codec: NumbersClass, minimum?: number, maximum?: number): LibraryType {
  const range = {
    ...omitUndefined({ minimum, maximum }),
  };
  return { as: 'numbers', items: { type: 'integer', ...range }, codec };
}

function makeFloatArrayType(codec: NumbersClass): LibraryType {
  return { as: 'numbers', items: { type: 'number' }, codec };
}

function makeEntryForEachName<T>(names: string, entry: (name: string) => T): Record<string, T> {
  return Object.fromEntries(names.split(' ').map((name) => [name, entry(name)]));
}

export const libraryTypes: Readonly<Record<string, LibraryType>> = {
  Date: textType({ kind: 'date' }, { format: 'date-time' }),
  URL: textType({ kind: 'url' }, { format: 'uri' }),
  RegExp: textType({ kind: 'regexp' }, { format: 'regex' }),
  Uint8Array: bytesType('Uint8Array'),
  Buffer: bytesType('Buffer'),
  ArrayBuffer: bytesType('ArrayBuffer'),
  SharedArrayBuffer: bytesType('SharedArrayBuffer'),
  DataView: bytesType('DataView'),
  Int8Array: makeIntegerArrayType('Int8Array', -128, 127),
  Uint8ClampedArray: makeIntegerArrayType('Uint8ClampedArray', 0, 255),
  Int16Array: makeIntegerArrayType('Int16Array', -32_768, 32_767),
  Uint16Array: makeIntegerArrayType('Uint16Array', 0, 65_535),
  Int32Array: makeIntegerArrayType('Int32Array', -2_147_483_648, 2_147_483_647),
  Uint32Array: makeIntegerArrayType('Uint32Array', 0, 4_294_967_295),
  // Doubles cannot hold the limits of 64 bits, so reviving checks them.
  BigInt64Array: makeIntegerArrayType('BigInt64Array'),
  BigUint64Array: makeIntegerArrayType('BigUint64Array', 0),
  Float32Array: makeFloatArrayType('Float32Array'),
  Float64Array: makeFloatArrayType('Float64Array'),
  ...Object.fromEntries(
    Object.entries(TEMPORAL).map(([name, format]): [string, LibraryType] => [
      `Temporal.${name}`,
      { as: 'temporal', name, ...omitUndefined({ format }) },
    ]),
  ),
  String: { as: 'primitive', type: 'string' },
  Number: { as: 'primitive', type: 'number' },
  Boolean: { as: 'primitive', type: 'boolean' },
  BigInt: { as: 'primitive', type: 'integer', codec: { kind: 'bigint' } },
  Object: { as: 'anything' },
  ...makeEntryForEachName('Map ReadonlyMap', () => ({ as: 'map' }) as const),
  ...makeEntryForEachName('Set ReadonlySet', () => ({ as: 'set' }) as const),
  Iterable: { as: 'items', isList: true },
  ...makeEntryForEachName(
    'IterableIterator IteratorObject Generator ArrayIterator MapIterator SetIterator StringIterator RegExpStringIterator',
    () => ({ as: 'items', isList: false }) as const,
  ),
  ...makeEntryForEachName(
    'Error AggregateError EvalError RangeError ReferenceError SuppressedError SyntaxError TypeError URIError',
    () => ({ as: 'error' }) as const,
  ),
  ...makeEntryForEachName('Function CallableFunction NewableFunction', () => typeWithoutJson('a function')),
  ...makeEntryForEachName('Promise PromiseLike', () => typeWithoutJson('a promise')),
  ...makeEntryForEachName('Iterator AsyncIterator AsyncIteratorObject', () => typeWithoutJson('an iterator')),
  ...makeEntryForEachName('AsyncIterable AsyncIterableIterator', () => typeWithoutJson('an async iterable')),
  AsyncGenerator: typeWithoutJson('an async generator'),
  Symbol: typeWithoutJson('a symbol'),
  // Only a class could tell the type of the bytes or items.
  ...makeEntryForEachName('ArrayBufferView ArrayLike', (name) => typeWithoutJson(nameWithArticle(name))),
};

function typeWithoutJson(what: string): LibraryType {
  return { as: 'nothing', what };
}

function nameWithArticle(name: string): string {
  return `${/^[AEIO]/.test(name) ? 'an' : 'a'} \`${name}\``;
}

/** Finds how a library type is read; undefined for other types, and those that are plain data. */
export function libraryType(type: ts.Type, program: ts.Program): LibraryType | undefined {
  const name = libraryName(type, program);
  if (name === undefined) return undefined;
  if (Object.hasOwn(libraryTypes, name)) return libraryTypes[name];
  return isClass(type.symbol) ? typeWithoutJson(nameWithArticle(name)) : undefined;
}

function isClass({ flags, members }: ts.Symbol): boolean {
  if (flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Variable)) return true;
  return [...(members?.values() ?? [])].some((member) => member.flags & ts.SymbolFlags.Method);
}

export function isBytesType(type: ts.Type, program: ts.Program): boolean {
  const entry = libraryType(type, program);
  return entry?.as === 'text' && entry.codec.kind === 'bytes';
}

export function libraryName(type: ts.Type, program: ts.Program): string | undefined {
  const symbol = type.getSymbol();
  if (symbol === undefined || !(symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)))
    return undefined;
  if (!isOfStandardLibrary(symbol, program)) return undefined;
  return isTemporal(symbol) ? `Temporal.${symbol.name}` : symbol.name;
}

function isTemporal({ declarations = [] }: ts.Symbol): boolean {
  const holder = declarations[0]?.parent.parent;
  return holder !== undefined && ts.isModuleDeclaration(holder) && holder.name.text === 'Temporal';
}

export function isOfStandardLibrary(symbol: ts.Symbol, program: ts.Program): boolean {
  return (symbol.declarations ?? []).some((declaration) => {
    const file = declaration.getSourceFile();
    return program.isSourceFileDefaultLibrary(file) || /\/@types\/node\//.test(file.fileName);
  });
}

export interface Libraries {
  readonly program: ts.Program;
  readonly runtimeTypes?: string | undefined;
}

export function isInRuntime(node: ts.Node, { runtimeTypes }: Libraries): boolean {
  return runtimeTypes !== undefined && node.getSourceFile().fileName.startsWith(`${runtimeTypes}/`);
}

/** The user cannot change such a declaration. */
export function isInLibrary(node: ts.Node, libraries: Libraries): boolean {
  const { program } = libraries;
  const file = node.getSourceFile();
  return (
    file.isDeclarationFile &&
    (program.isSourceFileDefaultLibrary(file) ||
      program.isSourceFileFromExternalLibrary(file) ||
      file.fileName.includes('/node_modules/') ||
      isInRuntime(node, libraries))
  );
}
