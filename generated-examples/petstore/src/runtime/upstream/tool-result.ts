// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Converts answers to MCP content. */
import { STATUS_CODES } from 'node:http';
import { pathToFileURL } from 'node:url';
import type { HttpBinding, ParameterBinding, ParameterStyle } from '../contract/bindings.ts';
import type { JsonObject, JsonSchema, JsonSchemaObject } from '../contract/json-schema.ts';
import {
  type AnswerBody,
  type ContentBlock,
  type LooseResult,
  type ResourceContents,
  type UpstreamAnswer,
  besides,
} from '../core/handler-result.ts';
import {
  getOwnMember,
  omitUndefined,
  isEqual,
  isRecord,
  readJson,
  setOwnMember,
  writeJson,
  percentDecode,
} from '../contract/json-value.ts';
import {
  TOLD,
  mediaTypeEssence,
  isJsonType,
  isReported,
  isSequentialType,
  findNextLinkTarget,
} from '../contract/http-syntax.ts';
import { REDACTED } from '../redact.ts';
import { convertTextsBySchema } from '../schema/compile-schema.ts';
import { UpstreamError } from './upstream-error.ts';
import { OCTETS } from './body.ts';
import { truncateText } from './read-answer.ts';

interface Asked {
  args: Record<string, unknown>;
  inputSchema: () => JsonSchemaObject | undefined;
}

export function toToolResult(answer: UpstreamAnswer, binding: HttpBinding, asked?: Asked): LooseResult {
  if (!answer.ok) return { content: [{ type: 'text', text: describeError(answer, binding) }], isError: true };
  const { body } = answer;
  const content = [answerToContent(answer)];
  const headers = headersForModel(answer, binding);
  if (headers !== undefined || answer.truncated === true || body.kind !== 'json')
    addHeadersAndNotes(content, answer, binding, headers, asked);
  if (body.kind === 'json') return { content, structuredContent: body.value };
  if (body.kind !== 'text' || body.fault === undefined) return { content };
  content.push({ type: 'text', text: body.fault });
  return { content, isError: true };
}

/**
 * A cut answer has a note of its own: models read no `_meta`, and a note inside would break JSON.
 * @throws {UpstreamError} `status` when the answer is not a success
 */
export function toResourceContents(answer: UpstreamAnswer, uri: string): ResourceContents[] {
  if (!answer.ok) throw new UpstreamError('status', describeError(answer), { status: answer.status });
  if (answer.truncated !== true) return [answerToResource(answer, uri)];
  const note = { uri, mimeType: 'text/plain', text: cutNoteOf(answer) };
  return answer.body.kind === 'none' ? [note] : [answerToResource(answer, uri), note];
}

function answerToResource(answer: UpstreamAnswer, uri: string): ResourceContents {
  const { body } = answer;
  const mimeType = mediaTypeEssence(answer.mediaType ?? (body.kind === 'bytes' ? OCTETS : 'text/plain'));
  switch (body.kind) {
    case 'bytes':
      return { uri, mimeType, blob: toBase64(body.bytes) };
    case 'file':
      return { uri, mimeType: 'text/uri-list', text: pathToFileURL(body.path).href };
    case 'json':
      // A sequence is shown as one list.
      return {
        uri,
        mimeType: isSequentialType(mimeType) ? 'application/json' : mimeType,
        text: body.text ?? writeJson(body.value),
      };
    default:
      return { uri, mimeType, text: body.kind === 'none' ? '' : body.text };
  }
}

function answerToContent(answer: UpstreamAnswer): ContentBlock {
  const { body } = answer;
  switch (body.kind) {
    case 'none':
      return { type: 'text', text: printStatusLine(answer) };
    case 'json':
      // Compact: white space costs tokens.
      return { type: 'text', text: body.text ?? writeJson(body.value) };
    case 'text':
      return textContent(answer, body.text);
    case 'bytes':
      return bytesContent(answer, body.bytes);
    case 'file':
      return linkToSavedFile(answer, body);
  }
}

/** Text of a media type that models read for what it is (CSV, HTML) is an embedded resource, since a text block has no media type. */
function textContent({ mediaType = '', url }: UpstreamAnswer, text: string): ContentBlock {
  const type = mediaTypeEssence(mediaType);
  return type === '' || type === 'text/plain' || isJsonType(type) || isSequentialType(type)
    ? { type: 'text', text }
    : { type: 'resource', resource: { uri: url, mimeType: type, text } };
}

function linkToSavedFile(
  { mediaType }: UpstreamAnswer,
  { path, name, size }: Extract<AnswerBody, { kind: 'file' }>,
): ContentBlock {
  return {
    type: 'resource_link',
    uri: pathToFileURL(path).href,
    name,
    description: `Saved in the files folder of this server. A tool that takes bytes takes it as file:${name}`,
    ...omitUndefined({ mimeType: mediaType && mediaTypeEssence(mediaType) }),
    size,
  };
}

function bytesContent(answer: UpstreamAnswer, bytes: Uint8Array): ContentBlock {
  const type = mediaTypeEssence(answer.mediaType ?? OCTETS);
  if (type.startsWith('image/')) return { type: 'image', data: toBase64(bytes), mimeType: type };
  if (type.startsWith('audio/')) return { type: 'audio', data: toBase64(bytes), mimeType: type };
  return { type: 'resource', resource: { uri: answer.url, mimeType: type, blob: toBase64(bytes) } };
}

/** Selects the headers that a model may need. Undefined if there are none. */
function headersForModel(answer: UpstreamAnswer, binding?: HttpBinding): Record<string, string> | undefined {
  const { status, headers, body } = answer;
  const declared = binding?.result?.headers;
  const names =
    declared?.[status] ??
    getOwnMember(declared ?? {}, `${Math.floor(status / 100)}XX`) ??
    declared?.['default'];
  const isHead = binding?.method === 'HEAD';
  let shown: Record<string, string> | undefined;
  for (const name in headers) {
    const value = getOwnMember(headers, name);
    if (value === undefined) continue;
    // For a saved file, the link to it has the name already.
    const isNamed = name === 'content-disposition' && body.kind !== 'file' && /filename/i.test(value);
    if (TOLD.test(name) || isNamed || names?.includes(name) || (isHead && isReported(name)))
      (shown ??= {})[name] = value;
  }
  return shown;
}

function printHeaders(headers: Record<string, string> = {}): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** Adds headers and notes both to the text and to the structure, since clients show either. */
function addHeadersAndNotes(
  content: ContentBlock[],
  answer: UpstreamAnswer,
  binding: HttpBinding,
  headers: Record<string, string> | undefined,
  asked: Asked | undefined,
): void {
  const { status, body, truncated } = answer;
  const next = headers?.['link'] === undefined ? undefined : argumentsOfNextPage(answer, binding, asked);
  const isBegun = headers?.['location'] !== undefined && (status === 201 || status === 202);
  const begun = isBegun ? [`${printStatusLine(answer)}.`] : [];
  const cut = truncated === true ? [truncationNote(answer, binding)] : [];
  const unread = body.kind === 'text' ? (body.note ?? noteOnUnreadSequence(answer)) : undefined;
  const notes = [...begun, ...cut, ...(unread === undefined ? [] : [unread])];
  const texts = headers === undefined ? [] : [printHeaders(headers).join('\n')];
  if (next !== undefined) texts.push(`Arguments of the next call: ${writeJson(next)}`);
  // The text of an empty answer is its status.
  texts.push(...(body.kind === 'none' ? cut : notes));
  for (const text of texts) content.push({ type: 'text', text });
  besides.set(
    content,
    omitUndefined({ headers, next, notes: notes.length === 0 ? undefined : notes, body: bodyAsText(answer) }),
  );
}

/** A project may have `transfers` for files alone: the part that reads sequences is there if the document declares one. */
function noteOnUnreadSequence({ mediaType = '' }: UpstreamAnswer): string | undefined {
  if (!isSequentialType(mediaType)) return undefined;
  return (
    `The answer is a sequence (${mediaTypeEssence(mediaType)}), shown as text: the API's document declares none. ` +
    'To read it as a list: npx --no mcpgen generate --feature transfers.'
  );
}

function bodyAsText({ body, mediaType = OCTETS }: UpstreamAnswer): string | undefined {
  switch (body.kind) {
    case 'none':
    case 'json':
      return undefined;
    case 'text':
      return body.text;
    case 'bytes':
      return `(${body.bytes.byteLength} bytes of ${mediaTypeEssence(mediaType)}: see the content of this result)`;
    case 'file':
      return pathToFileURL(body.path).href;
  }
}

/** Undefined unless the next page is asked for by this operation, with arguments that differ from those of this call. */
function argumentsOfNextPage(
  answer: UpstreamAnswer,
  binding: HttpBinding,
  asked?: Asked,
): JsonObject | undefined {
  const target = findNextLinkTarget(answer.headers['link'] ?? '');
  if (target === undefined || asked === undefined || !URL.canParse(target, answer.url)) return undefined;
  const [here, there] = [new URL(answer.url), new URL(target, answer.url)];
  if (here.origin !== there.origin) return undefined;
  const changed = [
    ...(changesInPath(here.pathname, there.pathname, binding) ?? [undefined]),
    ...changesInQuery(here.searchParams, there.searchParams, binding),
  ];
  if (changed.length === 0) return undefined;
  const { properties = {} } = asked.inputSchema() ?? {};
  const next: Record<string, unknown> = { ...asked.args };
  for (const change of changed) {
    if (change === undefined) return undefined;
    const { parameter, values } = change;
    const read = parseArgumentValues(parameter, values, properties[parameter.argument]);
    if (read === undefined || !Object.hasOwn(properties, parameter.argument)) return undefined;
    setOwnMember(next, parameter.argument, read);
  }
  return next as JsonObject;
}

/** A query or path value of the next page; undefined if no parameter takes it. */
type Change = { parameter: ParameterBinding; values: string[] } | undefined;

function changesInQuery(here: URLSearchParams, there: URLSearchParams, binding: HttpBinding): Change[] {
  const changes: Change[] = [];
  for (const name of new Set(there.keys())) {
    const values = there.getAll(name);
    // The values of a credential were left out of `here`, so they are no change.
    if (isEqual(values, here.getAll(name)) || values.some((value) => value.includes(REDACTED))) continue;
    const parameter = binding.parameters.find((one) => one.in === 'query' && one.name === name);
    changes.push(parameter && { parameter, values });
  }
  return changes;
}

/** Lists the changed parameters. Undefined if it is the path of another operation. */
function changesInPath(here: string, there: string, { path, parameters }: HttpBinding): Change[] | undefined {
  const [now, then] = [here.split('/'), there.split('/')];
  const template = path.split('/').slice(1);
  const base = now.length - template.length;
  if (now.length !== then.length || base < 0) return undefined;
  const changes: Change[] = [];
  for (const [at, segment] of then.entries()) {
    if (segment === now[at]) continue;
    const [, name] = /^\{([^{}]+)\}$/.exec(template[at - base] ?? '') ?? [];
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    if (parameter === undefined) return undefined;
    changes.push({ parameter, values: [percentDecode(segment) ?? segment] });
  }
  return changes;
}

const SEPARATORS: Partial<Record<ParameterStyle, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function parseArgumentValues(
  { mediaType, style = 'form', explode, separator, in: place }: ParameterBinding,
  values: string[],
  schema: JsonSchema | undefined,
): unknown {
  if (place === 'path') return style === 'form' ? convertTextsBySchema(values[0] ?? '', schema) : undefined;
  if (mediaType !== undefined) return isJsonType(mediaType) ? parseJsonOrUndefined(values[0]) : undefined;
  const between = separator ?? SEPARATORS[style] ?? ',';
  const isJoined = explode === false || (explode === undefined && style !== 'form');
  const items = isJoined ? values.flatMap((value) => value.split(between)) : values;
  return convertTextsBySchema(items.length === 1 ? (items[0] ?? '') : items, schema);
}

function parseJsonOrUndefined(text = ''): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** Parameters with these words narrow a query. */
const NARROWING = new Set(
  (
    'after before count cursor fields filter first last limit max offset page per q query search select since size ' +
    'skip top until'
  ).split(' '),
);

function isNarrowingParameter({ name, in: location }: ParameterBinding): boolean {
  if (location !== 'query' && location !== 'header') return false;
  return name.split(/[^A-Za-z]+|(?=[A-Z])/).some((word) => NARROWING.has(word.toLowerCase()));
}

function truncationNote(answer: UpstreamAnswer, binding: HttpBinding): string {
  const narrowing = binding.parameters.filter(isNarrowingParameter).map((one) => one.argument);
  const fields = binding.result?.fields?.argument;
  if (fields !== undefined) narrowing.push(fields);
  const less =
    narrowing.length > 0
      ? ` with: ${narrowing.join(', ')}`
      : ': a narrower question or a single item, if the API has a tool for it';
  return `${cutNoteOf(answer)} Ask for less${less}.`;
}

function cutNoteOf({ cut }: UpstreamAnswer): string {
  return cut ?? 'The answer was cut.';
}

function printStatusLine({ status }: UpstreamAnswer): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Error bodies may be whole pages. */
const MOST_CHARACTERS = 4_000;

function describeError(answer: UpstreamAnswer, binding?: HttpBinding): string {
  const lines = [
    `The API answered ${printStatusLine(answer)}${summarizeError(answer)}`,
    ...describeErrorBody(answer),
    ...printHeaders(headersForModel(answer, binding)),
  ];
  if (answer.hint !== undefined) lines.push(answer.hint);
  return lines.join('\n');
}

/** RFC 9457, `message`, `error.message` or `error_description`. */
function summarizeError({ body }: UpstreamAnswer): string {
  if (body.kind !== 'json' || !isRecord(body.value)) return '';
  const problem = [body.value['title'], body.value['detail']].filter(isNonEmptyText);
  const words = problem.length > 0 ? problem.join(': ') : findMessage(body.value);
  return words === undefined ? '' : `: ${shortenErrorBody(words)}`;
}

function findMessage(value: Record<string, unknown>): string | undefined {
  const { error } = value;
  const nested = isRecord(error) ? error['message'] : error;
  return [value['message'], value['error_description'], nested].find(isNonEmptyText);
}

function describeErrorBody({ body, mediaType }: UpstreamAnswer): string[] {
  switch (body.kind) {
    case 'none':
    case 'file':
      return [];
    case 'json':
      return [shortenErrorBody(writeJson(body.value))];
    case 'text':
      return [
        shortenErrorBody(
          mediaTypeEssence(mediaType ?? '') === 'text/html' ? removeMarkup(body.text) : body.text,
        ),
      ];
    case 'bytes':
      return [`(${body.bytes.byteLength} bytes of ${mediaTypeEssence(mediaType ?? 'unknown type')})`];
  }
}

/** Removes the tags of HTML roughly, which is enough for a hint. */
function removeMarkup(html: string): string {
  // An expression from the begin of a script to its end would look for the end at each begin.
  const [head = '', ...scripts] = html.slice(0, 20 * MOST_CHARACTERS).split(/<(?:script|style)\b/i);
  const shown = scripts.map((script) => /<\/(?:script|style)>([\s\S]*)/i.exec(script)?.[1] ?? '');
  return [head, ...shown]
    .join(' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function shortenErrorBody(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const shown = truncateText(text, MOST_CHARACTERS);
  return `${shown}… (${text.length - shown.length} more characters)`;
}

function isNonEmptyText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
