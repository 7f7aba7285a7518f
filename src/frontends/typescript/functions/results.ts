/** The return type of a function as what becomes of the value. */
import { ts } from 'ts-morph';
import type { Codec, FunctionBinding } from '../../../../templates/runtime/bindings.ts';
import type { JsonSchema } from '../../../../templates/runtime/schema/json-schema.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { libraryName } from '../schema/library-kind.ts';
import { closedType } from '../schema/open-type.ts';
import { tagNamed } from '../tags/read-block.ts';
import { refuse } from '../tags/tag-values.ts';
import { isBytes, isContent, isContentOnly, isFullResult, isText, structuredType } from './content-types.ts';
import type { Tagged } from './tagged.ts';
import type { Types } from './types.ts';

export interface ReadResult {
  binding: Pick<FunctionBinding, 'streams' | 'result'>;
  /** Absent when nothing is promised. */
  output?: JsonSchema;
  /** `undefined` is one of the values. */
  optional?: boolean;
}

/** What the value is that a call comes to: of a promise what it promises, of a generator what it returns. */
export interface Returned {
  type: ts.Type;
  streams: boolean;
}

export function returnedBy({ signature }: Tagged, source: SourceProgram): Returned {
  const { checker } = source;
  const type = checker.getReturnTypeOfSignature(signature);
  const generator = generatorResult(type, source);
  return { type: awaited(generator ?? type, checker), streams: generator !== undefined };
}

/** Of a type parameter, what is awaited of its default or constraint. */
function awaited(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const value = checker.getAwaitedType(type) ?? type;
  const [open] = value.aliasSymbol?.name === 'Awaited' ? (value.aliasTypeArguments ?? []) : [];
  const closed = open && closedType(open, checker);
  return closed === undefined ? value : (checker.getAwaitedType(closed) ?? closed);
}

const ASYNC_GENERATORS: readonly unknown[] = ['AsyncGenerator', 'AsyncIterableIterator'];

/** `AsyncGenerator<progress, result>`; undefined for what is none, and for what yields its result item by item. */
function generatorResult(type: ts.Type, { checker, program }: SourceProgram): ts.Type | undefined {
  const name = libraryName(type, program);
  const isAsync = ASYNC_GENERATORS.includes(name);
  if (!isAsync && name !== 'Generator') return undefined;
  const [, result = checker.getVoidType()] = checker.getTypeArguments(type as ts.TypeReference);
  return isAsync || !isNothing(result) ? result : undefined;
}

/** Of a tool. `mimeType` is that of its tag. */
export function readResult(
  tagged: Tagged,
  mimeType: string | undefined,
  source: SourceProgram,
  types: Types,
): ReadResult {
  const { type, streams } = returnedBy(tagged, source);
  const { result, ...promise } = resultOf(type, mimeType, tagged, source, types);
  return {
    binding: { ...(streams ? { streams } : {}), ...(result === undefined ? {} : { result }) },
    ...promise,
  };
}

type Result = Omit<ReadResult, 'binding'> & { result?: NonNullable<FunctionBinding['result']> };

function resultOf(
  type: ts.Type,
  mimeType: string | undefined,
  tagged: Tagged,
  source: SourceProgram,
  types: Types,
): Result {
  const { at, isLibrary, block } = tagged;
  const tag = tagNamed(block, 'schema');
  const data = mimeType === undefined ? undefined : dataWithType(type, mimeType, source);
  const isFull = isFullResult(type, source);
  if (data !== undefined || (!isFull && isContent(type, source))) {
    if (tag !== undefined) refuse(tag, 'says nothing here: content is not described by a schema', source);
    if (data !== undefined) return { result: data };
    if (isContentOnly(type, source)) return {};
    const { codec } = types.output(type, at, { isLibrary });
    return codec === undefined ? {} : { result: { as: 'content', codec } };
  }
  if (tag === undefined && isNothing(type)) return {};
  const structured = isFull ? structuredType(type, source) : type;
  if (structured === undefined && tag === undefined) return {};
  const docs = tag === undefined ? undefined : { tags: [tag] };
  const { schema, codec, optional } = types.output(structured ?? type, at, { isLibrary, docs });
  if (isFull) return { ...(codec === undefined ? {} : { result: fullResult(codec) }), output: schema };
  return {
    result: { as: 'json', ...(codec === undefined ? {} : { codec }) },
    output: schema,
    ...(optional ? { optional } : {}),
  };
}

/** The rest of it is content, and JSON. */
function fullResult(structuredContent: Codec): NonNullable<Result['result']> {
  return { as: 'full', codec: { kind: 'object', properties: { structuredContent } } };
}

/** Bytes, and texts, that a tag says the media type of. */
function dataWithType(type: ts.Type, mimeType: string, source: SourceProgram): Result['result'] {
  if (isNothing(type)) return undefined;
  if (isBytes(type, source)) return { as: 'bytes', mimeType };
  return isText(type, source) ? { as: 'text', mimeType } : undefined;
}

/** What says nothing of the value. */
function isNothing({ flags }: ts.Type): boolean {
  return (
    (flags & (ts.TypeFlags.VoidLike | ts.TypeFlags.Unknown | ts.TypeFlags.Any | ts.TypeFlags.Null)) !== 0
  );
}
