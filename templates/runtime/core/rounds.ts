// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Runs a handler in rounds: each run gets the answers so far, and the client keeps the signed state in between. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Json, JsonObject } from '../contract/json-schema.ts';
import {
  omitUndefined,
  holdsBigInteger,
  isRecord,
  getOwnMember,
  readJson,
  bigIntegersToDoubles,
  writeJson,
} from '../contract/json-value.ts';
import type { AskOptions, CallOnce } from '../definition.ts';
import { type Params, invalidParamsError } from '../protocol/json-rpc.ts';
import type { Call, Method } from './call.ts';
import type { ServerInstance } from './server-instance.ts';
import { QuestionKeys } from './client-requests.ts';
import { AskError, type ClientRequester, type Question } from './session.ts';
import { type Keys, deriveSharedKeys, hmacSha256 } from './state-keys.ts';

interface RoundState {
  answers: JsonObject;
  /** Keys of the questions that the client was asked with this state: it can answer no others. Absent without a state. */
  asked?: readonly string[];
  remembered: JsonObject;
  /** Keys under which a `bigint` was remembered, which JSON does not tell from a double. */
  exact: readonly string[];
  /** Whether an answer is valid only once, and so every later state too. */
  once: boolean;
}

interface OpenRequest {
  method: string;
  params: object | undefined;
  fail: (error: Error) => void;
}

interface RoundEnds {
  /** The handler waits for answers that the client has not given yet. */
  leave: (round: Round) => void;
  refuse: (error: Error) => void;
}

class Round {
  readonly #ends: RoundEnds;
  readonly #before: RoundState;
  readonly #responses: Responses;
  readonly #used = new Map<string, Json>();
  readonly #remembered: Map<string, unknown>;
  readonly #exact: Set<string>;
  readonly #open = new Map<string, OpenRequest>();
  #once: boolean;
  /** Counts open questions and running work: at 0 the handler only waits. */
  #busy = 0;

  constructor(before: RoundState, responses: Responses, ends: RoundEnds) {
    this.#before = before;
    this.#responses = responses;
    this.#ends = ends;
    this.#remembered = new Map(Object.entries(before.remembered));
    this.#exact = new Set(before.exact);
    this.#once = before.once;
  }

  get listInputRequests(): object {
    return Object.fromEntries(
      Array.from(this.#open, ([key, { method, params }]) => [key, omitUndefined({ method, params })]),
    );
  }

  get state(): RoundState {
    return {
      answers: { ...this.#before.answers, ...Object.fromEntries(this.#used) },
      asked: [...this.#open.keys()],
      remembered: Object.fromEntries(this.#remembered) as JsonObject,
      exact: [...this.#exact],
      once: this.#once,
    };
  }

  /** The questions can't be put: the handler goes on with an error for each. */
  failOpenQuestions(error: Error): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { fail } of open) fail(error);
  }

  ask(key: string, once: boolean, whenWaiting: () => void): Question {
    this.#once ||= once;
    this.#busy++;
    let isPut = false;
    const pauseOnce = (): void => {
      if (!isPut) this.#endRoundWhenIdle();
      isPut = true;
    };
    return {
      ask: async (method, params) => {
        const answered = this.#takeAnswer(key, once, method, params);
        if (this.#open.has(key)) whenWaiting();
        pauseOnce();
        return answered;
      },
      refuse: (reason) => this.#refuseAnswer(key, reason),
      drop: pauseOnce,
    };
  }

  /**
   * Runs `work` once, however often the handler runs again, and remembers its result. `work` calls `rest` when it waits for the
   * client, so that the round may end meanwhile.
   */
  async once<T>(key: string, work: (rest: () => void) => T | Promise<T>): Promise<T> {
    if (this.#remembered.has(key)) return this.#recallResult(key) as T;
    this.#busy++;
    let isResting = false;
    const markAsWaiting = (): void => {
      if (!isResting) this.#endRoundWhenIdle();
      isResting = true;
    };
    try {
      const result = await work(markAsWaiting);
      const text: string | undefined = writeJson(result);
      if (holdsBigInteger(result)) this.#exact.add(key);
      // `undefined` becomes `null`, so that it counts as done.
      this.#remembered.set(key, text === undefined ? null : readJson(text));
      return this.#recallResult(key) as T;
    } finally {
      markAsWaiting();
    }
  }

  /** JSON does not tell a large double from a `bigint`. */
  #recallResult(key: string): unknown {
    const result = this.#remembered.get(key);
    return this.#exact.has(key) ? result : bigIntegersToDoubles(result);
  }

  /** Without an answer the promise never resolves: the handler is abandoned. */
  async #takeAnswer(
    key: string,
    once: boolean,
    method: string,
    params: object | undefined,
  ): Promise<Record<string, unknown>> {
    const { answers, asked } = this.#before;
    // Without a state, an answer counts by its key alone, but never to a question that counts once, such as a confirmation.
    const isPut = asked === undefined ? !once : asked.includes(key);
    const response = isPut ? getOwnMember<unknown>(this.#responses, key) : undefined;
    const answer = getOwnMember<unknown>(answers, key) ?? response;
    if (answer === undefined) {
      return new Promise((_, fail) => this.#open.set(key, { method, params, fail }));
    }
    this.#used.set(key, answer as Json);
    return answer as Record<string, unknown>;
  }

  #refuseAnswer(key: string, reason: string): Error {
    const error = invalidParamsError(`\`inputResponses[${JSON.stringify(key)}]\` can't be used. ${reason}`);
    this.#ends.refuse(error);
    return error;
  }

  /** Waits one turn of the event loop, so that questions asked together are sent together. */
  #endRoundWhenIdle(): void {
    this.#busy--;
    setImmediate(() => {
      if (this.#busy === 0 && this.#open.size > 0) this.#ends.leave(this);
    });
  }
}

/** Keys of a tool that code called begin with the key of the call. */
class RoundRequester implements ClientRequester {
  readonly #round: Round;
  readonly #keys = new QuestionKeys();
  readonly #calls = new QuestionKeys('call');
  readonly #prefix: string;
  readonly #whenWaiting: () => void;

  constructor(round: Round, prefix = '', whenWaiting: () => void = () => undefined) {
    this.#round = round;
    this.#prefix = prefix;
    this.#whenWaiting = whenWaiting;
  }

  open({ key, once = false }: AskOptions): Question {
    return this.#round.ask(`${this.#prefix}${this.#keys.reserveKey(key)}`, once, this.#whenWaiting);
  }

  async remember<T extends Json>(key: string, work: () => T | Promise<T>): Promise<T> {
    return this.#round.once(`${this.#prefix}${key}`, work);
  }

  async makeInnerCall<T>({ key }: CallOnce, work: (inner: ClientRequester) => Promise<T>): Promise<T> {
    const own = `${this.#prefix}${this.#calls.reserveKey(key)}`;
    return this.#round.once(`call ${own}`, (rest) => {
      const markBothAsWaiting = (): void => {
        rest();
        this.#whenWaiting();
      };
      return work(new RoundRequester(this.#round, `${own}/`, markBothAsWaiting));
    });
  }
}

/**
 * If answers are missing, the result asks the client for them.
 * @throws {ProtocolError} `-32602` if the state is not of this request, too old, or an answer is invalid
 */
export async function runRound(call: Call, method: string, run: Method): ReturnType<Method> {
  const responses = parseInputResponses(call.params);
  const before = await verifyRoundState(call, method);
  const left = new Promise<object>((resolve, reject) => {
    const endRound = (round: Round): void => {
      try {
        const requestState = signRoundState(call, method, round.state);
        resolve({ resultType: 'input_required', inputRequests: round.listInputRequests, requestState });
      } catch (thrown) {
        if (thrown instanceof AskError) return round.failOpenQuestions(thrown);
        reject(thrown as Error);
      }
      call.inFlight.abortHandler('The handler is run again when the client has answered.');
    };
    call.newRequester = () =>
      new RoundRequester(new Round(before, responses, { leave: endRound, refuse: reject }));
  });
  return Promise.race([left, run(call)]);
}

type Responses = Readonly<Record<string, Record<string, unknown>>>;

const NONE: Responses = {};

export function parseInputResponses({ inputResponses }: Params): Responses {
  if (inputResponses === undefined) return NONE;
  if (!isRecord(inputResponses)) throw invalidParamsError('`inputResponses` must be an object.');
  const wrong = Object.entries(inputResponses).find(([, response]) => !isRecord(response));
  if (wrong === undefined) return inputResponses as Responses;
  throw invalidParamsError(`\`inputResponses[${JSON.stringify(wrong[0])}]\` must be an object.`);
}

/** The client keeps the state, so that any instance can continue. Bound to request, caller and time. */
interface SignedState extends RoundState {
  method: string;
  params: string;
  subject: string | null;
  /** `scope` of the shared state by which the state is accepted once; null: anywhere, any number of times. */
  process: string | null;
  expires: number;
  nonce: string;
}

/** Writes the state as `payload.signature`, both in base64url. */
function signRoundState(call: Call, method: string, state: RoundState): string {
  const signed: SignedState = {
    ...state,
    ...makeStateBinding(call, method),
    process: state.once ? call.server.shared.scope : null,
    expires: Date.now() + call.server.limits.requestStateMs,
    nonce: randomBytes(9).toString('base64url'),
  };
  const bytes = Buffer.from(writeJson(signed));
  const { requestStateBytes: most } = call.server.limits;
  if (bytes.length > most)
    throw new AskError(
      `The client can't be asked: what was done before takes ${bytes.length} bytes to remember, and ${most} are allowed. Ask first, then act.`,
    );
  const payload = bytes.toString('base64url');
  return `${payload}.${hmacSha256(signingKeys(call.server)[0], payload).toString('base64url')}`;
}

const NOTHING: RoundState = { answers: {}, remembered: {}, exact: [], once: false };

/** @throws {ProtocolError} `-32602`, the same words for every fault: an attacker learns nothing */
async function verifyRoundState(call: Call, method: string): Promise<RoundState> {
  const { requestState } = call.params;
  if (requestState === undefined) return NOTHING;
  const state = typeof requestState === 'string' ? parseSignedState(requestState, call.server) : undefined;
  // To hash the parameters costs much, so only a state that this server signed is compared.
  const binding = state && makeStateBinding(call, method);
  const isOurs =
    state !== undefined &&
    state.method === method &&
    state.params === binding?.params &&
    state.subject === binding.subject &&
    state.expires > Date.now() &&
    (state.process === null || (await claimStateOnce(state, call.server)));
  if (isOurs) return state;
  throw invalidParamsError(
    '`requestState` is not of this request, too old, or used already: send the request again without it.',
  );
}

function makeStateBinding(
  { context, params }: Call,
  method: string,
): Pick<SignedState, 'method' | 'params' | 'subject'> {
  return { method, params: hashParams(params), subject: context.caller?.subject ?? null };
}

export function hashParams({ _meta, inputResponses, requestState, ...params }: Params): string {
  void [_meta, inputResponses, requestState];
  return createHash('sha256').update(canonicalJson(params)).digest('base64url');
}

function parseSignedState(text: string, server: ServerInstance): SignedState | undefined {
  const [payload = '', signature = '', ...more] = text.split('.');
  // Base64 is decoded leniently, so several texts would decode to the same bytes.
  const given = Buffer.from(signature);
  const isSigned = signingKeys(server).some((key) => {
    const wanted = Buffer.from(hmacSha256(key, payload).toString('base64url'));
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  if (more.length > 0 || !isSigned) return undefined;
  const state: unknown = readJson(Buffer.from(payload, 'base64url').toString());
  return isRecord(state) ? (state as unknown as SignedState) : undefined;
}

/** Marks a signed state as used; false if it was used before, or if nobody can know. */
async function claimStateOnce(
  { process, nonce, expires }: SignedState,
  { shared }: ServerInstance,
): Promise<boolean> {
  return process === shared.scope && shared.takeOnce(`state ${nonce}`, expires - Date.now());
}

/** Without MCP_STATE_SECRET no other process can read a state, nor this one after a restart. */
function signingKeys({ env, info, state }: ServerInstance): Keys {
  return (state.stateKeys ??= deriveSharedKeys(env, info.name, 'request-state') ?? [randomBytes(32)]);
}

/**
 * Independent of the order of members: a client may write a request anew to repeat it.
 * @throws {ProtocolError} `-32602` for too deep nesting
 */
export function canonicalJson(value: unknown): string {
  try {
    return writeJson(value, (member) => (isRecord(member) ? sortMembersByName(member) : member));
  } catch (thrown) {
    if (thrown instanceof RangeError) throw invalidParamsError('The parameters are nested too deeply.');
    throw thrown;
  }
}

function sortMembersByName(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
