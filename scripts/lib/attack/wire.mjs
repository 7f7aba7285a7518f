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
