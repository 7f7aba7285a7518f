import { relative } from 'node:path';
import { styleText } from 'node:util';

import { DiagnosticError, createDiagnostic } from '../diagnostics/collector.ts';
import { abandonCode, findPlaceInCode, runningCode } from '../diagnostics/running-code.ts';
import type { Serving } from '../serve/serve-model.ts';
import type { Host, Output } from './host.ts';

export function nodeHost(signal: AbortSignal): Host {
  return {
    args: process.argv.slice(2),
    cwd: process.cwd(),
    env: process.env,
    stdout: makeOutput(process.stdout, writeResult),
    stderr: makeOutput(process.stderr, (text, taken) => void process.stderr.write(text, taken)),
    readStdin: () => readStdin(signal),
    // A getter, since reading `process.stdin` opens the stream.
    get stdinIsTTY() {
      return process.stdin.isTTY;
    },
    get terminal() {
      const { stdin: input, stderr: output, env } = process;
      return env['CI'] === undefined && output.isTTY && input.isTTY ? { input, output } : undefined;
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

/** stdout is reserved for results: output of the user's code and templates would break `--json`. */
const { stdout } = process;
const writeStdout = stdout.write.bind(stdout);

const writeResult: Output['write'] = (text, taken) => {
  writeStdout(text, taken);
};

/** Sends all other output on stdout to stderr. */
export function divertStdout(): void {
  stdout.write = process.stderr.write.bind(process.stderr);
}

/** The process for a server that runs in it: the runtime uses stdout for the protocol, and diverts other output itself. */
export const serving: Serving = {
  process,
  release: () => {
    stdout.write = writeStdout;
    unguard();
  },
};

type Report = (error: unknown, host: Host) => number;

let release = (): void => undefined;

/**
 * Reports user code that ends the process, never settles, or throws outside of a call, until `unguard`. The exit code is then
 * never 0. `report` prints a failure and returns its exit code.
 */
export function guard(host: Host, report: Report): void {
  const ended = (how: string) => (): void => {
    const code = runningCode();
    if (code === undefined) return;
    release();
    abandonCode();
    const diagnostic = createDiagnostic('user-code-ended', { code, ending: how });
    process.exitCode = report(new DiagnosticError(diagnostic), host);
  };
  const listeners = [
    // The event loop is empty, so the code's promise will never settle.
    ['beforeExit', ended('never settles, although nothing is pending')],
    ['exit', ended('ended the process')],
    ['uncaughtException', (thrown: unknown) => endWith(report(uncaught(thrown, host), host))],
    ['unhandledRejection', (thrown: unknown) => endWith(report(uncaught(thrown, host), host))],
  ] as const;
  for (const [event, listener] of listeners) process.on(event, listener);
  release = () => {
    for (const [event, listener] of listeners) process.off(event, listener);
  };
}

function unguard(): void {
  release();
}

function endWith(exitCode: number): void {
  release();
  abandonCode();
  process.exit(exitCode);
}

/** Turns an error of user code into a diagnostic; other errors stay as they are. */
function uncaught(thrown: unknown, { cwd }: Host): unknown {
  const place = findPlaceInCode(thrown);
  const code = runningCode();
  if (place === undefined && code === undefined) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const at = place && { ...place, file: relative(cwd, place.file) };
  const where = code ?? at?.file ?? '';
  return new DiagnosticError(createDiagnostic('user-code-threw', { code: where, reason }, { at }));
}
