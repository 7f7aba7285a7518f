import { headerNamed, mediaTypesIn } from '../operations/media-type-header.ts';
import type { RecordNode } from '../reference/source-node.ts';

/**
 * Reads the media types of a `Content-Type` header parameter. Swagger 2.0 does not forbid one, and it is more
 * specific than `consumes`.
 */
export function contentTypesOfHeader(parameters: readonly RecordNode[]): string[] | undefined {
  const header = headerNamed('content-type', parameters);
  return header === undefined ? undefined : mediaTypesIn(header.value);
}
