/** What the core answers: the message, and what a transport must know to send it. */
import type { RequestId } from '../protocol/json-rpc.ts';
import {
  type ErrorOrigin,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  PARSE_ERROR,
  ProtocolError,
  ScopeError,
} from '../protocol/protocol-error.ts';
import type { Json } from '../contract/json-schema.ts';
import { writeJson } from '../contract/json-text.ts';
import type { Caller } from './call.ts';

/** Characters of what is shared: to copy fewer costs less than to send them by themselves. */
const LEAST_SHARED = 16 * 1024;

/** JSON text that is the same in many answers. Over HTTP they share its bytes, however many clients have not read theirs. */
export class SharedText {
  /** Worth sharing. */
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

/** A result that is JSON text already, on one line: sent as it is. */
export class RawJson {
  /** Its beginning; all of it where it shares nothing. */
  readonly start: string;
  readonly shared: SharedText | undefined;
  /** Behind what it shares. */
  readonly end: string;

  constructor(start: string, shared?: SharedText, end = '') {
    this.start = start;
    this.shared = shared;
    this.end = end;
  }

  get text(): string {
    return this.shared === undefined ? this.start : this.start + this.shared.text + this.end;
  }
}

export interface ResultAnswer {
  kind: 'result';
  id: RequestId;
  result: RawJson;
}

export interface ErrorAnswer {
  kind: 'error';
  /** Absent when the request's id could not be read. */
  id: RequestId | undefined;
  code: number;
  message: string;
  data: Json | undefined;
  origin: ErrorOrigin;
  /** Of a limit that is reached: seconds after which the request may be served. */
  retrySeconds?: number;
  /** Of a token that does not reach far enough: all that the request needs. */
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
 * The answer to a request whose handling threw. What is not a `ProtocolError` is told to `report`, not to the client. What says the
 * token of the caller back to it, as the name of no tool, is said without it: clients log errors.
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
 * The answer to a request that came to a result. It is written here, where what can't be is still refused: once a
 * transport has it, nobody would be answered. What is no JSON object, as the project's own code may answer with, is
 * told to `report`.
 */
export function resultAnswer(
  id: RequestId,
  method: string,
  result: object | RawJson,
  report: (thrown: unknown) => void,
): Answer {
  if (result instanceof RawJson) return { kind: 'result', id, result };
  try {
    return { kind: 'result', id, result: toRawJson(result, method) };
  } catch (thrown) {
    return answerTo(id, thrown, report);
  }
}

function toRawJson(result: object, method: string): RawJson {
  try {
    // A `toJSON` may make anything of it, or nothing.
    const text: string | undefined = writeJson(result);
    if (text?.startsWith('{') === true) return new RawJson(text);
  } catch (thrown) {
    throw new Error(`The answer to ${method} can't be written as JSON: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
  throw new Error(`The answer to ${method} is no JSON object.`);
}

/** What the project's own code throws may carry anything; the caller's token is never shown. */
function isShown(data: unknown, caller?: Pick<Caller, 'withoutToken'>): boolean {
  if (data === undefined) return false;
  try {
    const text = writeJson(data);
    return (caller?.withoutToken?.(text) ?? text) === text;
  } catch {
    return false;
  }
}

/** The message as JSON text, on one line. */
export function writeAnswer(answer: Answer): string {
  if (answer.kind === 'error') return writeJson(toMessage(answer));
  const { id, result } = answer;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result.text}}`;
}

/** The answers of a batch as one JSON text, on one line. */
export function writeAnswers(answers: Answer | Answer[]): string {
  if (!Array.isArray(answers)) return writeAnswer(answers);
  return `[${answers.map(writeAnswer).join(',')}]`;
}

/** A text on its way to a client: whole, or around what others share with it. */
export type Message = string | readonly (string | SharedText)[];

export function textOf(message: Message): string {
  if (typeof message === 'string') return message;
  return message.map((part) => (typeof part === 'string' ? part : part.text)).join('');
}

/** The answers as one JSON text, on one line, with what they share left as it is. */
export function answerMessage(answers: Answer | Answer[]): Message {
  if (!Array.isArray(answers)) return sharesText(answers) ? partsOf(answers) : writeAnswer(answers);
  if (!answers.some(sharesText)) return writeAnswers(answers);
  return ['[', ...answers.flatMap((each, at) => (at === 0 ? partsOf(each) : [',', ...partsOf(each)])), ']'];
}

function sharesText(answer: Answer): boolean {
  return answer.kind === 'result' && answer.result.shared?.isLong === true;
}

function partsOf(answer: Answer): (string | SharedText)[] {
  if (answer.kind === 'error' || answer.result.shared?.isLong !== true) return [writeAnswer(answer)];
  const { start, shared, end } = answer.result;
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(answer.id)},"result":${start}`, shared, `${end}}`];
}

/** The message as a value. */
export function toMessage(answer: Answer): object {
  if (answer.kind === 'result') return JSON.parse(writeAnswer(answer)) as object;
  const { id, code, message, data } = answer;
  return {
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
}

/** The words of something thrown by the project's own code. A stack is no business of the client's. */
export function messageOf(thrown: unknown): string {
  const words = thrown instanceof Error ? thrown.message : thrown;
  if (words === undefined || words === null || words === '') return NO_REASON;
  try {
    return String(words);
  } catch {
    return NO_REASON;
  }
}

const NO_REASON = 'The work failed without saying why.';
