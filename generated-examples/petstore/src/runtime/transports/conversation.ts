// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * One session over texts, for stdio and WebSocket: each message is one text, in both directions. Also counts the bytes that a
 * client has not read.
 */
import type { Writable } from 'node:stream';
import { writeJson } from '../contract/json-value.ts';
import {
  type Answer,
  type Message,
  NOT_JSON,
  type RequestContext,
  SharedText,
  answerMessage,
  errorAnswer,
} from '../core/call.ts';
import type { Caller } from '../feature-loaders.ts';
import type { Answered, Core } from '../core/core.ts';
import type { Session } from '../core/session.ts';
import { INTERNAL_ERROR, type Received, receiveMessage } from '../protocol/json-rpc.ts';

export interface Holding {
  readonly bytes: number;
  set(bytes: number): void;
  end(): void;
}

/** Begins to count the bytes kept for one client. `giveUp` must release all of them. */
export type Hold = (giveUp: () => void, measure?: () => number) => Holding;

interface Wire {
  /** Undefined when there is room for more, else what resolves when there is. Never throws, never rejects. */
  send(message: Message): Promise<void> | undefined;
  pause(): void;
  resume(): void;
}

interface ConversationOptions {
  core: Core;
  session: Session;
  wire: Wire;
  caller?: Caller | undefined;
  /** Requests in flight beyond which others wait. Default: the core refuses them. */
  most?: number;
}

const LOOK_MS = 20;

export class Conversation {
  readonly #core: Core;
  readonly #wire: Wire;
  readonly #context: RequestContext;
  /** Notifications that are queued, but not sent yet. */
  readonly #waiting = new Set<string>();
  readonly #most: number;
  /** Requests that wait until others are done. */
  readonly #held: Work[] = [];
  #look: NodeJS.Timeout | undefined;
  #isPushing = false;
  #underWay = 0;
  #isStopping = false;
  #finished: (() => void) | undefined;

  constructor({ core, session, wire, caller, most = Infinity }: ConversationOptions) {
    this.#core = core;
    this.#wire = wire;
    this.#most = most;
    session.push = (message) => this.#queueNotification(writeJson(message));
    this.#context = {
      channel: session,
      session,
      caller,
      send: async (message) => this.#sendText(writeJson(message)),
    };
  }

  receiveText(text: string): void {
    let received: Received;
    try {
      received = receiveMessage(text);
    } catch {
      return this.sendRefusal(NOT_JSON);
    }
    const { length } = this.#context.channel.inFlightRequests;
    if (length >= this.#most || received.kind === 'batch') {
      if (isRequestOrBatch(received) && !this.#isStopping && !this.#hasRoom(received))
        return this.#holdMessage(received);
    }
    const refused = this.#isStopping ? makeStoppingRefusal(received) : undefined;
    this.#sendAnswers(refused ?? this.#core(received, this.#context));
  }

  sendRefusal(answer: Answer): void {
    this.#sendAnswers(answer);
  }

  /**
   * Begins no more requests, and resolves when those in flight are done, but after `ms` at the latest. Notifications and
   * answers of the client are still taken: requests in flight may wait for them.
   */
  async drainRequests(ms: number): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#look);
    if (this.#held.length > 0) this.#wire.resume();
    for (const each of this.#held.splice(0)) this.#sendAnswers(makeStoppingRefusal(each));
    if (this.#underWay === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#finished = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  #sendAnswers(answered: Answered | Promise<Answered>): void {
    this.#underWay += 1;
    if (answered instanceof Promise) void answered.then(this.#sendAnswer);
    else this.#sendAnswer(answered);
  }

  readonly #sendAnswer = (answered: Answered): void => {
    const room = answered === undefined ? undefined : this.#wire.send(answerMessage(answered));
    if (room !== undefined) return void this.#pauseUntilRoom(room).then(() => this.#sendAnswer(undefined));
    this.#underWay -= 1;
    if (this.#held.length > 0) this.#processHeld();
    if (this.#underWay === 0) this.#finished?.();
  };

  /** Reading pauses, but what came already may be an answer or a cancellation that requests in flight wait for. */
  #holdMessage(received: Work): void {
    this.#held.push(received);
    this.#wire.pause();
  }

  #hasRoom(received: Work): boolean {
    const { length } = this.#context.channel.inFlightRequests;
    return length === 0 || length + (received.kind === 'batch' ? received.messages.length : 1) <= this.#most;
  }

  readonly #processHeld = (): void => {
    clearTimeout(this.#look);
    for (let [next] = this.#held; next !== undefined && this.#hasRoom(next); [next] = this.#held) {
      this.#held.shift();
      this.#sendAnswers(this.#core(next, this.#context));
    }
    // A cancelled request counts until its handler ends, which is not told.
    if (this.#held.length > 0) this.#look = setTimeout(this.#processHeld, LOOK_MS);
    else this.#wire.resume();
  };

  /** While the output is full, equal notifications wait as one. */
  #queueNotification(text: string): void {
    this.#waiting.add(text);
    if (!this.#isPushing) void this.#sendNotifications();
  }

  async #sendNotifications(): Promise<void> {
    this.#isPushing = true;
    for (const text of this.#waiting) {
      this.#waiting.delete(text);
      await this.#sendText(text);
    }
    this.#isPushing = false;
  }

  /** While the output is full, nothing is received: a slow client slows only itself. */
  async #sendText(text: string): Promise<void> {
    const room = this.#wire.send(text);
    if (room !== undefined) await this.#pauseUntilRoom(room);
  }

  async #pauseUntilRoom(room: Promise<void>): Promise<void> {
    this.#wire.pause();
    await room;
    if (this.#held.length === 0) this.#wire.resume();
  }
}

/** Settles when the stream has room for more, or is gone. Never rejects. */
export async function waitForRoom(stream: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    const stopWaiting = (): void => {
      for (const event of ROOM_EVENTS) stream.off(event, stopWaiting);
      resolve();
    };
    for (const event of ROOM_EVENTS) stream.on(event, stopWaiting);
  });
}

const ROOM_EVENTS = ['drain', 'close', 'error'] as const;

type Work = Extract<Received, { kind: 'request' | 'batch' }>;

function isRequestOrBatch(received: Received): received is Work {
  return received.kind === 'request' || received.kind === 'batch';
}

function makeStoppingRefusal(received: Received): Answer | undefined {
  if (!isRequestOrBatch(received)) return undefined;
  const id = received.kind === 'request' ? received.id : undefined;
  return errorAnswer(id, INTERNAL_ERROR, 'The server is stopping.', 'work');
}

interface UnreadOptions {
  socket: object | null;
  hold: Hold | undefined;
  cut: () => void;
}

/**
 * Output to a client, and how much of it the client has not read yet. A TLS socket copies written bytes, so texts are not
 * shared there.
 */
export class Unread {
  readonly #stream: Writable;
  readonly #options: UnreadOptions;
  #holding: Holding | undefined;
  /** Bytes that wait, and are shared with other clients. */
  #shared = 0;

  constructor(stream: Writable, options: UnreadOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  get bytes(): number {
    return Math.max(0, this.#stream.writableLength - this.#shared);
  }

  writeParts(...parts: (string | Uint8Array | SharedText)[]): boolean {
    const [part, ...more] = parts;
    const hasRoom = more.length === 0 ? this.#writePart(part ?? '') : this.#writeAll(parts);
    if (this.#holding !== undefined || this.#stream.writableLength > 0) this.#countUnread();
    return hasRoom;
  }

  #writeAll(parts: readonly (string | Uint8Array | SharedText)[]): boolean {
    this.#stream.cork();
    const rooms = parts.map((part) => this.#writePart(part));
    this.#stream.uncork();
    return rooms.every(Boolean);
  }

  #writePart(part: string | Uint8Array | SharedText): boolean {
    if (!(part instanceof SharedText)) return this.#stream.write(part);
    const { bytes } = part;
    const { socket } = this.#options;
    if (socket !== null && 'encrypted' in socket) return this.#stream.write(bytes);
    this.#shared += bytes.length;
    return this.#stream.write(bytes, () => (this.#shared -= bytes.length));
  }

  #countUnread(): void {
    const { hold, cut } = this.#options;
    if (hold === undefined) return;
    if (this.#holding === undefined) {
      const holding = (this.#holding = hold(cut, () => this.bytes));
      this.#stream.on('drain', () => holding.set(this.bytes));
      this.#stream.once('close', () => holding.end());
    }
    this.#holding.set(this.bytes);
  }
}

export function partsOfMessage(message: Message): readonly (string | SharedText)[] {
  return typeof message === 'string' ? [message] : message;
}

/**
 * Long answers are written in slices: the system would take megabytes at once, and other clients would wait meanwhile. A TLS
 * connection copies each slice.
 */
const SLICE_BYTES = 64 * 1024;
const SLICES_A_TURN = 16;

const waiting: (() => void)[] = [];

/** Resolves when the next slice may be written: a few in each turn of the event loop, in the order of waiting. */
function waitForSliceTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNextSlices);
  });
}

function resumeNextSlices(): void {
  for (const resolve of waiting.splice(0, SLICES_A_TURN)) resolve();
  if (waiting.length > 0) setImmediate(resumeNextSlices);
}

export async function writeInSlices(
  response: Writable,
  parts: readonly (string | SharedText)[],
): Promise<void> {
  for (const part of parts) {
    if (typeof part === 'string') {
      response.write(part);
      continue;
    }
    for (let at = 0; at < part.bytes.length; at += SLICE_BYTES) {
      await waitForSliceTurn();
      if (response.writableNeedDrain) await waitForRoom(response);
      if (response.destroyed) return;
      response.write(part.bytes.subarray(at, at + SLICE_BYTES));
    }
  }
  response.end();
}
