/** Bytes in a body. JSON carries them as base64 text, and the binding marks them for decoding. */
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import { ANNOTATIONS, forEachSubschema, isSchemaObject, omitKeywords } from '../../model/schema-walk.ts';
import { SENDING, appendSentence } from '../text/plain-text.ts';
import { MOST_COPIES, resolveLoneReference, type SchemaView } from '../schema/schema-view.ts';

export function binarySchema(schema: JsonSchema, rules: PartRules = {}): JsonSchemaObject {
  const { type, description } = isSchemaObject(schema) ? schema : {};
  const isNullable = Array.isArray(type) && type.includes('null');
  return {
    type: isNullable ? ['string', 'null'] : 'string',
    description: addBytesSentence(description, rules),
  };
}

/** Only a part of a multipart body has a file name. */
function addBytesSentence(description: unknown, { isDecoded, untyped }: PartRules): string {
  const isPart = isDecoded === true || untyped !== undefined;
  return appendSentence(description, isPart ? SENDING.part : SENDING.bytes);
}

export interface PartRules {
  contentType?: string;
  /** How a part without a content type is read. Default: as text. */
  untyped?: 'bytes';
  /** `format: byte` is a file, which is sent decoded (multipart before OpenAPI 3.1). */
  isDecoded?: boolean;
}

/**
 * Returns the schema of a file, a list of files, or null. Undefined for anything else, and if inlining it
 * takes too many copies.
 */
export function bytesSchema(
  schema: JsonSchema,
  rules: PartRules,
  view: SchemaView,
): JsonSchemaObject | undefined {
  let remaining = MOST_COPIES;
  const search = (given: JsonSchema, around: readonly JsonSchema[]): JsonSchemaObject | undefined => {
    remaining -= 1;
    const target = resolveLoneReference(given, view);
    // A recursive schema never reaches bytes.
    if (remaining < 0 || target === undefined || around.includes(target)) return undefined;
    if (isBinary(target, rules)) return binarySchema(target, rules);
    if (typeof target === 'boolean') return undefined;
    const searchPart = (part: JsonSchema) => search(part, [...around, target]);
    return (
      deriveListBytesSchema(target, searchPart) ??
      deriveUnionBytesSchema(target, searchPart) ??
      deriveAllOfBytes(target, searchPart, rules, view)
    );
  };
  const bytes = search(schema, []);
  view.isTooLarge ||= remaining < 0;
  return remaining < 0 ? undefined : bytes;
}

type Within = (part: JsonSchema) => JsonSchemaObject | undefined;

function deriveListBytesSchema(target: JsonSchemaObject, within: Within): JsonSchemaObject | undefined {
  const { type, items } = target;
  if (items === undefined || ![type].flat().includes('array')) return undefined;
  const bytes = within(items);
  return bytes === undefined ? undefined : { ...target, items: bytes };
}

function deriveUnionBytesSchema(target: JsonSchemaObject, within: Within): JsonSchemaObject | undefined {
  const { anyOf, oneOf, ...rest } = target;
  const branches = (anyOf ?? oneOf ?? []).map((branch) => (isNull(branch) ? branch : within(branch)));
  const bytesSchemas = branches.filter((branch) => branch !== undefined);
  if (bytesSchemas.length < branches.length || bytesSchemas.every(isNull)) return undefined;
  // Two kinds of file become the same string, which `oneOf` would refuse.
  return { ...rest, anyOf: bytesSchemas };
}

function isNull(schema: JsonSchema): boolean {
  return isSchemaObject(schema) && schema.type === 'null';
}

/** Whether a value may be bytes among other things: by the schema, its branches or its items. */
export function mayBeBytes(
  schema: JsonSchema,
  rules: PartRules,
  view: SchemaView,
  seen = new Set<JsonSchema>(),
): boolean {
  const own = resolveLoneReference(schema, view);
  if (own === undefined || seen.has(own)) return false;
  seen.add(own);
  // The argument's `data:` URI selects one of the content types (OpenAPI 3.2).
  if (isBinary(own, rules) || isUntyped(own))
    return (rules.contentType ?? 'application/octet-stream').split(',').some(isBinaryContentType);
  if (typeof own === 'boolean') return false;
  const { anyOf = [], oneOf = [], items = false } = own;
  return [items, ...anyOf, ...oneOf, ...listTypedParts(own, view)].some((part) =>
    mayBeBytes(part, rules, view, seen),
  );
}

/** Keywords beside a reference, or around the parts of an `allOf`, only add words. */
function deriveAllOfBytes(
  own: JsonSchemaObject,
  within: Within,
  rules: PartRules,
  view: SchemaView,
): JsonSchemaObject | undefined {
  const bytes = listTypedParts(own, view)
    .map(within)
    .find((part) => part !== undefined);
  if (bytes === undefined || own.description === undefined) return bytes;
  const isString = [bytes.type].flat().includes('string');
  return { ...bytes, description: isString ? addBytesSentence(own.description, rules) : own.description };
}

/** Lists the parts of a composition that say something about the type. */
function listTypedParts(schema: JsonSchemaObject, view: SchemaView): JsonSchema[] {
  const parts = [view.findTarget(schema.$ref) ?? [], schema.allOf ?? []].flat();
  const typed = parts.filter((part) => !isUntyped(resolveLoneReference(part, view) ?? true));
  return typed.length > 0 || !isUntyped(omitKeywords(schema, '$ref', 'allOf')) ? typed : parts;
}

/** Encodings of RFC 2045 that do not change bytes. */
const identities: readonly unknown[] = ['7bit', '8bit', 'binary'];

/** Returns the `contentEncoding`, in lower case, of a string that is sent as encoded bytes. */
export function readContentEncoding(schema: JsonSchema, view: SchemaView): string | undefined {
  const encoding = readContentKeyword(schema, 'contentEncoding', view)?.toLowerCase();
  return identities.includes(encoding) ? undefined : encoding;
}

/** Reads the keyword from a string, its reference, or the only alternative to null. */
export function readContentKeyword(
  schema: JsonSchema,
  keyword: 'contentEncoding' | 'contentMediaType',
  view: SchemaView,
  around: readonly JsonSchema[] = [],
): string | undefined {
  const target = resolveLoneReference(schema, view);
  if (!isSchemaObject(target) || around.includes(target)) return undefined;
  const subschema: unknown = target[keyword];
  if (typeof subschema === 'string') return subschema;
  const [only, ...moreBranches] = (target.anyOf ?? target.oneOf ?? []).filter((branch) => !isNull(branch));
  const inside = view.findTarget(target.$ref) ?? (moreBranches.length === 0 ? only : undefined);
  return readContentKeyword(inside ?? true, keyword, view, [...around, target]);
}

export function reachesBytesSchema(schema: JsonSchema, view: SchemaView): boolean {
  return [schema, ...view.collectReached([schema]).values()].some(containsBytes);
}

function containsBytes(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false;
  let hasBytes = isBinary(schema, {});
  forEachSubschema(schema, (subschema) => {
    hasBytes ||= containsBytes(subschema);
  });
  return hasBytes;
}

/** `format: binary` (3.0), `contentMediaType` (3.1), or a part declared to be bytes. */
function isBinary(schema: JsonSchema, { contentType, untyped, isDecoded = false }: PartRules): boolean {
  if (isUntyped(schema)) return isBinaryContentType(contentType ?? (untyped && 'application/octet-stream'));
  if (!isSchemaObject(schema)) return false;
  if (schema.format === 'binary') return true;
  if (isDecoded && schema.contentEncoding === 'base64' && schema.contentMediaType === undefined)
    return isBinaryContentType(contentType ?? 'application/octet-stream');
  if (typeof schema.contentMediaType === 'string')
    return schema.contentEncoding === undefined && isBinaryContentType(schema.contentMediaType);
  return isStringOrAnything(schema) && isBinaryContentType(contentType);
}

function isUntyped(schema: JsonSchema): boolean {
  return isSchemaObject(schema) ? Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword)) : schema;
}

const shaping = ['$ref', 'properties', 'allOf', 'anyOf', 'oneOf'] as const;

function isStringOrAnything(schema: JsonSchemaObject): boolean {
  if (schema.contentEncoding !== undefined) return false;
  if (schema.type === undefined) return shaping.every((keyword) => schema[keyword] === undefined);
  const types = [schema.type].flat();
  return types.includes('string') && types.every((type) => type === 'string' || type === 'null');
}

function isBinaryContentType(contentType: string | undefined): boolean {
  const [first = ''] = (contentType ?? 'text/plain').split(',');
  return !/^\s*text\/|[/+](json|xml|yaml)\b|x-www-form-urlencoded/i.test(first);
}
