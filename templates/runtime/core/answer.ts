// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Answers of the core: the message, and the facts by which a transport chooses status and headers. */
import {
  type ErrorOrigin,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  PARSE_ERROR,
  ProtocolError,
  type RequestId,
  ScopeError,
} from '../protocol/json-rpc.ts';
import type { Json } from '../contract/json-schema.ts';
import { writeJson } from '../contract/json-value.ts';
import type { Caller } from './call.ts';

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
    // One copy is enough.
    this.#text = undefined;
    return (this.#bytes = bytes);
  }
}

/** A text on its way to a client: whole, or in parts of which clients share some. */
export type Message = string | readonly (string | SharedText)[];

/** The text of a result, on one line: whole, or its beginning, what it shares with others, and its end. */
export type ResultText = string | readonly [start: string, shared: SharedText, end: string];

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

export interface ResultAnswer {
  kind: 'result';
  id: RequestId;
  result: ResultText;
}

export interface ErrorAnswer {
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

/** The answer to what is not JSON. */
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
    // A `toJSON` may make anything of it, or nothing.
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
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
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
