// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** An API's answer as MCP content: decoded, redacted, with what a model needs beside it; and the cut before a client. */
import { INTEGERS_BOUND, isRecord, isTooLarge, JSON_BOUNDS } from './json-rpc.ts';
import { ownMember, parseJson, writeJson } from './json-rpc.ts';
import { essence, isJsonType, isTextType, USEFUL_HEADERS } from './request.ts';
import { errorResult, type Redact, redactJson, responseMember, textOfBlock } from './results.ts';
import type { ApiResponse } from './send.ts';
import type { Tool } from './tools.ts';
import type { ApiAnswer, Content, HttpBinding, Json, JsonObject, Outcome } from './types.ts';
import type { SchemaObject, ToolResult } from './types.ts';

/** Base64 of more would be over what clients take in one message. */
const BINARY_BYTES = 6_000_000;

const CUT = 'The answer is too long and was cut. Shown:';
const BROKEN_JSON =
  'The API says that this is JSON, but it is not: it may have been cut short. A call that only reads may be repeated; another one may have taken effect.';

const count = (number: number): string => number.toLocaleString('en-US');

interface ReadOptions {
  /** For code, which takes any number of members. */
  isWhole: boolean;
  /** The media types that the document promises. */
  accept: readonly string[] | undefined;
}

export function readAnswer(response: ApiResponse, url: string, redact: Redact, use: ReadOptions): ApiAnswer {
  const { status, headers, content, note } = response;
  const header = headers['content-type'] ?? '';
  // A type without a slash (`json`), as APIs may send it, is ignored.
  const mediaType = /^[^/;]+\/[^/;]/.test(header) ? header : undefined;
  const notes = note === undefined ? [] : [note];
  const body = readContent(response, mediaType, redact, use, notes);
  const redacted = Object.entries(headers).map(([name, value]) => [redact(name), redact(value)]);
  return {
    status,
    headers: Object.fromEntries(redacted) as Record<string, string>,
    url: redact(url),
    body,
    ...(mediaType !== undefined && { mediaType }),
    ...(content !== undefined && { content }),
    ...(notes.length > 0 && { notes }),
  };
}

/** Adds to `notes` what a model must know of the body. */
function readContent(
  { body, isCut }: ApiResponse,
  mediaType: string | undefined,
  redact: Redact,
  { isWhole, accept = [] }: ReadOptions,
  notes: string[],
): ApiAnswer['body'] {
  if (body.length === 0) return { kind: 'none' };
  const plainText = decode(body, mediaType, isCut, notes);
  if (plainText === undefined) {
    if (!isCut && body.length <= BINARY_BYTES)
      return { kind: 'bytes', bytes: Buffer.from(redact(body.toString('latin1')), 'latin1') };
    notes.push(`${CUT} nothing of its ${count(body.length)} bytes or more.`);
    return { kind: 'none' };
  }
  const text = redact(plainText);
  const isPlain = mediaType === undefined || /^text\/(?:plain|html)$/.test(essence(mediaType));
  const isPromised = mediaType === undefined || (accept.length > 0 && accept.every(isJsonType));
  const isJson = isPlain ? isPromised && /^\s*[[{]/.test(text) : isJsonType(mediaType);
  if (isCut) notes.push(`${CUT} only its first ${count(plainText.length)} characters.`);
  else if (isJson && !isWhole && isTooLarge(plainText))
    notes.push(`The answer has more than ${JSON_BOUNDS}, so it is shown as text.`);
  else if (isJson)
    try {
      const value = parseJson(plainText) as Json;
      // The text may stop being JSON where a number is replaced.
      if (text !== plainText) return { kind: 'json', value: redactJson(value, redact) };
      return { kind: 'json', value, text };
    } catch (thrown) {
      if ((thrown as Error).message === INTEGERS_BOUND) notes.push(INTEGERS_BOUND);
      // A plain word (`OK`) sent as JSON is text.
      else if (!isPlain && /^\s*["[{<)]|\uFFFD/.test(text)) notes.push(BROKEN_JSON);
    }
  return { kind: 'text', text };
}

/** Undefined for bytes. Without a type, valid UTF-8 is text; JSON is UTF-8 whatever it declares (RFC 8259, section 8.1). Node 20 reads windows-1252 only in a stream. */
function decode(
  body: Buffer,
  mediaType: string | undefined,
  isCut: boolean,
  notes: string[],
): string | undefined {
  const isJson = mediaType !== undefined && isJsonType(mediaType);
  if (mediaType !== undefined && !isJson && !isTextType(mediaType)) return undefined;
  const declared = declaredCharset(body, mediaType);
  const first = isJson ? 'utf-8' : declared;
  for (const charset of new Set([first, declared]))
    try {
      const options = { stream: isCut || charset === 'windows-1252' };
      const text = new TextDecoder(charset, { fatal: true }).decode(body, options);
      if (charset !== first) notes.push(`The API's JSON is not UTF-8 and was read as ${charset}.`);
      return text;
    } catch {
      // Its bytes are not of this charset.
    }
  if (mediaType === undefined) return undefined;
  notes.push(`Some bytes of the answer are not valid ${first}. Each is shown as \uFFFD.`);
  return new TextDecoder(first).decode(body, { stream: isCut });
}

/** That of the media type, the byte order mark, or the XML declaration (RFC 7303, section 3). UTF-8 if it is none that Node knows. */
function declaredCharset(body: Buffer, mediaType = ''): string {
  const start = body.subarray(0, 200).toString('latin1');
  const ofMark = /^\xFE\xFF/.test(start) ? 'utf-16be' : /^\xFF\xFE/.test(start) ? 'utf-16le' : undefined;
  const xmlDeclaration = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/;
  const ofXml = /[/+]xml$/.test(essence(mediaType)) ? xmlDeclaration.exec(start)?.[1] : undefined;
  const ofType = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(mediaType)?.[1];
  try {
    return new TextDecoder(ofType ?? ofMark ?? ofXml).encoding;
  } catch {
    return 'utf-8';
  }
}

export function isSuccess({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

export function answerOutcome(
  answer: ApiAnswer,
  binding: HttpBinding,
  outputSchema: SchemaObject | undefined,
): Outcome {
  const { body, notes = [] } = answer;
  if (!isSuccess(answer) || notes.includes(BROKEN_JSON))
    return { result: errorResult(describeError(answer, binding)), cause: 'api' };
  const headers = selectHeaders(answer, binding);
  const texts = [printHeaders(headers), ...notes].filter(Boolean);
  const content = [toContent(answer), ...texts.map((text): Content => ({ type: 'text', text }))];
  let value: Json | undefined = outputSchema && {};
  if (body.kind === 'json') value = binding.result?.wrapped === true ? { result: body.value } : body.value;
  if (texts.length > 0 && body.kind !== 'bytes') {
    // Clients show text or structure, so what stands beside the answer is in both.
    const beside = {
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(notes.length > 0 && { notes }),
    };
    if (body.kind === 'text' && outputSchema === undefined) value = body.text;
    const structure = isRecord(value) ? (value as JsonObject) : value === undefined ? {} : { result: value };
    value = { ...structure, [responseMember(outputSchema, structure)]: beside };
  } else if (body.kind === 'bytes' || body.kind === 'text') value = undefined;
  const result = { content, ...(value !== undefined && { structuredContent: value }) };
  return { result: Object.assign(result, { [OF_API]: answer.status }) };
}

function toContent({ status, mediaType = '', url, body, content }: ApiAnswer): Content {
  if (content !== undefined) return content;
  const type = essence(mediaType) || 'application/octet-stream';
  if (body.kind === 'none') return { type: 'text', text: statusLine(status) };
  // A text block has no media type, and models read CSV or HTML for what it is.
  const isPlain = body.kind === 'json' || mediaType === '' || type === 'text/plain' || isJsonType(type);
  if (body.kind !== 'bytes' && isPlain) return { type: 'text', text: textOfBody(body) };
  if (body.kind === 'text')
    return { type: 'resource', resource: { uri: url, mimeType: type, text: body.text } };
  const data = body.kind === 'bytes' ? Buffer.from(body.bytes).toString('base64') : '';
  const [kind] = type.split('/');
  if (kind === 'image' || kind === 'audio') return { type: kind, data, mimeType: type };
  return { type: 'resource', resource: { uri: url, mimeType: type, blob: data } };
}

export function textOfBody(body: ApiAnswer['body']): string {
  if (body.kind === 'json') return body.text ?? writeJson(body.value);
  return body.kind === 'text' ? body.text : '';
}

function statusLine(status: number): string {
  // Importing it would take a tenth of a start; once an API has answered, it is loaded.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

function selectHeaders({ status, headers }: ApiAnswer, binding?: HttpBinding): Record<string, string> {
  const { headers: declared = {}, showsVersion } = binding?.result ?? {};
  const ofClass = ownMember(declared, `${String(status)[0]}XX`);
  const names = declared[status] ?? ofClass ?? declared['default'] ?? [];
  const isUseful = ([name, value]: [string, string]): boolean =>
    USEFUL_HEADERS.test(name) ||
    (showsVersion === true && /^(?:etag|last-modified)$/.test(name)) ||
    names.includes(name) ||
    (name === 'content-disposition' && /filename/i.test(value)) ||
    (binding?.method === 'HEAD' && /^(?:content-|x-|etag$|last-modified$)/.test(name));
  return Object.fromEntries(Object.entries(headers).filter(isUseful));
}

function printHeaders(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** RFC 9457, `message`, `error.message` or `error_description` first. */
export function describeError(answer: ApiAnswer, binding?: HttpBinding): string {
  const { status, body, mediaType = '', notes = [] } = answer;
  const value = body.kind === 'json' && isRecord(body.value) ? body.value : {};
  const { title, detail, message, error, error_description: description } = value;
  const isText = (text: unknown): text is string => typeof text === 'string' && text !== '';
  const summary =
    [title, detail].filter(isText).join(': ') ||
    [message, description, isRecord(error) ? error['message'] : error].find(isText);
  let text = body.kind === 'json' ? writeJson(body.value) : textOfBody(body);
  // Roughly without markup, which is enough for a hint.
  if (body.kind === 'text' && /html/i.test(mediaType))
    text = text
      .slice(0, 20_000)
      .replace(/(?:<(script|style)\b[^]{0,2000}?<\/\1>|<[^<>]*>|\s)+/gi, ' ')
      .trim();
  if (body.kind === 'bytes') text = `(${body.bytes.byteLength} bytes of ${essence(mediaType)})`;
  const line = `The API answered ${statusLine(status)}${summary ? `: ${shorten(summary)}` : ''}`;
  const headers = printHeaders(selectHeaders(answer, binding));
  return [line, shorten(text), headers, ...notes].filter((part) => part !== '').join('\n');
}

function shorten(text: string): string {
  const start = cutText(text, 4_000);
  return start === text ? text : `${start}… (${text.length - start.length} more characters)`;
}

// The cut: the last act before a client.

/** A symbol survives the copies that handlers make, and JSON leaves it out. */
const OF_API = Symbol('the answer of an API');

/** Whether an API answered, maybe through a handler that passes it on. */
export function isApiResult(result: ToolResult): boolean {
  return OF_API in result;
}

export function statusOf(result: ToolResult & { [OF_API]?: number }): number | undefined {
  return result[OF_API];
}

/** The longest list loses its last items, any other text its end. If the output schema asks for all, the result is an error. */
export function cutResult(
  result: ToolResult,
  limit: number,
  { info: { outputSchema }, checkOutput }: Pick<Tool, 'info' | 'checkOutput'>,
): ToolResult {
  const { content, structuredContent, isError } = result;
  const [first, ...further] = content;
  const text = first === undefined ? '' : textOfBlock(first);
  // A handler decides how long its own answers are.
  if (first === undefined || text.length <= limit || !isApiResult(result)) return result;
  const name = responseMember(outputSchema);
  const structure = isRecord(structuredContent) ? (structuredContent as JsonObject) : {};
  const { [name]: beside, ...value } = structuredClone(structure);
  const list = cutLongestList(value, limit);
  const isBare = Object.keys(value).join() === 'result' && !text.startsWith('{');
  const shown = list === undefined ? cutText(text, limit) : writeJson(isBare ? value['result'] : value);
  const isEmbedded = list === undefined && first.type === 'resource';
  const block: Content = isEmbedded
    ? { type: 'resource', resource: { ...first.resource, text: shown } }
    : { type: 'text', text: shown };
  // It fits without the blanks that the API had written.
  if (list === '') return { ...result, content: [block, ...further] };
  const note = list === undefined ? describeCut(text, limit) : `${CUT} ${list}. Ask for less.`;
  const { notes = [], ...more } = (list === undefined ? {} : (beside ?? {})) as JsonObject;
  const noted = { [name]: { ...more, notes: [notes, note].flat() } };
  const isFit = isError !== true && (list !== undefined || (checkOutput?.(noted) ?? []).length === 0);
  return {
    ...result,
    content: [block, ...further, { type: 'text', text: note }],
    structuredContent:
      list === undefined ? (isFit && checkOutput ? noted : undefined) : { ...value, ...noted },
    ...(!isFit && { isError: true }),
  };
}

/** As a tool's answer is cut. Undefined if no list can be cut. */
export function cutJson(value: Json, limit: number): { text: string; notes: string[] } | undefined {
  const root = structuredClone(isRecord(value) ? (value as JsonObject) : { result: value });
  const list = cutLongestList(root, limit);
  if (list === undefined) return undefined;
  const text = writeJson(isRecord(value) ? root : root['result']);
  return { text, notes: list === '' ? [] : [`${CUT} ${list}. Ask for less.`] };
}

/** Cuts the longest list, at any depth, of which an item fits. Returns what is left of it: empty if all fits, undefined if nothing is cut. */
function cutLongestList(root: JsonObject, limit: number): string | undefined {
  const lists: { list: Json[]; sizes: number[]; size: number; path: string }[] = [];
  const measure = (value: unknown, path: string): number => {
    if (typeof value !== 'object' || value === null) return writeJson(value)?.length ?? 0;
    const sizes = Object.entries(value).map(
      ([name, member]) =>
        (Array.isArray(value) ? 1 : name.length + 4) +
        measure(member, path === '' ? name : `${path}.${name}`),
    );
    // The last member has no comma.
    const size = sizes.reduce((sum, one) => sum + one, sizes.length > 0 ? 1 : 2);
    if (Array.isArray(value)) lists.push({ list: value, sizes, size, path });
    return size;
  };
  const total = measure(root, '');
  if (total > 2 && total <= limit) return '';
  for (const { list, sizes, size, path } of lists.sort((a, b) => b.size - a.size)) {
    const { length } = list;
    let room = limit - (total - size);
    const end = sizes.findIndex((one) => (room -= one) < 0);
    // Its brackets alone were too much.
    if (end === -1) return '';
    if (end === 0) continue;
    list.length = end;
    return `the first ${count(end)} of ${count(length)} items${path === 'result' ? '' : ` of "${path}"`}`;
  }
  return undefined;
}

export function describeCut({ length }: string, limit: number): string {
  return `${CUT} the first ${count(limit)} of ${count(length)} characters. Ask for less.`;
}

/** A surrogate pair stays whole. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
}
