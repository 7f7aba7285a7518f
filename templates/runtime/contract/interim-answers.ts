// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Bounds the interim answers (1xx; RFC 9110, section 15.2) before the answer to one request. Clients skip them, so that a server
 * could send them as long as a request may last.
 */
import type { ClientRequest } from 'node:http';

/** Servers send a few hints (103), or one sign of life (102) in many seconds. */
const MOST = 32;

/** Bytes of all of them together. */
const MOST_BYTES = 65_536;

/**
 * Destroys a request of `node:http` when there are too many. `fail` is called at once: the answer may be in the same packet, and
 * its event would come before the error of the request.
 */
export function boundInterim(request: ClientRequest, fail: (error: Error) => void): void {
  let [count, bytes] = [0, 0];
  request.on('information', ({ rawHeaders }) => {
    count += 1;
    bytes += rawHeaders.join('').length;
    if (count <= MOST && bytes <= MOST_BYTES) return;
    const words = `The server sent more than ${MOST} interim answers, or more than ${MOST_BYTES} bytes of them.`;
    const error = Object.assign(new Error(words), { code: 'INTERIM' });
    fail(error);
    request.destroy(error);
  });
}
