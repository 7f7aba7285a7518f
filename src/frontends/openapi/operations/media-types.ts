import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { JsonSchema } from '../../../../templates/runtime/contract/json-schema.ts';
import type { MediaType } from '../../../model/source-model.ts';
import { type ReadContext, readRecord } from '../read-context.ts';
import { type RecordNode, memberOf, originOf } from '../reference/source-node.ts';
import { bodyKindOf } from './body-kind.ts';
import { readEncodings } from './encodings.ts';
import { readExample } from './examples.ts';

/** Lists media types in the document's order, with references (OpenAPI 3.2) followed. */
export function contentEntries(
  context: ReadContext,
  owner: RecordNode,
): { mediaType: string; node: RecordNode }[] {
  const content = readRecord(context, memberOf(owner, 'content'), '`content`');
  return Object.keys(content?.value ?? {}).flatMap((mediaType) => {
    if (content === undefined || mediaType.startsWith('x-')) return [];
    const written = memberOf(content, mediaType);
    // `application/json:` without a value is a common slip for "no schema".
    const node =
      written.value === null
        ? { ...written, value: {} }
        : readRecord(context, written, `The media type ${mediaType}`);
    return node === undefined ? [] : [{ mediaType, node }];
  });
}

/** `itemSchema` (OpenAPI 3.2) describes a list; if both are given, both apply. */
export function mediaTypeSchema(context: ReadContext, node: RecordNode): JsonSchema | undefined {
  const written = memberOf(node, 'schema');
  const item = memberOf(node, 'itemSchema');
  const schema = written.value === undefined ? undefined : context.schemas.read(written);
  if (item.value === undefined) return schema;
  const list: JsonSchema = { type: 'array', items: context.schemas.read(item) };
  return schema === undefined ? list : { type: 'array', allOf: [schema, list] };
}

export function readMediaType(context: ReadContext, mediaType: string, node: RecordNode): MediaType {
  const written = mediaTypeSchema(context, node);
  const kind = bodyKindOf(mediaType, written ?? true);
  return {
    origin: originOf(node),
    mediaType,
    kind,
    schema: bodySchema(written, kind),
    ...readEncodings(context, node, mediaType),
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

/** Bytes stay bytes whatever the schema says (often `{}` since 3.1); base64 on the wire stays text. */
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
