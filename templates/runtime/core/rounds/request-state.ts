// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * The state of a call between its rounds. The client keeps it, signed, so that any instance can continue. It is bound to
 * the request, the caller and a time.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isRecord } from '../../contract/json-value.ts';
import type { KeptStates, ServerInstance } from '../server-instance.ts';
import type { Params } from '../../protocol/json-rpc.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import type { Call } from '../call.ts';
import type { RoundState } from './round.ts';
import { readJson, writeJson } from '../../contract/json-text.ts';

export interface SignedState extends RoundState {
  method: string;
  /** Digest of the parameters that the request is repeated with. */
  params: string;
  subject: string | null;
  /** The only process that accepts the state, once; null: all do, any number of times. */
  process: string | null;
  /** Milliseconds since the epoch. */
  expires: number;
  /** Makes each state unique. */
  nonce: string;
}

/** `payload.signature`, both base64url. */
export function writeState(call: Call, method: string, state: RoundState): string {
  const signed: SignedState = {
    ...state,
    ...boundTo(call, method),
    process: state.once ? takenStates(call.server).process : null,
    expires: Date.now() + call.server.limits.requestStateMs,
    nonce: randomBytes(9).toString('base64url'),
  };
  const payload = Buffer.from(writeJson(signed)).toString('base64url');
  return `${payload}.${sign(payload, call.server)}`;
}

const NOTHING: RoundState = { answers: {}, remembered: {}, once: false };

/** @throws {ProtocolError} `-32602`, the same words whatever is wrong: who tampers learns nothing. */
export function readState(call: Call, method: string): RoundState {
  const { requestState } = call.params;
  if (requestState === undefined) return NOTHING;
  const state = typeof requestState === 'string' ? verify(requestState, call.server) : undefined;
  const { params, subject } = boundTo(call, method);
  const isOurs =
    state !== undefined &&
    state.method === method &&
    state.params === params &&
    state.subject === subject &&
    state.expires > Date.now() &&
    (state.process === null || takenStates(call.server).take(state));
  if (isOurs) return state;
  throw invalidParams(
    '`requestState` is not of this request, too old, or used already: send the request again without it.',
  );
}

function boundTo(
  { context, params }: Call,
  method: string,
): Pick<SignedState, 'method' | 'params' | 'subject'> {
  return { method, params: hashParams(params), subject: context.caller?.subject ?? null };
}

function hashParams({ _meta, inputResponses, requestState, ...params }: Params): string {
  void [_meta, inputResponses, requestState];
  return createHash('sha256').update(canonicalJson(params)).digest('base64url');
}

function verify(text: string, server: ServerInstance): SignedState | undefined {
  const [payload = '', signature = '', ...more] = text.split('.');
  // Compared as texts: Base64 is decoded leniently, so several texts stand for the same bytes.
  const wanted = Buffer.from(sign(payload, server));
  const given = Buffer.from(signature);
  if (more.length > 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  const state: unknown = readJson(Buffer.from(payload, 'base64url').toString());
  return isRecord(state) ? (state as unknown as SignedState) : undefined;
}

function sign(payload: string, server: ServerInstance): string {
  return createHmac('sha256', signingKey(server)).update(payload).digest('base64url');
}

function takenStates({ state }: ServerInstance): KeptStates {
  return (state.takenStates ??= new TakenStates());
}

/** Without MCP_STATE_SECRET, a process can read no other's state, nor its own after a restart. */
function signingKey({ env, state }: ServerInstance): Buffer {
  const { MCP_STATE_SECRET: secret = '' } = env;
  return (state.stateKey ??= secret === '' ? randomBytes(32) : Buffer.from(secret));
}

/**
 * JSON text that does not depend on the order of members: a client may write a request anew to repeat it.
 *
 * @throws {ProtocolError} `-32602` for what is nested too deeply to be written
 */
export function canonicalJson(value: unknown): string {
  try {
    return writeJson(value, (member) => (isRecord(member) ? sorted(member) : member));
  } catch (thrown) {
    if (thrown instanceof RangeError) throw invalidParams('The parameters are nested too deeply.');
    throw thrown;
  }
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Remembers states that are valid once, until they expire. */
export class TakenStates {
  /** Names this process, which can't know what another one has taken. */
  readonly process = randomBytes(9).toString('base64url');
  /** Nonce → milliseconds since the epoch, in the order of their taking. */
  readonly #expires = new Map<string, number>();

  get count(): number {
    return this.#expires.size;
  }

  /** Whether this process wrote the state, and it comes for the first time. */
  take({ process, nonce, expires }: Pick<SignedState, 'process' | 'nonce' | 'expires'>): boolean {
    if (process !== this.process || this.#expires.has(nonce)) return false;
    this.#forget(Date.now());
    this.#expires.set(nonce, expires);
    return true;
  }

  #forget(now: number): void {
    for (const [nonce, expires] of this.#expires) {
      if (expires > now) return;
      this.#expires.delete(nonce);
    }
  }
}
