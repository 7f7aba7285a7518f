/** The host that is the Node process. */
import { styleText } from 'node:util';
import type { Host, Output } from './host.ts';
import { writeResult } from './own-stdout.ts';

export function nodeHost(signal: AbortSignal): Host {
  return {
    args: process.argv.slice(2),
    cwd: process.cwd(),
    env: process.env,
    stdout: outputOf(process.stdout, writeResult),
    stderr: outputOf(process.stderr, (text) => void process.stderr.write(text)),
    readStdin: () => readStdin(signal),
    // Only when asked: the stream is opened by the first look at it.
    get stdinIsTTY() {
      return process.stdin.isTTY;
    },
    signal,
    now: () => performance.now(),
  };
}

function outputOf(stream: NodeJS.WriteStream, write: Output['write']): Output {
  return {
    write,
    isTTY: stream.isTTY,
    // styleText minds NO_COLOR, FORCE_COLOR and whether the stream is a terminal.
    paint: (style, text) => styleText(style, text, { stream }),
  };
}

async function readStdin(signal: AbortSignal): Promise<Uint8Array> {
  const stop = (): void => {
    process.stdin.destroy();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
