// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** stdio: one message a line, in and out. */
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { INVALID_REQUEST, parseBytes, RpcError, writeJson } from './json-rpc.ts';
import { errorReply, fitMessage, type Server } from './server.ts';
import { Session } from './session.ts';
import { LIMITS } from './settings.ts';

export interface Pipes {
  input: Readable;
  output: Writable;
  /** The output's own `write`: what else prints to it goes elsewhere. */
  write: (text: string) => boolean;
}

/** Serves until the input ends, nobody reads the output, or `stop` resolves. Then finishes what is in flight. */
export async function serveStdio(
  server: Server,
  { input, output, write }: Pipes,
  stop: Promise<void>,
): Promise<void> {
  const session = new Session();
  session.client = 'stdio';
  session.logLevel = server.settings.logLevel;

  // Messages of one turn of the event loop leave together, since each write wakes the client.
  let waitingLines = '';
  const flush = (): void => {
    const text = waitingLines;
    waitingLines = '';
    // A client that reads slowly slows only itself.
    if (text === '' || write(text) || input.isPaused()) return;
    input.pause();
    output.once('drain', () => input.resume());
  };
  const sendLine = (text: string): void => {
    if (waitingLines === '') setImmediate(flush);
    waitingLines += `${fitMessage(text)}\n`;
  };
  session.push = (message) => sendLine(writeJson(message));
  const exchange = { session, send: session.push };

  let openMessages = 0;
  const receive = async (line: Buffer): Promise<void> => {
    openMessages++;
    try {
      const reply = await server.receive(parseBytes(line), exchange);
      if (reply !== undefined) sendLine(reply.text);
    } catch (error) {
      sendLine(errorReply(undefined, error as RpcError).text);
    }
    openMessages--;
  };

  let parts: Buffer[] = [];
  let lineBytes = 0;
  const readPart = (part: Buffer, endsLine: boolean): void => {
    lineBytes += part.length;
    const isTooLong = lineBytes > LIMITS.lineBytes;
    if (isTooLong) parts = [];
    else parts.push(part);
    if (!endsLine) return;
    const line = Buffer.concat(parts);
    if (isTooLong) {
      const reason = `The message is longer than ${LIMITS.lineBytes} bytes.`;
      sendLine(errorReply(undefined, new RpcError(INVALID_REQUEST, reason)).text);
    } else if (line.some((byte) => byte > 0x20)) void receive(line);
    parts = [];
    lineBytes = 0;
  };
  const receiveChunk = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      readPart(chunk.subarray(start, end), true);
      start = end + 1;
    }
    readPart(chunk.subarray(start), false);
  };
  input.on('data', receiveChunk).once('end', () => readPart(Buffer.alloc(0), true));
  const ended = [finished(input, { writable: false }), finished(output, { readable: false })];
  await Promise.race([Promise.race(ended).catch(() => undefined), stop]);

  server.beginStopping();
  const deadline = Date.now() + LIMITS.stdioDrainMs;
  while (openMessages > 0 && Date.now() < deadline) await sleep(5);
  if (openMessages > 0) server.report(`cut off, and not answered: ${openMessages}`);
  input.off('data', receiveChunk).pause();
  flush();
  session.end();
}
