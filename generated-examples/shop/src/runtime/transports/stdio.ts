/** stdio: one message a line, in and out. */
import type { Readable } from 'node:stream';
import { type Answer, invalidMessage, NOT_JSON, writeAnswers } from '../core/answer.ts';
import type { Core } from '../core/core.ts';
import type { Exchange } from '../core/call.ts';
import type { Session } from '../core/session.ts';
import type { Limits } from '../limits.ts';
import { type Line, LineSplitter } from './line-splitter.ts';
import type { LineWriter } from './line-writer.ts';

export interface StdioOptions {
  core: Core;
  session: Session;
  input: Readable;
  writer: LineWriter;
  limits: Pick<Limits, 'lineBytes' | 'stdioDrainMs'>;
  /** Resolves to stop early, as at SIGTERM: nothing more is read, and what is under way is finished. */
  stop: Promise<void>;
}

/** Serves until the input ends, then gives the work under way its time. Resolves when the last answer is out. */
export async function serveStdio({
  core,
  session,
  input,
  writer,
  limits,
  stop,
}: StdioOptions): Promise<void> {
  const splitter = new LineSplitter(limits.lineBytes);
  const underWay = new Set<Promise<void>>();
  let isOpen = true;

  /** While the output is full nothing more is read, so that a slow client slows only itself. */
  const send = async (text: string): Promise<void> => {
    const room = writer.write(text);
    if (room === undefined) return;
    input.pause();
    await room;
    if (isOpen) input.resume();
  };
  const exchange: Exchange = { channel: session, session, send: (message) => send(JSON.stringify(message)) };
  const answer = async (line: Line): Promise<void> => {
    const answers = await answerLine(line, core, exchange);
    if (answers !== undefined) await send(writeAnswers(answers));
  };
  const receive = (lines: readonly Line[]): void => {
    for (const line of lines) {
      const work = answer(line);
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
    }
  };

  await untilEnd(input, writer, stop, (chunk) => receive(splitter.push(chunk)));
  isOpen = false;
  receive(splitter.end());
  await drained(underWay, limits.stdioDrainMs);
  session.end();
}

async function untilEnd(
  input: Readable,
  writer: LineWriter,
  stop: Promise<void>,
  receive: (chunk: Buffer) => void,
): Promise<void> {
  await new Promise<void>((resolve) => {
    input.on('data', receive).once('end', resolve).once('error', resolve).once('close', resolve);
    void writer.closed.then(resolve);
    void stop.then(resolve);
  });
  input.off('data', receive).pause();
}

async function answerLine(
  line: Line,
  core: Core,
  exchange: Exchange,
): Promise<Answer | Answer[] | undefined> {
  if (line.kind === 'too-long') return invalidMessage(undefined, 'The message is too long.');
  let message: unknown;
  try {
    message = JSON.parse(line.text);
  } catch {
    return NOT_JSON;
  }
  return core(message, exchange);
}

/** Waits for the work under way, but not longer than `ms`. */
async function drained(underWay: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.all(underWay), late]);
  clearTimeout(timer);
}
