import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import type { JsonSchema } from '../../../../templates/runtime/contract/json-schema.ts';
import type { RequestBody } from '../../../model/source-model.ts';
import { definedMembers } from '../../../util/defined-members.ts';
import { wordsOf } from '../document/text.ts';
import { type ReadContext, readRecord, readShared, reportPiece } from '../read-context.ts';
import { type RecordNode, memberOf, originOf } from '../reference/source-node.ts';
import { contentEntries, readMediaType } from './media-types.ts';

export function readBody(
  context: ReadContext,
  operation: RecordNode,
  label: string,
): RequestBody | undefined {
  const body = readAnyBody(context, operation, label);
  const bodiless = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE) /.test(label);
  return body !== undefined && bodiless && hasNothingToSend(body) ? undefined : body;
}

/** Generators often give every operation a body. An empty object on a GET would only make the request invalid. */
function hasNothingToSend({ content, required }: RequestBody): boolean {
  return !required && content.every(({ schema }) => isEmptyObject(schema));
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

function readAnyBody(context: ReadContext, operation: RecordNode, label: string): RequestBody | undefined {
  const node = readRecord(context, memberOf(operation, 'requestBody'), `The body of ${label}`);
  if (node === undefined) return undefined;
  return readShared(context, node, 'body', () => readBodyObject(context, node, label));
}

function readBodyObject(context: ReadContext, node: RecordNode, label: string): RequestBody | undefined {
  const content = contentEntries(context, node).map(({ mediaType, node: entry }) =>
    readMediaType(context, mediaType, entry),
  );
  if (content.length === 0) {
    const written = memberOf(node, 'content');
    // A fault in a non-empty `content` was reported where it was read.
    const isTold = isRecord(written.value) && Object.keys(written.value).length > 0;
    const what = `\`content\` of the body of ${label}`;
    if (!isTold) reportPiece(context, written, what, 'an object with at least one media type');
    return undefined;
  }
  return {
    origin: originOf(node),
    required: node.value.required === true,
    ...definedMembers({ description: wordsOf(node.value.description) }),
    content,
  };
}
