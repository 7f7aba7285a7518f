import { headerNamed, mediaTypesIn } from '../operations/media-type-header.ts';
import type { RecordNode } from '../reference/source-node.ts';

/**
 * The media types that a header parameter called `Content-Type` allows, its default first. Swagger 2.0 has no rule that
 * such a parameter is ignored, and it says more than `consumes`. Undefined where there is none, or it allows anything.
 */
export function contentTypesOfHeader(parameters: readonly RecordNode[]): string[] | undefined {
  const header = headerNamed('content-type', parameters);
  return header === undefined ? undefined : mediaTypesIn(header.value);
}
