/** How the questions of one call reach its client. */
import type { AskOptions } from '../definition.ts';
import type { Json } from '../contract/json-schema.ts';
import type { Call } from './call.ts';
import { AskError } from './asks.ts';

export interface Asker {
  /**
   * Reserves a key for a question, at once, so that keys given by order do not depend on what is awaited. A key names
   * one question of a call.
   */
  open(options: AskOptions): Question;
  /** The result of `work`, done once however often the handler runs. */
  remember<T extends Json>(key: string, work: () => T | Promise<T>): Promise<T>;
}

export interface Question {
  /** Resolves to the client's result, which is not checked yet. */
  ask(method: string, params: object | undefined): Promise<Record<string, unknown>>;
  /** Refuses an answer that does not fit its question. */
  refuse(reason: string): Error;
  /** It will not be asked. */
  drop(): void;
}

/** The keys of one run of a handler. */
export class Keys {
  readonly #taken = new Set<string>();
  #last = 0;

  take(key: string | undefined): string {
    const taken = key ?? `ask-${++this.#last}`;
    if (this.#taken.has(taken))
      throw new AskError(`Two questions of one call have the key ${JSON.stringify(taken)}.`);
    this.#taken.add(taken);
    return taken;
  }
}

/** Asks by requests on a legacy session, and waits. */
export class SessionAsker implements Asker {
  readonly #call: Call;
  readonly #keys = new Keys();

  constructor(call: Call) {
    this.#call = call;
  }

  open({ key }: AskOptions): Question {
    this.#keys.take(key);
    return {
      ask: async (method, params) => this.#ask(method, params),
      refuse: (reason) => new AskError(reason),
      drop: () => undefined,
    };
  }

  async remember<T extends Json>(_key: string, work: () => T | Promise<T>): Promise<T> {
    return work();
  }

  async #ask(method: string, params: object | undefined): Promise<Record<string, unknown>> {
    const { session, context, server, inFlight } = this.#call;
    if (session === undefined)
      throw new AskError('Nothing can be asked here: calls of tools, prompts and resources may ask.');
    if (inFlight.done) throw new AskError(`${method} was not asked: the call it belongs to has ended.`);
    return session.ask(method, params, {
      send: (message) => context.send(message),
      signal: inFlight.signal,
      timeoutMs: server.limits.askTimeoutMs,
    });
  }
}
