/** What a handler returned, as a tool's result. */
import type { ContentBlock } from '../../protocol/content.ts';
import { isRecord } from '../../protocol/json-rpc.ts';
import { isContents } from '../resources/own-contents.ts';
import type { Json } from '../../schema/json-schema.ts';
import { ownResult } from '../own-result.ts';
import type { LooseResult } from './do-tool.ts';

const KINDS = new Set<unknown>(['text', 'image', 'audio', 'resource', 'resource_link']);

/**
 * A full result stays one; content blocks become its content; a string its text; any other value is JSON text, and
 * structured content where the tool has an output schema.
 */
export function toResult(returned: unknown, isStructured: boolean): LooseResult {
  if (isResult(returned)) return ownResult(returned);
  if (isBlock(returned)) return { content: [returned] };
  if (Array.isArray(returned) && returned.length > 0 && returned.every(isBlock)) return { content: returned };
  // Undefined for a handler that had nothing to say.
  const json: string | undefined = JSON.stringify(returned);
  const value = json === undefined ? '' : (JSON.parse(json) as Json);
  const text = typeof value === 'string' ? value : (json ?? '');
  const content: LooseResult['content'] = text === '' ? [] : [{ type: 'text', text }];
  return isStructured ? { content, structuredContent: value } : { content };
}

function isResult(value: unknown): value is LooseResult {
  if (!isRecord(value) || !Array.isArray(value['content']) || !value['content'].every(isBlock)) return false;
  const { isError = false, _meta: meta = {} } = value;
  return typeof isError === 'boolean' && isRecord(meta);
}

export function isBlock(value: unknown): value is ContentBlock {
  return isRecord(value) && KINDS.has(value['type']) && hasBody(value);
}

/** So that data which happens to have a `type` of `text` stays data. */
function hasBody({ type, text, data, mimeType, resource, uri, name }: Record<string, unknown>): boolean {
  if (type === 'text') return typeof text === 'string';
  if (type === 'resource') return isContents(resource);
  if (type === 'resource_link') return typeof uri === 'string' && typeof name === 'string';
  return typeof data === 'string' && typeof mimeType === 'string';
}
