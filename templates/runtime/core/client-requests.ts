// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Requests that the server sends to clients, and the keys of a handler's questions and calls. */
import type { Json } from '../contract/json-schema.ts';
import { omitUndefined } from '../contract/json-value.ts';
import type { AskOptions, CallOnce } from '../definition.ts';
import type { Outcome, OutgoingNotification, ServerRequest } from '../protocol/json-rpc.ts';
import type { Call } from './call.ts';
import { knownRequester } from './call-context.ts';
import { AskError, type ClientRequester, type Question, type Session } from './session.ts';

interface Delivery {
  send: (message: ServerRequest | OutgoingNotification) => Promise<void>;
  signal: AbortSignal;
  timeoutMs: number;
}

/** Numbers of the last request of each session. */
const numbers = new WeakMap<Session, number>();

/**
 * Resolves to the client's result.
 * @throws {AskError} before `notifications/initialized` (Lifecycle, "Initialization"); if the client refuses, is gone, or
 * takes too long: it is notified of the cancellation (Lifecycle, "Timeouts")
 */
export async function askClient(
  session: Session,
  method: string,
  params: object | undefined,
  delivery: Delivery,
): Promise<Record<string, unknown>> {
  const { ready, mark, unaskable } = session;
  if (!ready) throw new AskError('The client is not ready to be asked.');
  const number = (numbers.get(session) ?? 0) + 1;
  numbers.set(session, number);
  const id = mark === undefined ? number : `${mark}-${number}`;
  if (delivery.signal.aborted)
    throw new AskError(`${method} was not asked: the call it belongs to has ended.`);
  if (unaskable !== undefined) throw new AskError(`${method} was not asked: ${unaskable}`);
  const request: ServerRequest = { jsonrpc: '2.0', id, method, ...omitUndefined({ params }) };
  const outcome = await sendAndAwaitAnswer(session, request, delivery);
  if ('result' in outcome) return { ...outcome.result };
  throw new AskError(
    `The client answered ${method} with the error ${outcome.error.code}: ${outcome.error.message}`,
  );
}

async function sendAndAwaitAnswer(
  session: Session,
  request: ServerRequest,
  { send, signal, timeoutMs }: Delivery,
): Promise<Outcome> {
  const { id, method } = request;
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
      session.openAsks.set(id, { settle: resolve, stop });
      signal.addEventListener('abort', giveUp, { once: true });
      timer = setTimeout(() => stop(`No answer came in ${timeoutMs} ms.`), timeoutMs);
      send(request).catch(reject);
    });
  } finally {
    session.openAsks.delete(id);
    clearTimeout(timer);
    if (giveUp !== undefined) signal.removeEventListener('abort', giveUp);
  }
}

export class QuestionKeys {
  readonly #kind: 'ask' | 'call';
  readonly #taken = new Set<string>();
  #last = 0;

  constructor(kind: 'ask' | 'call' = 'ask') {
    this.#kind = kind;
  }

  reserveKey(key: string | undefined): string {
    const taken = key ?? `${this.#kind}-${++this.#last}`;
    const kinds = this.#kind === 'ask' ? 'questions of one call' : 'calls by one handler';
    if (this.#taken.has(taken)) throw new AskError(`Two ${kinds} have the key ${JSON.stringify(taken)}.`);
    this.#taken.add(taken);
    return taken;
  }
}

export abstract class WaitingRequester implements ClientRequester {
  readonly #keys = new QuestionKeys();
  readonly #calls = new QuestionKeys('call');

  open(options: AskOptions): Question {
    const key = this.#keys.reserveKey(options.key);
    return {
      ask: async (method, params) => this.ask(key, method, params),
      refuse: (reason) => new AskError(reason),
      drop: () => undefined,
    };
  }

  async remember<T extends Json>(_key: string, work: () => T | Promise<T>): Promise<T> {
    return work();
  }

  async makeInnerCall<T>({ key }: CallOnce, work: (inner: ClientRequester) => Promise<T>): Promise<T> {
    return work(new InnerRequester(this, this.#calls.reserveKey(key)));
  }

  abstract ask(key: string, method: string, params: object | undefined): Promise<Record<string, unknown>>;
}

/** Questions of a tool that code called: their keys begin with that of the call. */
class InnerRequester extends WaitingRequester {
  readonly #outer: WaitingRequester;
  readonly #call: string;

  constructor(outer: WaitingRequester, call: string) {
    super();
    this.#outer = outer;
    this.#call = call;
  }

  override async ask(
    key: string,
    method: string,
    params: object | undefined,
  ): Promise<Record<string, unknown>> {
    return this.#outer.ask(`${this.#call}/${key}`, method, params);
  }
}

class SessionRequester extends WaitingRequester {
  readonly #call: Call;

  constructor(call: Call) {
    super();
    this.#call = call;
  }

  override async ask(
    _key: string,
    method: string,
    params: object | undefined,
  ): Promise<Record<string, unknown>> {
    const { session, context, server, inFlight } = this.#call;
    if (session === undefined)
      throw new AskError('Nothing can be asked here: calls of tools, prompts and resources may ask.');
    if (inFlight.done) throw new AskError(`${method} was not asked: the call it belongs to has ended.`);
    return askClient(session, method, params, {
      send: (message) => context.send(message),
      signal: inFlight.signal,
      timeoutMs: server.limits.askTimeoutMs,
    });
  }
}

/** Without rounds and tasks, questions are requests on the session. */
export function getClientRequester(call: Call): ClientRequester {
  return (call.requester ??= knownRequester(call) ?? new SessionRequester(call));
}
