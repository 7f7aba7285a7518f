// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Requests of 2026-07-28 that ask: the handler runs again with the answers, and the client carries a signed state in between. */
import { createHash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers';
import type { Call, MethodCall } from '../../feature.ts';
import { invalidParams, isRecord, ownMember, parseJson, writeJson } from '../../json-rpc.ts';
import type { Params } from '../../json-rpc.ts';
import { Work } from '../../session.ts';
import { ApiError, ToolError } from '../../types.ts';
import { type Keys, openSigned, sign } from '../state-keys.ts';

export const ROUND_LIMITS = { stateMs: 15 * 60_000, stateBytes: 16 * 1024 };

type Answer = Record<string, unknown>;
/** A result of work as JSON. `error`: what it threw. `exact`: with integers beyond ±2^53 that are `bigint`, which JSON doesn't tell from doubles. `bytes`: Base64. */
type Remembered = readonly ['json' | 'exact' | 'bytes' | 'error', string];

interface State {
  answers: Record<string, Answer>;
  /** The questions that were put with this state. Absent without one. */
  asked?: string[];
  remembered: Record<string, Remembered>;
  /** An answer is accepted once, and so each later state. */
  isOnce: boolean;
}

/** The state belongs to a request, a caller and a time. */
interface SignedState extends State {
  method: string;
  params: string;
  subject: string | null;
  /** Where it is accepted once; null: anywhere, any number of times. */
  scope: string | null;
  expires: number;
  /** States differ, also for the same questions. */
  nonce: string;
}

/** Methods that may ask ("Multi Round-Trip Requests"). */
export const ASKING_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** By the work of the request. */
const rounds = new WeakMap<Work, Round>();

/** @throws {RpcError} `-32602` for a state of another request, or an answer that can't be used */
export async function runRound(
  call: MethodCall,
  keys: Keys,
  next: (call: MethodCall) => Promise<object>,
): Promise<object> {
  const responses = readResponses(call.params);
  const before = await readState(call, keys);
  // A run that asked is left: its signal aborts, and it says nothing more.
  const work = new Work();
  const forget = call.work.onCancel(() => work.cancel(call.work.reason ?? ''));
  const params = { ...call.params, requestState: undefined };
  const changed = { ...call, params, work };
  const asked = new Promise<object>((resolve, reject) => {
    const leave = (inputRequests: object, state: State): void => {
      resolve({ resultType: 'input_required', inputRequests, requestState: writeState(call, keys, state) });
      work.cancel('The handler runs again when the client has answered.');
    };
    rounds.set(work, new Round(before, responses, leave, reject));
  });
  try {
    return await Promise.race([asked, next(changed)]);
  } finally {
    work.isDone = true;
    forget();
  }
}

export function findRound({ work }: Call): Round | undefined {
  return rounds.get(work);
}

/** Calls inside a call: keys of their questions begin with its key. */
const prefixes = new WeakMap<Call, string>();

function prefixOf(call: Call | undefined): string {
  return call === undefined ? '' : (prefixes.get(call) ?? prefixOf(call.parent));
}

export class Round {
  readonly #before: State;
  readonly #responses: Record<string, Answer>;
  readonly #leave: (inputRequests: object, state: State) => void;
  readonly #refuse: (error: Error) => void;
  readonly #answers: Record<string, Answer> = {};
  /** Results of steps are written when a state is: most runs never ask. */
  readonly #remembered = new Map<string, () => Remembered>();
  readonly #open = new Map<string, { request: object; fail: (error: Error) => void }>();
  readonly #running = new Set<string>();
  readonly #keys = new Set<string>();
  readonly #counts = new Map<string, number>();
  #isOnce: boolean;

  constructor(
    before: State,
    responses: Record<string, Answer>,
    leave: (inputRequests: object, state: State) => void,
    refuse: (error: Error) => void,
  ) {
    this.#before = before;
    this.#responses = responses;
    this.#leave = leave;
    this.#refuse = refuse;
    for (const [key, result] of Object.entries(before.remembered)) this.#remembered.set(key, () => result);
    this.#isOnce = before.isOnce;
  }

  /** Without an answer the promise never settles: the run is left. */
  async ask(key: string, isOnce: boolean, method: string, params: object | undefined): Promise<Answer> {
    this.#isOnce ||= isOnce;
    const { answers, asked } = this.#before;
    // Without a state an answer counts by its key, but never to a question that counts once, such as a confirmation.
    const isPut = asked?.includes(key) ?? !isOnce;
    const answer = ownMember(answers, key) ?? (isPut ? ownMember(this.#responses, key) : undefined);
    if (answer !== undefined) {
      this.#answers[key] = answer;
      return answer;
    }
    return new Promise((_, fail) => {
      this.#open.set(key, { request: { method, params }, fail });
      this.#leaveWhenIdle();
    });
  }

  refuseAnswer(key: string, reason: string): Error {
    const error = invalidParams(`\`inputResponses[${writeJson(key)}]\` can't be used. ${reason}`);
    this.#refuse(error);
    return error;
  }

  /** By order if the handler gives none. @throws {ToolError} for a key that is taken */
  reserve(call: Call, key: string | undefined, kind: 'ask' | 'call'): string {
    const prefix = prefixOf(call);
    const counter = `${kind} ${prefix}`;
    const number = (this.#counts.get(counter) ?? 0) + 1;
    if (key === undefined) this.#counts.set(counter, number);
    const fullKey = `${prefix}${key ?? `${kind}-${number}`}`;
    if (this.#keys.has(`${kind} ${fullKey}`))
      throw new ToolError(
        `Two ${kind === 'ask' ? 'questions' : 'calls'} of one handler have the key ${writeJson(fullKey)}.`,
      );
    this.#keys.add(`${kind} ${fullKey}`);
    return fullKey;
  }

  async step<T>(call: Call, name: string | undefined, run: (call: Call) => Promise<T>): Promise<T> {
    const key = this.reserve(call, name, 'call');
    const inner = { ...call };
    prefixes.set(inner, `${key}/`);
    return (await this.#once(`call ${key}`, `${key}/`, async () => {
      // A call that failed may have done something, too.
      const result = await run(inner).catch((thrown: unknown) => {
        if (thrown instanceof ToolError) return thrown;
        throw thrown;
      });
      return { result, remembered: () => toRemembered(result) };
    })) as T;
  }

  async remember<T>(call: Call, name: string, run: () => T | Promise<T>): Promise<T> {
    const key = `remember ${prefixOf(call)}${name}`;
    return (await this.#once(key, `${key}/`, async () => {
      const remembered = toRemembered(await run());
      // The first run gets what the later ones do: JSON.
      return { result: recall(remembered), remembered: () => remembered };
    })) as T;
  }

  /** Does the work in one run only. */
  async #once(
    key: string,
    prefix: string,
    run: () => Promise<{ result: unknown; remembered: () => Remembered }>,
  ): Promise<unknown> {
    const known = this.#remembered.get(key);
    if (known !== undefined) return throwError(recall(known()));
    this.#running.add(prefix);
    try {
      const { result, remembered } = await run();
      this.#remembered.set(key, remembered);
      return throwError(result);
    } finally {
      this.#running.delete(prefix);
      this.#leaveWhenIdle();
    }
  }

  /** Questions that are asked together leave together, and no work is left midway unless it waits for an answer itself. */
  #leaveWhenIdle(): void {
    setImmediate(() => {
      const openKeys = [...this.#open.keys()];
      const waits = (prefix: string): boolean => openKeys.some((key) => key.startsWith(prefix));
      if (openKeys.length === 0 || ![...this.#running].every(waits)) return;
      const requests = Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
      try {
        this.#leave(requests, {
          answers: { ...this.#before.answers, ...this.#answers },
          asked: openKeys,
          remembered: Object.fromEntries([...this.#remembered].map(([key, write]) => [key, write()])),
          isOnce: this.#isOnce,
        });
      } catch (thrown) {
        // The questions can't be put: the handler goes on with an error for each.
        for (const { fail } of this.#open.values()) fail(thrown as Error);
        this.#open.clear();
      }
    });
  }
}

function throwError(result: unknown): unknown {
  if (result instanceof ToolError) throw result;
  return result;
}

function toRemembered(result: unknown): Remembered {
  if (result instanceof ToolError) {
    const { message, status, headers, body } = result as Partial<ApiError> & ToolError;
    return ['error', writeJson({ message, status, headers, body: toRemembered(body) })];
  }
  if (result instanceof Uint8Array) return ['bytes', Buffer.from(result).toString('base64')];
  try {
    // Nothing becomes null, so that it counts as done.
    return ['json', (JSON.stringify(result) as string | undefined) ?? 'null'];
  } catch {
    return ['exact', writeJson(result)];
  }
}

function recall([kind, text]: Remembered): unknown {
  if (kind === 'error') {
    const { message, body, ...answer } = JSON.parse(text) as ApiError & { body: Remembered };
    const isAnswer = (answer as Partial<ApiError>).status !== undefined;
    return isAnswer ? new ApiError(message, { ...answer, body: recall(body) }) : new ToolError(message);
  }
  if (kind === 'bytes') return new Uint8Array(Buffer.from(text, 'base64'));
  return kind === 'exact' ? parseJson(text) : JSON.parse(text);
}

function readResponses({ inputResponses = {} }: Params): Record<string, Answer> {
  if (!isRecord(inputResponses)) throw invalidParams('`inputResponses` must be an object.');
  for (const [key, response] of Object.entries(inputResponses))
    if (!isRecord(response)) throw invalidParams(`\`inputResponses[${writeJson(key)}]\` must be an object.`);
  return inputResponses as Record<string, Answer>;
}

// The state.

function bindingOf({
  method,
  params,
  session,
}: MethodCall): Pick<SignedState, 'method' | 'params' | 'subject'> {
  return { method, params: hashParams(params), subject: session.caller?.subject ?? null };
}

/** A client may write the members of a request in another order to repeat it. */
export function hashParams(params: Params): string {
  const sort = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sort);
    if (!isRecord(value)) return value;
    const names = Object.keys(value).sort();
    return Object.fromEntries(names.map((name) => [name, sort(value[name])]));
  };
  const carried = { _meta: undefined, inputResponses: undefined, requestState: undefined };
  const text = writeJson(sort({ ...params, ...carried }));
  return createHash('sha256').update(text).digest('base64url');
}

/** @throws {ToolError} for a state that is too large to carry */
function writeState(call: MethodCall, keys: Keys, state: State): string {
  const signed: SignedState = {
    ...state,
    ...bindingOf(call),
    scope: state.isOnce ? call.server.services.once.scope : null,
    expires: Date.now() + ROUND_LIMITS.stateMs,
    nonce: randomBytes(9).toString('base64url'),
  };
  const bytes = Buffer.from(writeJson(signed));
  if (bytes.length <= ROUND_LIMITS.stateBytes) return sign(keys, bytes);
  throw new ToolError(
    `The client can't be asked: what was done before takes ${bytes.length} bytes to remember, and ${ROUND_LIMITS.stateBytes} are allowed. Ask first, then act.`,
  );
}

/** @throws {RpcError} with the same words for every fault: an attacker learns nothing */
async function readState(call: MethodCall, keys: Keys): Promise<State> {
  const { requestState } = call.params;
  if (requestState === undefined) return { answers: {}, remembered: {}, isOnce: false };
  const content = typeof requestState === 'string' ? openSigned(keys, requestState) : undefined;
  const state = content && (parseJson(content.toString()) as SignedState);
  const { once } = call.server.services;
  if (state !== undefined && state.expires > Date.now()) {
    const { method, params, subject } = bindingOf(call);
    const isBound = state.method === method && state.params === params && state.subject === subject;
    const isFresh = async (): Promise<boolean> =>
      state.scope === null ||
      (state.scope === once.scope && (await once.take(`state ${state.nonce}`, state.expires - Date.now())));
    if (isBound && (await isFresh())) return state;
  }
  throw invalidParams(
    '`requestState` is not of this request, too old, or used already: send the request again without it.',
  );
}
