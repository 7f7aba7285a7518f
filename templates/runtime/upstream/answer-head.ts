/** The head of an answer: its status line and its headers (RFC 9112, sections 4 and 5). */
import { isHttpToken } from '../contract/token-syntax.ts';
import { invalidHttp } from './invalid-http.ts';

export interface AnswerHead {
  status: number;
  /** By lower-case name; repeated ones joined by `, `, but for those that can stand only once: there the first counts. */
  headers: Readonly<Record<string, string>>;
  framing: Framing;
  /** Another request may follow on the same connection, as far as the server says. */
  isKept: boolean;
}

/** Where the body ends (RFC 9112, section 6.3): after so many bytes, with its last chunk, or with the connection. */
export type Framing = { kind: 'length'; bytes: number } | { kind: 'chunked' } | { kind: 'connection' };

/** Those of which `node:http` keeps the first: no list can be made of them. */
const SINGLE = new Set(
  (
    'age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since ' +
    'last-modified location max-forwards proxy-authorization referer retry-after server user-agent'
  ).split(' '),
);

/** `text` ends before the empty line. `hasBody` is false for the answer to HEAD. */
export function readHead(text: string, hasBody: boolean): AnswerHead {
  const [first = '', ...lines] = text.split('\r\n');
  const [, version, digits] = /^HTTP\/(0\.9|1\.[01]|2\.0) ([1-9]\d\d)(?: |$)/.exec(first) ?? [];
  if (digits === undefined) throw invalidHttp('HPE_INVALID_CONSTANT');
  if (/[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/.test(text)) throw invalidHttp('HPE_INVALID_HEADER_TOKEN');
  const headers: Headers = Object.create(null);
  for (const line of lines) addHeader(headers, line);
  const status = Number(digits);
  const isEmpty = !hasBody || status < 200 || status === 204 || status === 304;
  const framing: Framing = isEmpty ? { kind: 'length', bytes: 0 } : framingOf(headers);
  return {
    status,
    headers,
    framing,
    isKept: framing.kind !== 'connection' && isKept(headers, version === '1.1'),
  };
}

type Headers = Record<string, string>;

function addHeader(headers: Headers, line: string): void {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon)).toLowerCase();
  const value = line.slice(colon + 1).trim();
  // A line break of its own kind would be read as the end of a header by others.
  if (!isHttpToken(name) || /[\r\n]/.test(value)) throw invalidHttp('HPE_INVALID_HEADER_TOKEN');
  const known = headers[name];
  if (known === undefined) headers[name] = value;
  else if (name === 'content-length') throw invalidHttp('HPE_UNEXPECTED_CONTENT_LENGTH');
  else if (!SINGLE.has(name)) headers[name] = `${known}, ${value}`;
}

function framingOf(headers: Headers): Framing {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (coding !== undefined) {
    // Two ways to tell the end may be an attempt to smuggle a second answer.
    if (length !== undefined) throw invalidHttp('HPE_INVALID_TRANSFER_ENCODING');
    return { kind: /(?:^|,[\t ]*)chunked$/i.test(coding) ? 'chunked' : 'connection' };
  }
  if (length === undefined) return { kind: 'connection' };
  if (!/^\d{1,15}$/.test(length)) throw invalidHttp('HPE_INVALID_CONTENT_LENGTH');
  return { kind: 'length', bytes: Number(length) };
}

function isKept({ connection = '' }: Headers, isHttp11: boolean): boolean {
  if (connection === 'keep-alive') return true;
  const options = connection.toLowerCase().split(/[\t ]*,[\t ]*/);
  return isHttp11 ? !options.includes('close') : options.includes('keep-alive');
}
