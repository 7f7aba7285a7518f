/** Decides which media type of a body is sent, and whether its properties become separate arguments. */
import type { BodyKind } from '../../../templates/runtime/contract/bindings.ts';
import type { JsonSchema, JsonType } from '../../../templates/runtime/contract/json-schema.ts';
import { isJsonLines } from '../../../templates/runtime/contract/media-type.ts';
import { isSchemaObject } from '../../model/schema-walk.ts';
import type { MediaType, RequestBody } from '../../model/source-model.ts';
import { binarySchema, bytesSchema, contentEncodingOf, reachesBytes } from './bytes-schema.ts';
import { bindEncodings, type Encodings, listSchema } from './encodings.ts';
import { flattenObject, type PlainObject } from './flatten.ts';
import { isMergePatch, patchSchema } from './merge-patch.ts';
import { wholeParts, type WholeParts } from './parts.ts';
import { inTurn } from '../text/sentences.ts';
import { resolveAlone, type SchemaView } from '../schema/schema-view.ts';
import { bindXml, type XmlShape, type XmlSource } from './xml-binding.ts';
import { definedMembers } from '../../util/defined-members.ts';

type Family = BodyKind | 'sequence';

/** The families in the order in which models write them best. */
const preference: readonly Family[] = ['json', 'sequence', 'form', 'multipart', 'text', 'binary', 'xml'];

/** These media types cannot hold a file. */
const fileless: readonly BodyKind[] = ['json', 'form'];

/** `written` is the serialisation. The schema decides it before the media type does. */
export type BodyShape = {
  media: MediaType;
  written: BodyKind;
  xml?: XmlShape;
  encodings: Encodings;
} & (
  | { kind: 'flat'; object: PlainObject }
  // `parts` are those of multipart.
  // A body of text is `raw` where the document says bytes.
  | { kind: 'whole'; schema: JsonSchema; parts?: WholeParts; raw?: boolean }
);

/** Undefined if the body offers no media type. */
export function shapeOfBody(
  body: RequestBody,
  wanted: MediaType | undefined,
  source: XmlSource,
  view: SchemaView,
): BodyShape | undefined {
  const media = wanted ?? chooseMediaType(body.content, view);
  if (media === undefined) return undefined;
  const written = writtenKind(media, view);
  const xml = written === 'xml' ? bindXml(media.schema, source) : undefined;
  const isBound = xml !== undefined && 'root' in xml;
  const encodings = bindEncodings(media, source, view);
  const about = { media, written, encodings, ...definedMembers({ xml }) };
  const object =
    isBound || flattens(findFamily(media, view)) ? flatBody(readBodySchema(media, view), view) : undefined;
  if (object !== undefined) return { kind: 'flat', ...about, object };
  const schema = isBound ? view.of(media.schema) : wholeSchema(media, written, view);
  if ((written === 'text' || written === 'xml') && media.kind !== 'binary' && isRaw(schema, view))
    return { kind: 'whole', ...about, schema: rawTextSchema(schema, view), raw: true };
  if (written !== 'multipart') return { kind: 'whole', ...about, schema };
  const list = listSchema(schema, encodings, media.untypedParts, view);
  return { kind: 'whole', ...about, schema: list, parts: wholeParts(media, schema, view) };
}

/** Encoded bytes are sent as given. A body that is JSON only by default may be bytes. */
function writtenKind({ mediaType, kind, schema }: MediaType, view: SchemaView): BodyKind {
  if (kind === 'binary') return contentEncodingOf(view.of(schema), view) !== undefined ? 'text' : kind;
  if (isJsonLines(mediaType) && hasType(view.of(schema), 'string', view)) return 'text';
  // JSON cannot hold bytes (RFC 8259), so they are the whole body.
  if (kind === 'json' && isRaw(view.of(schema), view)) return 'binary';
  if (kind === 'json' && !/json/i.test(mediaType) && isBytes(view.of(schema), view)) return 'binary';
  return kind;
}

/** `format: binary` means any bytes, whatever the media type. */
function isRaw(schema: JsonSchema, view: SchemaView): boolean {
  const own = resolveAlone(schema, view);
  return isSchemaObject(own) && own.format === 'binary';
}

function isBytes(schema: JsonSchema, view: SchemaView): boolean {
  return [bytesSchema(schema, {}, view)?.type].flat().includes('string');
}

function readBodySchema({ mediaType, schema }: MediaType, view: SchemaView): JsonSchema {
  const own = view.of(schema);
  return isMergePatch(mediaType) ? patchSchema(own, view) : own;
}

function flatBody(schema: JsonSchema, view: SchemaView): PlainObject | undefined {
  const object = flattenObject(schema, view);
  if (object === undefined) return undefined;
  for (const name of object.required) {
    // A required property without a schema becomes an argument that accepts anything.
    if (!object.properties.has(name)) object.properties.set(name, true);
  }
  return object;
}

/** Prefers the first family, or multipart if the body describes files that the first family cannot hold. */
function chooseMediaType(content: readonly MediaType[], view: SchemaView): MediaType | undefined {
  const chosen = findFirst(preference, content, view);
  const multipart = findFirst(['multipart'], content, view);
  if (chosen === undefined || multipart === undefined || !fileless.includes(chosen.kind)) return chosen;
  return reachesBytes(view.of(chosen.schema), view) ? multipart : chosen;
}

/** Bytes that are encoded already count as binary, so that a body of plain text is preferred. */
function findFamily(media: MediaType, view: SchemaView): Family {
  const written = writtenKind(media, view);
  if (isJsonLines(media.mediaType)) return written === 'json' ? 'sequence' : written;
  return written === 'binary' ? 'binary' : media.kind;
}

function findFirst(
  kinds: readonly Family[],
  content: readonly MediaType[],
  view: SchemaView,
): MediaType | undefined {
  for (const kind of kinds) {
    const found = content.find((media) => findFamily(media, view) === kind);
    if (found !== undefined) return found;
  }
  return undefined;
}

function flattens(kind: Family): boolean {
  return kind === 'json' || kind === 'form' || kind === 'multipart';
}

function wholeSchema(media: MediaType, kind: BodyKind, view: SchemaView): JsonSchema {
  const { schema } = media;
  if (kind === 'binary') return wholeBytes(view.of(schema), view);
  if (kind === 'xml') return textSchema(view.of(schema), view, 'An XML document.');
  if (kind === 'json' && isJsonLines(media.mediaType)) return sequenceSchema(view.of(schema), view);
  // The schema says how these bytes are encoded, so it is kept.
  if (kind === 'text' && media.kind === 'binary') return view.of(schema);
  if (kind === 'text') return textSchema(view.of(schema), view, undefined);
  return readBodySchema(media, view);
}

/** OpenAPI 3.2 treats a sequence as an array; in older documents `schema` may describe one item. */
function sequenceSchema(schema: JsonSchema, view: SchemaView): JsonSchema {
  return hasType(schema, 'array', view) ? schema : { type: 'array', items: schema };
}

function hasType(schema: JsonSchema, type: JsonType, view: SchemaView): boolean {
  const own = resolveAlone(schema, view);
  return isSchemaObject(own) && [own.type].flat().includes(type);
}

/** A body that is sent is never null. */
function wholeBytes(schema: JsonSchema, view: SchemaView): JsonSchema {
  return { ...binarySchema(resolveAlone(schema, view) ?? schema), type: 'string' };
}

/** Models write plain text better than base64. */
function rawTextSchema(schema: JsonSchema, view: SchemaView): JsonSchema {
  const own = resolveAlone(schema, view);
  const words = isSchemaObject(own) ? own.description : undefined;
  return { type: 'string', description: inTurn(words, 'Text as it is, or any bytes as a base64 data: URI.') };
}

/** The runtime sends text unchanged, so the argument is always a string. */
export function textSchema(
  schema: JsonSchema,
  view: SchemaView,
  description: string | undefined,
): JsonSchema {
  const resolved = resolveAlone(schema, view);
  if (isSchemaObject(resolved) && (resolved.type === 'string' || Array.isArray(resolved.enum))) return schema;
  return { type: 'string', ...definedMembers({ description }) };
}
