import type { Operation } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { readCleanText } from '../document/record.ts';
import type { SecurityReader } from '../document/security.ts';
import { readServers } from '../document/servers.ts';
import { mergeXMcp, readXMcp } from '../document/x-mcp.ts';
import { type ReadContext, listArrayItems, readFlag, resolveRecordNode, readText } from '../read-context.ts';
import { type RecordNode, memberNode, nodeOrigin } from '../reference/source-node.ts';
import { readSwaggerBody } from '../swagger2/body.ts';
import { readMediaTypes, readServersOfSchemes } from '../swagger2/operation.ts';
import { readBody } from './media-types.ts';
import { readParameters } from './parameters.ts';
import { type OperationEntry, findPathField } from './path-items.ts';
import { readResponses } from './responses.ts';

export function readOperation(
  context: ReadContext,
  security: SecurityReader,
  entry: OperationEntry,
): Operation {
  const { method, path, operation } = entry;
  const label = `${method} ${path}`;
  const isSwagger = context.entry.version === '2.0';
  const owner = { ...entry, label };
  const parameters = readParameters(context, owner);
  const body = isSwagger ? readSwaggerBody(context, owner) : readBody(context, operation, label);
  const produces = isSwagger ? readMediaTypes(context, operation, 'produces', label) : undefined;
  const responses = readResponses(context, operation, label, produces);
  const servers = isSwagger ? readServersOfSchemes(context, operation) : operationServers(context, entry);
  reportCallbacks(context, operation, label);
  return {
    kind: 'operation',
    origin: nodeOrigin(operation),
    method,
    path,
    ...omitUndefined({
      operationId: readText(context, memberNode(operation, 'operationId'), `\`operationId\` of ${label}`),
    }),
    ...readSummaryAndDescription(context, entry),
    ...(readFlag(context, operation, 'deprecated') === true ? { deprecated: true } : {}),
    tags: readTags(context, operation, label),
    parameters,
    ...omitUndefined({ body }),
    responses,
    ...omitUndefined({
      security: security.readRequirements(operation),
      servers,
      xMcp: [...entry.layers, operation].map((level) => readXMcp(context, level)).reduce(mergeXMcp),
    }),
  };
}

function operationServers(context: ReadContext, { layers, operation }: OperationEntry): Operation['servers'] {
  for (const level of [operation, ...layers.toReversed()]) {
    const servers = readServers(context, level);
    if (servers !== undefined) return servers;
  }
  return undefined;
}

function readSummaryAndDescription(
  context: ReadContext,
  entry: OperationEntry,
): Pick<Operation, 'summary' | 'description'> {
  const { method, path, operation } = entry;
  const summary = readText(context, memberNode(operation, 'summary'), `\`summary\` of ${method} ${path}`);
  const description = readCleanText(operation.value.description);
  if (summary !== undefined || description !== undefined) return omitUndefined({ summary, description });
  return omitUndefined({
    summary: readCleanText(findPathField(entry, 'summary')?.value),
    description: readCleanText(findPathField(entry, 'description')?.value),
  });
}

function readTags(context: ReadContext, operation: RecordNode, label: string): string[] {
  const list = listArrayItems(context, memberNode(operation, 'tags'), `\`tags\` of ${label}`);
  const tags = list.map((tag) => readText(context, tag, `A tag of ${label}`));
  return [...new Set(tags.filter((tag) => tag !== undefined))];
}

function reportCallbacks(context: ReadContext, operation: RecordNode, label: string): void {
  const written = memberNode(operation, 'callbacks');
  if (written.value === undefined) return;
  const callbacks = resolveRecordNode(context, written, `\`callbacks\` of ${label}`);
  const names = Object.keys(callbacks?.value ?? {}).filter((name) => !name.startsWith('x-'));
  if (names.length === 0) return;
  const at = nodeOrigin(written);
  context.report('webhooks-left-out', { what: `The callbacks of ${label}`, names: names.join(', ') }, { at });
}
