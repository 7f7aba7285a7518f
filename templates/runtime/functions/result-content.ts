// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Turns the result of a function into the result of its tool, as the binding says. */
import type { FunctionBinding } from '../contract/bindings.ts';
import type { ListedResource, ListedResourceTemplate } from '../contract/catalog.ts';
import type { Json } from '../contract/json-schema.ts';
import { isRecord, readJson, writeJson } from '../contract/json-value.ts';
import { type ContentBlock, type LooseResult, isContent, isPlain } from '../core/handler-result.ts';
import type { Context } from '../definition.ts';
import { expandTemplate } from '../uri-template/plain-template.ts';
import { toBytes } from './scalars.ts';
import { assertJsonSerializable, toJson, writeSerializable } from './to-json.ts';
import type { Codecs } from './union-branches.ts';

/** Returns a full result, or the value itself if that is read the same way. */
export function resultContent(
  value: unknown,
  { result: { as = 'content', mimeType, wrapped = false, codec } = {} }: FunctionBinding,
  tool: string,
  codecs: Codecs,
): unknown {
  if (as === 'json') return dataResult(toJson(value, codec, codecs), wrapped);
  if (as === 'full') return fullResult(toJson(value, codec, codecs));
  const bytes = as === 'bytes' ? toBytes(value) : undefined;
  if (bytes !== undefined && mimeType !== undefined) return { content: [bytesBlock(bytes, mimeType, tool)] };
  if (as === 'text' && typeof value === 'string' && mimeType !== undefined)
    return { content: [{ type: 'resource', resource: { uri: makeUri(tool), mimeType, text: value } }] };
  if (isContent(value)) return value;
  const data = toJson(value, codec ?? { kind: 'any' }, codecs);
  // Programs can use an object as structured content, even without an output schema.
  if (isRecord(data) && !isContent(data)) return dataResult(data, false);
  // Texts are sent as they are.
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
  return { type: 'resource', resource: { uri: makeUri(tool), mimeType, blob: data } };
}

/** Embedded contents must have a URI (MCP, "Embedded Resources"), although this one can't be read. */
function makeUri(tool: string): string {
  return `result://${tool}`;
}

type AnyIterator = AsyncIterator<unknown> | Iterator<unknown>;

/** A generator is its own iterator. */
function toIterator(given: AnyIterator | AsyncIterable<unknown>): AnyIterator {
  return Symbol.asyncIterator in given ? given[Symbol.asyncIterator]() : given;
}

/** Returns the result of a generator; values that it yields are reported as progress. */
export async function drain(generator: AnyIterator, context: Context): Promise<unknown> {
  return run(generator, context, (value, count) => reportProgress(value, count, context));
}

/** Returns the yielded values as a list. Progress has their number, and texts; other values may have parts that must not be shown. */
export async function drainItems(
  generator: AnyIterator | AsyncIterable<unknown>,
  context: Context,
): Promise<unknown[]> {
  const items: unknown[] = [];
  await run(toIterator(generator), context, (value, count) => {
    items.push(value);
    return context.progress(count, undefined, typeof value === 'string' ? value : undefined);
  });
  return items;
}

/** Ends the generator if the call is cancelled, so that its `finally` blocks run. */
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
 * Reports a yielded number as progress, a text as its message, `{ progress, total?, message? }` as both, and any other value as
 * a message of JSON.
 */
async function reportProgress(value: unknown, count: number, { progress }: Context): Promise<void> {
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

/** Makes listed resources of the result of a function with `@list`. */

/** Other members of an item are not listed. */
const MEMBERS = ['name', 'title', 'description', 'mimeType', 'size', 'icons', 'annotations'] as const;

/**
 * Media type, annotations and icons default to those of the template, the name to the URI. An item that its reader would refuse
 * is left out and reported: `findMisfits` returns a clause for each fault of a URI, undefined if the template doesn't match.
 *
 * @throws {Error} if `returned` is no list
 */
export function listedResources(
  returned: unknown,
  template: ListedResourceTemplate,
  findMisfits: (uri: string) => readonly string[] | undefined,
  report: (thrown: unknown) => void,
): ListedResource[] {
  if (!Array.isArray(returned)) throw new Error(`What lists ${template.uriTemplate} returned no list.`);
  return returned.flatMap((item: unknown) => {
    const uri = findUri(item, template.uriTemplate);
    const misfits = uri === undefined ? undefined : findMisfits(uri);
    if (uri !== undefined && misfits?.length === 0) return toListed(uri, item, template);
    const why = misfits === undefined ? '' : `: ${misfits.join(', ')}`;
    report(`${uri ?? JSON.stringify(item)} was listed, but ${template.uriTemplate} does not read it${why}.`);
    return [];
  });
}

function findUri(item: unknown, uriTemplate: string): string | undefined {
  if (typeof item === 'string') return item;
  if (!isRecord(item)) return undefined;
  const { uri, variables } = item;
  if (typeof uri === 'string') return uri;
  return isRecord(variables) ? expandTemplate(uriTemplate, variables) : undefined;
}

function toListed(
  uri: string,
  item: unknown,
  { mimeType, annotations, icons }: ListedResourceTemplate,
): ListedResource {
  const said = isRecord(item) ? item : {};
  const members = MEMBERS.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]]]));
  return {
    uri,
    name: uri,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...Object.fromEntries(members),
  };
}
