/** What the project's own code read, as a resource's contents. */
import { isRecord } from '../../contract/json-value.ts';
import type { ResourceContents } from '../../protocol/content.ts';

/**
 * Undefined when it says that there is no such resource.
 *
 * @throws {Error} when `answer` is nothing that a reader may give
 */
export function ownContents(
  answer: unknown,
  uri: string,
  mimeType: string | undefined,
): ResourceContents[] | undefined {
  if (answer === undefined) return undefined;
  if (typeof answer === 'string') return [{ uri, mimeType: mimeType ?? 'text/plain', text: answer }];
  if (answer instanceof Uint8Array) return [blobOf(answer, uri, mimeType)];
  const contents: unknown[] = [answer].flat();
  if (contents.length === 0) return undefined;
  if (contents.every(isContents)) return contents;
  throw new Error(`What was read at ${uri} is no text, no bytes and no resource contents.`);
}

function blobOf(bytes: Uint8Array, uri: string, mimeType: string | undefined): ResourceContents {
  if (mimeType === undefined)
    throw new Error(`What was read at ${uri} is bytes, but no \`mimeType\` is listed.`);
  const { buffer, byteOffset, byteLength } = bytes;
  return { uri, mimeType, blob: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
}

export function isContents(value: unknown): value is ResourceContents {
  if (!isRecord(value) || typeof value['uri'] !== 'string') return false;
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string';
}
