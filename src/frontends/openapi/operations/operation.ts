import type { Operation, Parameter, RequestBody, Response } from '../../../model/source-model.ts';
import { definedMembers } from '../../../util/defined-members.ts';
import type { SecurityReader } from '../document/security.ts';
import { readServers } from '../document/servers.ts';
import { wordsOf } from '../document/text.ts';
import { overlayXMcp, readXMcp } from '../document/x-mcp.ts';
import { type ReadContext, readList, readRecord, readText } from '../read-context.ts';
import { type RecordNode, childOf, memberOf, originOf } from '../reference/source-node.ts';
import { acceptOfHeader } from './media-type-header.ts';
import { type OperationEntry, pathField } from './path-items.ts';

export interface OperationParts {
  parameters: Parameter[];
  body: RequestBody | undefined;
  responses: Response[];
  servers: Operation['servers'];
}

export type OperationPartsReader = (
  context: ReadContext,
  entry: OperationEntry,
  label: string,
) => OperationParts;

/** Words of the path replace missing ones of the operation. */
export function readOperation(
  context: ReadContext,
  security: SecurityReader,
  entry: OperationEntry,
  readParts: OperationPartsReader,
): Operation {
  const { method, path, operation } = entry;
  const label = `${method} ${path}`;
  const { deprecated } = operation.value;
  const { parameters, body, responses, servers } = readParts(context, entry, label);
  reportCallbacks(context, operation, label);
  return {
    kind: 'operation',
    origin: originOf(operation),
    method,
    path,
    ...definedMembers({
      operationId: readText(context, memberOf(operation, 'operationId'), `\`operationId\` of ${label}`),
    }),
    ...readWords(context, entry),
    ...(deprecated === true ? { deprecated: true } : {}),
    tags: readTags(context, operation, label),
    parameters,
    ...definedMembers({ body }),
    responses,
    ...definedMembers({
      accept: hasContent(responses) ? undefined : acceptOfHeader(context, entry, label),
      security: security.read(operation),
      servers,
      xMcp: [...entry.layers, operation].map((level) => readXMcp(context, level)).reduce(overlayXMcp),
    }),
  };
}

function hasContent(responses: readonly Response[]): boolean {
  return responses.some(({ status, content }) => /^2|^default$/.test(status) && content.length > 0);
}

export function operationServers(
  context: ReadContext,
  { layers, operation }: OperationEntry,
): Operation['servers'] {
  for (const level of [operation, ...layers.toReversed()]) {
    const servers = readServers(context, level);
    if (servers !== undefined) return servers;
  }
  return undefined;
}

function readWords(context: ReadContext, entry: OperationEntry): Pick<Operation, 'summary' | 'description'> {
  const { operation } = entry;
  const { method, path } = entry;
  const summary = readText(context, memberOf(operation, 'summary'), `\`summary\` of ${method} ${path}`);
  const description = wordsOf(context.resolver.wordsBehind(memberOf(operation, 'description')));
  if (summary !== undefined || description !== undefined) return definedMembers({ summary, description });
  return definedMembers({
    summary: wordsOf(pathField(entry, 'summary')?.value),
    description: wordsOf(pathField(entry, 'description')?.value),
  });
}

function readTags(context: ReadContext, operation: RecordNode, label: string): string[] {
  const node = memberOf(operation, 'tags');
  const list = readList(context, node, `\`tags\` of ${label}`);
  const tags = list.map((tag, index) => readText(context, childOf(node, index, tag), `A tag of ${label}`));
  return [...new Set(tags.filter((tag) => tag !== undefined))];
}

function reportCallbacks(context: ReadContext, operation: RecordNode, label: string): void {
  const written = memberOf(operation, 'callbacks');
  if (written.value === undefined) return;
  const callbacks = readRecord(context, written, `\`callbacks\` of ${label}`);
  const names = Object.keys(callbacks?.value ?? {}).filter((name) => !name.startsWith('x-'));
  if (names.length === 0) return;
  const at = originOf(written);
  context.report('callbacks-left-out', { operation: label, names: names.join(', ') }, { at });
}
