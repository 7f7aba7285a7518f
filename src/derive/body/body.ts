/** Decides which media type of a body is sent, and whether its properties become separate arguments. */
import { isDeepStrictEqual } from 'node:util';
import type { BodyBinding, BodyKind } from '../../model/bindings.ts';
import { mediaTypeEssence, isJsonLinesType } from '../../util/http-syntax.ts';
import type { JsonSchema, JsonType } from '../../util/json-schema.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { operationKey } from '../../model/operation-key.ts';
import { ANNOTATIONS, isSchemaObject } from '../../model/schema-walk.ts';
import type { MediaType, Operation, RequestBody } from '../../model/source-model.ts';
import { omitUndefined } from '../../util/collections.ts';
import type { ToolArgument } from '../arguments/argument-schema.ts';
import { type PlainObject, flattenObject } from '../schema/object-shape.ts';
import { type SchemaView, resolveLoneReference } from '../schema/schema-view.ts';
import { SENDING, appendSentence } from '../text/plain-text.ts';
import { binarySchema, bytesSchema, readContentEncoding, reachesBytesSchema } from './bytes-schema.ts';
import { isMergePatch, toNullablePatch, toPatchSchema } from './merge-patch.ts';
import { type WholeParts, bindEncodings, bindWholeParts, collectBodyParts } from './parts.ts';
import { type XmlShape, type XmlSource, bindXml } from './xml-binding.ts';

type Family = BodyKind | 'plain-json' | 'described-json' | 'misfit' | 'sequence' | 'unwritten';

/** The families of body types, those first that models write most reliably. */
const preference: readonly Family[] = [
  ...(['plain-json', 'json', 'described-json', 'sequence', 'form', 'multipart', 'text', 'misfit'] as const),
  ...(['binary', 'xml', 'unwritten'] as const),
];

/** Families whose objects become separate arguments. */
const flattened: readonly Family[] = [
  ...(['plain-json', 'json', 'described-json', 'misfit', 'form', 'multipart'] as const),
];

/** Kinds of bodies that cannot hold a file. */
const fileless: readonly BodyKind[] = ['json', 'form'];

/** How a body is sent. `wireKind` is the serialisation: the schema decides it before the media type does. */
export type BodyShape = {
  media: MediaType;
  wireKind: BodyKind;
  xml?: XmlShape;
  encodings: ReturnType<typeof bindEncodings>;
} & (
  | { kind: 'flat'; object: PlainObject }
  // `parts` are those of multipart.
  // A body of text is `raw` where the document says bytes.
  | { kind: 'whole'; schema: JsonSchema; parts?: WholeParts; raw?: boolean }
);

/** Finds the media type that `x-mcp` chooses: the operation's, which must be offered, else the document's where it is. */
export function findChosenMediaType(
  operation: Operation,
  fallback: string | undefined,
  diagnostics: DiagnosticCollector,
): MediaType | undefined {
  const { xMcp: { bodyMediaType: mediaType } = {}, body } = operation;
  if (body === undefined) return undefined;
  // With its parameters first, then without, since users often omit them.
  const findOffered = (wanted: string): MediaType | undefined =>
    body.content.find((media) => media.mediaType.toLowerCase() === wanted.toLowerCase()) ??
    body.content.find((media) => mediaTypeEssence(media.mediaType) === mediaTypeEssence(wanted));
  const chosen = findOffered(mediaType ?? fallback ?? '');
  if (mediaType !== undefined && chosen === undefined) {
    const offered = body.content.map((media) => media.mediaType).join(', ');
    const parameters = { mediaType, operation: operationKey(operation), offered };
    diagnostics.report('body-media-type-not-offered', parameters, { at: body.origin });
  }
  return chosen;
}

/** Decides the shape of a body; undefined if it offers no media type. */
export function deriveBodyShape(
  body: RequestBody,
  method: string,
  preferred: MediaType | undefined,
  source: XmlSource,
  view: SchemaView,
): BodyShape | undefined {
  const media = preferred ?? chooseMediaType(body.content, method, view);
  if (media === undefined) return undefined;
  const wireKind = chooseWireKind(media, view);
  const xml = wireKind === 'xml' ? bindXml(media.schema, source) : undefined;
  const isBound = xml !== undefined && 'root' in xml;
  const encodings = bindEncodings(media, source);
  const about = { media, wireKind, encodings, ...omitUndefined({ xml }) };
  const object =
    isBound || flattened.includes(classifyMediaType(media, method, view))
      ? flattenBodyObject(media, view)
      : undefined;
  if (object !== undefined) return { kind: 'flat', ...about, object };
  const schema = isBound ? view.rewriteSchema(media.schema) : schemaOfWholeBody(media, wireKind, view);
  if ((wireKind === 'text' || wireKind === 'xml') && media.kind !== 'binary' && isBinaryFormat(schema, view))
    return { kind: 'whole', ...about, schema: plainTextSchema(schema, view), raw: true };
  if (wireKind !== 'multipart') return { kind: 'whole', ...about, schema };
  return { kind: 'whole', ...about, schema, parts: collectBodyParts(media, schema, view) };
}

/** Encoded bytes are sent as given. A body that is JSON only by default may be bytes. */
function chooseWireKind({ mediaType, kind, schema }: MediaType, view: SchemaView): BodyKind {
  if (kind === 'binary')
    return readContentEncoding(view.rewriteSchema(schema), view) !== undefined ? 'text' : kind;
  if (isJsonLinesType(mediaType) && isSchemaOfType(view.rewriteSchema(schema), 'string', view)) return 'text';
  // JSON cannot hold bytes (RFC 8259), so they are the whole body.
  if (kind === 'json' && isBinaryFormat(view.rewriteSchema(schema), view)) return 'binary';
  if (kind === 'json' && !/json/i.test(mediaType) && isBytes(view.rewriteSchema(schema), view))
    return 'binary';
  return kind;
}

/** `format: binary` means any bytes, whatever the media type. */
function isBinaryFormat(schema: JsonSchema, view: SchemaView): boolean {
  const target = resolveLoneReference(schema, view);
  return isSchemaObject(target) && target.format === 'binary';
}

function isBytes(schema: JsonSchema, view: SchemaView): boolean {
  return [bytesSchema(schema, {}, view)?.type].flat().includes('string');
}

/** An object that names no members takes any, unless all that it names are read-only. */
function flattenBodyObject(media: MediaType, view: SchemaView): PlainObject | undefined {
  const schema = view.rewriteSchema(media.schema);
  const object = flattenObject(isMergePatch(media.mediaType) ? toPatchSchema(schema, view) : schema, view);
  if (object === undefined) return undefined;
  // The patch of a whole object may name one property alone.
  if (isMergePatch(media.mediaType))
    object.minProperties = Math.min(1, flattenObject(schema, view)?.minProperties ?? 0);
  const isEmpty = object.properties.size === 0 && object.required.size === 0;
  if (isEmpty && !object.isClosed && view.readOnly.namesOf(media.schema).sometimes.size === 0)
    return undefined;
  for (const name of object.required) {
    // A required property without a schema becomes an argument that accepts anything.
    if (!object.properties.has(name)) object.properties.set(name, true);
  }
  return object;
}

/** Prefers the first family, or multipart if the body describes files that the first family cannot hold. */
function chooseMediaType(
  content: readonly MediaType[],
  method: string,
  view: SchemaView,
): MediaType | undefined {
  const rank = (media: MediaType): number => preference.indexOf(classifyMediaType(media, method, view));
  // A document names several types of one family: the first one is sent.
  const [first] = content.toSorted((a, b) => rank(a) - rank(b));
  const chosen = (first && findOctets(first, content, view)) ?? first;
  const multipart = content.find(({ kind }) => kind === 'multipart');
  if (chosen === undefined || multipart === undefined || !fileless.includes(chosen.kind)) return chosen;
  return reachesBytesSchema(view.rewriteSchema(chosen.schema), view) ? multipart : chosen;
}

/** `application/octet-stream` replaces text, and JSON that is bytes, where the document says that the body is bytes. */
function findOctets(
  first: MediaType,
  content: readonly MediaType[],
  view: SchemaView,
): MediaType | undefined {
  const isBytes = first.kind === 'json' && chooseWireKind(first, view) === 'binary';
  const isText = first.kind === 'json' && isBareStringSchema(view.rewriteSchema(first.schema), view);
  if (first.kind !== 'text' && !isBytes && !isText) return undefined;
  return content.find(
    (media) =>
      mediaTypeEssence(media.mediaType) === 'application/octet-stream' &&
      chooseWireKind(media, view) === 'binary' &&
      [media, first].some(({ schema }) => isBinaryFormat(view.rewriteSchema(schema), view)) &&
      (!isText || isDeepStrictEqual(media.origin, first.origin)),
  );
}

/** Swagger 2.0 has one schema for all media types, and for bytes often this one. */
function isBareStringSchema(schema: JsonSchema, view: SchemaView): boolean {
  const target = resolveLoneReference(schema, view);
  return (
    isSchemaObject(target) &&
    target.type === 'string' &&
    Object.keys(target).every((keyword) => keyword === 'type' || ANNOTATIONS.has(keyword))
  );
}

/** Bytes that are encoded already count as binary, so that a body of plain text is preferred. */
function classifyMediaType(media: MediaType, method: string, view: SchemaView): Family {
  const wireKind = chooseWireKind(media, view);
  if (media.isUnwritten === true) return 'unwritten';
  if (isJsonLinesType(media.mediaType)) return wireKind === 'json' ? 'sequence' : wireKind;
  if (wireKind === 'binary') return 'binary';
  return media.kind === 'json' ? classifyJson(media, method, view) : media.kind;
}

/** A JSON type of its own meaning fits a method (RFC 7396), a schema (RFC 6902), or answers rather than requests (RFC 9457). */
function classifyJson({ mediaType, schema }: MediaType, method: string, view: SchemaView): Family {
  const type = mediaTypeEssence(mediaType);
  if (type === 'application/json') return 'plain-json';
  if (/[/.](?:problem|ld)\+json$/.test(type)) return 'described-json';
  const isFit =
    (type !== 'application/merge-patch+json' || method === 'PATCH') &&
    (!/json-?patch(?:\+json)?$/.test(type) || isSchemaOfType(view.rewriteSchema(schema), 'array', view));
  return isFit ? 'json' : 'misfit';
}

function schemaOfWholeBody(media: MediaType, kind: BodyKind, view: SchemaView): JsonSchema {
  const schema = view.rewriteSchema(media.schema);
  // A body that is sent is never null.
  if (kind === 'binary')
    return { ...binarySchema(resolveLoneReference(schema, view) ?? schema), type: 'string' };
  if (kind === 'xml') return textSchema(schema, view, SENDING.xml);
  if (kind === 'json' && isJsonLinesType(media.mediaType))
    return isSchemaOfType(schema, 'array', view) ? schema : { type: 'array', items: schema };
  // The schema of encoded bytes stays, since it says how they are encoded.
  if (kind === 'text' && media.kind !== 'binary') return textSchema(schema, view, undefined);
  return isMergePatch(media.mediaType) ? toNullablePatch(schema, view) : schema;
}

function isSchemaOfType(schema: JsonSchema, type: JsonType, view: SchemaView): boolean {
  const target = resolveLoneReference(schema, view);
  return isSchemaObject(target) && [target.type].flat().includes(type);
}

/** Models write plain text better than base64. */
function plainTextSchema(schema: JsonSchema, view: SchemaView): JsonSchema {
  const target = resolveLoneReference(schema, view);
  const description = isSchemaObject(target) ? target.description : undefined;
  return {
    type: 'string',
    description: appendSentence(description, SENDING.text),
  };
}

/** The runtime sends text unchanged, so the argument is always a string. */
export function textSchema(
  schema: JsonSchema,
  view: SchemaView,
  description: string | undefined,
): JsonSchema {
  const resolved = resolveLoneReference(schema, view);
  if (isSchemaObject(resolved) && (resolved.type === 'string' || Array.isArray(resolved.enum))) return schema;
  return { type: 'string', ...omitUndefined({ description }) };
}

export function bindBody(
  { body }: Operation,
  { kind, media, wireKind, xml, encodings, ...shape }: BodyShape,
  list: readonly ToolArgument[],
): BodyBinding {
  const inBody = list.filter((argument) => argument.in === 'body');
  const object = 'object' in shape ? shape.object : undefined;
  const alternatives = (body?.content ?? [])
    .filter((other) => other !== media)
    .map((other) => other.mediaType);
  const together = body?.required === false ? inBody.filter(({ name }) => object?.required.has(name)) : [];
  return {
    mediaType: media.mediaType,
    kind: wireKind,
    ...(body?.required === true ? { required: true } : {}),
    ...(kind === 'whole'
      ? { argument: inBody[0]?.argument ?? 'body' }
      : {
          properties: inBody.map(({ argument, name, binary, mayBeFile, contentEncoding, contentType }) => ({
            argument,
            name,
            ...(binary === true ? { binary } : {}),
            ...(mayBeFile === true ? { mayBeFile } : {}),
            ...omitUndefined({ contentEncoding, contentType }),
          })),
        }),
    ...(together.length === 0 ? {} : { requiredTogether: together.map(({ name }) => name) }),
    // Properties that the schema does not name can't be given.
    ...(object?.minProperties ? { minProperties: Math.min(object.minProperties, inBody.length) } : {}),
    ...encodings,
    ...('parts' in shape && shape.parts && bindWholeParts(shape.parts)),
    ...('raw' in shape ? { mayBeFile: true } : {}),
    ...(xml && 'root' in xml && { xml }),
    ...(alternatives.length === 0 ? {} : { alternatives }),
  };
}

/** Sentences for the tool's description, about rules that the input schema cannot express. */
export function listBodyNotes(
  shape: BodyShape,
  { requiredTogether = [], properties = [], minProperties = 0 }: BodyBinding,
): string[] {
  const notes: string[] = [];
  if (isMergePatch(shape.media.mediaType))
    notes.push('The request body is a merge patch: what is left out stays as it is, null removes it.');
  if (requiredTogether.length > 1 || (requiredTogether.length === 1 && properties.length > 1)) {
    const names = properties
      .filter(({ name }) => requiredTogether.includes(name))
      .map(({ argument }) => argument);
    notes.push(`The request body is optional; when any of it is given, ${names.join(', ')} must be.`);
  }
  if (minProperties > 0) notes.push(`The request body needs at least ${minProperties} of its properties.`);
  return notes;
}
