/** A tool call that goes on after its request was answered. Moves as MCP allows: once it has ended, it stays so. */
import { randomBytes } from 'node:crypto';
import type { Json } from '../../contract/json-schema.ts';
import type { AskError } from '../asks.ts';
import type { RequestContext } from '../call.ts';
import type { Channel } from '../session.ts';
import { InFlightRequest } from '../in-flight-request.ts';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** What the call came to. */
export type TaskOutcome = { result: object } | { error: { code: number; message: string; data?: Json } };

/** What a task waits to hear from its client. */
export interface TaskQuestion {
  method: string;
  params: object | undefined;
  answer(result: Record<string, unknown>): void;
  fail(reason: AskError): void;
}

/** Whom a task belongs to. */
export interface TaskOwner {
  subject: string | undefined;
  /** Who is counted where there is no subject: the channel it was asked for on, or an address. */
  client: Channel | string;
}

export function ownerOf({ caller, address, channel }: RequestContext): TaskOwner {
  return { subject: caller?.subject, client: address ?? channel };
}

export class Task {
  /** 128 random bits: where nobody is asked who they are, knowing it is the right to use it. */
  readonly id = randomBytes(16).toString('base64url');
  readonly owner: TaskOwner;
  /** Those that the call needed: whoever asks for the task needs them too. */
  readonly scopes: readonly string[];
  readonly inFlight = new InFlightRequest();
  readonly createdAt = new Date();
  readonly ttlMs: number;
  updatedAt = this.createdAt;
  status: TaskStatus = 'working';
  statusMessage: string | undefined;
  outcome: TaskOutcome | undefined;
  readonly #questions = new Map<string, TaskQuestion>();
  readonly #listeners = new Set<() => void>();

  constructor(owner: TaskOwner, ttlMs: number, scopes: readonly string[]) {
    this.owner = owner;
    this.ttlMs = ttlMs;
    this.scopes = scopes;
  }

  get hasEnded(): boolean {
    return this.status !== 'working' && this.status !== 'input_required';
  }

  /** The questions without an answer, by key. */
  get questions(): ReadonlyMap<string, TaskQuestion> {
    return this.#questions;
  }

  put(key: string, question: TaskQuestion): void {
    this.#questions.set(key, question);
    this.#move('input_required');
  }

  /** Takes a question off the list, to be answered. Undefined: nobody waits for it. */
  take(key: string): TaskQuestion | undefined {
    const question = this.#questions.get(key);
    this.#questions.delete(key);
    if (question !== undefined && this.#questions.size === 0) this.#move('working');
    return question;
  }

  end(status: 'completed' | 'failed' | 'cancelled', outcome: TaskOutcome | undefined, words?: string): void {
    if (this.hasEnded) return;
    this.outcome = outcome;
    this.statusMessage = words;
    this.#move(status);
  }

  cancel(reason: string): void {
    this.end('cancelled', undefined, reason);
    this.inFlight.cancel(reason);
  }

  /** @returns what ends it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #move(status: TaskStatus): void {
    if (this.hasEnded) return;
    this.status = status;
    this.updatedAt = new Date();
    const listeners = [...this.#listeners];
    // Nothing follows an end, and a listener may hold the whole request that the task was asked for by.
    if (this.hasEnded) this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
