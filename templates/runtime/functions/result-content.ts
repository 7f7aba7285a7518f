// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Turns the result of a function into a JSON value by its type, and into the result of its tool. */
import type { FunctionBinding } from '../contract/bindings.ts';
import type {
  Codec,
  Json,
  ListedResource,
  ListedResourceTemplate,
  ObjectCodec,
  UnionCodec,
} from '../contract/json-schema.ts';
import {
  omitUndefined,
  isRecord,
  getOwnMember,
  readJson,
  setOwnMember,
  writeJson,
} from '../contract/json-value.ts';
import { expandTemplate } from '../contract/patterns.ts';
import { type ContentBlock, type LooseResult, isToolContent, isPlainJson } from '../core/handler-result.ts';
import type { Context } from '../definition.ts';
import { formatPath, describeValue } from '../schema/run.ts';
import {
  type Codecs,
  describeScalar,
  codecOfElement,
  isNumericTypedArray,
  codecOfMember,
  readScalar,
  asBuffer,
  writeScalar,
} from './codecs.ts';
import {
  ValueKinds,
  hasItemsOnly,
  hasToJson,
  isBoxed,
  isUnchanged,
  isIterable,
  isWritableAsObject,
  isWrittenByMembers,
  mergeBranchCodecs,
  namesToWrite,
} from './value-kinds.ts';

/**
 * Writes a result as a JSON value, with `bigint` for integers that a double would round. A value of another class
 * than its type is written by its class.
 * @throws {TypeError} for a result that contains itself, and for a text that should be a date and isn't
 * @throws {RangeError} for a date that does not exist; the message names the member
 */
export function resultToJson(value: unknown, codec: Codec | undefined, codecs: Codecs = {}): unknown {
  if (codec === undefined || isJsonAlready(value, codec)) return value;
  return new Writer(codecs).encodeValue(value, codec);
}

function isJsonAlready(value: unknown, codec: Codec): boolean {
  return codec.kind === 'object' && typeof value === 'object' && value !== null && isUnchanged(value, codec);
}

class Writer {
  readonly #codecs: Codecs;
  readonly #kinds: ValueKinds;
  readonly #open = new Set<object>();
  readonly #path: (string | number)[] = [];

  constructor(codecs: Codecs) {
    this.#codecs = codecs;
    this.#kinds = new ValueKinds(codecs);
  }

  encodeValue(value: unknown, codec: Codec | null | undefined): unknown {
    if (codec === null || codec === undefined || value === null || value === undefined) return value;
    if (typeof value !== 'object') {
      this.#refuseInvalidDateText(value, codec);
      return value;
    }
    if (value instanceof Date) refuseInvalidDate(value, this.#path);
    if (this.#open.has(value)) throw new TypeError('The result contains itself, which JSON cannot say.');
    this.#open.add(value);
    try {
      return this.#writeObject(value, codec);
    } finally {
      this.#open.delete(value);
    }
  }

  #writePart(step: string | number, value: unknown, codec: Codec | null | undefined): unknown {
    this.#path.push(step);
    const written = this.encodeValue(value, codec);
    this.#path.pop();
    return written;
  }

  /** Stores without dates return texts, which are accepted if they are valid. */
  #refuseInvalidDateText(value: unknown, codec: Codec): void {
    if (codec.kind !== 'date' || typeof value !== 'string' || readScalar(value, codec) !== undefined) return;
    throw new TypeError(
      `${formatResultPath(this.#path)} must be ${describeScalar(codec)} but is ${describeValue(value)}.`,
    );
  }

  #writeObject(value: object, codec: Codec): unknown {
    switch (codec.kind) {
      case 'ref':
        return this.#writeIfCodec(value, getOwnMember(this.#codecs, codec.name) as Codec | undefined);
      case 'toJSON':
        return this.#writeByToJson(value, codec.as);
      case 'array':
        return this.#writeItems(value, () => codec.items);
      case 'tuple':
        return this.#writeItems(value, (index, length) => codecOfElement(codec, index, length));
      case 'set':
        return this.#writeItems(value, () => codec.items);
      case 'numbers':
        return isNumericTypedArray(value) ? [...value] : value;
      case 'map':
        return value instanceof Map ? this.#writeMap(value, codec) : this.#writeAny(value);
      case 'object':
        return isWritableAsObject(value, codec)
          ? this.#writeMembers(value as Record<string, unknown>, codec)
          : this.#writeAny(value);
      case 'union':
        return this.#writeUnion(value, codec);
      case 'any':
        return this.#writeAny(value);
      default:
        return writeScalar(value, codec.kind === 'date' ? codec.form : undefined) ?? this.#writeAny(value);
    }
  }

  #writeIfCodec(value: object, codec: Codec | undefined): unknown {
    return codec === undefined ? value : this.#writeObject(value, codec);
  }

  #writeByToJson(value: object, codec: Codec | undefined): unknown {
    const written = hasToJson(value) ? value.toJSON() : value;
    return written === value ? value : this.encodeValue(written, codec);
  }

  #writeItems(value: object, codecAt: (index: number, length: number) => Codec | null | undefined): unknown {
    if (!isIterable(value)) return value;
    const items = [...value];
    return items.map((item, index) => this.#writePart(index, item, codecAt(index, items.length)));
  }

  #writeMembers(value: Record<string, unknown>, codec: ObjectCodec): Record<string, unknown> {
    if (isUnchanged(value, codec)) return value;
    const written: Record<string, unknown> = {};
    for (const name of namesToWrite(value, codec)) {
      const part = name in Object.prototype ? getOwnMember(value, name) : value[name];
      if (part === undefined || typeof part === 'function') continue;
      setOwnMember(written, name, this.#writePart(name, part, codecOfMember(codec, name)));
    }
    return written;
  }

  #writeMap(value: Map<unknown, unknown>, { form, key, value: values }: Codec & { kind: 'map' }): unknown {
    if (form === 'entries')
      return [...value].map(([k, v], index) => [
        this.#writePart(index, k, key),
        this.#writePart(index, v, values),
      ]);
    const written: Record<string, unknown> = {};
    for (const [k, v] of value) setOwnMember(written, String(k), this.#writePart(String(k), v, values));
    return written;
  }

  #writeUnion(value: object, union: UnionCodec): unknown {
    const fitting = this.#kinds.findBranches(value, union);
    // A branch without a codec may match values that have to be written.
    const found = fitting.find(({ codec }) => codec !== undefined) ?? fitting[0];
    const isOne = found !== undefined && fitting.length === 1;
    const isMany = !isOne && (Array.isArray(value) || value instanceof Map || isWrittenByMembers(value));
    const merged = isMany
      ? mergeBranchCodecs(value, fitting.length === 0 ? union.branches : fitting, this.#codecs)
      : undefined;
    if (merged !== undefined) return this.#writeIfCodec(value, merged);
    return found === undefined ? this.#writeAny(value) : this.#writeIfCodec(value, found.codec);
  }

  #writeAny(value: object): unknown {
    if (value instanceof Promise) throw new TypeError('The result holds a promise: it was not awaited.');
    const scalar = writeScalar(value);
    if (scalar !== undefined) return scalar;
    if (isBoxed(value)) return value.valueOf();
    if (hasToJson(value)) return this.#writeByToJson(value, any);
    if (isNumericTypedArray(value)) return [...value];
    if (value instanceof Map) return this.#writeAnyMap(value);
    if (Array.isArray(value) || value instanceof Set || hasItemsOnly(value))
      return this.#writeItems(value, () => any);
    if (value instanceof Error) return this.#writeError(value);
    return this.#writeMembers(value as Record<string, unknown>, { kind: 'object', additional: any });
  }

  /** The stack of an error is left out, since clients must not see it. */
  #writeError(value: object): unknown {
    const names = ['name', 'message', 'cause', ...Object.keys(value).filter((name) => name !== 'stack')];
    return this.#writeMembers(value as Record<string, unknown>, {
      kind: 'object',
      additional: any,
      only: [...new Set(names)],
    });
  }

  #writeAnyMap(value: Map<unknown, unknown>): unknown {
    const isRecord = [...value.keys()].every((key) => typeof key === 'string');
    return this.#writeMap(value, {
      kind: 'map',
      form: isRecord ? 'object' : 'entries',
      key: any,
      value: any,
    });
  }
}

const any: Codec = { kind: 'any' };

type Path = readonly (string | number)[];

function formatResultPath(path: Path): string {
  return formatPath(['result', ...path]);
}

/**
 * Returns undefined for a value without JSON.
 * @throws {RangeError} for a number and a date that `JSON.stringify` would write as null
 */
export function writeSerializable(value: unknown, path?: Path): string | undefined {
  const json: string | undefined = writeJson(value);
  if (json?.includes('null') === true) assertJsonSerializable(value, path);
  return json;
}

function assertJsonSerializable(value: unknown, path: Path = []): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`${formatResultPath(path)} is ${value}, which JSON can't say.`);
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Date) refuseInvalidDate(value, path);
  if ('toJSON' in value) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) assertJsonSerializable(item, [...path, index]);
  } else for (const [name, part] of Object.entries(value)) assertJsonSerializable(part, [...path, name]);
}

function refuseInvalidDate(date: Date, path: Path): void {
  if (Number.isNaN(date.getTime()))
    throw new RangeError(`${formatResultPath(path)} is a date that does not exist.`);
}

/** Makes a whole `CallToolResult`, or returns the value itself if the caller makes the same result of it. */
export function makeToolResult(
  value: unknown,
  { result: { as = 'content', mimeType, wrapped = false, codec } = {} }: FunctionBinding,
  tool: string,
  codecs: Codecs,
): unknown {
  if (as === 'json') return makeDataResult(resultToJson(value, codec, codecs), wrapped);
  if (as === 'full') return assertFullResultIsJson(resultToJson(value, codec, codecs));
  const bytes = as === 'bytes' ? asBuffer(value) : undefined;
  if (bytes !== undefined && mimeType !== undefined) return { content: [bytesBlock(bytes, mimeType, tool)] };
  if (as === 'text' && typeof value === 'string' && mimeType !== undefined)
    return { content: [{ type: 'resource', resource: { uri: makeResultUri(tool), mimeType, text: value } }] };
  if (isToolContent(value)) return value;
  const data = resultToJson(value, codec ?? { kind: 'any' }, codecs);
  // Programs can use an object as structured content, even without an output schema.
  if (isRecord(data) && !isToolContent(data)) return makeDataResult(data, false);
  if (typeof data !== 'string') writeSerializable(data);
  return data;
}

function assertFullResultIsJson(result: unknown): unknown {
  if (isRecord(result)) writeSerializable(result['structuredContent'], ['structuredContent']);
  return result;
}

function makeDataResult(value: unknown, wrapped: boolean): LooseResult {
  const json: string | undefined = writeJson(value);
  if (json === undefined) return wrapped ? { content: [], structuredContent: {} } : { content: [] };
  const data = isPlainJson(value) ? value : parseCheckedJson(value, json);
  const text = typeof data === 'string' ? data : json;
  return { content: [{ type: 'text', text }], structuredContent: wrapped ? { result: data } : data };
}

function parseCheckedJson(value: unknown, json: string): Json {
  assertJsonSerializable(value);
  return readJson(json) as Json;
}

function bytesBlock(bytes: Buffer, mimeType: string, tool: string): ContentBlock {
  const data = bytes.toString('base64');
  const family = /^(image|audio)\//.exec(mimeType)?.[1];
  if (family === 'image' || family === 'audio') return { type: family, data, mimeType };
  return { type: 'resource', resource: { uri: makeResultUri(tool), mimeType, blob: data } };
}

/** Embedded contents must have a URI (MCP, "Embedded Resources"), although this one can't be read. */
function makeResultUri(tool: string): string {
  return `result://${tool}`;
}

type AnyIterator = AsyncIterator<unknown> | Iterator<unknown>;

/** Values that the generator yields are reported as progress. */
export async function drainGenerator(generator: AnyIterator, context: Context): Promise<unknown> {
  return runGenerator(generator, context, (value, count) => reportProgress(value, count, context));
}

/** Progress has the number of items, and texts; other values may have parts that must not be shown. */
export async function runListGenerator(
  generator: AnyIterator | AsyncIterable<unknown>,
  context: Context,
): Promise<unknown[]> {
  const items: unknown[] = [];
  const iterator = Symbol.asyncIterator in generator ? generator[Symbol.asyncIterator]() : generator;
  await runGenerator(iterator, context, (value, count) => {
    items.push(value);
    return context.progress(count, undefined, typeof value === 'string' ? value : undefined);
  });
  return items;
}

/** Ends the generator if the call is cancelled, or a value can't be reported, so that its `finally` blocks run. */
async function runGenerator(
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
    try {
      await take(step.value, count);
    } catch (thrown) {
      await generator.return?.();
      throw thrown;
    }
  }
}

/**
 * Reports a yielded number as progress, a text as its message, `{ progress, total?, message? }` as both, else the
 * JSON as message.
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

const MEMBERS = ['name', 'title', 'description', 'mimeType', 'size', 'icons', 'annotations'] as const;

/**
 * Media type, annotations and icons default to those of the template, the name to the URI. An item that its reader
 * would refuse is left out and reported: `findMisfits` returns a clause for each fault of a URI, undefined if the
 * template doesn't match.
 */
export function makeListedResources(
  returned: unknown,
  template: ListedResourceTemplate,
  findMisfits: (uri: string) => readonly string[] | undefined,
  report: (thrown: unknown) => void,
): ListedResource[] {
  if (!Array.isArray(returned)) throw new Error(`What lists ${template.uriTemplate} returned no list.`);
  return returned.flatMap((item: unknown) => {
    const uri = findUri(item, template.uriTemplate);
    const misfits = uri === undefined ? undefined : findMisfits(uri);
    if (uri !== undefined && misfits?.length === 0) return itemToListedResource(uri, item, template);
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

function itemToListedResource(
  uri: string,
  item: unknown,
  { mimeType, annotations, icons }: ListedResourceTemplate,
): ListedResource {
  const said = isRecord(item) ? item : {};
  const members = Object.fromEntries(MEMBERS.map((name) => [name, said[name]]));
  return { uri, name: uri, ...omitUndefined({ mimeType, annotations, icons }), ...omitUndefined(members) };
}
