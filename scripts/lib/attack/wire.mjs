/** Bytes as they are, to a server that may take them for a request. */
import { connect } from 'node:net';

/**
 * Sends `parts` one behind the other, and reads until the server closes the connection.
 * @param {URL} url
 * @param {string | Buffer | (string | Buffer)[]} parts
 * @returns {Promise<string>} all that it answered, as latin1
 */
export function sendRaw(url, parts) {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
    socket.on('error', () => undefined).on('close', () => resolve(text));
    for (const part of [parts].flat()) socket.write(part, typeof part === 'string' ? 'latin1' : undefined);
  });
}

/** The statuses of all answers in `text`, `400` or `200, 404`; `closed` where there is none. */
export function statusesIn(text) {
  const statuses = [...text.matchAll(/(?:^|\n|[}\]])HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
  return statuses.length === 0 ? 'closed' : statuses.join(', ');
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
 * What the server closes a WebSocket with that sends `bytes`, and then nothing more.
 * @param {URL} url
 * @param {{ fields?: string[], bytes?: Buffer }} what `fields` beside those of `UPGRADE`
 * @returns {Promise<string>} the code; `closed` where there is none
 */
export function closeCode(url, { fields = [], bytes = Buffer.alloc(0) }) {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const socket = connect(Number(url.port), url.hostname);
    socket.on('data', (data) => (received = Buffer.concat([received, data])));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(codeIn(received)));
    socket.write(Buffer.concat([Buffer.from(requestOf([...UPGRADE, ...fields])), bytes]));
  });
}

/** Of the last frame. */
function codeIn(received) {
  const end = received.indexOf('\r\n\r\n');
  const at = received.indexOf(0x88, end + 4);
  return at === -1 ? 'closed' : String(received.readUInt16BE(at + 2));
}
