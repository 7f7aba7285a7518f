/** What a legacy session answers to one POST: JSON, or a stream from the first message that comes before the result. */
import type { ServerResponse } from 'node:http';
import { type Answer, answerMessage } from '../../core/answer.ts';
import type { Limits } from '../../limits.ts';
import type { OutgoingNotification, ServerRequest } from '../../protocol/json-rpc.ts';
import type { Hold } from '../byte-bound.ts';
import { answerJson, LEGACY_STATUSES } from './answer-json.ts';
import type { EventStream } from './event-stream.ts';
import type { HttpSession } from './http-session.ts';
import { SseResponse } from './sse-response.ts';
import { writeJson } from '../../contract/json-text.ts';

export class LegacyReply {
  readonly #response: ServerResponse;
  readonly #session: HttpSession;
  readonly #limits: Limits;
  readonly #hold: Hold | undefined;
  #scopes: readonly string[] = [];
  #stream: EventStream | undefined;

  constructor(response: ServerResponse, session: HttpSession, limits: Limits, hold?: Hold) {
    this.#response = response;
    this.#session = session;
    this.#limits = limits;
    this.#hold = hold;
  }

  /** Whoever comes for the rest of its stream must have these too. */
  needs(scopes: readonly string[]): void {
    // One of a batch after the other.
    this.#scopes = this.#scopes.length === 0 ? scopes : [...this.#scopes, ...scopes];
    this.#stream?.needs(scopes);
  }

  /** Sends a message ahead of the answer; from here on the reply is a stream. Never rejects. */
  async send(message: OutgoingNotification | ServerRequest): Promise<void> {
    const stream = this.#openStream();
    stream.add(writeJson(message));
    await stream.room();
  }

  /** Ends the connection before the answer, where clients know to come back for it. */
  closeStream(): void {
    if (this.#session.retryMs(this.#limits) !== undefined) this.#openStream().leave();
  }

  /** Ends the reply. `undefined`: there is nothing to answer. */
  end(answer: Answer | Answer[] | undefined, isRequest: boolean): void {
    const stream = this.#stream;
    if (stream !== undefined) {
      for (const each of [answer ?? []].flat()) stream.add(answerMessage(each));
      stream.end();
    } else if (answer !== undefined) answerJson(this.#response, answer, LEGACY_STATUSES, this.#hold);
    else if (isRequest) new SseResponse(this.#response, this.#limits).end();
    else this.#response.writeHead(202).end();
  }

  #openStream(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    this.#stream = this.#session.streams.open();
    this.#stream.needs(this.#scopes);
    const carrier = new SseResponse(this.#response, this.#limits, this.#hold);
    this.#stream.carryBy(carrier, undefined, this.#session.retryMs(this.#limits));
    return this.#stream;
  }
}
