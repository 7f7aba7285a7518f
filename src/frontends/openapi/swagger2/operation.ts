import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import type { Operation, ResponseContent } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { readExampleValue } from '../document/document-value.ts';
import { ownMember } from '../document/record.ts';
import { swaggerServers } from '../document/servers.ts';
import { listArrayItems, type ReadContext } from '../read-context.ts';
import { type RecordNode, isRecordNode, memberNode, rootNode } from '../reference/source-node.ts';

/** The media types of an operation, or of the document. */
export function readMediaTypes(
  context: ReadContext,
  operation: RecordNode,
  key: 'consumes' | 'produces',
  label: string,
): string[] {
  const root = rootNode(context.entry);
  const operationNode = memberNode(operation, key);
  const listNode =
    operationNode.value === undefined && isRecordNode(root) ? memberNode(root, key) : operationNode;
  return listArrayItems(context, listNode, `\`${key}\` of ${label}`)
    .map(({ value }) => value)
    .filter((type): type is string => typeof type === 'string' && type !== '');
}

export function readSwaggerContent(
  context: ReadContext,
  response: RecordNode,
  produces: readonly string[],
): ResponseContent[] {
  const schema = memberNode(response, 'schema');
  if (schema.value === undefined) return [];
  const { value: examples, document } = memberNode(response, 'examples');
  const read = context.schemas.readSchema(schema);
  const isFile = isRecordNode(schema) && schema.value.type === 'file';
  const types = produces.length > 0 ? produces : [isFile ? 'application/octet-stream' : 'application/json'];
  return types.map((mediaType) => {
    const example = isRecord(examples) ? ownMember(examples, mediaType) : undefined;
    return { mediaType, schema: read, ...omitUndefined({ example: readExampleValue(example, document) }) };
  });
}

/** The servers of an operation with `schemes` of its own. */
export function readServersOfSchemes(context: ReadContext, operation: RecordNode): Operation['servers'] {
  const { schemes } = operation.value;
  const { base, value: root } = context.entry;
  if (!Array.isArray(schemes) || !isRecord(root)) return undefined;
  const servers = swaggerServers({ ...root, schemes }, base);
  return servers.length === 0 || isDeepStrictEqual(servers, swaggerServers(root, base)) ? undefined : servers;
}
