// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** stdio: one message a line, in and out. */
import type { Readable, Writable } from 'node:stream';
import { type Answer, invalidMessage, type Message, textOf } from '../core/answer.ts';
import type { Core } from '../core/core.ts';
import type { Session } from '../core/session.ts';
import type { Limits } from '../limits.ts';
import { Conversation, untilRoom } from './conversation.ts';
import { idOfTooLong, type Line, LineSplitter, tooLongWords } from './line-splitter.ts';

interface StdioOptions {
  core: Core;
  session: Session;
  input: Readable;
  writer: LineWriter;
  limits: Pick<Limits, 'lineBytes' | 'stdioDrainMs'>;
  /** Resolves to stop early, as at SIGTERM: no more requests begin, and those in flight are finished. */
  stop: Promise<void>;
  /** Called before waiting for requests in flight: ends subscriptions and tasks. */
  finish: () => void;
}

/** Serves until the input ends, then waits for requests in flight. Resolves when the last answer is out. */
export async function serveStdio({
  core,
  session,
  input,
  writer,
  limits,
  stop,
  finish,
}: StdioOptions): Promise<void> {
  const conversation = new Conversation({
    core,
    session,
    wire: {
      send: writer.write,
      pause: () => input.pause(),
      resume: () => input.resume(),
    },
  });
  const splitter = new LineSplitter(limits.lineBytes);
  // Called without a chunk at the end of the input.
  const take = (chunk?: Buffer): void => {
    for (const line of chunk === undefined ? splitter.end() : splitter.push(chunk)) {
      if (line.kind === 'line') conversation.receive(line.text);
      else conversation.refuse(tooLong(line, limits.lineBytes));
    }
  };
  input.on('data', take).once('end', () => take());

  await Promise.race([ended(input), writer.closed, stop]);
  finish();
  await conversation.drain(limits.stdioDrainMs);
  input.off('data', take).pause();
  writer.flush();
  session.end();
}

function tooLong({ head, tail }: Line & { kind: 'too-long' }, limit: number): Answer {
  return invalidMessage(idOfTooLong(head, tail), tooLongWords(limit));
}

async function ended(input: Readable): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'error', 'close']) input.on(event, () => resolve());
  });
}

/**
 * Writes messages, one a line; those of one turn of the event loop leave together. It keeps the output's original `write`, so
 * that other writes may be redirected.
 */
export class LineWriter {
  readonly #output: Writable;
  readonly #write: Writable['write'];
  #room: Promise<void> | undefined;
  /** Lines that leave at the end of this turn. */
  #lines = '';

  constructor(output: Writable) {
    this.#output = output;
    this.#write = output.write.bind(output);
    // The reader is gone: further output is lost, and `closed` settles.
    output.on('error', () => undefined);
  }

  /** Redirects other writes to the output: a stray `console.log` would break the stream of messages. */
  divert(elsewhere: Writable): void {
    this.#output.write = elsewhere.write.bind(elsewhere);
  }

  /** Settles when the reader is gone. */
  get closed(): Promise<void> {
    return new Promise((resolve) => {
      this.#output.once('close', resolve);
      this.#output.once('error', () => resolve());
    });
  }

  /** Undefined when there is room for more, else what resolves when there is. Never throws, never rejects. */
  readonly write = (message: Message): Promise<void> | undefined => {
    const { destroyed, writableLength, writableHighWaterMark } = this.#output;
    if (destroyed) return undefined;
    if (this.#lines === '') setImmediate(this.flush);
    this.#lines += `${typeof message === 'string' ? message : textOf(message)}\n`;
    if (this.#lines.length + writableLength >= writableHighWaterMark) this.flush();
    return this.#room;
  };

  /** Sends what waits for the end of the turn. */
  readonly flush = (): void => {
    const lines = this.#lines;
    this.#lines = '';
    if (lines === '' || this.#write(lines)) return;
    this.#room ??= untilRoom(this.#output).then(() => (this.#room = undefined));
  };
}
