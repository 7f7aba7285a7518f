/** What a function returned, as its binding says it is to be read. */
import { isRecord } from '../contract/json-value.ts';
import type { FunctionBinding } from '../contract/bindings.ts';
import type { ContentBlock, LooseResult } from '../protocol/content.ts';
import { isContent, isPlain } from '../core/handler-result.ts';
import { bytesOf } from './scalars.ts';
import { toJson, assertJsonSerializable, writeSerializable } from './to-json.ts';
import type { Json } from '../contract/json-schema.ts';
import { readJson, writeJson } from '../contract/json-text.ts';
import type { Context } from '../definition.ts';
import type { Codecs } from './union-branches.ts';

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
  if (typeof data !== 'string') writeSerializable(data);
  return data;
}

function fullResult(result: unknown): unknown {
  if (isRecord(result)) writeSerializable(result['structuredContent'], ['structuredContent']);
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
  assertJsonSerializable(value);
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

type AnyIterator = AsyncIterator<unknown> | Iterator<unknown>;

/** A generator is its own; any other async iterable has one. */
function iteratorOf(given: AnyIterator | AsyncIterable<unknown>): AnyIterator {
  return Symbol.asyncIterator in given ? given[Symbol.asyncIterator]() : given;
}

/** What it returns; what it yields is told as progress. */
export async function drain(generator: AnyIterator, context: Context): Promise<unknown> {
  return run(generator, context, (value, count) => tell(value, count, context));
}

/**
 * What it yields, as a list. Progress is how many there are, and texts: of anything else a part may be one that stays
 * inside.
 */
export async function drainItems(
  generator: AnyIterator | AsyncIterable<unknown>,
  context: Context,
): Promise<unknown[]> {
  const items: unknown[] = [];
  await run(iteratorOf(generator), context, (value, count) => {
    items.push(value);
    return context.progress(count, undefined, typeof value === 'string' ? value : undefined);
  });
  return items;
}

/** Ends the generator when the call is cancelled: its `finally` blocks run. */
async function run(
  generator: AnyIterator,
  context: Context,
  take: (value: unknown, count: number) => Promise<void>,
): Promise<unknown> {
  for (let count = 1; ; count += 1) {
    const step: IteratorResult<unknown> = await generator.next();
    if (step.done === true) return step.value;
    if (context.signal.aborted) {
      await generator.return?.();
      return undefined;
    }
    await take(step.value, count);
  }
}

/**
 * A number is how far it has come, a text what it is doing, `{ progress, total?, message? }` both; any other value is
 * told as JSON text, and its place in the row as the progress.
 */
async function tell(value: unknown, count: number, { progress }: Context): Promise<void> {
  if (typeof value === 'number') return progress(value);
  if (typeof value === 'string') return progress(count, undefined, value);
  if (isRecord(value) && typeof value['progress'] === 'number') {
    const { progress: done, total, message } = value;
    return progress(
      done as number,
      typeof total === 'number' ? total : undefined,
      typeof message === 'string' ? message : undefined,
    );
  }
  return progress(count, undefined, value === undefined ? undefined : writeJson(value));
}
