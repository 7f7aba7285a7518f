/**
 * Bounds the interim answers (1xx; RFC 9110, section 15.2) before the answer to one request. Clients skip them, so that a server
 * could send them as long as a request may last.
 */
import type { ClientRequest } from 'node:http';

/** Servers send a few hints (103), or one sign of life (102) in many seconds. */
const MOST = 32;

/** Bytes of all of them together. */
const MOST_BYTES = 65_536;

export class InterimAnswers {
  #count = 0;
  #bytes = 0;

  /** Counts one of so many bytes. @throws {Error} `INTERIM`: there are too many */
  add(bytes: number): void {
    this.#count += 1;
    this.#bytes += bytes;
    if (this.#count <= MOST && this.#bytes <= MOST_BYTES) return;
    const words = `The server sent more than ${MOST} interim answers, or more than ${MOST_BYTES} bytes of them.`;
    throw Object.assign(new Error(words), { code: 'INTERIM' });
  }
}

/**
 * For a request of `node:http`: it is destroyed when there are too many. `fail` is called at once, since the answer may have come in
 * the same piece, and would be told before the error of the request.
 */
export function boundInterim(request: ClientRequest, fail: (error: Error) => void): void {
  let answers: InterimAnswers | undefined;
  request.on('information', ({ rawHeaders }) => {
    try {
      (answers ??= new InterimAnswers()).add(rawHeaders.join('').length);
    } catch (thrown) {
      fail(thrown as Error);
      request.destroy(thrown as Error);
    }
  });
}
