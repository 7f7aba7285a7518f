/** An answer that is no success, in words: status, reason, and the part of the body that helps. */
import { STATUS_CODES } from 'node:http';
import type { Json, JsonObject } from '../contract/json-schema.ts';
import { essence } from '../contract/media-type.ts';
import { startOf } from './read-answer.ts';
import type { UpstreamAnswer } from '../upstream-answer.ts';
import { writeJson } from '../contract/json-text.ts';

/** Error bodies are often whole pages; what helps stands at their start. */
const MOST_CHARACTERS = 4_000;

/** `404 Not Found: No such pet` and, below, what else the body says. */
export function errorText(answer: UpstreamAnswer): string {
  const status = `${answer.status} ${STATUS_CODES[answer.status] ?? ''}`.trimEnd();
  const lines = [
    `The API answered ${status}${inOneLine(answer)}`,
    ...details(answer),
    ...headerLines(answer),
    ...(answer.hint === undefined ? [] : [answer.hint]),
  ];
  return lines.join('\n');
}

/** The message, wherever APIs put it: RFC 9457, `message`, `error.message`, `error_description`. */
function inOneLine({ body }: UpstreamAnswer): string {
  if (body.kind !== 'json' || !isObject(body.value)) return '';
  const problem = [body.value['title'], body.value['detail']].filter(isWord);
  const words = problem.length > 0 ? problem.join(': ') : messageOf(body.value);
  return words === undefined ? '' : `: ${shortened(words)}`;
}

function messageOf(value: JsonObject): string | undefined {
  const { error } = value;
  const nested = isObject(error) ? error['message'] : error;
  return [value['message'], value['error_description'], nested].find(isWord);
}

function details({ body, mediaType }: UpstreamAnswer): string[] {
  switch (body.kind) {
    case 'none':
    case 'file':
      return [];
    case 'json':
      return [shortened(writeJson(body.value))];
    case 'text':
      return [shortened(essence(mediaType ?? '') === 'text/html' ? withoutMarkup(body.text) : body.text)];
    case 'bytes':
      return [`(${body.bytes.byteLength} bytes of ${essence(mediaType ?? 'unknown type')})`];
  }
}

function headerLines({ headers }: UpstreamAnswer): string[] {
  const lines: string[] = [];
  if (headers['retry-after'] !== undefined) lines.push(`Retry-After: ${headers['retry-after']}`);
  if (headers['location'] !== undefined) lines.push(`Location: ${headers['location']}`);
  return lines;
}

/** An error page's words; a parser would be too much for a hint. */
function withoutMarkup(html: string): string {
  return html
    .slice(0, 20 * MOST_CHARACTERS)
    .replace(/<(script|style)\b[\s\S]{0,20000}?<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const shown = startOf(text, MOST_CHARACTERS);
  return `${shown}… (${text.length - shown.length} more characters)`;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWord(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
