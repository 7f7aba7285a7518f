// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** stdio: one message a line, in and out. */
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Id,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isRecord,
  parseBytes,
  parseJson,
  readMessage,
  RpcError,
  writeJson,
} from './json-rpc.ts';
import { errorReply, type Reply, type Server } from './server.ts';
import { Session } from './session.ts';
import { LIMITS } from './settings.ts';
import { errorResult } from './tools.ts';

export interface Streams {
  input: Readable;
  output: Writable;
  /** The output's own `write`: what else prints to it goes elsewhere. */
  write: (text: string) => boolean;
}

/** Serves until the input ends, nobody reads the output, or `stop` resolves. Then finishes what is in flight. */
export async function serveStdio(
  server: Server,
  { input, output, write }: Streams,
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
    if (text === '' || write(text)) return;
    // A client that reads slowly slows only itself.
    input.pause();
    output.once('drain', () => input.resume());
  };
  const sendLine = (text: string): void => {
    if (waitingLines === '') setImmediate(flush);
    waitingLines += `${fitLine(text, LIMITS.writtenBytes)}\n`;
  };
  session.push = (message) => sendLine(writeJson(message));
  const exchange = { session, send: session.push };

  /** @throws {RpcError} for what can't be read */
  const answer = async (line: Buffer): Promise<Reply | undefined> => {
    const value = parseBytes(line);
    if (Array.isArray(value)) return server.receiveBatch(value, exchange);
    const message = readMessage(value);
    if (!server.isStopping || message.kind !== 'request') return server.receive(message, exchange);
    return errorReply(message.id, new RpcError(INTERNAL_ERROR, 'The server is stopping.'));
  };
  let atWork = 0;
  const receive = async (line: Buffer): Promise<void> => {
    atWork++;
    const reply = await answer(line).catch((error: RpcError) => errorReply(undefined, error));
    if (reply !== undefined) sendLine(reply.text);
    atWork--;
  };

  let parts: Buffer[] = [];
  let lineBytes = 0;
  const addPart = (part: Buffer): void => {
    lineBytes += part.length;
    parts.push(part);
    // Of a line that is too long only the start is kept, where clients write the id.
    if (lineBytes > LIMITS.lineBytes) parts = [Buffer.concat(parts).subarray(0, 256)];
  };
  const endLine = (): void => {
    const line = Buffer.concat(parts);
    if (lineBytes > LIMITS.lineBytes) sendLine(refuseLongLine(line.toString()));
    else if (line.toString().trim() !== '') void receive(line);
    parts = [];
    lineBytes = 0;
  };
  const receiveChunk = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      addPart(chunk.subarray(start, end));
      endLine();
      start = end + 1;
    }
    addPart(chunk.subarray(start));
  };
  input.on('data', receiveChunk).once('end', endLine);
  const ended = [finished(input, { writable: false }), finished(output, { readable: false })];
  await Promise.race([Promise.race(ended).catch(() => undefined), stop]);

  server.beginStopping();
  const deadline = Date.now() + LIMITS.stdioDrainMs;
  while (atWork > 0 && Date.now() < deadline) await sleep(5);
  input.off('data', receiveChunk).pause();
  flush();
  session.end();
}

/** Clients would close the connection at a message that is longer than `most` bytes: words take its place. */
function fitLine(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const message = parseJson(text);
  if (Array.isArray(message)) {
    const replies = message.map((reply) => fitLine(writeJson(reply), most / message.length));
    return `[${replies.join(',')}]`;
  }
  const words = `What this server has to say here is longer than ${LIMITS.writtenBytes} bytes, the most that clients take in one message, and was left out. Ask for less at a time.`;
  // A notification or a question of a handler, which gets the error.
  if (!isRecord(message) || message['method'] !== undefined) throw new Error(words);
  const { id, result } = message;
  return isRecord(result) && Array.isArray(result['content'])
    ? writeJson({ ...message, result: { ...result, structuredContent: undefined, ...errorResult(words) } })
    : writeJson({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: words } });
}

const ID = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d{1,15})\s*,/;

function refuseLongLine(start: string): string {
  const id = ID.exec(start)?.[1];
  const words = `The message is longer than ${LIMITS.lineBytes} bytes, the most that this server takes.`;
  return errorReply(id && (JSON.parse(id) as Id), new RpcError(INVALID_REQUEST, words)).text;
}
