// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Reads sequences: JSON lines, JSON text sequences (RFC 7464) and server-sent events (OpenAPI 3.2, "Sequential Media
 * Types"). They may never end.
 */
import type { IncomingMessage } from 'node:http';
import { MOST_MEMBERS, countMembers } from '../contract/count-members.ts';
import type { Json, JsonObject } from '../contract/json-schema.ts';
import { mediaTypeEssence, isJsonType, mediaTypeParameter } from '../contract/http-syntax.ts';
import { consumeChunks } from './wire-request.ts';
import { type Redact, redactJson } from '../redact.ts';
import type { Sequence, SequenceOptions } from './upstream-settings.ts';
import { omitUndefined, readJson, writeJson } from '../contract/json-value.ts';
import { JsonTexts } from './json-texts.ts';

export interface Item {
  data: string;
  event?: string;
  id?: string;
}

export interface ItemReader {
  push(text: string): Item[];
  end(): Item[];
}

type End = 'whole' | 'items' | 'members' | 'bytes' | 'time' | 'broken';

/**
 * Reads until the end or a limit. If the connection breaks, the items so far are the answer.
 * @throws {Error} when the call was cancelled, or the connection failed before the first item
 */
export async function readSequence(
  response: IncomingMessage,
  mediaType: string,
  { limits, deadline, onItems }: SequenceOptions,
): Promise<Sequence> {
  const collected = new Collected(mediaType, limits, onItems);
  const decoder = decoderForCharset(mediaType);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    response.destroy(new Error('The time for the sequence is over.'));
  }, limits.streamMs);
  try {
    const isWhole = await consumeChunks(response, (chunk) =>
      collected.collectText(decoder.decode(chunk, { stream: true }), chunk.length),
    );
    if (isWhole) collected.collectRest();
  } catch (error) {
    if (deadline.reason?.code === 'aborted') throw error;
    const isTime = isLate || deadline.reason?.code === 'timeout';
    if (!isTime && collected.items.length === 0) throw error;
    collected.ended = isTime ? 'time' : 'broken';
  } finally {
    clearTimeout(timer);
  }
  return toSequence(collected);
}

export function parseSequence(text: string, mediaType: string, limits: SequenceOptions['limits']): Sequence {
  const collected = new Collected(mediaType, limits);
  if (collected.collectText(text, text.length)) collected.collectRest();
  return toSequence(collected);
}

/** Writes the items as JSON. Events are objects: `{ event, id, data }`. */
export function printSequence(mediaType: string, items: readonly Json[]): string {
  if (isEventStream(mediaType)) return items.map(printEvent).join('');
  const before = mediaTypeEssence(mediaType).endsWith('json-seq') ? '\u001E' : '';
  return items.map((item) => `${before}${writeJson(item)}\n`).join('');
}

function printEvent(item: Json): string {
  const { data, event, id }: JsonObject = isEvent(item) ? item : { data: item };
  const lines = Object.entries({ event, id, data }).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'string' ? value : writeJson(value);
    return text.split('\n').map((line) => `${name}: ${line}\n`);
  });
  return `${lines.join('')}\n`;
}

function isEvent(item: Json): item is JsonObject {
  return typeof item === 'object' && item !== null && 'data' in item;
}

function isEventStream(mediaType: string): boolean {
  return mediaTypeEssence(mediaType) === 'text/event-stream';
}

class Collected {
  readonly isEvents: boolean;
  readonly items: Item[] = [];
  ended: End = 'whole';
  readonly #reader: ItemReader;
  readonly #limits: SequenceOptions['limits'];
  readonly #onItems: SequenceOptions['onItems'];
  #bytes = 0;
  #members = 0;

  constructor(mediaType: string, limits: SequenceOptions['limits'], onItems?: SequenceOptions['onItems']) {
    this.isEvents = isEventStream(mediaType);
    this.#reader = this.isEvents ? new EventReader() : createItemReader(mediaType);
    this.#limits = limits;
    this.#onItems = onItems;
  }

  /** Returns false to stop. */
  collectText(text: string, bytes: number): boolean {
    this.#bytes += bytes;
    this.#addItems(this.#reader.push(text));
    if (this.ended === 'whole' && this.#bytes > this.#limits.responseBytes) this.ended = 'bytes';
    return this.ended === 'whole';
  }

  collectRest(): void {
    this.#addItems(this.#reader.end());
  }

  #addItems(found: Item[]): void {
    const room = this.#limits.streamItems - this.items.length;
    if (found.length > room) this.ended = 'items';
    const taken = found.slice(0, room);
    if (taken.length === 0) return;
    for (const item of taken) {
      this.#members += countMembers(Buffer.from(item.data));
      if (this.#members > MOST_MEMBERS) this.ended = 'members';
      if (this.ended === 'members') break;
      this.items.push(item);
    }
    this.#onItems?.(this.items.length);
  }
}

function toSequence({ items, ended, isEvents }: Collected): Sequence {
  const readRedacted = (redact: Redact): { value: Json[]; text?: string } => {
    const written = items.map((item) => makeWrittenItem(item, isEvents, redact));
    const value = written.map((one) => one.value);
    return items.some(({ data }) => /\d{16}/.test(data))
      ? { value, text: `[${written.map((one) => one.text()).join(',')}]` }
      : { value };
  };
  return ended === 'whole'
    ? { read: readRedacted }
    : { read: readRedacted, part: describeSequencePart(ended, items.length) };
}

function describeSequencePart(ended: Exclude<End, 'whole'>, count: number): string {
  const items = count === 1 ? 'the first item' : `the first ${count.toLocaleString('en-US')} items`;
  switch (ended) {
    case 'items':
      return `${items} (API_STREAM_ITEMS sets how many are read)`;
    case 'members':
      return `${count === 0 ? 'nothing' : items}: an answer is read up to ${MOST_MEMBERS.toLocaleString('en-US')} members`;
    case 'bytes':
      return `${items} (API_RESPONSE_BYTES sets how much is read)`;
    case 'time':
      return `${count === 0 ? 'nothing: no item came in time' : items} (API_STREAM_MS sets how long is read)`;
    case 'broken':
      return `${items}, which came before the API broke off the connection`;
  }
}

interface WrittenItem {
  value: Json;
  /** Writes the value with every digit that was sent. */
  text(): string;
}

/** Data that is not JSON (`[DONE]`, a broken line) stays text. */
function makeWrittenItem({ data, event, id }: Item, isEvents: boolean, redact: Redact): WrittenItem {
  const source = redact(data) === data ? data : redactItemData(data, redact);
  const parsed = parseJsonOrNothing(source);
  const value = parsed === undefined ? source : parsed;
  const text = (): string => (parsed === undefined ? JSON.stringify(source) : source.trim());
  if (!isEvents) return { value, text };
  const redactField = (field: string | undefined): string | undefined => field && redact(field);
  const head: JsonObject = omitUndefined({ event: redactField(event), id: redactField(id) });
  const start = JSON.stringify(head).slice(0, -1);
  return {
    value: { ...head, data: value },
    text: () => `${start}${start === '{' ? '' : ','}"data":${text()}}`,
  };
}

function redactItemData(data: string, redact: Redact): string {
  const parsed = parseJsonOrNothing(data);
  return redact(parsed === undefined ? data : writeJson(redactJson(parsed, redact)));
}

function parseJsonOrNothing(text: string): Json | undefined {
  try {
    return readJson(text) as Json;
  } catch {
    return undefined;
  }
}

/** The decoder is for UTF-8, unless the type says otherwise. */
function decoderForCharset(mediaType: string) {
  try {
    return new TextDecoder(mediaTypeParameter(mediaType, 'charset') ?? 'utf-8');
  } catch {
    return new TextDecoder();
  }
}

function createItemReader(mediaType: string): ItemReader {
  return isJsonType(mediaType) ? newJsonReader() : newLineReader(mediaType);
}

function newJsonReader(): ItemReader {
  const reader = new JsonTexts();
  const toItems = (texts: string[]): Item[] => texts.map((data) => ({ data }));
  return {
    push: (text) => toItems(reader.takeCompleteTexts(text)),
    end: () => toItems(reader.rest === '' ? [] : [reader.rest]),
  };
}

function newLineReader(mediaType: string): ItemReader {
  const separator = mediaTypeEssence(mediaType).endsWith('json-seq') ? '\u001E' : '\n';
  let pending = '';
  const toItems = (texts: string[]): Item[] =>
    texts.map((text) => ({ data: text.trim() })).filter(({ data }) => data !== '');
  return {
    push(text) {
      if (!text.includes(separator)) {
        pending += text;
        return [];
      }
      const texts = (pending + text).split(separator);
      pending = texts.pop() ?? '';
      return toItems(texts);
    },
    end: () => toItems([pending]),
  };
}

export class EventReader implements ItemReader {
  #pending = '';
  #waitsForLineFeed = false;
  #data: string[] = [];
  #event: string | undefined;
  #id: string | undefined;

  push(text: string): Item[] {
    if (!/[\r\n]/.test(text) && !this.#waitsForLineFeed) {
      // Nothing reads the text before its line ends: a look at each piece of a long line would copy all of it.
      this.#pending += text;
      return [];
    }
    const whole = this.#pending + text;
    // A carriage return may be half of a line break, so it waits.
    this.#waitsForLineFeed = whole.endsWith('\r');
    const cut = this.#waitsForLineFeed ? whole.length - 1 : whole.length;
    const lines = whole.slice(0, cut).split(/\r\n|\r|\n/);
    this.#pending = (lines.pop() ?? '') + whole.slice(cut);
    return lines.flatMap((line) => this.#takeLine(line));
  }

  /** The standard would drop a last event without a blank line. */
  end(): Item[] {
    const last = this.#pending.replace(/\r$/, '');
    return [...(last === '' ? [] : this.#takeLine(last)), ...this.#takeLine('')];
  }

  #takeLine(line: string): Item[] {
    if (line === '') return this.#dispatchEvent();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
    else if (field === 'id') this.#id = value;
    return [];
  }

  #dispatchEvent(): Item[] {
    const [data, event, id] = [this.#data, this.#event, this.#id];
    this.#data = [];
    this.#event = this.#id = undefined;
    if (data.length === 0) return [];
    return [omitUndefined({ data: data.join('\n'), event: event || undefined, id })];
  }
}
