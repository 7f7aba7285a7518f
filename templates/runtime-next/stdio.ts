// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** stdio: one message a line, in and out. */
import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isRecord,
  PARSE_ERROR,
  parseJson,
  readMessage,
  RpcError,
  writeJson,
} from './json-rpc.ts';
import { errorReply, type Reply, type Server } from './server.ts';
import { Session } from './session.ts';
import { LIMITS } from './settings.ts';

export interface Streams {
  input: Readable;
  output: Writable;
  /** The output's own `write`: what else prints to it goes elsewhere. */
  write: (text: string) => boolean;
}

/** Serves until the input ends or `stop` resolves, then finishes what is in flight. */
export async function serveStdio(
  server: Server,
  { input, output, write }: Streams,
  stop: Promise<void>,
): Promise<void> {
  const session = new Session();
  session.client = 'stdio';
  session.logLevel = server.settings.logLevel;
  let atWork = 0;
  let isStopping = false;
  let finish = (): void => undefined;
  // Messages of one turn of the event loop leave together, since each write wakes the client.
  let lines = '';
  const flush = (): void => {
    const text = lines;
    lines = '';
    if (text === '' || output.destroyed || write(text)) return;
    // A client that reads slowly slows only itself.
    input.pause();
    output.once('drain', () => input.resume());
  };
  const sendLine = (text: string): void => {
    if (lines === '') setImmediate(flush);
    lines += `${fitLine(text)}\n`;
    if (lines.length > MOST_WAITING) flush();
  };
  const send = (message: object): void => sendLine(writeJson(message));
  session.push = send;
  const exchange = { session, send };
  const sendReply = (reply: Reply | undefined): void => {
    if (reply !== undefined) sendLine(reply.text);
  };
  const receive = async (line: string): Promise<void> => {
    atWork++;
    const reply =
      isStopping && isRequestText(line) ? stoppingReply(line) : await server.receiveText(line, exchange);
    sendReply(reply);
    atWork--;
    if (atWork === 0) finish();
  };

  let pending: Buffer[] = [];
  let pendingBytes = 0;
  /** The start of a line that is too long, which is skipped up to its end. */
  let skipped: string | undefined;
  const endLine = (): void => {
    const bytes = pending.length === 1 && pending[0] !== undefined ? pending[0] : Buffer.concat(pending);
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    if (skipped !== undefined) sendReply(tooLongReply(skipped));
    else if (text.includes('\uFFFD') && !isUtf8(bytes))
      sendReply(errorReply(undefined, new RpcError(PARSE_ERROR, 'The message is not UTF-8.')));
    else if (text.trim() !== '') void receive(text);
    pending = [];
    pendingBytes = 0;
    skipped = undefined;
  };
  const take = (part: Buffer): void => {
    pendingBytes += part.length;
    if (pendingBytes > LIMITS.lineBytes && skipped === undefined) {
      skipped = Buffer.concat([...pending, part]).toString('utf8', 0, 256);
      pending = [];
    }
    if (skipped === undefined && part.length > 0) pending.push(part);
  };
  const receiveChunk = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      take(chunk.subarray(start, end));
      endLine();
      start = end + 1;
    }
    take(chunk.subarray(start));
  };
  const ended = new Promise<void>((resolve) => {
    input.on('data', receiveChunk).once('end', () => {
      endLine();
      resolve();
    });
    for (const event of ['error', 'close']) input.once(event, () => resolve());
    for (const event of ['error', 'close']) output.once(event, () => resolve());
  });
  await Promise.race([ended, stop]);
  server.beginStopping();
  isStopping = true;
  if (atWork > 0)
    await new Promise<void>((resolve) => {
      finish = resolve;
      setTimeout(resolve, LIMITS.stdioDrainMs).unref();
    });
  input.off('data', receiveChunk).pause();
  flush();
  session.end();
}

const MOST_WAITING = 4_096;

/** A reply that is too long is replaced by words that say so: clients would close the connection. */
function fitLine(text: string, most = LIMITS.writtenBytes): string {
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return text;
  const message = parseJson(text);
  // Only batches are arrays.
  if (Array.isArray(message))
    return `[${message.map((reply) => fitLine(writeJson(reply), LIMITS.writtenBytes / message.length)).join(',')}]`;
  const words = `What this server has to say here is longer than ${LIMITS.writtenBytes} bytes, the most that clients take in one message, and was left out. Ask for less at a time.`;
  if (!isRecord(message) || message['method'] !== undefined) throw new Error(words);
  const { result, id } = message;
  if (!isRecord(result) || !Array.isArray(result['content']))
    return writeJson({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: words } });
  return writeJson({
    ...message,
    result: {
      ...result,
      structuredContent: undefined,
      content: [{ type: 'text', text: words }],
      isError: true,
    },
  });
}

const ID = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d{1,100})\s*,/;

/** The id is found where clients write it: at the start. */
function tooLongReply(start: string): Reply {
  const id = ID.exec(start)?.[1];
  const words = `The message is longer than ${LIMITS.lineBytes} bytes, the most that this server takes. Give less at a time.`;
  const error = new RpcError(INVALID_REQUEST, words);
  return errorReply(id === undefined ? undefined : (parseJson(id) as string), error);
}

function isRequestText(line: string): boolean {
  return line.includes('"method"') && line.includes('"id"');
}

function stoppingReply(line: string): Reply | undefined {
  try {
    const message = readMessage(parseJson(line));
    if (message.kind !== 'request') return undefined;
    return errorReply(message.id, new RpcError(INTERNAL_ERROR, 'The server is stopping.'));
  } catch {
    return undefined;
  }
}
