/** The answer to one modern request: JSON, or a stream from the first message that comes before the result. */
import type { ServerResponse } from 'node:http';
import { type Answer, answerMessage } from '../../core/answer.ts';
import type { OutgoingNotification, ServerRequest } from '../../protocol/json-rpc.ts';
import type { Hold } from '../byte-bound.ts';
import { answerJson, MODERN_STATUSES } from './answer-json.ts';
import { messageEvent, type SseLimits, SseResponse } from './sse-response.ts';
import { writeJson } from '../../contract/json-text.ts';

export class ModernReply {
  readonly #response: ServerResponse;
  readonly #limits: SseLimits;
  readonly #hold: Hold | undefined;
  #stream: SseResponse | undefined;

  constructor(response: ServerResponse, limits: SseLimits, hold?: Hold) {
    this.#response = response;
    this.#limits = limits;
    this.#hold = hold;
  }

  /** Sends a message ahead of the answer; from here on the reply is a stream. Never rejects. */
  async send(message: OutgoingNotification | ServerRequest): Promise<void> {
    this.#stream ??= new SseResponse(this.#response, this.#limits, this.#hold);
    this.#stream.write(messageEvent(writeJson(message)));
    await this.#stream.room();
  }

  /** Ends the reply. `undefined`: its client has gone. */
  end(answer: Answer | Answer[] | undefined): void {
    if (answer === undefined) this.#response.end();
    else if (this.#stream === undefined) answerJson(this.#response, answer, MODERN_STATUSES, this.#hold);
    else {
      this.#stream.write(messageEvent(answerMessage(answer)));
      this.#stream.end();
    }
  }
}
