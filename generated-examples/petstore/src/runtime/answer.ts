// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** An API's answer as MCP content: decoded, redacted, with what a model needs beside it; and the cut before a client. */
import { STATUS_CODES } from 'node:http';
import { isRecord, isTooLarge, JSON_BOUNDS, ownMember, parseJson, writeJson } from './json-rpc.ts';
import { essence, isJsonType, USEFUL_HEADERS } from './request.ts';
import { errorResult, type Redact, redactJson, responseMember, textOfBlock } from './results.ts';
import type { ApiResponse } from './send.ts';
import type { Tool } from './tools.ts';
import type { ApiAnswer, Content, HttpBinding, Json, JsonObject, Outcome } from './types.ts';
import type { ResourceContents, SchemaObject, ToolResult } from './types.ts';

/** Base64 of more would be over what clients take in one message. */
const BINARY_BYTES = 6_000_000;

const CUT = 'The answer is too long and was cut. Shown:';
const BROKEN_JSON =
  'The API says that this is JSON, but it is not: it may have been cut short. A call that only reads may be repeated; another one may have taken effect.';

const count = (number: number): string => number.toLocaleString('en-US');

const TEXT_TYPE =
  /^text\/|\+(?:xml|yaml)$|\/(?:x-)?(?:xml|yaml|javascript|ecmascript|x-www-form-urlencoded|graphql|toml|sql|ndjson|jsonl|json-?seq)$/;

/** `isWhole`: for code, which takes any number of members. `accept`: the media types that the document promises. */
export function readAnswer(
  { status, headers, body, isCut, content, note }: ApiResponse,
  url: string,
  redact: Redact,
  { isWhole, accept = [] }: { isWhole: boolean; accept: readonly string[] | undefined },
): ApiAnswer {
  const header = headers['content-type'] ?? '';
  // A type without a slash (`json`), as APIs may send it, is ignored.
  const mediaType = /^[^/;]+\/[^/;]/.test(header) ? header : undefined;
  const redactedHeaders = Object.entries(headers).map(([name, value]) => [redact(name), redact(value)]);
  const notes = note === undefined ? [] : [note];
  const answer: ApiAnswer = {
    status,
    headers: Object.fromEntries(redactedHeaders) as Record<string, string>,
    url: redact(url),
    body: { kind: 'none' },
    ...(mediaType !== undefined && { mediaType }),
    ...(content !== undefined && { content }),
  };
  const end = (answerBody: ApiAnswer['body'], more?: string): ApiAnswer => {
    if (more !== undefined) notes.push(more);
    return { ...answer, body: answerBody, ...(notes.length > 0 && { notes }) };
  };
  if (body.length === 0) return end(answer.body);
  const { text, note: charsetNote } = decode(body, mediaType, isCut) ?? {};
  if (charsetNote !== undefined) notes.push(charsetNote);
  if (text === undefined) {
    if (isCut || body.length > BINARY_BYTES)
      return end(answer.body, `${CUT} nothing of its ${count(body.length)} bytes or more.`);
    return end({ kind: 'bytes', bytes: Buffer.from(redact(body.toString('latin1')), 'latin1') });
  }
  const asText: ApiAnswer['body'] = { kind: 'text', text: redact(text) };
  if (isCut) return end(asText, `${CUT} only its first ${count(text.length)} characters.`);
  const isPlain = mediaType === undefined || /^text\/(?:plain|html)$/.test(essence(mediaType));
  const isPromised = mediaType === undefined || (accept.length > 0 && accept.every(isJsonType));
  const isJson = isPlain ? isPromised && /^\s*[[{]/.test(text) : isJsonType(mediaType);
  if (!isJson) return end(asText);
  if (!isWhole && isTooLarge(text))
    return end(asText, `The answer has more than ${JSON_BOUNDS}, so it is shown as text.`);
  try {
    const value = parseJson(text) as Json;
    // The text may stop being JSON where a number is replaced.
    return end(
      asText.text === text
        ? { kind: 'json', value, text }
        : { kind: 'json', value: redactJson(value, redact) },
    );
  } catch {
    // A plain word (`OK`) sent as JSON is text.
    return end(asText, !isPlain && /^\s*["[{]|\uFFFD/.test(text) ? BROKEN_JSON : undefined);
  }
}

/** Undefined for bytes. Without a type, what is valid UTF-8 is text; JSON is UTF-8 whatever it declares (RFC 8259, section 8.1). */
function decode(
  body: Buffer,
  mediaType: string | undefined,
  isCut: boolean,
): { text: string; note?: string } | undefined {
  const type = essence(mediaType ?? 'text/plain');
  const isJson = isJsonType(type);
  if (!TEXT_TYPE.test(type) && !isJson) return undefined;
  const charset = isJson ? 'utf-8' : declaredCharset(body, mediaType);
  const text = decodeIn(charset, body, isCut);
  if (text !== undefined) return { text };
  if (mediaType === undefined) return undefined;
  const declared = declaredCharset(body, mediaType);
  const declaredText = isJson ? decodeIn(declared, body, isCut) : undefined;
  if (declaredText !== undefined)
    return { text: declaredText, note: `The API's JSON is not UTF-8 and was read as ${declared}.` };
  const note = `Some bytes of the answer are not valid ${charset}. Each is shown as \uFFFD.`;
  return { text: new TextDecoder(charset).decode(body, { stream: isCut }), note };
}

/** Undefined for bytes that are not of the charset. */
function decodeIn(charset: string, body: Buffer, isCut: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body, { stream: isCut });
  } catch {
    return undefined;
  }
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
  const { accept = [] } = binding.result ?? {};
  // A page in the place of JSON is that of a proxy, or of a browser's way to sign in.
  const isHtml =
    /html/i.test(answer.mediaType ?? '') ||
    (body.kind === 'text' && /^\s*<(?:!doctype )?html/i.test(body.text));
  const isPage = body.kind === 'text' && isHtml && accept.length > 0 && accept.every(isJsonType);
  if (!isSuccess(answer) || isPage || notes.includes(BROKEN_JSON)) {
    const hint = isPage ? ['This is a page of HTML where JSON was promised: check API_BASE_URL.'] : [];
    return { result: errorResult(describeError(answer, binding, hint)), cause: 'api' };
  }
  const headers = selectHeaders(answer, binding);
  const texts = [printHeaders(headers), ...notes].filter(Boolean);
  const content = [toContent(answer), ...texts.map((text): Content => ({ type: 'text', text }))];
  const beside = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(notes.length > 0 && { notes }),
  };
  const structuredContent = toStructure(answer, binding, outputSchema, beside);
  const result = structuredContent === undefined ? { content } : { content, structuredContent };
  return { result: Object.assign(result, { [OF_API]: answer.status }) };
}

/** Clients show text or structure, so what stands beside the answer is in both. A picture or a file has no structure. */
function toStructure(
  { body }: ApiAnswer,
  binding: HttpBinding,
  schema: SchemaObject | undefined,
  beside: JsonObject,
): Json | undefined {
  const isAlone = Object.keys(beside).length === 0;
  if (body.kind === 'bytes' || (body.kind === 'text' && isAlone)) return undefined;
  if (body.kind === 'none' && isAlone) return schema && {};
  let value: Json = {};
  if (body.kind === 'json') value = binding.result?.wrapped === true ? { result: body.value } : body.value;
  if (body.kind === 'text' && schema === undefined) value = body.text;
  if (isAlone) return value;
  const structure = isRecord(value) ? (value as JsonObject) : { result: value };
  return { ...structure, [responseMember(schema, structure)]: beside };
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

function textOfBody(body: ApiAnswer['body']): string {
  if (body.kind === 'json') return body.text ?? writeJson(body.value);
  return body.kind === 'text' ? body.text : '';
}

export function toResource({ mediaType = '', body, notes = [] }: ApiAnswer, uri: string): ResourceContents[] {
  const isBytes = body.kind === 'bytes';
  const mimeType = essence(mediaType) || (isBytes ? 'application/octet-stream' : 'text/plain');
  const contents = isBytes
    ? { uri, mimeType, blob: Buffer.from(body.bytes).toString('base64') }
    : { uri, mimeType, text: textOfBody(body) };
  const noteContents = notes.map((text) => ({ uri, mimeType: 'text/plain', text }));
  return body.kind === 'none' && notes.length > 0 ? noteContents : [contents, ...noteContents];
}

function statusLine(status: number): string {
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
export function describeError(answer: ApiAnswer, binding?: HttpBinding, hints: string[] = []): string {
  const { status, body, mediaType = '', notes = [] } = answer;
  const value = body.kind === 'json' && isRecord(body.value) ? body.value : {};
  const { title, detail, message, error, error_description: description } = value;
  const isText = (text: unknown): text is string => typeof text === 'string' && text !== '';
  const summary =
    [title, detail].filter(isText).join(': ') ||
    [message, description, isRecord(error) ? error['message'] : error].find(isText);
  let text = body.kind === 'json' ? writeJson(body.value) : textOfBody(body);
  if (body.kind === 'text' && /html/i.test(mediaType)) text = removeMarkup(text);
  if (body.kind === 'bytes') text = `(${body.bytes.byteLength} bytes of ${essence(mediaType)})`;
  const line = `The API answered ${statusLine(status)}${summary ? `: ${shorten(summary)}` : ''}`;
  const headers = printHeaders(selectHeaders(answer, binding));
  return [line, shorten(text), headers, ...notes, ...hints].filter((part) => part !== '').join('\n');
}

function shorten(text: string): string {
  const start = cutText(text, 4_000);
  return start === text ? text : `${start}… (${text.length - start.length} more characters)`;
}

/** Roughly, which is enough for a hint. */
function removeMarkup(html: string): string {
  const markup = /<(script|style)\b[^]{0,2000}?<\/\1>|<[^<>]*>|\s+/gi;
  return html.slice(0, 20_000).replace(markup, ' ').replace(/ +/g, ' ').trim();
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
  if (first === undefined || text.length <= limit || !isApiResult(result)) return result;
  const name = responseMember(outputSchema);
  const structure = isRecord(structuredContent) ? (structuredContent as JsonObject) : {};
  const { [name]: beside = {}, ...value } = structuredClone(structure);
  const list = cutLongestList(value, limit);
  const rest = list ?? `the first ${count(limit)} of ${count(text.length)} characters`;
  const note = `${CUT} ${rest}. Ask for less.`;
  const noteBlock: Content = { type: 'text', text: note };
  if (list !== undefined) {
    const isBare = Object.keys(value).join() === 'result' && !text.startsWith('{');
    const block: Content = { type: 'text', text: writeJson(isBare ? value['result'] : value) };
    // It fits without the blanks that the API had written.
    if (list === '') return { ...result, content: [block, ...further] };
    const { notes = [], ...more } = beside as JsonObject;
    const response = { ...more, notes: [notes, note].flat() } as JsonObject;
    return {
      ...result,
      content: [block, ...further, noteBlock],
      structuredContent: { ...value, [name]: response },
    };
  }
  const cut = cutText(text, limit);
  const block: Content =
    first.type === 'resource'
      ? { type: 'resource', resource: { ...first.resource, text: cut } }
      : { type: 'text', text: cut };
  const cutContent = [block, ...further, noteBlock];
  if (isError === true || checkOutput === undefined)
    return { content: cutContent, ...(isError === true && { isError }) };
  const notes = { [name]: { notes: [note] } };
  const isFit = checkOutput(notes).length === 0;
  return { content: cutContent, ...(isFit ? { structuredContent: notes } : { isError: true }) };
}

/** Cuts the longest list, at any depth, of which an item fits. Returns what is left of it: empty if all fits, undefined if nothing is cut. */
function cutLongestList(root: JsonObject, limit: number): string | undefined {
  const lists: { list: Json[]; sizes: number[]; size: number; path: string[] }[] = [];
  const measure = (value: unknown, path: string[]): number => {
    if (typeof value !== 'object' || value === null) return writeJson(value)?.length ?? 0;
    const isList = Array.isArray(value);
    const sizes = Object.entries(value).map(
      ([name, member]) => (isList ? 1 : name.length + 4) + measure(member, [...path, name]),
    );
    const size = sizes.reduce((sum, one) => sum + one, 2);
    if (isList) lists.push({ list: value as Json[], sizes, size, path });
    return size;
  };
  const total = measure(root, []);
  if (total > 2 && total <= limit) return '';
  for (const { list, sizes, size, path } of lists.sort((a, b) => b.size - a.size)) {
    const { length } = list;
    let room = limit - (total - size);
    const end = sizes.findIndex((one) => (room -= one) < 0);
    if (end < 1) continue;
    list.length = end;
    const place = path.filter((name) => name !== 'result').join('.');
    return `the first ${count(end)} of ${count(length)} items${place === '' ? '' : ` of "${place}"`}`;
  }
  return undefined;
}

/** A surrogate pair stays whole. */
function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
}
