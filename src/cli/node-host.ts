import { styleText } from 'node:util';

import type { Host, Output } from './host.ts';

export function makeNodeHost(signal: AbortSignal): Host {
  const host: Host = {
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
    guard: async () => {
      const { guardAgainstUserCode: guard } = await import('./guard.ts');
      guard(host);
    },
  };
  return host;
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
  const destroyStdin = (): void => {
    process.stdin.destroy();
  };
  signal.addEventListener('abort', destroyStdin, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', destroyStdin);
  }
}

/** stdout is reserved for results: output of the user's code and templates would break `--json`. */
const { stdout } = process;
const writeStdout = stdout.write.bind(stdout);

const writeResult: Output['write'] = (text) => {
  writeStdout(text);
};

/** Sends all other output on stdout to stderr. */
export function divertStdout(): void {
  stdout.write = process.stderr.write.bind(process.stderr);
}

/** Gives stdout back, for a server that runs in this process. */
export function restoreStdout(): void {
  stdout.write = writeStdout;
}
