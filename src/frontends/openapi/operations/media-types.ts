import { isHttpToken } from '../../../../templates/runtime/protocol/http-token.ts';
import type { EncodingBinding } from '../../../../templates/runtime/bindings.ts';
import type { JsonSchema } from '../../../../templates/runtime/schema/json-schema.ts';
import type { MediaType } from '../../../model/source-model.ts';
import { isRecord, setOwn } from '../document/record.ts';
import { type ReadContext, readRecord } from '../read-context.ts';
import { type RecordNode, keyOriginOf, memberOf, originOf } from '../reference/source-node.ts';
import { bodyKindOf } from './body-kind.ts';
import { readExample } from './examples.ts';
import { isStyle } from './parameter-style.ts';

/** The Media Type Objects of a `content`, references (OpenAPI 3.2) followed, in the document's order. */
export function contentEntries(
  context: ReadContext,
  owner: RecordNode,
): { mediaType: string; node: RecordNode }[] {
  const content = readRecord(context, memberOf(owner, 'content'), '`content`');
  return Object.keys(content?.value ?? {}).flatMap((mediaType) => {
    if (content === undefined || mediaType.startsWith('x-')) return [];
    const written = memberOf(content, mediaType);
    // `application/json:` without anything after it is the commonest slip; it means "no schema".
    const node =
      written.value === null
        ? { ...written, value: {} }
        : readRecord(context, written, `The media type ${mediaType}`);
    return node === undefined ? [] : [{ mediaType, node }];
  });
}

/** The schema of a media type; a sequence of items (OpenAPI 3.2) is a list of them. Where both are given, both hold. */
export function mediaTypeSchema(context: ReadContext, node: RecordNode): JsonSchema | undefined {
  const written = memberOf(node, 'schema');
  const item = memberOf(node, 'itemSchema');
  const schema = written.value === undefined ? undefined : context.schemas.read(written);
  if (item.value === undefined) return schema;
  const list: JsonSchema = { type: 'array', items: context.schemas.read(item) };
  return schema === undefined ? list : { type: 'array', allOf: [schema, list] };
}

/** One media type of a request body. */
export function readMediaType(context: ReadContext, mediaType: string, node: RecordNode): MediaType {
  const written = mediaTypeSchema(context, node);
  const kind = bodyKindOf(mediaType, written ?? true);
  const encoding = kind === 'form' || kind === 'multipart' ? readEncoding(context, node, kind) : undefined;
  return {
    origin: originOf(node),
    mediaType,
    kind,
    schema: bodySchema(written, kind),
    ...(encoding === undefined ? {} : { encoding }),
    ...readExample(context, node, mediaType),
    // OpenAPI 3.1, "Encoding Object": a part without a type is `application/octet-stream`.
    ...(kind === 'multipart' && node.document.version !== '3.0' ? { untypedParts: 'bytes' } : {}),
  };
}

function bodySchema(schema: JsonSchema | undefined, kind: MediaType['kind']): JsonSchema {
  if (kind === 'binary') return bytesSchema(schema);
  if (kind === 'text') return textSchema(schema);
  return schema ?? true;
}

/** Whatever the document says (often `{}` since 3.1), bytes are bytes; base64 on the wire stays text. */
function bytesSchema(schema: JsonSchema | undefined): JsonSchema {
  if (isRecord(schema) && (schema.contentEncoding !== undefined || schema.$ref !== undefined)) return schema;
  return isRecord(schema) && schema.description !== undefined
    ? { type: 'string', format: 'binary', description: schema.description }
    : { type: 'string', format: 'binary' };
}

function textSchema(schema: JsonSchema | undefined): JsonSchema {
  return isRecord(schema) && (schema.type === 'string' || schema.$ref !== undefined)
    ? schema
    : { type: 'string' };
}

/** How the properties of a form are written (Encoding Object). */
export function readEncoding(
  context: ReadContext,
  node: RecordNode,
  kind: 'form' | 'multipart',
): Record<string, EncodingBinding> | undefined {
  const written = readRecord(context, memberOf(node, 'encoding'), '`encoding`');
  const encoding: Record<string, EncodingBinding> = {};
  for (const name of Object.keys(written?.value ?? {})) {
    const entry = written && readRecord(context, memberOf(written, name), `The encoding of ${name}`);
    const binding = entry && readEncodingEntry(context, entry, kind);
    if (binding !== undefined && Object.keys(binding).length > 0) setOwn(encoding, name, binding);
  }
  return Object.keys(encoding).length === 0 ? undefined : encoding;
}

function readEncodingEntry(
  context: ReadContext,
  entry: RecordNode,
  kind: 'form' | 'multipart',
): EncodingBinding {
  const { contentType, style, explode, allowReserved } = entry.value;
  const headers = kind === 'multipart' ? fixedHeaders(context, entry) : undefined;
  return {
    ...(typeof contentType === 'string' ? { contentType } : {}),
    ...(isStyle(style) ? { style } : {}),
    ...(typeof explode === 'boolean' ? { explode } : {}),
    ...(allowReserved === true ? { allowReserved } : {}),
    ...(headers === undefined ? {} : { headers }),
  };
}

/** Only a header with one possible value can be sent; there is no argument for others, which is told. */
function fixedHeaders(context: ReadContext, entry: RecordNode): Record<string, string> | undefined {
  const written = readRecord(context, memberOf(entry, 'headers'), '`headers` of an encoding');
  const headers: Record<string, string> = {};
  for (const name of Object.keys(written?.value ?? {})) {
    const header = written && readRecord(context, memberOf(written, name), `The header ${name}`);
    const schema =
      header && readRecord(context, memberOf(header, 'schema'), `The schema of the header ${name}`);
    const { const: only, enum: choices, default: fallback } = schema?.value ?? {};
    const value: unknown = only ?? (Array.isArray(choices) && choices.length === 1 ? choices[0] : fallback);
    // The part's own fields say these ("Encoding Object": `Content-Type` "SHALL be ignored in this section").
    if (/^content-(?:type|disposition)$/i.test(name)) continue;
    if (isHttpToken(name) && isHeaderValue(value)) setOwn(headers, name, String(value));
    else if (written && header) reportHeader(context, name, written, header);
  }
  return Object.keys(headers).length === 0 ? undefined : headers;
}

function reportHeader(context: ReadContext, name: string, written: RecordNode, { value }: RecordNode): void {
  const kind = value.required === true ? 'required-part-header-left-out' : 'part-header-left-out';
  context.report(kind, { name }, { at: keyOriginOf(memberOf(written, name)) });
}

function isHeaderValue(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && /^[\t\u0020-\u007e]*$/.test(value));
}
