// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Answers that are sequences become a list: JSON lines, JSON text sequences (RFC 7464), server-sent events. They may never end. */
import type { AnswerReader } from '../call-api.ts';
import type { Call, Feature } from '../feature.ts';
import { isTooLarge, JSON_BOUNDS, parseJson, writeJson } from '../json-rpc.ts';
import { essence } from '../request.ts';
import type { ApiResponse, OpenAnswer } from '../send.ts';
import { parseInteger } from '../settings.ts';
import { makeContext } from '../tools.ts';
import type { Env } from '../types.ts';

const ITEMS = 'API_STREAM_ITEMS';
const MILLISECONDS = 'API_STREAM_MS';

export function sequences(): Feature {
  return {
    name: 'sequences',
    settings: [
      {
        variable: ITEMS,
        help: 'Items read of an answer that is a sequence: events, JSON lines.',
        default: '1000',
      },
      { variable: MILLISECONDS, help: 'Milliseconds that a sequence is read for.', default: '45000' },
    ],
    start: (_, __, env) => void readLimits(env),
    parts: { answers: { sequences: readSequence } },
  };
}

function readLimits(env: Env): { items: number; milliseconds: number } {
  const limit = (name: string, preset: number, most: number): number =>
    parseInteger({ name, value: env[name] || undefined }, 1, most) ?? preset;
  return { items: limit(ITEMS, 1_000, 1_000_000), milliseconds: limit(MILLISECONDS, 45_000, 2_147_483_647) };
}

/** Undefined for another media type. */
function chooseSplitter(mediaType: string): Split | undefined {
  const type = essence(mediaType);
  if (type === 'text/event-stream') return splitEvents();
  if (/[/+]json-seq$/.test(type)) return splitAt('\u001E');
  if (/[/+.-](?:ndjson|jsonl|jsonlines|json-lines)$/.test(type)) return splitAt('\n');
  const isStream = type === 'application/stream+json' || /json\s*;.*\bstream=(?!false\b)/i.test(mediaType);
  return isStream ? splitJson() : undefined;
}

const readSequence: AnswerReader = (answer, { call, responseBytes, request }) => {
  const mediaType = answer.headers['content-type'] ?? '';
  const split = chooseSplitter(mediaType);
  if (split === undefined || answer.status === 204 || request.method === 'HEAD') return undefined;
  return readItems(answer, split, call, responseBytes);
};

async function readItems(
  { chunks, close }: OpenAnswer,
  split: Split,
  call: Call,
  responseBytes: number,
): Promise<Partial<ApiResponse>> {
  const limits = readLimits(call.request.server.env);
  // JSON texts and events are UTF-8.
  const decoder = new TextDecoder();
  const context = makeContext(call);
  const iterator = chunks[Symbol.asyncIterator]();
  const items: string[] = [];
  let [bytes, end] = [0, ''];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limits.milliseconds);
  });
  const take = (texts: string[]): void => {
    if (items.length + texts.length > limits.items) end = `${ITEMS} sets how many are read`;
    items.push(...texts.slice(0, limits.items - items.length));
  };
  try {
    while (end === '') {
      const next = await Promise.race([iterator.next(), late]);
      if (next === 'late') end = `${MILLISECONDS} sets how long it is read`;
      else if (next.done === true) {
        take(split(decoder.decode(), true));
        break;
      } else {
        bytes += next.value.length;
        take(split(decoder.decode(next.value, { stream: true }), false));
        if (bytes > responseBytes) end = 'API_RESPONSE_BYTES sets how much is read';
        await context.progress(items.length, undefined, `${items.length} items have come`);
      }
    }
  } catch (thrown) {
    if (call.work.reason !== undefined || items.length === 0) throw thrown;
    end = 'then the connection broke, or the time was over';
  } finally {
    clearTimeout(timer);
    close();
  }
  return toList(items, end);
}

/** A list as JSON: what else happens to answers that are JSON happens to it. */
function toList(items: string[], end: string): Partial<ApiResponse> {
  let count = items.length;
  // Halved until it can be parsed.
  while (count > 0 && isTooLarge(`[${items.slice(0, count).join()}]`)) count = Math.floor(count / 2);
  const reason = count < items.length ? `it has more than ${JSON_BOUNDS}` : end;
  const shown = `the first ${count.toLocaleString('en-US')} ${count === 1 ? 'item' : 'items'}`;
  return {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(`[${items.slice(0, count).join()}]`),
    ...(reason !== '' && { note: `This is a part of the sequence: ${shown} (${reason}).` }),
  };
}

/** Takes the next piece of a text, and returns the items that are complete, as JSON. */
type Split = (piece: string, isEnd: boolean) => string[];

/** What is no JSON (`[DONE]`, half a line) is a text. */
function toJson(text: string): string {
  try {
    return writeJson(parseJson(text));
  } catch {
    return JSON.stringify(text);
  }
}

function splitAt(separator: string): Split {
  let parts: string[] = [];
  return (piece, isEnd) => {
    const [first = '', ...others] = piece.split(separator);
    // A long line comes in many pieces, which are joined once.
    parts.push(first);
    if (others.length === 0 && !isEnd) return [];
    const texts = [parts.join(''), ...others];
    parts = isEnd ? [] : [texts.pop() ?? ''];
    return texts
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map(toJson);
  };
}

/** HTML Standard, section 9.2.6. The last event counts without its blank line, too. */
function splitEvents(): Split {
  let [pending, endsWithReturn]: [string[], boolean] = [[], false];
  let event: { data: string[]; event?: string; id?: string } = { data: [] };
  const takeLine = (line: string): string[] => {
    if (line === '') {
      const { data, event: name, id } = event;
      event = { data: [] };
      if (data.length === 0) return [];
      const head = writeJson({ ...(name && { event: name }), ...(id !== undefined && { id }) }).slice(0, -1);
      return [`${head}${head === '{' ? '' : ','}"data":${toJson(data.join('\n'))}}`];
    }
    const [, field = line, value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') event.data.push(value);
    else if (field === 'event' || field === 'id') event[field] = value;
    return [];
  };
  return (piece, isEnd) => {
    // CR, LF and CRLF end a line; a CRLF may be cut in two.
    const text = endsWithReturn ? piece.replace(/^\n/, '') : piece;
    if (piece !== '') endsWithReturn = piece.endsWith('\r');
    const [first = '', ...others] = text.split(/\r\n|\r|\n/);
    pending.push(first);
    if (others.length === 0 && !isEnd) return [];
    const lines = [pending.join(''), ...others];
    pending = isEnd ? [] : [lines.pop() ?? ''];
    return [...lines, ...(isEnd ? ['', ''] : [])].flatMap(takeLine);
  };
}

/** JSON texts that follow each other, with or without a line break. */
function splitJson(): Split {
  let [text, at, start, level, isString] = ['', 0, 0, 0, false];
  return (piece, isEnd) => {
    const texts: string[] = [];
    const take = (end: number): void => {
      texts.push(text.slice(start, end).trim());
      start = end;
    };
    text += piece;
    for (; at < text.length; at++) {
      const character = text[at] ?? '';
      if (isString && character === '\\') at++;
      else if (character === '"') isString = !isString;
      if (isString) continue;
      if (/[[{]/.test(character)) level++;
      if (/[\]}]/.test(character)) level--;
      if (level === 0 && (/[\]}"]/.test(character) || /\s/.test(character))) take(at + 1);
    }
    text = text.slice(start);
    [at, start] = [at - start, 0];
    if (isEnd) take(text.length);
    return texts.filter((one) => one !== '').map(toJson);
  };
}
