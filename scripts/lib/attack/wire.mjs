/** Bytes as they are, to a server that may take them for a request. */
import { connect } from 'node:net';

/**
 * Sends `parts` one behind the other, and reads until the server closes the connection. `what`: `isStream`: an answer
 * of success stays open, so its head is enough; returns all that it answered, as latin1.
 */
export function sendRaw(url, parts, { isStream = false } = {}) {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      if (isStream && /^HTTP\/1\.1 (?:101|200) [\s\S]*\r\n\r\n/.test(text)) socket.destroy();
    });
    socket.on('error', () => undefined).on('close', () => resolve(text));
    for (const part of [parts].flat()) socket.write(part, typeof part === 'string' ? 'latin1' : undefined);
  });
}

/**
 * How each answer in `text` refuses: its status, with the error of its challenge or the code of its JSON-RPC error,
 * `400 -32600` or `401 invalid_token, 404 -32600`. A status alone has no message, as those of Node's parser; `closed`
 * where there is no answer.
 */
export function refusalsIn(text) {
  const answers = text
    .split(/(?<=^|[\n}\]])(?=HTTP\/1\.1 \d{3})/)
    .filter((answer) => answer.startsWith('HTTP/1.1 '));
  return answers.length === 0 ? 'closed' : answers.map(refusalIn).join(', ');
}

function refusalIn(answer) {
  const status = answer.slice('HTTP/1.1 '.length).slice(0, 3);
  const [, error] = /^www-authenticate: .*error="(\w+)"/im.exec(answer) ?? [];
  const [, code] = /"error":\{"code":(-?\d+)/.exec(answer) ?? [];
  return [status, error ?? code].filter((part) => part !== undefined).join(' ');
}

/** The lines of a request's head, and its body. */
export function requestOf(lines, body = '') {
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** The head of a request for a WebSocket. */
export const UPGRADE = [
  ...['GET /ws HTTP/1.1', 'host: 127.0.0.1', 'upgrade: websocket', 'connection: upgrade'],
  ...['sec-websocket-version: 13', 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA=='],
];

/**
 * Reads the code with which the server closes a WebSocket that sends `bytes` and then nothing more. `what`: `fields`
 * beside those of `UPGRADE`; returns the code; `closed` where there is none.
 */
export function closeCode(url, { fields = [], bytes = Buffer.alloc(0) }) {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const socket = connect(Number(url.port), url.hostname);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      // Else the server waits for this side to close as well.
      if (codeIn(received) !== undefined) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(String(codeIn(received) ?? 'closed')));
    socket.write(Buffer.concat([Buffer.from(requestOf([...UPGRADE, ...fields])), bytes]));
  });
}

/** Reads the code of a closing frame. */
function codeIn(received) {
  const end = received.indexOf('\r\n\r\n');
  const at = received.indexOf(0x88, end + 4);
  return at === -1 || received.length < at + 4 ? undefined : received.readUInt16BE(at + 2);
}
