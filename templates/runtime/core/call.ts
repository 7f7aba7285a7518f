// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * A request on its way through a method: its context, its caller, and whether it is still wanted. Also the answers of
 * the core, from which a transport makes its response.
 */
import type { Json } from '../contract/json-schema.ts';
import { definedMembers, writeJson } from '../contract/json-value.ts';
import type { Caller } from '../feature-loaders.ts';
import {
  type ErrorOrigin,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  type OutgoingNotification,
  PARSE_ERROR,
  type Params,
  ProtocolError,
  type RequestId,
  ScopeError,
  type ServerRequest,
} from '../protocol/json-rpc.ts';
import type { ServerInstance } from './server-instance.ts';
import type { Agreement, Channel, ClientRequester, Session } from './session.ts';

/** A message's transport, as the core sees it. A transport makes one context for each message, or shares one. */
export interface RequestContext {
  channel: Channel;
  /** Absent if only modern requests are possible. */
  session: Session | undefined;
  /** The value of an HTTP header, blanks around it left out, by its name in lower case; absent on transports without headers. */
  headers?: (name: string) => string | undefined;
  /** Headers of the request that are sent on to the API (`--pass-header`), names in lower case. */
  passedHeaders?: readonly [name: string, value: string][] | undefined;
  /** The client's address, where each request has a channel of its own: limits count by it. */
  address?: string;
  /** The caller that the transport has authenticated; absent where no token is asked for. */
  caller?: Caller | undefined;
  /**
   * Sends a message that belongs to the request under way, before its answer. Settles when the channel has room
   * again; never rejects (a client that went away is not the handler's affair).
   */
  send(message: OutgoingNotification | ServerRequest): Promise<void>;
  /** Called with the scopes that the request needs, and its caller has, before anything is sent for it. */
  needs?: (scopes: readonly string[]) => void;
  /** Ends the stream of the current request, if the client can reconnect for the rest. */
  closeStream?(): void;
}

/** A request as it came, of either era. */
export interface ClientRequest {
  id: RequestId;
  method: string;
  params: Params;
}

/** The scopes of a caller's token. */
interface Reach {
  /** The scopes that the request needs; the token has them. */
  needed: readonly string[];
  covers(scopes: readonly string[]): boolean;
}

export interface Call {
  server: ServerInstance;
  context: RequestContext;
  /** Absent in the modern era. */
  session: Session | undefined;
  agreement: Agreement;
  id: RequestId;
  params: Params;
  inFlight: InFlightRequest;
  /** Asks the client. Made when first needed: by `newRequester`, else for requests on the session. */
  requester?: ClientRequester;
  /** Absent without authentication, and for methods without scopes. */
  reach?: Reach;
  newRequester?: () => ClientRequester;
}

/** Handles a request. Throws a `ProtocolError` to refuse it. */
export type Method = (call: Call) => Promise<object | RawJson>;

/** Runs a method if the caller has its scopes; throws a `ScopeError` before anything is done if not. */
export type RunScoped = (call: Call, method: string, run: Method) => ReturnType<Method>;

export interface Audit {
  begin(params: Params, context: RequestContext): AuditedCall;
}

/** The entry of one call. The first of `done`, `failed` and `cancelled` counts. */
export interface AuditedCall {
  done(result: object | RawJson): void;
  failed(thrown: unknown): void;
  cancelled(): void;
  /** The API is called with the caller's own credentials for these security schemes. */
  onBehalf(schemes: readonly string[]): void;
  /** The call became a task, which gets an entry of its own. */
  becomes(taskId: string): AuditedCall;
}

export interface OpenAudit {
  audit: Audit;
  /** Resolves when all lines are written. */
  flush: () => Promise<void>;
}

/** One request under way. */
export class InFlightRequest {
  /** Whether the client may cancel it. */
  readonly cancellable: boolean;
  /** The call's entry in the audit log, where one is kept. */
  audited: AuditedCall | undefined;
  /** The answer has been made: no message may follow it. */
  done = false;
  /** The client has cancelled it, or is gone: no answer is sent. */
  cancelled = false;
  /** Why the result is no longer needed; undefined while it is. */
  reason: string | undefined;
  /** Callbacks that run after the listeners of `signal`. */
  whenCancelled: (() => void) | undefined;
  #controller: AbortController | undefined;
  #leaving: Set<() => void> | undefined;

  constructor(cancellable = true, audited?: AuditedCall) {
    this.cancellable = cancellable;
    this.audited = audited;
  }

  /** Calls back once, when the result is no longer needed. Returns a function that removes the callback. */
  onLeft(callback: () => void): () => void {
    const leaving = (this.#leaving ??= new Set());
    leaving.add(callback);
    return () => leaving.delete(callback);
  }

  /** Created on first use: most calls never read it, and an AbortController is not cheap. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.reason !== undefined) this.#abort();
    return this.#controller.signal;
  }

  cancel(reason: string): void {
    this.cancelled = true;
    this.audited?.cancelled();
    this.abandon(reason);
    this.whenCancelled?.();
  }

  /** Aborts the handler of the request, which may still get another answer. */
  abandon(reason: string): void {
    if (this.reason === undefined) {
      this.reason = reason;
      for (const leave of this.#leaving ?? []) leave();
    }
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new DOMException(this.reason, 'AbortError'));
  }
}

// Answers of the core: the message, and the facts by which a transport chooses status and headers.

/** Characters from which a text is shared: copying a shorter one costs less than writing it separately. */
const LEAST_SHARED = 16 * 1024;

/** JSON text that is the same in many answers. Over HTTP they share one copy of its bytes, however many clients read slowly. */
export class SharedText {
  readonly isLong: boolean;
  #text: string | undefined;
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.#text = text;
    this.isLong = text.length >= LEAST_SHARED;
  }

  get text(): string {
    return this.#text ?? this.bytes.toString();
  }

  get bytes(): Buffer {
    if (this.#bytes !== undefined) return this.#bytes;
    const bytes = Buffer.from(this.#text ?? '');
    // The text is dropped, since one copy is enough.
    this.#text = undefined;
    return (this.#bytes = bytes);
  }
}

/** The text of a message to a client: whole, or in parts, some of which are shared by clients. */
export type Message = string | readonly (string | SharedText)[];

/** The text of a result, on one line: whole, or as its beginning, a part shared with other results, and its end. */
type ResultText = string | readonly [start: string, shared: SharedText, end: string];

/** A result that is JSON text already: sent as it is. */
export class RawJson {
  readonly content: ResultText;

  constructor(content: ResultText) {
    this.content = content;
  }

  get text(): string {
    return joinMessage(this.content);
  }
}

interface ResultAnswer {
  kind: 'result';
  id: RequestId;
  result: ResultText;
}

interface ErrorAnswer {
  kind: 'error';
  /** Absent when the request's id could not be read. */
  id: RequestId | undefined;
  code: number;
  message: string;
  data: Json | undefined;
  origin: ErrorOrigin;
  /** Seconds after which a request may be served that a limit has refused. */
  retrySeconds?: number;
  /** All scopes that the request needs, if the token lacks one. */
  scopes?: readonly string[];
}

export type Answer = ResultAnswer | ErrorAnswer;

/** The answer to a message that is not JSON. */
export const NOT_JSON: ErrorAnswer = refusal(undefined, PARSE_ERROR, 'The message is not JSON.', 'syntax');

/** `-32600`: not a message of this protocol. */
export function invalidMessage(id: RequestId | undefined, reason: string): ErrorAnswer {
  return refusal(id, INVALID_REQUEST, reason, 'message');
}

export function refusal(
  id: RequestId | undefined,
  code: number,
  message: string,
  origin: ErrorOrigin,
): ErrorAnswer {
  return { kind: 'error', id, code, message, data: undefined, origin };
}

/**
 * The answer to a request whose handling threw. The client sees a `ProtocolError` only; `report` hears of any other. The caller's
 * token, which an error may repeat as the name of an unknown tool, is taken out: clients log errors.
 */
export function answerTo(
  id: RequestId,
  thrown: unknown,
  report: (thrown: unknown) => void,
  caller?: Pick<Caller, 'withoutToken'>,
): ErrorAnswer {
  if (thrown instanceof ProtocolError) {
    const { origin, retrySeconds } = thrown;
    const message = caller?.withoutToken?.(thrown.message) ?? thrown.message;
    // JSON-RPC 2.0, section 5.1: an integer; the project's own code may throw anything.
    const code = Number.isInteger(thrown.code) ? thrown.code : INTERNAL_ERROR;
    const data = isShown(thrown.data, caller) ? thrown.data : undefined;
    const answer: ErrorAnswer = { kind: 'error', id, code, message, data, origin };
    if (thrown instanceof ScopeError) return { ...answer, scopes: thrown.scopes };
    return retrySeconds === undefined ? answer : { ...answer, retrySeconds };
  }
  report(thrown);
  return refusal(id, INTERNAL_ERROR, 'Internal error.', 'work');
}

/**
 * The answer to a request that came to a result. It is written here, where a result that JSON can't hold is still refused:
 * once a transport has it, nobody would be answered. The project's own code may answer with such a result; `report` hears of it.
 */
export function resultAnswer(
  id: RequestId,
  method: string,
  result: object | RawJson,
  report: (thrown: unknown) => void,
): Answer {
  if (result instanceof RawJson) return { kind: 'result', id, result: result.content };
  try {
    // `toJSON` may return any value, or undefined.
    const text: string | undefined = writeJson(result);
    if (text?.startsWith('{') === true) return { kind: 'result', id, result: text };
  } catch (cause) {
    const words = `The answer to ${method} can't be written as JSON: ${describeThrown(cause)}`;
    return answerTo(id, new Error(words, { cause }), report);
  }
  return answerTo(id, new Error(`The answer to ${method} is no JSON object.`), report);
}

/** Whether `data` of an error may be shown: it must be JSON, and must not hold the caller's token. */
function isShown(data: unknown, caller?: Pick<Caller, 'withoutToken'>): boolean {
  if (data === undefined) return false;
  try {
    const text = writeJson(data);
    return (caller?.withoutToken?.(text) ?? text) === text;
  } catch {
    return false;
  }
}

export function joinMessage(message: Message): string {
  if (typeof message === 'string') return message;
  return message.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

/** One answer, or those of a batch, as one JSON text on one line. */
export function answerMessage(answers: Answer | Answer[]): Message {
  if (Array.isArray(answers)) {
    const messages = answers.map(answerMessage);
    if (messages.every((each) => typeof each === 'string')) return `[${messages.join(',')}]`;
    return ['[', ...messages.flatMap((each, at) => (at === 0 ? each : [',', ...[each].flat()])), ']'];
  }
  if (answers.kind === 'error') return writeJson(toMessage(answers));
  const { id, result } = answers;
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  if (typeof result === 'string') return `${head}${result}}`;
  const [start, shared, end] = result;
  return [`${head}${start}`, shared, `${end}}`];
}

/** The JSON-RPC message as an object. */
export function toMessage(answer: Answer): object {
  if (answer.kind === 'result') return JSON.parse(joinMessage(answerMessage(answer))) as object;
  const { id, code, message, data } = answer;
  return {
    jsonrpc: '2.0',
    ...definedMembers({ id }),
    error: { code, message, ...definedMembers({ data }) },
  };
}

/** The message of something thrown by the project's own code, without its stack. */
export function describeThrown(thrown: unknown): string {
  const words = thrown instanceof Error ? thrown.message : thrown;
  if (words === undefined || words === null || words === '') return NO_REASON;
  try {
    return String(words);
  } catch {
    return NO_REASON;
  }
}

const NO_REASON = 'The work failed without saying why.';
