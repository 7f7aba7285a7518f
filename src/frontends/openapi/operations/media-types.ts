import type { BodyKind } from '../../../model/bindings.ts';
import { mediaTypeEssence, isJsonType, isJsonLinesType } from '../../../util/http-syntax.ts';
import type { Json, JsonSchema } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import type { MediaType, RequestBody } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { readPropertyRules } from '../document/x-mcp.ts';
import { readExampleValue } from '../document/document-value.ts';
import { readCleanText } from '../document/record.ts';
import {
  type ReadContext,
  readFlag,
  resolveRecordNode,
  readOnceAndShare,
  reportInvalidValue,
} from '../read-context.ts';
import {
  type RecordNode,
  isRecordNode,
  listMemberNodes,
  memberNode,
  nodeOrigin,
} from '../reference/source-node.ts';
import { readEncodings } from './encodings.ts';
import { tryParseJson } from '../../../util/try-parse-json.ts';

export function listContentEntries(
  context: ReadContext,
  owner: RecordNode,
): { mediaType: string; node: RecordNode }[] {
  const content = resolveRecordNode(context, memberNode(owner, 'content'), '`content`');
  return listMemberNodes(content).flatMap(([mediaType, mediaNode]) => {
    if (mediaType.startsWith('x-')) return [];
    // `application/json:` without a value is a common slip for "no schema".
    const node =
      mediaNode.value === null
        ? { ...mediaNode, value: {} }
        : resolveRecordNode(context, mediaNode, `The media type ${mediaType}`);
    return node === undefined ? [] : [{ mediaType, node }];
  });
}

/** `itemSchema` (OpenAPI 3.2) describes a list; if both are given, both apply. */
export function readMediaTypeSchema(context: ReadContext, node: RecordNode): JsonSchema | undefined {
  const schemaNode = memberNode(node, 'schema');
  const item = memberNode(node, 'itemSchema');
  const schema = schemaNode.value === undefined ? undefined : context.schemas.readSchema(schemaNode);
  if (item.value === undefined) return schema;
  const list: JsonSchema = { type: 'array', items: context.schemas.readSchema(item) };
  return schema === undefined ? list : { type: 'array', allOf: [schema, list] };
}

export function readMediaType(context: ReadContext, mediaType: string, node: RecordNode): MediaType {
  const schema = readMediaTypeSchema(context, node);
  const kind = findBodyKind(mediaType, schema ?? true);
  const sent = kind === 'binary' ? readBytesSchema(context, node, schema) : textOrAnySchema(schema, kind);
  // What a reference leads to was read as bytes.
  const isBytes = isRecord(schema) && schema.$ref !== undefined && sent !== schema;
  // Only text or bytes of another format can carry the members: CBOR, protocol buffers, YAML.
  const isFormat = kind === 'binary' || (kind === 'text' && textual.test(mediaTypeEssence(mediaType)));
  return {
    origin: nodeOrigin(node),
    mediaType,
    kind,
    schema: sent,
    ...(!isBytes && isFormat && isObjectOrArraySchema(schema ?? true) && { isUnwritten: true }),
    ...readExamples(context, node, mediaType),
    ...omitUndefined({
      encoding: readEncodings(context, node, mediaType),
      rules: readPropertyRules(context, memberNode(node, 'schema')),
    }),
    // OpenAPI 3.1, "Encoding Object": a part without a type is `application/octet-stream`.
    ...(kind === 'multipart' && node.document.version !== '3.0' ? { untypedParts: 'bytes' } : {}),
  };
}

function textOrAnySchema(schema: JsonSchema = true, kind: MediaType['kind']): JsonSchema {
  const isText = isRecord(schema) && (schema.type === 'string' || schema.$ref !== undefined);
  return kind === 'text' && !isText ? { type: 'string' } : schema;
}

const PLAIN_KEYWORDS = new Set(['type', 'title', 'description', 'example', 'examples']);

/**
 * Bytes stay bytes whatever the schema says (often `{}` since 3.1), also `format: byte` before 3.1; `contentEncoding` of 3.1 says that
 * base64 is on the wire. A string without a format may be text as well; in Swagger 2.0, where all media types have one schema, only if it
 * says more than that.
 */
function readBytesSchema(context: ReadContext, node: RecordNode, schema: JsonSchema | undefined): JsonSchema {
  const { type, format, contentEncoding, $ref, description } = isRecord(schema) ? schema : {};
  const docs = omitUndefined({ description });
  if (format === 'base64') return { type: 'string', contentEncoding: 'base64', ...docs };
  const { version } = node.document;
  const isOld = version === '2.0' || version === '3.0';
  const target = context.resolver.followReference(memberNode(node, 'schema'))?.value;
  const isByte = isOld && isRecord(target) && target['format'] === 'byte';
  const saysMore = Object.keys(schema ?? {}).some((key) => !PLAIN_KEYWORDS.has(key));
  const isPlain = type === 'string' && format === undefined && contentEncoding === undefined;
  const isText = isPlain && (version !== '2.0' || saysMore);
  const isEncoded = contentEncoding !== undefined && !isOld;
  const isKept = isText || isEncoded || ($ref !== undefined && !isByte);
  return isKept && schema !== undefined ? schema : { type: 'string', format: 'binary', ...docs };
}

const textual = /^application\/(?:x-)?(?:ya?ml|javascript|sql|graphql|sh|toml)$|\+ya?ml$/;
const bytes =
  /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip|x-tar|x-gzip|vnd\.openxml|wasm)/;

/** A wildcard is JSON unless the schema is bytes. */
function findBodyKind(mediaType: string, schema: JsonSchema): BodyKind {
  const type = mediaTypeEssence(mediaType);
  if (type === '*/*' || type === 'application/*' || type === '')
    return typeof schema === 'object' && schema.format === 'binary' ? 'binary' : 'json';
  if (isJsonType(type) || isJsonLinesType(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (/^(?:application|text)\/xml$|\+xml$/.test(type)) return 'xml';
  if (type.startsWith('text/') || textual.test(type)) return 'text';
  if (bytes.test(type)) return 'binary';
  // `application/vnd.example.json`.
  return /json/.test(type) && isObjectOrArraySchema(schema) ? 'json' : 'binary';
}

function isObjectOrArraySchema(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false;
  const { type } = schema;
  if (type === 'object' || type === 'array') return true;
  return (
    type === undefined &&
    (schema.$ref !== undefined || schema.allOf !== undefined || schema.properties !== undefined)
  );
}

export function readBody(
  context: ReadContext,
  operation: RecordNode,
  label: string,
): RequestBody | undefined {
  const body = readDeclaredBody(context, operation, label);
  const bodiless = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE) /.test(label);
  // Generators often give every operation a body. An empty object on a GET would only make the request invalid.
  return body !== undefined &&
    bodiless &&
    !body.required &&
    body.content.every(({ schema }) => isEmptyObject(schema))
    ? undefined
    : body;
}

const silent = new Set(['type', 'properties', 'additionalProperties', 'title', 'description', 'example']);

function isEmptyObject(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean' || schema.type !== 'object') return false;
  const { properties, additionalProperties } = schema;
  if (Object.keys(properties ?? {}).length > 0) return false;
  // `type: object` alone accepts any members.
  const closed =
    additionalProperties === false || (properties !== undefined && additionalProperties === undefined);
  return closed && Object.keys(schema).every((keyword) => silent.has(keyword));
}

function readDeclaredBody(
  context: ReadContext,
  operation: RecordNode,
  label: string,
): RequestBody | undefined {
  const node = resolveRecordNode(context, memberNode(operation, 'requestBody'), `The body of ${label}`);
  if (node === undefined) return undefined;
  return readOnceAndShare(context, node, 'body', () => readBodyObject(context, node, label));
}

function readBodyObject(context: ReadContext, node: RecordNode, label: string): RequestBody | undefined {
  const content = listContentEntries(context, node).map(({ mediaType, node: entry }) =>
    readMediaType(context, mediaType, entry),
  );
  if (content.length === 0) {
    const contentNode = memberNode(node, 'content');
    // A fault in a non-empty `content` was reported where it was read.
    const isTold = isRecord(contentNode.value) && Object.keys(contentNode.value).length > 0;
    const what = `\`content\` of the body of ${label}`;
    if (!isTold) reportInvalidValue(context, contentNode, what, 'an object with at least one media type');
    return undefined;
  }
  return {
    origin: nodeOrigin(node),
    required: readFlag(context, node, 'required') === true,
    ...omitUndefined({ description: readCleanText(node.value.description) }),
    content,
  };
}

export type ReadExamples = Pick<MediaType, 'example' | 'secondExample'>;

/** Reads examples; their `serializedValue` is parsed by `mediaType`. */
export function readExamples(context: ReadContext, node: RecordNode, mediaType?: string): ReadExamples {
  const { examples } = node.value;
  // Swagger 2.0 has no examples of parameters and headers, and `x-example` is customary.
  const custom = node.document.version === '2.0' ? node.value['x-example'] : undefined;
  const singleExample = node.value.example ?? custom;
  if (singleExample === undefined && examples === undefined) return {};
  const single = readExampleValue(singleExample, node.document);
  const [example, secondExample] =
    single === undefined ? readNamedExamples(context, node, mediaType) : [single];
  return omitUndefined({ example, secondExample });
}

/** Reads the first two examples that have a value. */
function readNamedExamples(context: ReadContext, owner: RecordNode, mediaType: string | undefined): Json[] {
  const examples = memberNode(owner, 'examples');
  const examplesList: Json[] = [];
  if (!isRecordNode(examples)) return examplesList;
  for (const [name, exampleNode] of listMemberNodes(examples)) {
    const node = isRecordNode(exampleNode)
      ? resolveRecordNode(context, exampleNode, `The example ${name}`, 'example')
      : undefined;
    const value = node && readExampleObject(node, mediaType);
    if (value !== undefined) examplesList.push(value);
    if (examplesList.length === 2) break;
  }
  return examplesList;
}

/** An `externalValue` is not fetched. */
function readExampleObject({ value: example, document }: RecordNode, mediaType = ''): Json | undefined {
  const { dataValue, value, serializedValue } = example;
  const exampleValue = readExampleValue(dataValue ?? value, document);
  if (exampleValue !== undefined || typeof serializedValue !== 'string') return exampleValue;
  return isJsonType(mediaType) ? (tryParseJson(serializedValue) as Json | undefined) : serializedValue;
}
