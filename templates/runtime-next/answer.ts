// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** An API's answer as MCP content: decoded, redacted, with what a model needs beside it; and the cut before a client. */
import { STATUS_CODES } from 'node:http';
import { convertText } from './coerce.ts';
import { type Redact, REDACTED, redactJson } from './credentials.ts';
import { isRecord, isTooLarge, JSON_BOUNDS, ownMember, parseJson, writeJson } from './json-rpc.ts';
import { essence, isJsonType } from './request.ts';
import type { ApiResponse } from './send.ts';
import { errorResult, responseMember, type Tool } from './tools.ts';
import type { ApiAnswer, Args, Content, HttpBinding, Json, JsonObject, Outcome } from './types.ts';
import type { ResourceContents, SchemaObject, ToolInfo, ToolResult } from './types.ts';

/** More members would hold the event loop while they are parsed, and what is deeper can't be written again. */
/** Base64 of more would be over what clients take in one message. */
const BINARY_BYTES = 6_000_000;

const CUT = 'The answer is too long and was cut. Shown:';
const BROKEN_JSON =
  'The API says that this is JSON, but it is not: it may have been cut short. A call that only reads may be repeated; another one may have taken effect.';

const count = (number: number): string => number.toLocaleString('en-US');

/** `isWhole`: for code, which takes any number of members. */
export function readAnswer(
  { status, headers, body, isCut }: ApiResponse,
  url: string,
  redact: Redact,
  isWhole: boolean,
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
  };
  if (body.length === 0) return answer;
  const text = decode(body, mediaType, isCut);
  if (text === undefined) {
    if (isCut || body.length > BINARY_BYTES)
      return { ...answer, notes: [`${CUT} nothing of its ${count(body.length)} bytes or more.`] };
    return {
      ...answer,
      body: { kind: 'bytes', bytes: Buffer.from(redact(body.toString('latin1')), 'latin1') },
    };
  }
  const asText = (...notes: string[]): ApiAnswer => ({
    ...answer,
    body: { kind: 'text', text: redact(text) },
    ...(notes.length > 0 && { notes }),
  });
  if (isCut) return asText(`${CUT} only its first ${count(text.length)} characters.`);
  if (!(mediaType === undefined ? /^\s*[[{]/.test(text) : isJsonType(mediaType))) return asText();
  if (!isWhole && isTooLarge(text))
    return asText(`The answer has more than ${JSON_BOUNDS}, so it is shown as text.`);
  try {
    const value = parseJson(text) as Json;
    // The text may stop being JSON where a number is replaced.
    if (redact(text) !== text) return { ...answer, body: { kind: 'json', value: redactJson(value, redact) } };
    return { ...answer, body: { kind: 'json', value, text } };
  } catch {
    // A plain word (`OK`) sent as JSON is text.
    return mediaType !== undefined && /^\s*["[{]/.test(text) ? asText(BROKEN_JSON) : asText();
  }
}

const TEXT_TYPE =
  /^text\/|\+(?:xml|yaml)$|\/(?:x-)?(?:xml|yaml|javascript|ecmascript|x-www-form-urlencoded|graphql|toml|sql|ndjson|jsonl|json-?seq)$/;

/** Undefined for bytes. Without a type, what is valid UTF-8 is text. */
function decode(body: Buffer, mediaType: string | undefined, isCut: boolean): string | undefined {
  const type = essence(mediaType ?? 'text/plain');
  if (!TEXT_TYPE.test(type) && !isJsonType(type)) return undefined;
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(mediaType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: mediaType === undefined }).decode(body, { stream: isCut });
  } catch {
    return mediaType === undefined ? undefined : new TextDecoder().decode(body, { stream: isCut });
  }
}

// Content.

export function isSuccess({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

const HTML = /^\s*<(?:!doctype\s+html|html)[\s>]/i;

export function answerOutcome(
  answer: ApiAnswer,
  binding: HttpBinding,
  info: ToolInfo | undefined,
  args: Args,
): Outcome {
  const { body, notes = [] } = answer;
  const { accept = [] } = binding.result ?? {};
  // A page in the place of JSON is that of a proxy, or of a browser's way to sign in.
  const isPage =
    body.kind === 'text' && HTML.test(body.text) && accept.length > 0 && accept.every(isJsonType);
  if (!isSuccess(answer) || isPage || notes.includes(BROKEN_JSON)) {
    const hints = isPage ? ['This is a page of HTML where JSON was promised: check API_BASE_URL.'] : [];
    return { result: errorResult(describeError(answer, binding, hints)), cause: 'api' };
  }
  const headers = selectHeaders(answer, binding);
  const next = nextArguments(answer, binding, info, args);
  const page = next === undefined ? '' : `Arguments of the next call: ${writeJson(next)}`;
  const texts = [printHeaders(headers), page, ...notes].filter((text) => text !== '');
  const beside = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(next !== undefined && { next }),
    ...(notes.length > 0 && { notes }),
  };
  const structuredContent = toStructure(answer, binding, info?.outputSchema, beside);
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

function toContent({ status, mediaType = '', url, body }: ApiAnswer): Content {
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

/** Headers that later calls need. */
const USEFUL =
  /^(?:etag|last-modified|link|allow|retry-after|content-range|x-total-count|(?:.+-)?location|x-next.*|(?:x-)?rate-?limit.*)$/;

function selectHeaders(
  { status, headers }: ApiAnswer,
  binding: HttpBinding | undefined,
): Record<string, string> {
  const declared = binding?.result?.headers ?? {};
  const names = declared[status] ?? declared[`${String(status)[0]}XX`] ?? declared['default'] ?? [];
  const isUseful = ([name, value]: [string, string]): boolean =>
    USEFUL.test(name) ||
    names.includes(name) ||
    (name === 'content-disposition' && /filename/i.test(value)) ||
    (binding?.method === 'HEAD' && /^(?:content-|x-)/.test(name));
  return Object.fromEntries(Object.entries(headers).filter(isUseful));
}

function printHeaders(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Undefined unless this operation gives the next page, by arguments that differ from those of this call (RFC 8288). */
function nextArguments(
  { headers, url }: ApiAnswer,
  { parameters }: HttpBinding,
  info: ToolInfo | undefined,
  args: Args,
): JsonObject | undefined {
  const links = (headers['link'] ?? '').slice(0, 8_192).split(/,(?=\s*<)/);
  const link = links.find((one) => /;\s*rel="?(?:[^"]*\s)?next(?:[\s";]|$)/i.test(one)) ?? '';
  const target = /<([^<>]*)>/.exec(link)?.[1];
  if (target === undefined || !URL.canParse(target, url)) return undefined;
  const [here, there] = [new URL(url), new URL(target, url)];
  if (here.origin !== there.origin || here.pathname !== there.pathname) return undefined;
  const changes: Args = {};
  for (const name of there.searchParams.keys()) {
    const [before, value] = [here, there].map((page) => page.searchParams.getAll(name).join(','));
    // The values of a credential were left out of `here`, so they are no change.
    if (value === undefined || value === before || value.includes(REDACTED)) continue;
    const { argument = '' } = parameters.find((one) => one.in === 'query' && one.name === name) ?? {};
    const schema = ownMember(info?.inputSchema.properties, argument);
    if (schema === undefined) return undefined;
    changes[argument] = convertText(value, schema);
  }
  return Object.keys(changes).length === 0 ? undefined : ({ ...args, ...changes } as JsonObject);
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

/**
 * The longest list of an answer loses its last items, any other text loses its end, and a note says so. Where
 * an output schema asks for all of a structure, the result is an error: clients would refuse it without.
 */
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
  const list = cutLongestList(structure, limit);
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
    const notes = { [responseMember(outputSchema)]: { notes: [note] } };
    const isFit = checkOutput(notes).length === 0;
    return { content: cutContent, ...(isFit ? { structuredContent: notes } : { isError: true }) };
  }
  const name = responseMember(outputSchema);
  const { [name]: beside, ...value } = structure;
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

function textOfBlock(block: Content): string {
  if (block.type === 'text') return block.text;
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : '';
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
