// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What functions return, as the result of a tool, a resource or a prompt. */
import type { Call } from '../../feature.ts';
import { isRecord, writeJson } from '../../json-rpc.ts';
import { contentsOf } from '../resources.ts';
import { isContent, isContents } from '../../results.ts';
import { outcomeOf } from '../../tools.ts';
import type { Json, Outcome } from '../../types.ts';
import type { FunctionBinding } from './binding.ts';
import { toBuffer } from './codec.ts';
import { toJson } from './encode.ts';

export function toolOutcome(
  value: unknown,
  { result = {} }: FunctionBinding,
  { name, request }: Call,
): Outcome {
  const { codecs } = request.server.bindings;
  const { as = 'content', mimeType, wrapped = false, codec } = result;
  if (as === 'full') return outcomeOf(toJson(value, codec, codecs), {});
  if (as !== 'json') {
    const bytes = as === 'bytes' ? toBuffer(value) : undefined;
    // Embedded contents must have a URI (MCP, "Embedded Resources"), although this one can't be read.
    const uri = `result://${name}`;
    if (bytes !== undefined && mimeType !== undefined) {
      const data = bytes.toString('base64');
      const [, family] = /^(image|audio)\//.exec(mimeType) ?? [];
      if (family === 'image' || family === 'audio')
        return { result: { content: [{ type: family, data, mimeType }] } };
      return { result: { content: [{ type: 'resource', resource: { uri, mimeType, blob: data } }] } };
    }
    if (as === 'text' && typeof value === 'string' && mimeType !== undefined)
      return { result: { content: [{ type: 'resource', resource: { uri, mimeType, text: value } }] } };
    const data = toJson(value, codec ?? { kind: 'any' }, codecs);
    // An object is structured content too, even without an output schema.
    if (!isRecord(data) || isContent(data) || Array.isArray(data['content'])) return outcomeOf(data, {});
    return dataOutcome(data, false);
  }
  return dataOutcome(toJson(value, codec, codecs), wrapped);
}

function dataOutcome(data: Json | undefined, isWrapped: boolean): Outcome {
  if (data === undefined)
    return isWrapped ? { result: { content: [], structuredContent: {} } } : outcomeOf(data, {});
  const text = typeof data === 'string' ? data : writeJson(data);
  const structuredContent = isWrapped ? { result: data } : data;
  return { result: { content: [{ type: 'text', text }], structuredContent } };
}

/** `undefined` and `null` mean that there is no such resource. */
export function resourceOutcome(
  value: unknown,
  { result: { as, codec, mimeType } = {} }: FunctionBinding,
  { request }: Call,
  uri: string,
): Outcome | undefined {
  if (value === undefined || value === null) return undefined;
  const isOwnForm =
    typeof value === 'string' || toBuffer(value) !== undefined || [value].flat().every(isContents);
  if (as !== 'json' && isOwnForm) return contentsOf(toBuffer(value) ?? value, uri, mimeType);
  const json = toJson(
    value,
    as === 'json' ? codec : (codec ?? { kind: 'any' }),
    request.server.bindings.codecs,
  );
  return contentsOf(json === undefined ? undefined : writeJson(json), uri, mimeType);
}
