import type { Serving } from '../serve/serve-model.ts';
import { unguard } from './user-code-guard.ts';

/** stdout is reserved for results: output of the user's code and templates would break `--json`. */
const { stdout } = process;
const writeStdout = stdout.write.bind(stdout);

/** Writes to stdout, diverted or not. */
export function writeResult(text: string): void {
  writeStdout(text);
}

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
