import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { type Rec } from '../document/record.ts';
import type { ReadContext } from '../read-context.ts';
import type { RecordNode } from '../reference/source-node.ts';
import { listedParameters } from './parameters.ts';
import type { OperationEntry } from './path-items.ts';

export function headerNamed(name: string, parameters: readonly RecordNode[]): RecordNode | undefined {
  return parameters.find(
    ({ value }) =>
      value.in === 'header' && typeof value.name === 'string' && value.name.toLowerCase() === name,
  );
}

/** The default comes first. Undefined if any type is allowed. */
export function mediaTypesIn({ default: first, enum: allowed }: Rec): string[] | undefined {
  const written: unknown[] = [first, ...(Array.isArray(allowed) ? (allowed as unknown[]) : [])];
  const types = new Set(written.filter((type) => typeof type === 'string' && isMediaType(type)) as string[]);
  return types.size === 0 ? undefined : [...types];
}

function isMediaType(text: string): boolean {
  return text.includes('/') && /^[ -~]+$/.test(text);
}

/** Reads the media types of a header parameter `Accept` of the operation, else of its path. */
export function acceptOfHeader(
  context: ReadContext,
  { layers, operation }: Pick<OperationEntry, 'layers' | 'operation'>,
  label: string,
): string[] | undefined {
  for (const level of [operation, ...layers.toReversed()]) {
    const nodes = listedParameters(context, level, label).map(({ node }) => node);
    const { value } = headerNamed('accept', nodes) ?? {};
    if (value !== undefined) return mediaTypesIn(isRecord(value.schema) ? value.schema : value);
  }
  return undefined;
}
