/** A tool's result as the contents of the resource that reads the same. */
import type { ContentBlock, ResourceContents } from '../../protocol/content.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../protocol/protocol-error.ts';
import type { LooseResult } from '../tools/do-tool.ts';

/** @throws {ProtocolError} `-32603` with the result's words when the tool failed. */
export function toContents(
  { content, structuredContent, isError }: LooseResult,
  uri: string,
): ResourceContents[] {
  if (isError === true) {
    const words = content.flatMap((block) => (block.type === 'text' ? block.text : []));
    throw new ProtocolError(INTERNAL_ERROR, words.join('\n') || 'The resource can not be read.', 'work', {
      uri,
    });
  }
  const mimeType = structuredContent === undefined ? 'text/plain' : 'application/json';
  return content.map((block) => contentsOf(block, uri, mimeType));
}

function contentsOf(block: ContentBlock, uri: string, mimeType: string): ResourceContents {
  switch (block.type) {
    case 'text':
      return { uri, mimeType, text: block.text };
    case 'image':
    case 'audio':
      return { uri, mimeType: block.mimeType, blob: block.data };
    case 'resource':
      return { ...block.resource, uri };
    case 'resource_link':
      return { uri, mimeType: 'text/uri-list', text: block.uri };
  }
}
