import type { Limits } from '../../limits.ts';

export interface KeepAliveOptions {
  limits: Pick<Limits, 'pingIntervalMs' | 'unansweredPings'>;
  sendPing: () => void;
  /** Whether silence is the client's: not while it is we who don't listen. */
  isListening: () => boolean;
  /** The client is taken for gone. */
  lose: () => void;
}

/** Pings, and finds out that a client has gone without a word (RFC 6455, section 5.5.2). */
export class KeepAlive {
  readonly #options: KeepAliveOptions;
  readonly #timer: NodeJS.Timeout;
  #unanswered = 0;

  constructor(options: KeepAliveOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#tick(), options.limits.pingIntervalMs).unref();
  }

  /** Any sign of life counts, not a pong alone: one can't come amid a long message. */
  heard(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const { limits, sendPing, isListening, lose } = this.#options;
    if (!isListening()) this.heard();
    if (this.#unanswered >= limits.unansweredPings) return lose();
    this.#unanswered += 1;
    sendPing();
  }
}
