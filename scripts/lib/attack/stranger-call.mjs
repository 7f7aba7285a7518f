/** A good call of 2026-07-28 as bytes, and calls that are good but for a part of them. */
import { callOf, modern } from './session.mjs';
import { requestOf, refusalsIn, sendRaw } from './wire.mjs';

export const call = modern(callOf('touch', {}));
export const body = JSON.stringify(call.message);
export const host = 'host: 127.0.0.1';
export const close = 'connection: close';
export const accept = 'accept: application/json, text/event-stream';
export const json = 'content-type: application/json';
export const lengthOf = (text) => `content-length: ${Buffer.byteLength(text)}`;
const told = Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`);
export const fields = [accept, json, ...told];
export const start = 'POST /mcp HTTP/1.1';
export const good = (token) => `authorization: Bearer ${token}`;

/** A good call, but for its fields. */
export const post = (more, { line = start, content = body, from = host } = {}) =>
  requestOf([line, from, ...fields, lengthOf(content), close, ...more], content);

/** A good call, but for its content: bytes, that are no text of JSON in UTF-8. */
export const bytesOf = (content, token) => [
  requestOf([start, host, ...fields, `content-length: ${content.length}`, close, good(token)]),
  content,
];

/** The call in chunks, which `more` ends. */
export const chunked = (more = '') => `${body.length.toString(16)}\r\n${body}\r\n0\r\n${more}\r\n`;

/** A good call, some fields of which are others. */
export const replaced = (names, more) => (token) => {
  const kept = fields.filter((field) => !names.includes(field.split(':')[0]));
  return requestOf([start, host, ...kept, lengthOf(body), close, good(token), ...more], body);
};

export function rowsOf(table) {
  return table.map(([name, bytes, want, reaches = {}]) => ({
    name,
    want,
    reaches,
    attack: async ({ url, issuer }) => refusalsIn(await sendRaw(url, bytes(await issuer.token()))),
  }));
}
