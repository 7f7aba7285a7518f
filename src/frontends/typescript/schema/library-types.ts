import { ts } from 'ts-morph';

import type {
  BytesClass,
  JsonSchemaObject,
  JsonType,
  NumbersClass,
  ScalarCodec,
} from '../../../../templates/runtime/contract/json-schema.ts';
import { definedMembers } from '../../../util/collections.ts';

export type LibraryType =
  | { as: 'text'; schema: JsonSchemaObject; codec: ScalarCodec }
  | { as: 'numbers'; items: JsonSchemaObject; codec: NumbersClass }
  /** Read by `from`, written by `toJSON`. */
  | { as: 'temporal'; name: string; format?: string }
  /** The value that the object wraps. */
  | { as: 'primitive'; type: JsonType; codec?: ScalarCodec }
  | { as: 'map' }
  | { as: 'set' }
  /** A list of the items in results; in arguments only if a list is accepted there (`isList`). */
  | { as: 'items'; isList: boolean }
  /** In results, the members of the error without the stack. */
  | { as: 'error' }
  | { as: 'anything' }
  | { as: 'nothing'; what: string };

function text(codec: ScalarCodec, schema: JsonSchemaObject): LibraryType {
  return { as: 'text', schema: { type: 'string', ...schema }, codec };
}

function bytes(name: BytesClass): LibraryType {
  const codec: ScalarCodec = name === 'Uint8Array' ? { kind: 'bytes' } : { kind: 'bytes', as: name };
  return text(codec, { contentEncoding: 'base64' });
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

function integers(codec: NumbersClass, minimum?: number, maximum?: number): LibraryType {
  const range = {
    ...definedMembers({ minimum, maximum }),
  };
  return { as: 'numbers', items: { type: 'integer', ...range }, codec };
}

function fractions(codec: NumbersClass): LibraryType {
  return { as: 'numbers', items: { type: 'number' }, codec };
}

function each<T>(names: string, entry: (name: string) => T): Record<string, T> {
  return Object.fromEntries(names.split(' ').map((name) => [name, entry(name)]));
}

export const libraryTypes: Readonly<Record<string, LibraryType>> = {
  Date: text({ kind: 'date' }, { format: 'date-time' }),
  URL: text({ kind: 'url' }, { format: 'uri' }),
  RegExp: text({ kind: 'regexp' }, { format: 'regex' }),
  Uint8Array: bytes('Uint8Array'),
  Buffer: bytes('Buffer'),
  ArrayBuffer: bytes('ArrayBuffer'),
  SharedArrayBuffer: bytes('SharedArrayBuffer'),
  DataView: bytes('DataView'),
  Int8Array: integers('Int8Array', -128, 127),
  Uint8ClampedArray: integers('Uint8ClampedArray', 0, 255),
  Int16Array: integers('Int16Array', -32_768, 32_767),
  Uint16Array: integers('Uint16Array', 0, 65_535),
  Int32Array: integers('Int32Array', -2_147_483_648, 2_147_483_647),
  Uint32Array: integers('Uint32Array', 0, 4_294_967_295),
  // Doubles cannot hold the limits of 64 bits, so reviving checks them.
  BigInt64Array: integers('BigInt64Array'),
  BigUint64Array: integers('BigUint64Array', 0),
  Float32Array: fractions('Float32Array'),
  Float64Array: fractions('Float64Array'),
  ...Object.fromEntries(
    Object.entries(TEMPORAL).map(([name, format]): [string, LibraryType] => [
      `Temporal.${name}`,
      { as: 'temporal', name, ...definedMembers({ format }) },
    ]),
  ),
  String: { as: 'primitive', type: 'string' },
  Number: { as: 'primitive', type: 'number' },
  Boolean: { as: 'primitive', type: 'boolean' },
  BigInt: { as: 'primitive', type: 'integer', codec: { kind: 'bigint' } },
  Object: { as: 'anything' },
  ...each('Map ReadonlyMap', () => ({ as: 'map' }) as const),
  ...each('Set ReadonlySet', () => ({ as: 'set' }) as const),
  Iterable: { as: 'items', isList: true },
  ...each(
    'IterableIterator IteratorObject Generator ArrayIterator MapIterator SetIterator StringIterator RegExpStringIterator',
    () => ({ as: 'items', isList: false }) as const,
  ),
  ...each(
    'Error AggregateError EvalError RangeError ReferenceError SuppressedError SyntaxError TypeError URIError',
    () => ({ as: 'error' }) as const,
  ),
  ...each('Function CallableFunction NewableFunction', () => nothing('a function')),
  ...each('Promise PromiseLike', () => nothing('a promise')),
  ...each('Iterator AsyncIterator AsyncIteratorObject', () => nothing('an iterator')),
  ...each('AsyncIterable AsyncIterableIterator', () => nothing('an async iterable')),
  AsyncGenerator: nothing('an async generator'),
  Symbol: nothing('a symbol'),
  // Only a class could tell the type of the bytes or items.
  ...each('ArrayBufferView ArrayLike', (name) => nothing(describeInstance(name))),
};

function nothing(what: string): LibraryType {
  return { as: 'nothing', what };
}

function describeInstance(name: string): string {
  return `${/^[AEIO]/.test(name) ? 'an' : 'a'} \`${name}\``;
}

/** Undefined for other types, and for library types that are plain data. */
export function libraryType(type: ts.Type, program: ts.Program): LibraryType | undefined {
  const name = libraryName(type, program);
  if (name === undefined) return undefined;
  if (Object.hasOwn(libraryTypes, name)) return libraryTypes[name];
  return isClass(type.symbol) ? nothing(describeInstance(name)) : undefined;
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
  if (!isOfLibrary(symbol, program)) return undefined;
  return isTemporal(symbol) ? `Temporal.${symbol.name}` : symbol.name;
}

function isTemporal({ declarations = [] }: ts.Symbol): boolean {
  const holder = declarations[0]?.parent.parent;
  return holder !== undefined && ts.isModuleDeclaration(holder) && holder.name.text === 'Temporal';
}

export function isOfLibrary(symbol: ts.Symbol, program: ts.Program): boolean {
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
