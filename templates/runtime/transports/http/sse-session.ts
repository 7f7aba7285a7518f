/** A session over HTTP+SSE (2024-11-05, "HTTP with SSE"): all that the server says goes on one stream, and ends with it. */
import { type Answer, answerMessage } from '../../core/answer.ts';
import type { Session } from '../../core/session.ts';
import type { OutgoingNotification, ServerRequest } from '../../protocol/json-rpc.ts';
import type { Caller } from '../../core/caller.ts';
import type { LegacySession } from './session-store.ts';
import { messageEvent, type SseResponse } from './sse-response.ts';
import { writeJson } from '../../contract/json-text.ts';

export class SseSession implements LegacySession {
  readonly session: Session;
  /** Whose token the stream was opened by; undefined where nobody is asked for one. */
  readonly opener: Caller | undefined;
  readonly #stream: SseResponse;
  #isStopping = false;

  constructor(session: Session, stream: SseResponse, opener?: Caller) {
    this.session = session;
    this.opener = opener;
    this.#stream = stream;
    session.push = (message) => void this.send(message);
  }

  get isInUse(): boolean {
    return this.#stream.isOpen;
  }

  /** Settles when there is room for more. Never rejects. */
  async send(message: OutgoingNotification | ServerRequest): Promise<void> {
    this.#stream.write(messageEvent(writeJson(message)));
    await this.#stream.room();
  }

  /** Undefined: there was nothing to answer. */
  answer(answer: Answer | Answer[] | undefined): void {
    if (answer !== undefined) this.#stream.write(messageEvent(answerMessage(answer)));
    if (this.#isStopping) this.stopListening();
  }

  /** The stream carries answers too, so it ends after the last of them. */
  stopListening(): void {
    this.#isStopping = true;
    if (this.session.inFlightRequests.size === 0) this.end();
  }

  end(): void {
    this.session.end();
    this.#stream.end();
  }
}
