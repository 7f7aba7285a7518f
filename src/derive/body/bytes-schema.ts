/** Bytes in a body. JSON carries them as base64 text, and the binding marks them for decoding. */
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { forEachSubschema, isSchemaObject } from '../../model/schema-walk.ts';
import { SENDING, appendSentence } from '../text/plain-text.ts';
import { MOST_COPIES, resolveLoneReference, type SchemaView } from '../schema/schema-view.ts';

export function binarySchema(schema: JsonSchema): JsonSchemaObject {
  const { type, description } = isSchemaObject(schema) ? schema : {};
  const isNullable = Array.isArray(type) && type.includes('null');
  return { type: isNullable ? ['string', 'null'] : 'string', description: addBytesSentence(description) };
}

function addBytesSentence(description: unknown): string {
  return appendSentence(description, SENDING.bytes);
}

export interface PartRules {
  contentType?: string;
  /** How a part without a content type is read. Default: as text. */
  untyped?: 'bytes';
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
  const target = resolveLoneReference(schema, view);
  if (target === undefined || view.tooLarge.has(target)) return undefined;
  const copies = { remaining: MOST_COPIES };
  const bytes = deriveBytesSchema(target, rules, view, { around: [], copies });
  if (copies.remaining >= 0) return bytes;
  view.tooLarge.add(target);
  return undefined;
}

interface BytesSearch {
  around: readonly JsonSchema[];
  copies: { remaining: number };
}

function deriveBytesSchema(
  schema: JsonSchema,
  rules: PartRules,
  view: SchemaView,
  { around, copies }: BytesSearch,
): JsonSchemaObject | undefined {
  copies.remaining -= 1;
  const target = resolveLoneReference(schema, view);
  // A recursive schema never reaches bytes.
  if (copies.remaining < 0 || target === undefined || around.includes(target)) return undefined;
  if (isBinary(target, rules)) return binarySchema(target);
  if (typeof target === 'boolean') return undefined;
  const inside = { around: [...around, target], copies };
  const searchPart = (part: JsonSchema) => deriveBytesSchema(part, rules, view, inside);
  return (
    deriveListBytesSchema(target, searchPart) ??
    deriveUnionBytesSchema(target, searchPart) ??
    deriveAllOfBytes(target, searchPart, view)
  );
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
  if (isBinary(own, rules) || isUntyped(own)) return includesBinaryContentType(rules.contentType);
  if (typeof own === 'boolean') return false;
  const { anyOf = [], oneOf = [], items, $ref, allOf = [] } = own;
  const searchPart = (part: JsonSchema): boolean => mayBeBytes(part, rules, view, seen);
  if ([items ?? false, ...anyOf, ...oneOf].some(searchPart)) return true;
  const target = view.findTarget($ref);
  return partsWithKeywords(own, [target ?? [], ...allOf].flat(), view).some(searchPart);
}

/** Keywords beside a reference, or around the parts of an `allOf`, only add words. */
function deriveAllOfBytes(
  own: JsonSchemaObject,
  within: Within,
  view: SchemaView,
): JsonSchemaObject | undefined {
  const target = view.findTarget(own.$ref);
  const parts = [target ?? [], own.allOf ?? []].flat();
  const bytes = partsWithKeywords(own, parts, view)
    .map(within)
    .find((part) => part !== undefined);
  if (bytes === undefined || own.description === undefined) return bytes;
  const isString = [bytes.type].flat().includes('string');
  return { ...bytes, description: isString ? addBytesSentence(own.description) : own.description };
}

/** Leaves out parts without keywords, since such a part says nothing about the type. */
function partsWithKeywords(target: JsonSchemaObject, parts: JsonSchema[], view: SchemaView): JsonSchema[] {
  const telling = parts.filter((part) => !isUntyped(resolveLoneReference(part, view) ?? true));
  return telling.length > 0 || !isUntyped(target, ['$ref', 'allOf']) ? telling : parts;
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
function isBinary(schema: JsonSchema, { contentType, untyped }: PartRules): boolean {
  if (isUntyped(schema)) return isBinaryContentType(contentType ?? (untyped && 'application/octet-stream'));
  if (!isSchemaObject(schema)) return false;
  if (schema.format === 'binary') return true;
  if (typeof schema.contentMediaType === 'string')
    return schema.contentEncoding === undefined && isBinaryContentType(schema.contentMediaType);
  return isStringOrAnything(schema) && isBinaryContentType(contentType);
}

const textKeywords = new Set(['title', 'description', 'deprecated', 'readOnly', 'writeOnly', 'example']);

/** Whether a schema has only descriptive keywords, besides those in `apart`. */
function isUntyped(schema: JsonSchema, apart: readonly string[] = []): boolean {
  if (!isSchemaObject(schema)) return schema;
  return Object.keys(schema).every((keyword) => textKeywords.has(keyword) || apart.includes(keyword));
}

const shaping = ['$ref', 'properties', 'allOf', 'anyOf', 'oneOf'] as const;

function isStringOrAnything(schema: JsonSchemaObject): boolean {
  if (schema.contentEncoding !== undefined) return false;
  if (schema.type === undefined) return shaping.every((keyword) => schema[keyword] === undefined);
  const types = [schema.type].flat();
  return types.includes('string') && types.every((type) => type === 'string' || type === 'null');
}

/** Whether a listed content type is of bytes; the argument's `data:` URI selects one (OpenAPI 3.2). */
function includesBinaryContentType(contentType = 'application/octet-stream'): boolean {
  return contentType.split(',').some(isBinaryContentType);
}

function isBinaryContentType(contentType: string | undefined): boolean {
  const [first = ''] = (contentType ?? 'text/plain').split(',');
  return !/^\s*text\/|[/+](json|xml|yaml)\b|x-www-form-urlencoded/i.test(first);
}
