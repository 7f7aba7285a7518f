// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A request in progress: its context, whether it is still wanted, and the answers that transports send. */
import { suggestNearest } from '../contract/feature.ts';
import type { Json } from '../contract/json-schema.ts';
import { omitUndefined, writeJson } from '../contract/json-value.ts';
import type { Caller, TraceIds, WatchAttempts } from '../feature-loaders.ts';
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
  invalidParamsError,
} from '../protocol/json-rpc.ts';
import type { LiveServer, ServerInstance } from './server-instance.ts';
import type { Agreement, Channel, ClientRequester, Session } from './session.ts';

/** The transport of a message, and what it knows of the client. Messages may share one. */
export interface RequestContext {
  channel: Channel;
  /** Absent if only modern requests are possible. */
  session: Session | undefined;
  /** Finds a trimmed HTTP header by its lower-case name; absent on transports without headers. */
  headers?: ((name: string) => string | undefined) | undefined;
  /** Headers that the API gets from the client (`--pass-header`), names in lower case. */
  passedHeaders?: readonly [name: string, value: string][] | undefined;
  /** The client's address. Limits count by it where each request has a channel of its own. */
  address?: string;
  caller?: Caller | undefined;
  /** Sends a message of the current request, before its answer. Settles when the channel has room; never rejects. */
  send(message: OutgoingNotification | ServerRequest): Promise<void>;
  /** Called before anything is sent, with the scopes that the request needs. */
  needs?: (scopes: readonly string[]) => void;
  /** Ends the current stream if the client can reconnect for the rest. */
  closeStream?(): void;
}

export interface ClientRequest {
  id: RequestId;
  method: string;
  params: Params;
  /** A tool that calls others was named: the parameters as the client sent them. */
  sent?: Params;
}

interface Reach {
  /** The scopes that the request needs, all of which the token has. */
  needed: readonly string[];
  covers(scopes: readonly string[]): boolean;
}

export interface Call {
  server: ServerInstance;
  context: RequestContext;
  session: Session | undefined;
  agreement: Agreement;
  id: RequestId;
  params: Params;
  inFlight: InFlightRequest;
  /** How many calls by code are around this one. Default 0. */
  depth?: number;
  /** Created when first needed: by `newRequester`, else for requests on the session. */
  requester?: ClientRequester | undefined;
  /** Absent without authentication, and for methods that need no scopes. */
  reach?: Reach;
  newRequester?: () => ClientRequester;
}

export type Method = (call: Call) => Promise<object>;

export async function runMethodForCaller(call: Call, method: string, found: Method | Promise<Method>) {
  const run = await found;
  if (call.context.caller === undefined) return run(call);
  const { auth } = call.server;
  if (auth === undefined) throw new Error('A caller was asked who it is, but nothing says what it may do.');
  return (await auth.runtime()).runWithScopeCheck(call, method, run);
}

/** @throws {ScopeError} before anything is done, if the caller lacks a scope */
export type RunScoped = (call: Call, method: string, run: Method) => ReturnType<Method>;

/** Watches requests: the audit log, metrics and traces. */
export interface Audit {
  /** @param trace that of the call whose code made this one @returns undefined for a request that is not watched */
  begin(
    request: WatchedRequest,
    context: RequestContext,
    server: ServerInstance,
    trace?: TraceIds,
  ): AuditedCall | undefined;
  /** Records a request that HTTP refuses before it is a message, or a connection before it is read. */
  recordRefusal?(status: number | 'connection'): void;
  /** Adds numbers that are read when somebody asks for them. */
  observeGauges?(gauges: Readonly<Record<string, () => number>>): void;
  /** Finds the trace of the running call, for the log. */
  trace?(): TraceIds | undefined;
}

/** A request that is watched. `id` is absent for calls that code makes. */
export type WatchedRequest = Pick<ClientRequest, 'method' | 'params'> & { id?: RequestId };

/** The first of `done`, `failed` and `cancelled` counts. */
export interface AuditedCall {
  done(result: object): void;
  failed(thrown: unknown): void;
  cancelled(): void;
  /** Notes the security schemes for which the API gets the caller's own credentials. */
  onBehalf(schemes: readonly string[]): void;
  continueAsTask(taskId: string): AuditedCall;
  readonly trace?: TraceIds | undefined;
  /** @param path of the operation, with its parameters in braces */
  watchSending?(path: string): WatchAttempts;
}

export interface OpenAudit {
  audit: Audit;
  start?: (live: LiveServer) => Promise<void>;
  /** Writes what waits. Nothing is watched afterwards. */
  flush: () => Promise<void>;
}

export class InFlightRequest {
  /** Absent for calls that code makes. */
  id: RequestId | undefined;
  readonly cancellable: boolean;
  readonly #outer: InFlightRequest | undefined;
  audited: AuditedCall | undefined;
  /** The answer has been made: no message may follow it. */
  done = false;
  /** The request was cancelled: no answer is sent. */
  cancelled = false;
  /** Why the result is no longer needed. */
  reason: string | undefined;
  /** Runs after the listeners of `signal`. */
  whenCancelled: ((answer: undefined) => void) | undefined;
  #controller: AbortController | undefined;
  #leaving: Set<() => void> | undefined;
  readonly #unlink: (() => void) | undefined;

  constructor(cancellable = true, audited?: AuditedCall, outer?: InFlightRequest) {
    this.cancellable = cancellable;
    this.audited = audited;
    this.#outer = outer;
    if (outer === undefined) return;
    const leave = (): void => {
      const { cancelled, reason = '' } = outer;
      if (cancelled) return this.cancel(reason);
      // The outer call makes this call again when its client has answered; the log has `input_required`.
      audited?.done({ resultType: 'input_required' });
      this.abortHandler(reason);
    };
    if (outer.reason !== undefined) leave();
    this.#unlink = outer.onAbandoned(leave);
  }

  /** Ends a call inside another, whose end then no longer reaches it. */
  end(): void {
    this.done = true;
    this.#unlink?.();
  }

  /** No message may follow the answer, or a cancellation. */
  get isOver(): boolean {
    return this.done || this.cancelled || this.#outer?.isOver === true;
  }

  /** Calls back once, when the result is no longer needed. Returns its removal. */
  onAbandoned(callback: () => void): () => void {
    const leaving = (this.#leaving ??= new Set());
    leaving.add(callback);
    return () => leaving.delete(callback);
  }

  /** Created on first use, since most calls never read it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.reason !== undefined) this.#abortSignal();
    return this.#controller.signal;
  }

  cancel(reason: string): void {
    this.cancelled = true;
    this.audited?.cancelled();
    this.abortHandler(reason);
    this.whenCancelled?.(undefined);
  }

  /** Aborts the handler; the request may still be answered. */
  abortHandler(reason: string): void {
    if (this.reason === undefined) {
      this.reason = reason;
      for (const leave of this.#leaving ?? []) leave();
    }
    this.#abortSignal();
  }

  #abortSignal(): void {
    this.#controller?.abort(new DOMException(this.reason, 'AbortError'));
  }
}

/** Shortest text that is shared: copying a shorter one costs less than writing it separately. */
const LEAST_SHARED = 16 * 1024;

/** A JSON text that many answers have in them. Over HTTP they share one copy of its bytes. */
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
    this.#text = undefined;
    return (this.#bytes = bytes);
  }
}

/** A message is one text, or parts of which some are shared with other messages. */
export type Message = string | readonly (string | SharedText)[];

type ResultText = string | readonly [start: string, shared: SharedText, end: string];

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
  id: RequestId | undefined;
  code: number;
  message: string;
  data: Json | undefined;
  origin: ErrorOrigin;
  /** Seconds until a request that a limit refused may be served. */
  retrySeconds?: number;
  scopes?: readonly string[];
}

export type Answer = ResultAnswer | ErrorAnswer;

export const NOT_JSON = syntaxErrorAnswer('The message is not JSON.');

export const NOT_UTF8 = syntaxErrorAnswer('The message is not UTF-8.');

function syntaxErrorAnswer(words: string): ErrorAnswer {
  return errorAnswer(undefined, PARSE_ERROR, words, 'syntax');
}

export function invalidMessageAnswer(id: RequestId | undefined, reason: string): ErrorAnswer {
  return errorAnswer(id, INVALID_REQUEST, reason, 'message');
}

export function errorAnswer(
  id: ErrorAnswer['id'],
  code: number,
  message: string,
  origin: ErrorOrigin,
): ErrorAnswer {
  return { kind: 'error', id, code, message, data: undefined, origin };
}

/**
 * Clients see the message of a `ProtocolError` only; other errors are reported. The caller's token, which a message
 * may repeat as the name of an unknown tool, is removed: clients log errors.
 */
export function toErrorAnswer(
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
    const data = isSafeErrorData(thrown.data, caller) ? thrown.data : undefined;
    const answer: ErrorAnswer = { kind: 'error', id, code, message, data, origin };
    if (thrown instanceof ScopeError) return { ...answer, scopes: thrown.scopes };
    return retrySeconds === undefined ? answer : { ...answer, retrySeconds };
  }
  report(thrown);
  return errorAnswer(id, INTERNAL_ERROR, 'Internal error.', 'work');
}

/**
 * Writes the result here, where one that JSON can't hold is still refused: after the transport has it, the client
 * would get no answer.
 */
export function resultAnswer(
  id: RequestId,
  method: string,
  result: object,
  report: (thrown: unknown) => void,
): Answer {
  if (result instanceof RawJson) return { kind: 'result', id, result: result.content };
  try {
    // `toJSON` may return any value, or undefined.
    const text: string | undefined = writeJson(result);
    if (text?.startsWith('{') === true) return { kind: 'result', id, result: text };
  } catch (cause) {
    const words = `The answer to ${method} can't be written as JSON: ${describeThrown(cause)}`;
    return toErrorAnswer(id, new Error(words, { cause }), report);
  }
  return toErrorAnswer(id, new Error(`The answer to ${method} is no JSON object.`), report);
}

/** Error data must be JSON, and must not hold the caller's token. */
function isSafeErrorData(data: unknown, caller?: Pick<Caller, 'withoutToken'>): boolean {
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

/** Writes one answer, or a batch of them, as one line of JSON. */
export function answerMessage(answers: Answer | Answer[]): Message {
  if (Array.isArray(answers)) {
    const messages = answers.map(answerMessage);
    if (messages.every((each) => typeof each === 'string')) return `[${messages.join(',')}]`;
    return ['[', ...messages.flatMap((each, at) => (at === 0 ? each : [',', ...[each].flat()])), ']'];
  }
  if (answers.kind === 'error') return writeJson(answerToObject(answers));
  const { id, result } = answers;
  const head = `{"jsonrpc":"2.0","id":${writeJson(id)},"result":`;
  if (typeof result === 'string') return `${head}${result}}`;
  const [start, shared, end] = result;
  return [`${head}${start}`, shared, `${end}}`];
}

export function answerToObject(answer: Answer): object {
  if (answer.kind === 'result') return JSON.parse(joinMessage(answerMessage(answer))) as object;
  const { id, code, message, data } = answer;
  return {
    jsonrpc: '2.0',
    ...omitUndefined({ id }),
    error: { code, message, ...omitUndefined({ data }) },
  };
}

export function toProtocolError(thrown: unknown, data?: Json): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  return new ProtocolError(INTERNAL_ERROR, describeThrown(thrown), 'work', data);
}

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

export function unknownNameError(kind: string, name: string, known: Iterable<string>): ProtocolError {
  const meant = suggestNearest(name, known);
  const hint = meant === undefined ? '' : `. Did you mean ${JSON.stringify(meant)}?`;
  return invalidParamsError(`Unknown ${kind}: ${name}${hint}`);
}
