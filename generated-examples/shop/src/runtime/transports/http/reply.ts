/** The answer to one POST: JSON, or a stream of events from the first message that comes before the result. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Answer, writeAnswer, writeAnswers } from '../../core/answer.ts';
import type { ErrorOrigin } from '../../protocol/protocol-error.ts';
import type { OutgoingNotification, ServerRequest } from '../../protocol/json-rpc.ts';

/** What a legacy client is told in the status; all else is 200 with the error in the body. */
const STATUS: Partial<Record<ErrorOrigin, number>> = {
  syntax: 400,
  message: 400,
  session: 400,
  version: 400,
  header: 400,
  rate: 429,
};

const EVENT_STREAM: OutgoingHttpHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // Proxies of the nginx family hold streams back otherwise.
  'x-accel-buffering': 'no',
};

export class Reply {
  readonly #response: ServerResponse;
  #streams = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Sends a message ahead of the answer; from here on the reply is a stream. Never rejects. */
  async send(message: OutgoingNotification | ServerRequest): Promise<void> {
    this.#openStream();
    await this.#event(JSON.stringify(message));
  }

  /** Ends the reply. `undefined`: there is nothing to answer. */
  end(answer: Answer | Answer[] | undefined, isRequest: boolean, headers: OutgoingHttpHeaders = {}): void {
    if (answer === undefined && isRequest) this.#openStream();
    if (this.#streams) return this.#endStream([answer ?? []].flat());
    if (answer === undefined) {
      this.#response.writeHead(202, headers).end();
      return;
    }
    const body = writeAnswers(answer);
    this.#response
      .writeHead(statusOf(answer), {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...headers,
      })
      .end(body);
  }

  #openStream(): void {
    if (this.#streams) return;
    this.#streams = true;
    this.#response.writeHead(200, EVENT_STREAM);
  }

  #endStream(answers: readonly Answer[]): void {
    for (const answer of answers) void this.#event(writeAnswer(answer));
    this.#response.end();
  }

  /** JSON text has no line breaks, so one `data:` line holds it. */
  async #event(text: string): Promise<void> {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    if (response.write(`event: message\ndata: ${text}\n\n`)) return;
    await new Promise<void>((resolve) => {
      response.once('drain', resolve);
      response.once('close', resolve);
    });
  }
}

function statusOf(answer: Answer | Answer[]): number {
  return !Array.isArray(answer) && answer.kind === 'error' ? (STATUS[answer.origin] ?? 200) : 200;
}
