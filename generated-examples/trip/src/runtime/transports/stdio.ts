/** stdio: one message a line, in and out. */
import type { Readable } from 'node:stream';
import { type Answer, invalidMessage, textOf } from '../core/answer.ts';
import type { Core } from '../core/core.ts';
import type { Session } from '../core/session.ts';
import type { Limits } from '../limits.ts';
import { Conversation } from './conversation.ts';
import { type Line, LineSplitter } from './line-splitter.ts';
import type { LineWriter } from './line-writer.ts';
import { idOfTooLong, tooLongWords } from './too-long.ts';

export interface StdioOptions {
  core: Core;
  session: Session;
  input: Readable;
  writer: LineWriter;
  limits: Pick<Limits, 'lineBytes' | 'stdioDrainMs'>;
  /** Resolves to stop early, as at SIGTERM: no more work is begun, and what is under way is finished. */
  stop: Promise<void>;
  /** Called before waiting for what is under way: ends what would not end by itself. */
  finish: () => void;
}

/** Serves until the input ends, then gives the work under way its time. Resolves when the last answer is out. */
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
      send: (message) => writer.write(textOf(message)),
      pause: () => input.pause(),
      resume: () => input.resume(),
    },
  });
  const splitter = new LineSplitter(limits.lineBytes);
  const receive = (lines: readonly Line[]): void => {
    for (const line of lines) {
      if (line.kind === 'line') conversation.receive(line.text);
      else conversation.refuse(tooLong(line, limits.lineBytes));
    }
  };
  const take = (chunk: Buffer): void => receive(splitter.push(chunk));
  input.on('data', take).once('end', () => receive(splitter.end()));

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
