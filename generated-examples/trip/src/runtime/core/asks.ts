/** What this server has asked the client of one session, and waits to hear. */
import type { OutgoingNotification, ServerRequest, Outcome, RequestId } from '../protocol/json-rpc.ts';

/** The client has not done what it was asked. The message says why, in words for the one who asked. */
export class AskError extends Error {
  override readonly name = 'AskError';
}

/** How a request goes out, and how long it may take. */
export interface AskWay {
  send: (message: ServerRequest | OutgoingNotification) => Promise<void>;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  timeoutMs: number;
}

interface OpenAsk {
  settle: (outcome: Outcome) => void;
  /** Tells the client, and the one who asked, that nobody waits any more. */
  stop: (reason: string) => void;
}

export class Asks {
  readonly #open = new Map<RequestId, OpenAsk>();
  /** Why nothing can be asked any more. */
  #over: string | undefined;
  #last = 0;

  /**
   * Sends a request and resolves to the client's result.
   *
   * @throws {AskError} when the client refuses, takes too long, or is gone; it is told that nobody waits any more
   * (Lifecycle, "Timeouts").
   */
  async ask(method: string, params: object | undefined, way: AskWay): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    if (way.signal.aborted) throw new AskError(`${method} was not asked: the call it belongs to has ended.`);
    if (this.#over !== undefined) throw new AskError(`${method} was not asked: ${this.#over}`);
    const [outcome] = await Promise.all([
      this.#await(id, method, way),
      way.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }),
    ]);
    if ('result' in outcome) return { ...outcome.result };
    throw new AskError(
      `The client answered ${method} with the error ${outcome.error.code}: ${outcome.error.message}`,
    );
  }

  /** Takes the client's answer. One that nobody waits for, or a second one, is ignored. */
  answer(id: RequestId, outcome: Outcome): void {
    this.#open.get(id)?.settle(outcome);
  }

  /** Nobody will answer any more. */
  end(): void {
    for (const { settle } of [...this.#open.values()])
      settle({ error: { code: 0, message: 'the session has ended' } });
  }

  /** No answer can come any more, while what asked goes on. */
  giveUp(reason: string): void {
    this.#over = reason;
    for (const { stop } of [...this.#open.values()]) stop(reason);
  }

  async #await(id: RequestId, method: string, { send, signal, timeoutMs }: AskWay): Promise<Outcome> {
    let timer: NodeJS.Timeout | undefined;
    let giveUp: (() => void) | undefined;
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        const stop = (reason: string): void => {
          const params = { requestId: id, reason };
          void send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
          reject(new AskError(`${method} was given up: ${reason}`));
        };
        giveUp = () => stop('The call it belongs to has ended.');
        this.#open.set(id, { settle: resolve, stop });
        signal.addEventListener('abort', giveUp, { once: true });
        timer = setTimeout(() => stop(`No answer came in ${timeoutMs} ms.`), timeoutMs);
      });
    } finally {
      this.#open.delete(id);
      clearTimeout(timer);
      if (giveUp !== undefined) signal.removeEventListener('abort', giveUp);
    }
  }
}
