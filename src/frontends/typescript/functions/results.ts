/** The return type of a function as what becomes of the value. */
import { ts } from 'ts-morph';
import type { FunctionBinding } from '../../../../templates/runtime/bindings.ts';
import type { JsonSchema } from '../../../../templates/runtime/schema/json-schema.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { isContent, isBytes, structuredType } from './content-types.ts';
import type { Tagged } from './tagged.ts';
import type { Types } from './types.ts';

export interface ReadResult {
  binding: Pick<FunctionBinding, 'streams' | 'result'>;
  /** Absent when nothing is promised. */
  output?: JsonSchema;
}

/** What the value is that a call comes to: of a promise what it promises, of a generator what it returns. */
export interface Returned {
  type: ts.Type;
  streams: boolean;
}

export function returnedBy({ signature }: Tagged, { checker }: SourceProgram): Returned {
  const type = checker.getReturnTypeOfSignature(signature);
  const generator = generatorResult(type, checker);
  const value = generator ?? type;
  return { type: checker.getAwaitedType(value) ?? value, streams: generator !== undefined };
}

const GENERATORS = new Set(['AsyncGenerator', 'Generator', 'AsyncIterableIterator', 'IterableIterator']);

/** `AsyncGenerator<progress, result>`; undefined for what is none. */
function generatorResult(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const symbol = type.getSymbol();
  if (symbol === undefined || !GENERATORS.has(symbol.name)) return undefined;
  const [, result] = checker.getTypeArguments(type as ts.TypeReference);
  return result ?? checker.getVoidType();
}

/** Of a tool. `mimeType` is that of its tag. */
export function readResult(
  tagged: Tagged,
  mimeType: string | undefined,
  source: SourceProgram,
  types: Types,
): ReadResult {
  const { type, streams } = returnedBy(tagged, source);
  const { result, output } = resultOf(type, mimeType, tagged, source, types);
  return {
    binding: { ...(streams ? { streams } : {}), ...(result === undefined ? {} : { result }) },
    ...(output === undefined ? {} : { output }),
  };
}

interface Result {
  result?: NonNullable<FunctionBinding['result']>;
  output?: JsonSchema;
}

function resultOf(
  type: ts.Type,
  mimeType: string | undefined,
  { at, isLibrary }: Tagged,
  source: SourceProgram,
  types: Types,
): Result {
  if (isNothing(type)) return {};
  if (mimeType !== undefined && isBytes(type, source)) return { result: { as: 'bytes', mimeType } };
  if (mimeType !== undefined && (type.flags & ts.TypeFlags.StringLike) !== 0)
    return { result: { as: 'text', mimeType } };
  if (isContent(type, source)) {
    const structured = structuredType(type, source);
    return structured === undefined ? {} : { output: types.output(structured, at, isLibrary).schema };
  }
  const { schema, codec } = types.output(type, at, isLibrary);
  return { result: { as: 'json', ...(codec === undefined ? {} : { codec }) }, output: schema };
}

/** What says nothing of the value. */
function isNothing({ flags }: ts.Type): boolean {
  return (
    (flags & (ts.TypeFlags.VoidLike | ts.TypeFlags.Unknown | ts.TypeFlags.Any | ts.TypeFlags.Null)) !== 0
  );
}
