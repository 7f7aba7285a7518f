// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Converts answers to MCP content. */
import { STATUS_CODES } from 'node:http';
import { pathToFileURL } from 'node:url';
import type { HttpBinding, ParameterBinding } from '../contract/bindings.ts';
import type {
  AnswerBody,
  ContentBlock,
  LooseResult,
  ResourceContents,
  UpstreamAnswer,
} from '../core/handler-result.ts';
import { definedMembers, isRecord, writeJson } from '../contract/json-value.ts';
import { essence, isJson, isReported, isSequential } from '../contract/http-syntax.ts';
import { UpstreamError } from './upstream-error.ts';
import { OCTETS } from './body.ts';
import { truncateText } from './read-answer.ts';

export function toToolResult(answer: UpstreamAnswer, binding: HttpBinding): LooseResult {
  if (!answer.ok) return { content: [{ type: 'text', text: describeError(answer) }], isError: true };
  const content = [toContent(answer), ...listNotes(answer, binding)];
  const { body } = answer;
  if (body.kind === 'json') return { content, structuredContent: body.value };
  return body.kind === 'text' && body.fault !== undefined ? { content, isError: true } : { content };
}

/**
 * A cut answer has a note of its own: models read no `_meta`, and a note inside would break JSON.
 *
 * @throws {UpstreamError} `status` when the answer is not a success
 */
export function toResourceContents(answer: UpstreamAnswer, uri: string): ResourceContents[] {
  if (!answer.ok) throw new UpstreamError('status', describeError(answer), { status: answer.status });
  if (answer.truncated !== true) return [toResource(answer, uri)];
  const note = { uri, mimeType: 'text/plain', text: cutNote(answer) };
  return answer.body.kind === 'none' ? [note] : [toResource(answer, uri), note];
}

function toResource(answer: UpstreamAnswer, uri: string): ResourceContents {
  const { body } = answer;
  const mimeType = essence(answer.mediaType ?? (body.kind === 'bytes' ? OCTETS : 'text/plain'));
  switch (body.kind) {
    case 'bytes':
      return { uri, mimeType, blob: base64(body.bytes) };
    case 'file':
      return { uri, mimeType: 'text/uri-list', text: pathToFileURL(body.path).href };
    case 'json':
      // A sequence is shown as one list.
      return { uri, mimeType: isSequential(mimeType) ? 'application/json' : mimeType, text: jsonText(body) };
    default:
      return { uri, mimeType, text: body.kind === 'none' ? '' : body.text };
  }
}

function jsonText({ text, value }: Extract<AnswerBody, { kind: 'json' }>): string {
  return text ?? writeJson(value);
}

function toContent(answer: UpstreamAnswer): ContentBlock {
  const { body } = answer;
  switch (body.kind) {
    case 'none':
      return { type: 'text', text: statusLine(answer) };
    case 'json':
      // Compact: white space costs tokens.
      return { type: 'text', text: jsonText(body) };
    case 'text':
      return textContent(answer, body.text);
    case 'bytes':
      return bytesContent(answer, body.bytes);
    case 'file':
      return fileLink(answer, body);
  }
}

/** A text block has no media type; an embedded resource has (docs/adr/0011). */
function textContent({ mediaType = '', url }: UpstreamAnswer, text: string): ContentBlock {
  const type = essence(mediaType);
  return type === '' || type === 'text/plain' || isJson(type) || isSequential(type)
    ? { type: 'text', text }
    : { type: 'resource', resource: { uri: url, mimeType: type, text } };
}

function fileLink(
  { mediaType }: UpstreamAnswer,
  { path, name, size }: Extract<AnswerBody, { kind: 'file' }>,
): ContentBlock {
  return {
    type: 'resource_link',
    uri: pathToFileURL(path).href,
    name,
    description: `Saved in the files folder of this server. A tool that takes bytes takes it as file:${name}`,
    ...definedMembers({ mimeType: mediaType && essence(mediaType) }),
    size,
  };
}

function bytesContent(answer: UpstreamAnswer, bytes: Uint8Array): ContentBlock {
  const type = essence(answer.mediaType ?? OCTETS);
  if (type.startsWith('image/')) return { type: 'image', data: base64(bytes), mimeType: type };
  if (type.startsWith('audio/')) return { type: 'audio', data: base64(bytes), mimeType: type };
  return { type: 'resource', resource: { uri: answer.url, mimeType: type, blob: base64(bytes) } };
}

function listNotes(answer: UpstreamAnswer, binding: HttpBinding): ContentBlock[] {
  const texts: string[] = [];
  const location = answer.headers['location'];
  if (binding.method === 'HEAD') {
    const reported = Object.entries(answer.headers).filter(([name]) => isReported(name));
    if (reported.length > 0) texts.push(reported.map(([name, value]) => `${name}: ${value}`).join('\n'));
  } else if (location !== undefined && (answer.status === 201 || answer.status === 202)) {
    texts.push(
      answer.body.kind === 'none' ? `Location: ${location}` : `${statusLine(answer)}. Location: ${location}`,
    );
  }
  if (answer.truncated === true) texts.push(truncationNote(answer, binding));
  if (answer.body.kind === 'text' && answer.body.fault !== undefined) texts.push(answer.body.fault);
  return texts.map((text) => ({ type: 'text', text }));
}

/** Parameters with these words narrow a query. */
const NARROWING = new Set(
  (
    'after before count cursor fields filter first last limit max offset page per q query search select since size ' +
    'skip top until'
  ).split(' '),
);

function isNarrowing({ name, in: location }: ParameterBinding): boolean {
  if (location !== 'query' && location !== 'header') return false;
  return name.split(/[^A-Za-z]+|(?=[A-Z])/).some((word) => NARROWING.has(word.toLowerCase()));
}

function truncationNote(answer: UpstreamAnswer, binding: HttpBinding): string {
  const narrowing = binding.parameters.filter(isNarrowing).map((one) => one.argument);
  const less =
    narrowing.length > 0
      ? ` with: ${narrowing.join(', ')}`
      : ': a narrower question or a single item, if the API has a tool for it';
  return `${cutNote(answer)} Ask for less${less}.`;
}

function cutNote({ cut }: UpstreamAnswer): string {
  return cut ?? 'The answer was cut.';
}

function statusLine({ status }: UpstreamAnswer): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Error bodies may be whole pages. */
const MOST_CHARACTERS = 4_000;

function describeError(answer: UpstreamAnswer): string {
  const lines = [`The API answered ${statusLine(answer)}${summarize(answer)}`, ...describeBody(answer)];
  for (const name of ['Retry-After', 'Location']) {
    const value = answer.headers[name.toLowerCase()];
    if (value !== undefined) lines.push(`${name}: ${value}`);
  }
  if (answer.hint !== undefined) lines.push(answer.hint);
  return lines.join('\n');
}

/** RFC 9457, `message`, `error.message` or `error_description`. */
function summarize({ body }: UpstreamAnswer): string {
  if (body.kind !== 'json' || !isRecord(body.value)) return '';
  const problem = [body.value['title'], body.value['detail']].filter(isWord);
  const words = problem.length > 0 ? problem.join(': ') : findMessage(body.value);
  return words === undefined ? '' : `: ${shorten(words)}`;
}

function findMessage(value: Record<string, unknown>): string | undefined {
  const { error } = value;
  const nested = isRecord(error) ? error['message'] : error;
  return [value['message'], value['error_description'], nested].find(isWord);
}

function describeBody({ body, mediaType }: UpstreamAnswer): string[] {
  switch (body.kind) {
    case 'none':
    case 'file':
      return [];
    case 'json':
      return [shorten(writeJson(body.value))];
    case 'text':
      return [shorten(essence(mediaType ?? '') === 'text/html' ? removeMarkup(body.text) : body.text)];
    case 'bytes':
      return [`(${body.bytes.byteLength} bytes of ${essence(mediaType ?? 'unknown type')})`];
  }
}

/** Good enough for a hint: a parser would be too much. */
function removeMarkup(html: string): string {
  return html
    .slice(0, 20 * MOST_CHARACTERS)
    .replace(/<(script|style)\b[\s\S]{0,20000}?<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function shorten(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const shown = truncateText(text, MOST_CHARACTERS);
  return `${shown}… (${text.length - shown.length} more characters)`;
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
