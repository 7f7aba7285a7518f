// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** An API's answer as MCP content: decoded, redacted, with what a model needs beside it; and the cut before a client. */
import { STATUS_CODES } from 'node:http';
import { type Redact, redactJson } from './credentials.ts';
import { isRecord, isTooLarge, JSON_BOUNDS, ownMember, parseJson, writeJson } from './json-rpc.ts';
import { charsetOf, essence, isJsonType, USEFUL_HEADERS } from './request.ts';
import type { ApiResponse } from './send.ts';
import { errorResult, responseMember, textOfBlock } from './results.ts';
import type { Tool } from './tools.ts';
import type {
  ApiAnswer,
  Content,
  HttpBinding,
  Json,
  JsonObject,
  Outcome,
  ResourceContents,
} from './types.ts';
import type { SchemaObject, ToolResult } from './types.ts';

/** Base64 of more would be over what clients take in one message. */
const BINARY_BYTES = 6_000_000;

const CUT = 'The answer is too long and was cut. Shown:';
const BROKEN_JSON =
  'The API says that this is JSON, but it is not: it may have been cut short. A call that only reads may be repeated; another one may have taken effect.';

const count = (number: number): string => number.toLocaleString('en-US');

/** `isWhole`: for code, which takes any number of members. `accept`: the media types that the document promises. */
export function readAnswer(
  { status, headers, body, isCut, content }: ApiResponse,
  url: string,
  redact: Redact,
  { isWhole, accept = [] }: { isWhole: boolean; accept: readonly string[] | undefined },
): ApiAnswer {
  const type = headers['content-type'] ?? '';
  // A type without a slash (`json`), as APIs may send it, is ignored.
  const mediaType = /^[^/;]+\/[^/;]/.test(type) ? type : undefined;
  const answer: ApiAnswer = {
    status,
    headers: Object.fromEntries(Object.entries(headers).map((pair) => pair.map(redact) as [string, string])),
    url: redact(url),
    body: { kind: 'none' },
    ...(mediaType !== undefined && { mediaType }),
    ...(content !== undefined && { content }),
  };
  if (body.length === 0) return answer;
  const { text, notes = [] } = decode(body, mediaType, isCut) ?? {};
  if (text === undefined) {
    if (isCut || body.length > BINARY_BYTES)
      return { ...answer, notes: [`${CUT} nothing of its ${count(body.length)} bytes or more.`] };
    return {
      ...answer,
      body: { kind: 'bytes', bytes: Buffer.from(redact(body.toString('latin1')), 'latin1') },
    };
  }
  if (notes.length > 0) answer.notes = notes;
  const asText = (...more: string[]): ApiAnswer => ({
    ...answer,
    body: { kind: 'text', text: redact(text) },
    ...(notes.length + more.length > 0 && { notes: [...notes, ...more] }),
  });
  if (isCut) return asText(`${CUT} only its first ${count(text.length)} characters.`);
  const isPlain = mediaType === undefined || /^text\/(?:plain|html)$/.test(essence(mediaType));
  const isPromised = mediaType === undefined || (accept.length > 0 && accept.every(isJsonType));
  const isJson = isPlain ? isPromised && /^\s*[[{]/.test(text) : isJsonType(mediaType);
  if (!isJson) return asText();
  if (!isWhole && isTooLarge(text))
    return asText(`The answer has more than ${JSON_BOUNDS}, so it is shown as text.`);
  try {
    const value = parseJson(text) as Json;
    // The text may stop being JSON where a number is replaced.
    if (redact(text) !== text) return { ...answer, body: { kind: 'json', value: redactJson(value, redact) } };
    return { ...answer, body: { kind: 'json', value, text } };
  } catch {
    // A plain word (`OK`) sent as JSON is text.
    const isBroken = !isPlain && (notes.length > 0 || /^\s*["[{]/.test(text));
    return isBroken ? asText(BROKEN_JSON) : asText();
  }
}

const TEXT_TYPE =
  /^text\/|\+(?:xml|yaml)$|\/(?:x-)?(?:xml|yaml|javascript|ecmascript|x-www-form-urlencoded|graphql|toml|sql|ndjson|jsonl|json-?seq)$/;

/** Undefined for bytes. Without a type, what is valid UTF-8 is text. */
function decode(
  body: Buffer,
  mediaType: string | undefined,
  isCut: boolean,
): { text: string; notes?: string[] } | undefined {
  const type = essence(mediaType ?? 'text/plain');
  const isJson = isJsonType(type);
  if (!TEXT_TYPE.test(type) && !isJson) return undefined;
  const declared = declaredCharset(body, mediaType ?? '');
  // JSON is UTF-8 whatever it declares (RFC 8259, section 8.1).
  const charset = isJson ? 'utf-8' : declared;
  const text = tryDecode(body, charset, isCut);
  if (text !== undefined) return { text };
  if (mediaType === undefined) return undefined;
  const otherText = isJson && declared !== 'utf-8' ? tryDecode(body, declared, isCut) : undefined;
  if (otherText !== undefined)
    return { text: otherText, notes: [`The API's JSON is not UTF-8 and was read as ${declared}.`] };
  return {
    text: new TextDecoder(charset).decode(body, { stream: isCut }),
    notes: [`Some bytes of the answer are not valid ${charset}. Each is shown as \uFFFD.`],
  };
}

function tryDecode(body: Buffer, charset: string, isCut: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body, { stream: isCut });
  } catch {
    return undefined;
  }
}

/** That of the media type, the byte order mark, or the XML declaration (RFC 7303, section 3). UTF-8 if it is none that Node knows. */
function declaredCharset(body: Buffer, mediaType: string): string {
  const start = body.subarray(0, 200).toString('latin1');
  const mark = /^(?:(?<be>\xFE\xFF)|\xFF\xFE)/.exec(start);
  const ofMark = mark === null ? undefined : mark.groups?.['be'] === undefined ? 'utf-16le' : 'utf-16be';
  const isXml = /[/+]xml$/.test(essence(mediaType));
  const ofXml = isXml ? /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/.exec(start)?.[1] : undefined;
  const charset = charsetOf(mediaType) ?? ofMark ?? ofXml ?? 'utf-8';
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return 'utf-8';
  }
}

// Content.

export function isSuccess({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

const HTML_PAGE = /^\s*<(?:!doctype\s+html|html)[\s>]/i;

export function answerOutcome(
  answer: ApiAnswer,
  binding: HttpBinding,
  outputSchema: SchemaObject | undefined,
): Outcome {
  const { body, notes = [] } = answer;
  const { accept = [] } = binding.result ?? {};
  // A page in the place of JSON is that of a proxy, or of a browser's way to sign in.
  const isPage =
    body.kind === 'text' &&
    (HTML_PAGE.test(body.text) || essence(answer.mediaType ?? '') === 'text/html') &&
    accept.length > 0 &&
    accept.every(isJsonType);
  if (!isSuccess(answer) || isPage || notes.includes(BROKEN_JSON)) {
    const hints = isPage ? ['This is a page of HTML where JSON was promised: check API_BASE_URL.'] : [];
    return { result: errorResult(describeError(answer, binding, hints)), cause: 'api' };
  }
  const headers = selectHeaders(answer, binding);
  const texts = [printHeaders(headers), ...notes].filter((text) => text !== '');
  const beside = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(notes.length > 0 && { notes }),
  };
  const structuredContent = toStructure(answer, binding, outputSchema, beside);
  const content = [toContent(answer), ...texts.map((text): Content => ({ type: 'text', text }))];
  const result = structuredContent === undefined ? { content } : { content, structuredContent };
  return { result: Object.assign(result, { [OF_API]: true }) };
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
  if (body.kind === 'json') return { type: 'text', text: body.text ?? writeJson(body.value) };
  if (body.kind === 'text') {
    // A text block has no media type, and models read CSV or HTML for what it is.
    if (mediaType === '' || type === 'text/plain' || isJsonType(type))
      return { type: 'text', text: body.text };
    return { type: 'resource', resource: { uri: url, mimeType: type, text: body.text } };
  }
  const data = Buffer.from(body.bytes).toString('base64');
  const [kind] = type.split('/');
  if (kind === 'image' || kind === 'audio') return { type: kind, data, mimeType: type };
  return { type: 'resource', resource: { uri: url, mimeType: type, blob: data } };
}

export function toResource({ mediaType = '', body, notes = [] }: ApiAnswer, uri: string): ResourceContents[] {
  const mimeType = essence(mediaType) || (body.kind === 'bytes' ? 'application/octet-stream' : 'text/plain');
  const noteContents = notes.map((text) => ({ uri, mimeType: 'text/plain', text }));
  if (body.kind === 'none') return noteContents.length > 0 ? noteContents : [{ uri, mimeType, text: '' }];
  if (body.kind === 'bytes')
    return [{ uri, mimeType, blob: Buffer.from(body.bytes).toString('base64') }, ...noteContents];
  const text = body.kind === 'json' ? (body.text ?? writeJson(body.value)) : body.text;
  return [{ uri, mimeType, text }, ...noteContents];
}

function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

function selectHeaders(
  { status, headers }: ApiAnswer,
  binding: HttpBinding | undefined,
): Record<string, string> {
  const declared = binding?.result?.headers ?? {};
  const list = (key: string): string[] | undefined => ownMember(declared, key);
  const names = list(String(status)) ?? list(`${String(status)[0]}XX`) ?? list('default') ?? [];
  const isUseful = ([name, value]: [string, string]): boolean =>
    USEFUL_HEADERS.test(name) ||
    (binding?.result?.showsVersion === true && /^(?:etag|last-modified)$/.test(name)) ||
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

// Errors.

const MOST_CHARACTERS = 4_000;

function shorten(text: string): string {
  const start = cutText(text, MOST_CHARACTERS);
  return start === text ? text : `${start}… (${text.length - start.length} more characters)`;
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
  let text = '';
  if (body.kind === 'json') text = writeJson(body.value);
  if (body.kind === 'text') text = /html/i.test(mediaType) ? removeMarkup(body.text) : body.text;
  if (body.kind === 'bytes') text = `(${body.bytes.byteLength} bytes of ${essence(mediaType)})`;
  const line = `The API answered ${statusLine(status)}${summary ? `: ${shorten(summary)}` : ''}`;
  const headers = printHeaders(selectHeaders(answer, binding));
  return [line, shorten(text), headers, ...notes, ...hints].filter((part) => part !== '').join('\n');
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

/** The longest list loses its last items, any other text its end. If the output schema asks for all, the result is an error. */
export function cutResult(
  result: ToolResult,
  limit: number,
  { info: { outputSchema }, checkOutput }: Pick<Tool, 'info' | 'checkOutput'>,
): ToolResult {
  const { content, structuredContent, isError } = result;
  const [first, ...further] = content;
  const isShort = content.every((block) => textOfBlock(block).length <= limit);
  if (first === undefined || isShort || !isApiResult(result)) return result;
  const text = textOfBlock(first);
  const structure = isRecord(structuredContent) ? structuredClone(structuredContent as JsonObject) : {};
  const name = responseMember(outputSchema);
  const { [name]: beside, ...value } = structure;
  // Beside a text that the API sent in the place of JSON, the structure has notes alone.
  const list = Object.keys(value).length === 0 ? undefined : cutLongestList(structure, limit);
  const rest = list ?? `the first ${count(limit)} of ${count(text.length)} characters`;
  const note = `${CUT} ${rest}. Ask for less.`;
  const noteBlock: Content = { type: 'text', text: note };
  if (list === undefined) {
    const cut = cutText(text, limit);
    const resource = first.type === 'resource' && ({ ...first.resource, text: cut } as ResourceContents);
    const block: Content = resource ? { type: 'resource', resource } : { type: 'text', text: cut };
    const cutContent = [block, ...further, noteBlock];
    if (isError === true) return { content: cutContent, isError };
    if (checkOutput === undefined) return { content: cutContent };
    const notes = { [name]: { notes: [note] } };
    const isFit = checkOutput(notes).length === 0;
    return { content: cutContent, ...(isFit ? { structuredContent: notes } : { isError: true }) };
  }
  const { notes = [], ...more } = isRecord(beside) ? beside : {};
  const isBare = Object.keys(value).join() === 'result' && !text.startsWith('{');
  const block: Content = { type: 'text', text: writeJson(isBare ? value['result'] : value) };
  // The API had written it with blanks.
  if (list === '') return { ...result, content: [block, ...further] };
  return {
    ...result,
    content: [block, ...further, noteBlock],
    structuredContent: { ...value, [name]: { ...more, notes: [notes, note].flat() } as JsonObject },
  };
}

/** Cuts the longest list, at any depth, of which an item fits. Returns what is left of it: empty if all fits. */
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
