/** What a function returned, as its binding says it is to be read. */
import { isRecord } from '../contract/json-value.ts';
import type { FunctionBinding } from '../contract/bindings.ts';
import type { ContentBlock } from '../protocol/content.ts';
import type { LooseResult } from '../protocol/content.ts';
import type { Codecs } from './revive.ts';
import { isContent, isPlain } from '../core/tools/to-result.ts';
import { bytesOf } from './scalars.ts';
import { toJson } from './to-json.ts';
import { refuseUnsayable, writeSayable } from './unsayable.ts';
import type { Json } from '../contract/json-schema.ts';
import { readJson, writeJson } from '../contract/json-text.ts';

/** For a tool: a full result where the value alone would be read otherwise; else the value itself. */
export function resultContent(
  value: unknown,
  { result: { as = 'content', mimeType, wrapped = false, codec } = {} }: FunctionBinding,
  tool: string,
  codecs: Codecs,
): unknown {
  if (as === 'json') return dataResult(toJson(value, codec, codecs), wrapped);
  if (as === 'full') return fullResult(toJson(value, codec, codecs));
  const bytes = as === 'bytes' ? bytesOf(value) : undefined;
  if (bytes !== undefined && mimeType !== undefined) return { content: [bytesBlock(bytes, mimeType, tool)] };
  if (as === 'text' && typeof value === 'string' && mimeType !== undefined)
    return { content: [{ type: 'resource', resource: { uri: uriOf(tool), mimeType, text: value } }] };
  if (isContent(value)) return value;
  const data = toJson(value, codec ?? { kind: 'any' }, codecs);
  // Of an object a program can make more than of its text, also where no schema says what it is.
  if (isRecord(data) && !isContent(data)) return dataResult(data, false);
  // A text is said as it is, however long.
  if (typeof data !== 'string') writeSayable(data);
  return data;
}

function fullResult(result: unknown): unknown {
  if (isRecord(result)) writeSayable(result['structuredContent'], ['structuredContent']);
  return result;
}

function dataResult(value: unknown, wrapped: boolean): LooseResult {
  const json: string | undefined = writeJson(value);
  if (json === undefined) return wrapped ? { content: [], structuredContent: {} } : { content: [] };
  const data = isPlain(value) ? value : reread(value, json);
  const text = typeof data === 'string' ? data : json;
  return { content: [{ type: 'text', text }], structuredContent: wrapped ? { result: data } : data };
}

function reread(value: unknown, json: string): Json {
  refuseUnsayable(value);
  return readJson(json) as Json;
}

function bytesBlock(bytes: Buffer, mimeType: string, tool: string): ContentBlock {
  const data = bytes.toString('base64');
  const family = /^(image|audio)\//.exec(mimeType)?.[1];
  if (family === 'image' || family === 'audio') return { type: family, data, mimeType };
  return { type: 'resource', resource: { uri: uriOf(tool), mimeType, blob: data } };
}

/** Nothing can be read there; embedded contents must have a URI (MCP, "Embedded Resources"). */
function uriOf(tool: string): string {
  return `result://${tool}`;
}
