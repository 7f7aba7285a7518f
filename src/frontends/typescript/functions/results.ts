import { ts } from 'ts-morph';
import type { FunctionBinding } from '../../../model/bindings.ts';
import type { JsonSchema } from '../../../util/json-schema.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { libraryName } from '../schema/library-types.ts';
import { findItemNode } from '../schema/array-form.ts';
import { closeParameter } from '../schema/open-type.ts';
import { findTag, reportBadTag } from '../tags/tag-values.ts';
import { unionMembers } from '../program/checker-queries.ts';
import {
  isContentBlockType,
  isBytes,
  mayBeContent,
  isContentOnly,
  findDeclaredBlockType,
  isFullResult,
  isText,
  findStructuredContentType,
} from './type-kinds.ts';
import type { Tagged } from './tagged.ts';
import type { Types } from './types.ts';
import { omitUndefined } from '../../../util/collections.ts';

interface ReadResult {
  binding: Pick<FunctionBinding, 'streams' | 'result'>;
  output?: JsonSchema;
  optional?: boolean;
}

/** A call gives the awaited value of a promise, or what a generator returns or yields. */
interface Returned {
  type: ts.Type;
  /** `items`: `type` is the type of one item. */
  streams: NonNullable<FunctionBinding['streams']>;
}

export function findReturnedType({ signature }: Tagged, source: SourceProgram): Returned {
  const type = source.checker.getReturnTypeOfSignature(signature);
  const returned = readGeneratorType(type, signature, source) ?? { type, streams: false };
  return { ...returned, type: unwrapPromise(returned.type, source.checker) };
}

/** An open type parameter is replaced by its default or constraint. */
function unwrapPromise(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const value = checker.getAwaitedType(type) ?? type;
  const [open] = value.aliasSymbol?.name === 'Awaited' ? (value.aliasTypeArguments ?? []) : [];
  const closed = open && closeParameter(open, checker);
  return closed === undefined ? value : (checker.getAwaitedType(closed) ?? closed);
}

const ASYNC: readonly unknown[] = ['AsyncGenerator', 'AsyncIterableIterator', 'AsyncIterable'];

/** Reads a generator's type; undefined for others. A `Generator` without a return value is a list. */
function readGeneratorType(
  type: ts.Type,
  { declaration }: ts.Signature,
  { checker, program }: SourceProgram,
): Returned | undefined {
  const name = libraryName(type, program);
  const isAsync = ASYNC.includes(name);
  if (!isAsync && name !== 'Generator') return undefined;
  const [item, result = checker.getVoidType()] = checker.getTypeArguments(type as ts.TypeReference);
  if (!isAsync) return isVoidOrUnknown(result) ? undefined : { type: result, streams: true };
  // A written `AsyncGenerator<string>` has `any` for its return type; an inferred `any` is a real value.
  const isWritten = declaration?.type !== undefined;
  // Nobody reads the return value of an iterable that is no generator.
  const isGenerator =
    declaration !== undefined && 'asteriskToken' in declaration && !!declaration.asteriskToken;
  const isIterable = name === 'AsyncIterable' && !isGenerator;
  const isOpen = isIterable || ((result.flags & ts.TypeFlags.Any) !== 0 && isWritten);
  const isEmpty = isOpen || (result.flags & (ts.TypeFlags.VoidLike | ts.TypeFlags.Null)) !== 0;
  const isItems = item !== undefined && isEmpty && !isProgress(item, checker);
  return isItems ? { type: item, streams: 'items' } : { type: result, streams: true };
}

function isProgress(type: ts.Type, checker: ts.TypeChecker): boolean {
  if ((type.flags & ts.TypeFlags.Never) !== 0) return true;
  const progressMembers = new Set(['progress', 'total', 'message']);
  return unionMembers(type).every((alternative) => {
    const names = checker.getPropertiesOfType(alternative).map((member) => member.name);
    return names.includes('progress') && names.every((member) => progressMembers.has(member));
  });
}

export function readResult(
  tagged: Tagged,
  mimeType: string | undefined,
  source: SourceProgram,
  types: Types,
): ReadResult {
  const returned = findReturnedType(tagged, source);
  const { streams } = returned;
  const derive = streams === 'items' ? deriveListResult : deriveResult;
  const { result, ...promise } = derive(returned.type, mimeType, tagged, source, types, streams);
  return { binding: { ...(streams !== false && { streams }), ...omitUndefined({ result }) }, ...promise };
}

type Result = Omit<ReadResult, 'binding'> & { result?: NonNullable<FunctionBinding['result']> };

function deriveResult(
  type: ts.Type,
  mimeType: string | undefined,
  tagged: Tagged,
  source: SourceProgram,
  types: Types,
  streams: Returned['streams'],
): Result {
  const { at, isFromLibrary, block } = tagged;
  const tag = types.schemas.findResultTag(block);
  const as = isBytes(type, source) ? 'bytes' : isText(type, source) ? 'text' : undefined;
  const isData = mimeType !== undefined && as !== undefined && !isVoidOrUnknown(type);
  const isFull = isFullResult(type, source);
  if (isData || (!isFull && isContent(type, mayBeContent(type, source), tagged, source))) {
    if (tag !== undefined) reportBadTag(tag, CONTENT_HAS_NO_SCHEMA, source);
    if (isData) return { result: { as, mimeType } };
    if (isContentOnly(type, source)) return {};
    const { codec } = types.readResultType(type, at, { isLibrary: isFromLibrary });
    return codec === undefined ? {} : { result: { as: 'content', codec } };
  }
  if (tag === undefined && (type.flags & ts.TypeFlags.VoidLike) !== 0) return { result: { as: 'nothing' } };
  if (tag === undefined && isVoidOrUnknown(type)) return {};
  const structured = isFull ? findStructuredContentType(type, source) : type;
  if (structured === undefined && tag === undefined) return {};
  const docs = tag === undefined ? undefined : { tags: [tag] };
  const writtenType = findWrittenResultType(tagged);
  const { schema, codec, optional } = types.readResultType(structured ?? type, at, {
    isLibrary: isFromLibrary,
    docs,
    node: isFull || streams !== false ? undefined : writtenType,
  });
  if (isFull) {
    const whole = codec && { kind: 'object' as const, properties: { structuredContent: codec } };
    return { ...(whole && { result: { as: 'full', codec: whole } }), output: schema };
  }
  return {
    result: { as: 'json', ...omitUndefined({ codec }) },
    output: schema,
    ...(optional ? { optional } : {}),
  };
}

/** Types that the project itself declares may look like a content block and be data: they are content by `@content` alone. */
function isContent(
  type: ts.Type,
  hasForm: boolean,
  { block, name, at }: Tagged,
  source: SourceProgram,
): boolean {
  const tag = findTag(block, 'content');
  if (!hasForm && tag !== undefined)
    reportBadTag(tag, 'does not apply: the function returns no content block', source);
  if (!hasForm || tag !== undefined) return hasForm && tag?.text !== 'false';
  const declared = findDeclaredBlockType(type, source);
  if (declared !== undefined)
    source.diagnostics.report('data-like-content', { name, type: declared }, { at: source.originOf(at) });
  return declared === undefined;
}

/** The written type has aliases, and null also without `strictNullChecks`. */
function findWrittenResultType({ signature }: Tagged): ts.TypeNode | undefined {
  const { declaration } = signature;
  const writtenType = declaration && (declaration.type ?? ts.getJSDocReturnType(declaration));
  if (writtenType === undefined || !ts.isTypeNode(writtenType)) return undefined;
  const isPromise = ts.isTypeReferenceNode(writtenType) && writtenType.typeName.getText() === 'Promise';
  return isPromise ? writtenType.typeArguments?.[0] : writtenType;
}

function deriveListResult(
  item: ts.Type,
  _: string | undefined,
  tagged: Tagged,
  source: SourceProgram,
  types: Types,
): Result {
  const { at, isFromLibrary, block } = tagged;
  const tag = types.schemas.findResultTag(block);
  if (isContent(item, isContentBlockType(item, source), tagged, source)) {
    if (tag !== undefined) reportBadTag(tag, CONTENT_HAS_NO_SCHEMA, source);
    return {};
  }
  const docs = tag === undefined ? undefined : { tags: [tag] };
  const writtenType = findWrittenResultType(tagged);
  const { schema, codec } = types.readResultType(item, at, {
    isLibrary: isFromLibrary,
    docs,
    list: true,
    node: findItemNode(writtenType, source.checker),
  });
  return { result: { as: 'json', ...omitUndefined({ codec }) }, output: schema };
}

const CONTENT_HAS_NO_SCHEMA = 'says nothing here: content is not described by a schema';

/** Types that carry no information about the value. */
function isVoidOrUnknown({ flags }: ts.Type): boolean {
  return (
    (flags & (ts.TypeFlags.VoidLike | ts.TypeFlags.Unknown | ts.TypeFlags.Any | ts.TypeFlags.Null)) !== 0
  );
}
