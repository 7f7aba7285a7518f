import type { RecordNode } from '../reference/source-node.ts';

/**
 * The media types that a header parameter called `Content-Type` allows, its default first. Swagger 2.0 has no rule that
 * such a parameter is ignored, and it says more than `consumes`. Undefined where there is none, or it allows anything.
 */
export function contentTypesOfHeader(parameters: readonly RecordNode[]): string[] | undefined {
  const header = parameters.find(({ value }) => isContentType(value));
  if (header === undefined) return undefined;
  const { default: first, enum: allowed } = header.value;
  const written: unknown[] = [first, ...(Array.isArray(allowed) ? (allowed as unknown[]) : [])];
  const types = new Set(written.filter((type) => typeof type === 'string' && type.includes('/')) as string[]);
  return types.size === 0 ? undefined : [...types];
}

function isContentType({ name, in: place }: RecordNode['value']): boolean {
  return place === 'header' && typeof name === 'string' && name.toLowerCase() === 'content-type';
}
