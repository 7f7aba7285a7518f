import type { ReadContext } from '../read-context.ts';
import { readBody } from './body.ts';
import { type OperationParts, operationServers } from './operation.ts';
import { readParameter } from './parameter.ts';
import { readParameters } from './parameters.ts';
import type { OperationEntry } from './path-items.ts';
import { readHeader } from './response-headers.ts';
import { readResponseContent, readResponses } from './responses.ts';

export function readOpenApi3Parts(
  context: ReadContext,
  entry: OperationEntry,
  label: string,
): OperationParts {
  const { operation } = entry;
  return {
    parameters: readParameters(context, { ...entry, label }, readParameter),
    body: readBody(context, operation, label),
    responses: readResponses(context, entry, label, { content: readResponseContent, header: readHeader }),
    servers: operationServers(context, entry),
  };
}
