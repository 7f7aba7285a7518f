import { styleText } from 'node:util';
import type { Host, Output } from './host.ts';
import { writeResult } from './own-stdout.ts';

export function nodeHost(signal: AbortSignal): Host {
  return {
    args: process.argv.slice(2),
    cwd: process.cwd(),
    env: process.env,
    stdout: makeOutput(process.stdout, writeResult),
    stderr: makeOutput(process.stderr, (text) => void process.stderr.write(text)),
    readStdin: () => readStdin(signal),
    // A getter, since reading `process.stdin` opens the stream.
    get stdinIsTTY() {
      return process.stdin.isTTY;
    },
    signal,
    now: () => performance.now(),
  };
}

function makeOutput(stream: NodeJS.WriteStream, write: Output['write']): Output {
  return {
    write,
    isTTY: stream.isTTY,
    // `styleText` honours NO_COLOR and FORCE_COLOR, and checks for a terminal.
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
