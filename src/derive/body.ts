/** How a request body becomes arguments: which media type is sent, and whether its properties stand alone. */
import type { BodyKind } from '../../templates/runtime/bindings.ts';
import type { JsonSchema } from '../../templates/runtime/schema/json-schema.ts';
import { isSchemaObject } from '../model/schema-walk.ts';
import type { MediaType, RequestBody } from '../model/source-model.ts';
import { flattenObject, type PlainObject } from './flatten.ts';
import { resolveAlone, type SchemaView } from './schema-view.ts';

/** What models write best comes first. */
const preference: readonly BodyKind[] = ['json', 'form', 'multipart', 'text', 'binary', 'xml'];

export type BodyShape =
  | { kind: 'flat'; media: MediaType; object: PlainObject }
  | { kind: 'whole'; media: MediaType; schema: JsonSchema };

/** `undefined` when the body offers nothing. */
export function shapeOfBody(body: RequestBody, view: SchemaView): BodyShape | undefined {
  const media = chooseMediaType(body.content);
  if (media === undefined) return undefined;
  const object = flattens(media.kind) ? flatBody(media.schema, view) : undefined;
  if (object !== undefined) return { kind: 'flat', media, object };
  return { kind: 'whole', media, schema: wholeSchema(media, view) };
}

function flatBody(schema: JsonSchema, view: SchemaView): PlainObject | undefined {
  const object = flattenObject(view.of(schema), view);
  if (object === undefined) return undefined;
  for (const name of object.required) {
    // Required but described nowhere: an argument that accepts anything.
    if (!object.properties.has(name)) object.properties.set(name, {});
  }
  return object;
}

/** The first media type of the most preferred family. */
export function chooseMediaType(content: readonly MediaType[]): MediaType | undefined {
  for (const kind of preference) {
    const found = content.find((media) => media.kind === kind);
    if (found !== undefined) return found;
  }
  return undefined;
}

function flattens(kind: BodyKind): boolean {
  return kind === 'json' || kind === 'form' || kind === 'multipart';
}

function wholeSchema({ kind, schema }: MediaType, view: SchemaView): JsonSchema {
  if (kind === 'binary') return binarySchema(schema);
  if (kind === 'xml') return textSchema(view.of(schema), view, 'An XML document.');
  if (kind === 'text') return textSchema(view.of(schema), view, undefined);
  return view.of(schema);
}

/** Text travels as it is, so the argument is a string whatever the document says of it. */
function textSchema(schema: JsonSchema, view: SchemaView, description: string | undefined): JsonSchema {
  const resolved = resolveAlone(schema, view);
  if (isSchemaObject(resolved) && (resolved.type === 'string' || Array.isArray(resolved.enum))) return schema;
  return { type: 'string', ...(description === undefined ? {} : { description }) };
}

/** Bytes travel through JSON as base64; the binding says that they are to be decoded. */
export function binarySchema(schema: JsonSchema): JsonSchema {
  const words = 'Bytes as base64 or as a data: URI.';
  const own = isSchemaObject(schema) && typeof schema.description === 'string' ? schema.description : '';
  return { type: 'string', description: own === '' ? words : `${own} ${words}` };
}

/** A string of bytes: `format: binary` (3.0), `contentMediaType` (3.1), or a part declared to be bytes. */
export function isBinary(schema: JsonSchema, contentType: string | undefined): boolean {
  if (!isSchemaObject(schema)) return schema && isByteType(contentType);
  if (schema.format === 'binary') return true;
  if (typeof schema.contentMediaType === 'string') {
    return schema.contentEncoding === undefined && isByteType(schema.contentMediaType);
  }
  return isStringOrAnything(schema) && isByteType(contentType);
}

function isStringOrAnything({
  type,
  $ref,
  properties,
  contentEncoding,
}: Exclude<JsonSchema, boolean>): boolean {
  return (
    (type === 'string' || (type === undefined && $ref === undefined && properties === undefined)) &&
    contentEncoding === undefined
  );
}

function isByteType(contentType: string | undefined): boolean {
  const [first = ''] = (contentType ?? 'text/plain').split(',');
  return !/^\s*text\/|[/+](json|xml|yaml)\b|x-www-form-urlencoded/i.test(first);
}
