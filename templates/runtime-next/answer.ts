// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** An API's answer as MCP content: decoded, redacted, with what a model needs beside it; and the cut before a client. */
import { STATUS_CODES } from 'node:http';
import { convertText } from './coerce.ts';
import { type Redact, redactJson, REDACTED } from './credentials.ts';
import { isRecord, ownMember, parseJson, writeJson } from './json-rpc.ts';
import { essence, isJsonType } from './request.ts';
import type { ApiResponse } from './send.ts';
import type {
  ApiAnswer,
  Args,
  Content,
  HttpBinding,
  Json,
  JsonObject,
  Outcome,
  ResourceContents,
  ToolInfo,
  ToolResult,
} from './types.ts';
import { responseMember } from './tools.ts';

/** More members would hold the event loop while they are parsed, and what is deeper can't be written again. */
const MOST_MEMBERS = 100_000;
const DEEPEST = 500;
/** Base64 of more would be over what clients take in one message. */
const BINARY_BYTES = 6_000_000;

const count = (number: number): string => number.toLocaleString('en-US');

export function readAnswer(
  { status, headers, body, isCut }: ApiResponse,
  url: string,
  redact: Redact,
  isWhole: boolean,
): ApiAnswer {
  const shown = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [redact(name), redact(value)]),
  );
  const type = headers['content-type'];
  // A type without a slash (`json`), as APIs may send it, is ignored.
  const mediaType = type !== undefined && /^[^/;]+\/[^/;]/.test(type) ? type : undefined;
  const answer: ApiAnswer = {
    status,
    headers: shown,
    url: redact(url),
    body: { kind: 'none' },
    ...(mediaType !== undefined && { mediaType: redact(mediaType) }),
  };
  if (body.length === 0) return answer;
  const text = isTextType(mediaType)
    ? decodeText(body, mediaType, isCut)
    : mediaType === undefined
      ? decodeUtf8(body, isCut)
      : undefined;
  if (text === undefined) {
    const bytes = redactBytes(body, redact);
    if (!isCut && body.length <= BINARY_BYTES) return { ...answer, body: { kind: 'bytes', bytes } };
    const size = isCut
      ? `longer than ${count(body.length)} bytes`
      : `${count(body.length)} bytes, and clients take ${count(BINARY_BYTES)}`;
    return {
      ...answer,
      notes: [`The answer is too long and was cut. Shown: nothing of it: it has ${size}.`],
    };
  }
  const isJson = mediaType === undefined ? /^\s*[[{]/.test(text) : isJsonType(mediaType);
  if (!isJson || isCut)
    return {
      ...answer,
      body: { kind: 'text', text: redact(text) },
      ...(isCut && { notes: [cutNote(text.length)] }),
    };
  if (!isWhole && isTooLarge(text)) {
    const note = `The answer has more than ${count(MOST_MEMBERS)} members or ${DEEPEST} levels, so it is shown as text.`;
    return { ...answer, body: { kind: 'text', text: redact(text) }, notes: [note] };
  }
  try {
    const value = parseJson(text) as Json;
    const redacted = redact(text);
    if (redacted === text) return { ...answer, body: { kind: 'json', value, text } };
    // The text may stop being JSON where a number is replaced.
    return { ...answer, body: { kind: 'json', value: redactJson(value, redact) } };
  } catch (thrown) {
    if (thrown instanceof RangeError) throw thrown;
    return {
      ...answer,
      body: { kind: 'text', text: redact(text) },
      ...(mediaType !== undefined && { notes: [BROKEN_JSON] }),
    };
  }
}

const BROKEN_JSON =
  'The API calls this JSON, and it is none: it may have been cut short. A call that only reads may be repeated; another one may have taken effect.';

function cutNote(shown: number): string {
  return `The answer is too long and was cut. Shown: only its first ${count(shown)} characters.`;
}

function isTextType(mediaType: string | undefined): boolean {
  const type = essence(mediaType ?? '');
  return (
    type.startsWith('text/') ||
    isJsonType(type) ||
    /\+(?:xml|yaml)$|\/(?:x-)?(?:xml|yaml|javascript|ecmascript|x-www-form-urlencoded|graphql|toml|sql|ndjson|jsonl|json-?seq)$/.test(
      type,
    )
  );
}

function decodeText(body: Buffer, mediaType = '', isCut: boolean): string {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(mediaType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body, { stream: isCut });
  } catch {
    return new TextDecoder().decode(body, { stream: isCut });
  }
}

function decodeUtf8(body: Buffer, isCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: isCut });
  } catch {
    return undefined;
  }
}

/** Finds secrets in ASCII or UTF-8. */
function redactBytes(body: Buffer, redact: Redact): Buffer {
  const text = body.toString('latin1');
  const shown = redact(text);
  return shown === text ? body : Buffer.from(shown, 'latin1');
}

/** Counts the members, items and levels of a JSON text without parsing it. */
function isTooLarge(text: string): boolean {
  let [members, level, isString] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    else if (character === ',') members++;
    else if (character === ']' || character === '}') level--;
    else if (character === '[' || character === '{') {
      members++;
      level++;
    }
    if (members > MOST_MEMBERS || level > DEEPEST) return true;
  }
  return false;
}

// Content.

/** What a result holds beside the API's own value; it becomes a member of the structure, since clients show text or structure. */
interface Beside {
  headers?: Record<string, string>;
  /** The arguments of the next page. */
  next?: JsonObject;
  notes?: string[];
}

const HTML = /^\s*<(?:!doctype\s+html|html)[\s>]/i;

export function toOutcome(
  answer: ApiAnswer,
  binding: HttpBinding,
  info: ToolInfo | undefined,
  args: Args,
  hint?: string,
): Outcome {
  const { status, body, notes = [] } = answer;
  const { accept = [] } = binding.result ?? {};
  // A page in the place of JSON is that of a proxy, or of a browser's way to sign in.
  const isPage =
    body.kind === 'text' && HTML.test(body.text) && accept.length > 0 && accept.every(isJsonType);
  const pageHint = isPage
    ? 'This is a page of HTML where JSON was promised. The base URL may be wrong: check API_BASE_URL.'
    : undefined;
  if (status < 200 || status >= 300 || isPage) {
    const text = describeError(
      answer,
      binding,
      [pageHint, hint].filter((words) => words !== undefined),
    );
    return { result: { content: [{ type: 'text', text }], isError: true }, cause: 'api' };
  }
  const content: Content[] = [toContent(answer)];
  const isBroken = notes.includes(BROKEN_JSON);
  const headers = toldHeaders(answer, binding);
  const next = headers['link'] === undefined ? undefined : nextArguments(answer, binding, info, args);
  if (Object.keys(headers).length > 0) content.push({ type: 'text', text: printHeaders(headers) });
  if (next !== undefined)
    content.push({ type: 'text', text: `Arguments of the next call: ${writeJson(next)}` });
  for (const note of notes) content.push({ type: 'text', text: note });
  if (isBroken) return { result: { content, isError: true }, cause: 'api' };
  const beside: Beside = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(next !== undefined && { next }),
    ...(notes.length > 0 && { notes }),
  };
  const structuredContent = toStructure(answer, binding, info, beside, content);
  return {
    result: markOfApi({ content, ...(structuredContent !== undefined && { structuredContent }) }, answer),
  };
}

/** Undefined: clients that show a structure show nothing else, so a picture or a file has none. */
function toStructure(
  { body }: ApiAnswer,
  binding: HttpBinding,
  info: ToolInfo | undefined,
  beside: Beside,
  content: readonly Content[],
): Json | undefined {
  const isTold = Object.keys(beside).length > 0;
  const isText = content.every(
    (block) => block.type === 'text' || (block.type === 'resource' && 'text' in block.resource),
  );
  if (body.kind === 'json') {
    const value: Json = binding.result?.wrapped === true ? { result: body.value } : body.value;
    if (!isTold) return value;
    const structure = isRecord(value) ? (value as JsonObject) : { result: value };
    return { ...structure, [responseMember(info?.outputSchema, structure)]: beside as unknown as JsonObject };
  }
  if (!isTold || !isText) return undefined;
  const isPromised = info?.outputSchema !== undefined;
  const structure: JsonObject = body.kind === 'text' && !isPromised ? { result: body.text } : {};
  return { ...structure, [responseMember(info?.outputSchema)]: beside as unknown as JsonObject };
}

function toContent({ status, mediaType = '', url, body }: ApiAnswer): Content {
  const type = essence(mediaType) || 'application/octet-stream';
  switch (body.kind) {
    case 'none':
      return { type: 'text', text: statusLine(status) };
    case 'json':
      return { type: 'text', text: body.text ?? writeJson(body.value) };
    case 'text':
      // A text block has no media type, and models read CSV or HTML for what it is.
      return mediaType === '' || type === 'text/plain' || isJsonType(type)
        ? { type: 'text', text: body.text }
        : { type: 'resource', resource: { uri: url, mimeType: type, text: body.text } };
    case 'bytes': {
      const data = Buffer.from(body.bytes).toString('base64');
      const [kind] = type.split('/');
      if (kind === 'image' || kind === 'audio') return { type: kind, data, mimeType: type };
      return { type: 'resource', resource: { uri: url, mimeType: type, blob: data } };
    }
  }
}

export function toResource({ mediaType, body, notes = [] }: ApiAnswer, uri: string): ResourceContents[] {
  const mimeType =
    essence(mediaType ?? '') || (body.kind === 'bytes' ? 'application/octet-stream' : 'text/plain');
  const noted = notes.map((text) => ({ uri, mimeType: 'text/plain', text }));
  if (body.kind === 'none') return noted.length > 0 ? noted : [{ uri, mimeType, text: '' }];
  if (body.kind === 'bytes')
    return [{ uri, mimeType, blob: Buffer.from(body.bytes).toString('base64') }, ...noted];
  return [
    { uri, mimeType, text: body.kind === 'json' ? (body.text ?? writeJson(body.value)) : body.text },
    ...noted,
  ];
}

function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

// Headers that later calls need.

const TOLD =
  /^(?:etag|last-modified|link|allow|retry-after|content-range|x-total-count|(?:.+-)?location|x-next.*|(?:x-)?rate-?limit.*)$/;

function toldHeaders(
  { status, headers }: ApiAnswer,
  binding: HttpBinding | undefined,
): Record<string, string> {
  const declared = binding?.result?.headers;
  const names =
    declared?.[status] ?? ownMember(declared, `${Math.floor(status / 100)}XX`) ?? declared?.['default'] ?? [];
  const isTold = ([name, value]: [string, string]): boolean =>
    TOLD.test(name) ||
    names.includes(name) ||
    (name === 'content-disposition' && /filename/i.test(value)) ||
    (binding?.method === 'HEAD' && /^(?:content-|x-)/.test(name));
  return Object.fromEntries(Object.entries(headers).filter(isTold));
}

function printHeaders(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Undefined unless this operation gives the next page, by arguments that differ from those of this call (RFC 8288). */
function nextArguments(
  { headers, url }: ApiAnswer,
  binding: HttpBinding,
  info: ToolInfo | undefined,
  args: Args,
): JsonObject | undefined {
  const links = (headers['link'] ?? '').slice(0, 8_192).split(/,(?=\s*<)/);
  const target = links
    .find((link) => /;\s*rel="?(?:[^"]*\s)?next(?:[\s";]|$)/i.test(link))
    ?.match(/<([^<>]*)>/)?.[1];
  if (target === undefined || info === undefined || !URL.canParse(target, url)) return undefined;
  const [here, there] = [new URL(url), new URL(target, url)];
  if (here.origin !== there.origin || here.pathname !== there.pathname) return undefined;
  const { properties } = info.inputSchema;
  const next: Args = { ...args };
  let isChanged = false;
  for (const name of new Set(there.searchParams.keys())) {
    const values = there.searchParams.getAll(name);
    // The values of a credential were left out of `here`, so they are no change.
    if (
      writeJson(values) === writeJson(here.searchParams.getAll(name)) ||
      values.some((value) => value.includes(REDACTED))
    )
      continue;
    const parameter = binding.parameters.find((one) => one.in === 'query' && one.name === name);
    const schema = parameter && ownMember(properties, parameter.argument);
    if (parameter === undefined || schema === undefined) return undefined;
    next[parameter.argument] = convertText(values.join(','), schema);
    isChanged = true;
  }
  return isChanged ? (next as JsonObject) : undefined;
}

// Errors.

const MOST_CHARACTERS = 4_000;

function shorten(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const shown = cutText(text, MOST_CHARACTERS);
  return `${shown}… (${text.length - shown.length} more characters)`;
}

/** RFC 9457, `message`, `error.message` or `error_description` first. */
export function describeError(
  answer: ApiAnswer,
  binding: HttpBinding | undefined,
  hints: readonly string[],
): string {
  const { status, body, mediaType = '' } = answer;
  const value = body.kind === 'json' && isRecord(body.value) ? body.value : {};
  const { title, detail, message, error, error_description: description } = value;
  const isText = (text: unknown): text is string => typeof text === 'string' && text !== '';
  const words =
    [title, detail].filter(isText).join(': ') ||
    [message, description, isRecord(error) ? error['message'] : error].find(isText);
  const text =
    body.kind === 'json'
      ? writeJson(body.value)
      : body.kind === 'text'
        ? /html/i.test(mediaType)
          ? removeMarkup(body.text)
          : body.text
        : body.kind === 'bytes'
          ? `(${body.bytes.byteLength} bytes of ${essence(mediaType)})`
          : '';
  return [
    `The API answered ${statusLine(status)}${words ? `: ${shorten(words)}` : ''}`,
    shorten(text),
    printHeaders(toldHeaders(answer, binding)),
    ...hints,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Removes the tags of HTML roughly, which is enough for a hint. */
function removeMarkup(html: string): string {
  return html
    .slice(0, 20 * MOST_CHARACTERS)
    .replace(/<(script|style)\b[\s\S]{0,20000}?<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

// The cut: the last act before a client.

/** A symbol survives the copies that handlers make, and JSON leaves it out. */
const OF_API = Symbol('the answer of an API');

function markOfApi(result: ToolResult, { body }: ApiAnswer): ToolResult {
  return Object.assign(result, { [OF_API]: body.kind === 'text' ? body.text : undefined });
}

/** The text of an API's answer that is no JSON. */
export function apiText(result: ToolResult): string | undefined {
  return (result as { [OF_API]?: string })[OF_API];
}

/** Whether an API answered, maybe through a handler that passes it on. */
export function isApiResult(result: ToolResult): boolean {
  return OF_API in result;
}

/** The longest list of an answer loses its last items, any other text loses its end, and a note says so. Errors are never cut. */
export function cutResult(result: ToolResult, most: number): ToolResult {
  const { content, structuredContent, isError } = result;
  if (isError === true || !(OF_API in result) || content.every((block) => sizeOf(block) <= most))
    return result;
  const [first, ...others] = content;
  if (first === undefined) return result;
  const structure = isRecord(structuredContent) ? (structuredContent as JsonObject) : undefined;
  const shorter = structure && cutLongestList(structure, most);
  if (shorter !== undefined) {
    const { _response: beside, ...value } = shorter.value;
    const note = `The answer is too long and was cut. Shown: ${shorter.note}. Ask for less.`;
    const notes = isRecord(beside) && Array.isArray(beside['notes']) ? (beside['notes'] as Json[]) : [];
    const shown =
      Object.keys(value).length === 1 && 'result' in value && !textOf(first).startsWith('{')
        ? value['result']
        : value;
    return {
      ...result,
      content: [{ type: 'text', text: writeJson(shown) }, ...others, { type: 'text', text: note }],
      structuredContent: {
        ...value,
        _response: { ...(beside as JsonObject | undefined), notes: [...notes, note] },
      },
    };
  }
  const text = textOf(first);
  const note = `The answer is too long and was cut. Shown: the first ${count(most)} of ${count(text.length)} characters. Ask for less.`;
  const cut = cutText(text, most);
  const block: Content =
    first.type === 'resource'
      ? { ...first, resource: { ...first.resource, text: cut } as ResourceContents }
      : { type: 'text', text: cut };
  return { content: [block, ...others, { type: 'text', text: note }] };
}

function textOf(block: Content): string {
  if (block.type === 'text') return block.text;
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : '';
}

const sizeOf = (block: Content): number => textOf(block).length;

/** Keeps as many items as there is room for of the longest list, at any depth, of which an item fits. */
function cutLongestList(root: JsonObject, most: number): { value: JsonObject; note: string } | undefined {
  const lists: { list: Json[]; size: number; path: string[] }[] = [];
  const walk = (value: unknown, path: string[]): number => {
    if (path.length > 16) return most;
    if (Array.isArray(value)) {
      const size = (value as unknown[]).reduce<number>(
        (sum, item, index) => sum + 1 + walk(item, [...path, String(index)]),
        2,
      );
      lists.push({ list: value as Json[], size, path });
      return size;
    }
    if (!isRecord(value)) return writeJson(value)?.length ?? 0;
    return Object.entries(value).reduce(
      (sum, [name, member]) => sum + name.length + 4 + walk(member, [...path, name]),
      2,
    );
  };
  const total = walk(root, []);
  for (const { list, size, path } of lists.sort((a, b) => b.size - a.size)) {
    let room = most - (total - size);
    let kept = 0;
    for (; kept < list.length; kept++) {
      room -= writeJson(list[kept] ?? null).length + 1;
      if (room < 0) break;
    }
    if (kept === 0) continue;
    const place = path.filter((name) => name !== 'result');
    const note = `the first ${count(kept)} of ${count(list.length)} items${place.length === 0 ? '' : ` of "${place.join('.')}"`}`;
    return { value: replaceAt(root, path, list.slice(0, kept)) as JsonObject, note };
  }
  return undefined;
}

function replaceAt(
  value: Json | undefined,
  [name, ...rest]: readonly string[],
  list: Json,
): Json | undefined {
  if (name === undefined) return list;
  if (Array.isArray(value))
    return value.map((item, index) =>
      String(index) === name ? (replaceAt(item, rest, list) as Json) : item,
    );
  return isRecord(value)
    ? { ...(value as JsonObject), [name]: replaceAt(value[name] as Json, rest, list) }
    : value;
}

/** A surrogate pair stays whole. */
export function cutText(text: string, most: number): string {
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(most));
  return text.slice(0, isHalf ? most - 1 : most);
}
