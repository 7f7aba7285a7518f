import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import type { ResponseContent } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { ownMember } from '../document/record.ts';
import { listArrayItems, type ReadContext } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  isRecordNode,
  memberNode,
  rootNode,
} from '../reference/source-node.ts';
import { readExampleValue } from '../document/document-value.ts';
import type { OperationParts } from '../operations/operation.ts';
import { readParameters } from '../operations/parameters.ts';
import type { OperationEntry } from '../operations/path-items.ts';
import { readResponses } from '../operations/responses.ts';
import { readSwaggerBody } from './body.ts';
import { readSwaggerHeaderSchema, readSwaggerParameter } from './parameter.ts';
import { swaggerServers } from '../document/servers.ts';

export function readSwaggerOperationParts(
  context: ReadContext,
  entry: OperationEntry,
  label: string,
): OperationParts {
  const owner = { ...entry, label };
  const consumes = readMediaTypes(context, entry.operation, 'consumes', label);
  const produces = readMediaTypes(context, entry.operation, 'produces', label);
  const readResponseContent = (_: ReadContext, response: RecordNode): ResponseContent[] =>
    readContentOfResponse(context, response, produces);
  return {
    parameters: readParameters(context, owner, readSwaggerParameter),
    body: readSwaggerBody(context, owner, consumes),
    responses: readResponses(
      context,
      entry,
      label,
      { content: readResponseContent, header: readSwaggerHeaderSchema },
      produces.join(),
    ),
    servers: readServersOfSchemes(context, entry),
  };
}

function readMediaTypes(
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

function readContentOfResponse(
  context: ReadContext,
  response: RecordNode,
  produces: string[],
): ResponseContent[] {
  const schema = memberNode(response, 'schema');
  if (schema.value === undefined) return [];
  const examples = memberNode(response, 'examples');
  const read = context.schemas.readSchema(schema);
  const isFile = isRecordNode(schema) && schema.value.type === 'file';
  const fallback = isFile ? 'application/octet-stream' : 'application/json';
  const types = produces.length === 0 ? [fallback] : produces;
  return types.map((mediaType) => ({ mediaType, schema: read, ...readContentExample(mediaType, examples) }));
}

function readContentExample(
  mediaType: string,
  { value, document }: SourceNode,
): Pick<ResponseContent, 'example'> {
  const example = isRecord(value) ? ownMember(value, mediaType) : undefined;
  return omitUndefined({ example: readExampleValue(example, document) });
}

function readServersOfSchemes(
  context: ReadContext,
  { operation }: OperationEntry,
): OperationParts['servers'] {
  const { schemes } = operation.value;
  const root = rootNode(context.entry);
  if (!Array.isArray(schemes) || !isRecordNode(root)) return undefined;
  const operationServers = swaggerServers({ ...root.value, schemes }, context.entry.base);
  return operationServers.length === 0 ||
    operationServers.map(({ url }) => url).join(' ') ===
      swaggerServers(root.value, context.entry.base)
        .map(({ url }) => url)
        .join(' ')
    ? undefined
    : operationServers;
}
