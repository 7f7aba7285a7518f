// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** One run of a handler, with the answers that are there. */
import { invalidParams } from '../../protocol/protocol-error.ts';
import type { AskOptions } from '../../definition.ts';
import type { Json, JsonObject } from '../../contract/json-schema.ts';
import { type ClientRequester, QuestionKeys, type Question } from '../client-requests.ts';
import { readJson, writeJson } from '../../contract/json-text.ts';
import type { Call, Method } from '../call.ts';
import { readState, writeState } from './request-state.ts';
import { isRecord } from '../../contract/json-value.ts';
import type { Params } from '../../protocol/json-rpc.ts';

/** Results of earlier rounds. */
export interface RoundState {
  /** Answers that were used, by key. */
  answers: JsonObject;
  /** Results of work that is done once, by key. */
  remembered: JsonObject;
  /** Whether some answer, and so the state from then on, is valid once. */
  once: boolean;
}

interface InputRequest {
  method: string;
  params?: object;
}

/** Ends a round before its handler does. */
export interface RoundEnds {
  /** The handler waits for answers that are not there. */
  leave: (round: Round) => void;
  /** An answer is invalid. */
  refuse: (error: Error) => void;
}

export class Round implements ClientRequester {
  readonly #ends: RoundEnds;
  readonly #keys = new QuestionKeys();
  readonly #before: RoundState;
  readonly #responses: Responses;
  readonly #used = new Map<string, Json>();
  readonly #remembered: Map<string, unknown>;
  readonly #open = new Map<string, InputRequest>();
  #once: boolean;
  /** Questions being asked and remembered work in progress: the handler is left when there are none. */
  #busy = 0;

  constructor(before: RoundState, responses: Responses, ends: RoundEnds) {
    this.#before = before;
    this.#responses = responses;
    this.#ends = ends;
    this.#remembered = new Map(Object.entries(before.remembered));
    this.#once = before.once;
  }

  get requests(): object {
    return Object.fromEntries(this.#open);
  }

  get state(): RoundState {
    return {
      answers: { ...this.#before.answers, ...Object.fromEntries(this.#used) },
      remembered: Object.fromEntries(this.#remembered) as JsonObject,
      once: this.#once,
    };
  }

  open({ key: wanted, once = false }: AskOptions): Question {
    const key = this.#keys.take(wanted);
    this.#once ||= once;
    // A state that may be sent again, or none, can't vouch that these answers come once.
    const responses = once && !this.#before.once ? {} : this.#responses;
    this.#busy++;
    let isPut = false;
    const put = (): void => {
      if (!isPut) this.#rest();
      isPut = true;
    };
    return {
      ask: async (method, params) => {
        const answered = this.#answerTo(responses, key, method, params);
        put();
        return answered;
      },
      refuse: (reason) => this.#refuse(key, reason),
      drop: put,
    };
  }

  async remember<T extends Json>(key: string, work: () => T | Promise<T>): Promise<T> {
    if (this.#remembered.has(key)) return this.#remembered.get(key) as T;
    this.#busy++;
    try {
      const result = asJson(await work());
      this.#remembered.set(key, result);
      return result as T;
    } finally {
      this.#rest();
    }
  }

  /** An answer of an earlier round stays valid. Never resolves without an answer: the handler is left. */
  async #answerTo(
    responses: Responses,
    key: string,
    method: string,
    params: object | undefined,
  ): Promise<Record<string, unknown>> {
    const answers: Readonly<Record<string, unknown>> = { ...responses, ...this.#before.answers };
    const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
    if (answer === undefined) {
      this.#open.set(key, { method, ...(params === undefined ? {} : { params }) });
      return new Promise(() => undefined);
    }
    this.#used.set(key, answer as Json);
    return answer as Record<string, unknown>;
  }

  #refuse(key: string, reason: string): Error {
    const error = invalidParams(`\`inputResponses[${JSON.stringify(key)}]\` can't be used. ${reason}`);
    this.#ends.refuse(error);
    return error;
  }

  /** Leaves the handler once it only waits: questions asked together are sent together. */
  #rest(): void {
    this.#busy--;
    setImmediate(() => {
      if (this.#busy === 0 && this.#open.size > 0) this.#ends.leave(this);
    });
  }
}

/** The value as the next run gets it. `undefined` becomes `null`, so that it counts as done. */
function asJson(value: unknown): Json {
  const text: string | undefined = writeJson(value);
  return text === undefined ? null : (readJson(text) as Json);
}

/**
 * Runs a method whose handler may ask the client. Where answers are missing, the result asks the client for them, and the
 * handler is left.
 *
 * @throws {ProtocolError} `-32602` when the state is not ours, not of this request, too old, or an answer is none
 */
export async function runRound(call: Call, method: string, run: Method): ReturnType<Method> {
  const before = readState(call, method);
  const responses = readResponses(call.params);
  const left = new Promise<object>((resolve, reject) => {
    // Most calls ask nothing.
    call.newRequester = () =>
      new Round(before, responses, {
        leave: ({ requests, state }) => {
          call.inFlight.abandon('The handler is run again when the client has answered.');
          try {
            const requestState = writeState(call, method, state);
            resolve({ resultType: 'input_required', inputRequests: requests, requestState });
          } catch (thrown) {
            reject(thrown as Error);
          }
        },
        refuse: reject,
      });
  });
  return Promise.race([left, run(call)]);
}

export type Responses = Readonly<Record<string, Record<string, unknown>>>;

const NONE: Responses = {};

/** @throws {ProtocolError} `-32602` when they are no object of objects */
export function readResponses({ inputResponses }: Params): Responses {
  if (inputResponses === undefined) return NONE;
  if (!isRecord(inputResponses)) throw invalidParams('`inputResponses` must be an object.');
  const wrong = Object.entries(inputResponses).find(([, response]) => !isRecord(response));
  if (wrong === undefined) return inputResponses as Responses;
  throw invalidParams(`\`inputResponses[${JSON.stringify(wrong[0])}]\` must be an object.`);
}
