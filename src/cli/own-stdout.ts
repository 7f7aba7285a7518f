import type { Serving } from '../serve/serve-model.ts';
import { unguard } from './user-code-guard.ts';

/** stdout is for what the command says: what code and templates of the user print meanwhile would break `--json`. */
const { stdout } = process;
const write = stdout.write.bind(stdout);

/** Writes to stdout, diverted or not. */
export function writeResult(text: string): void {
  write(text);
}

/** Sends to stderr what anybody else writes to stdout. */
export function divertStdout(): void {
  stdout.write = process.stderr.write.bind(process.stderr);
}

/** This process for a server that runs in it: its runtime takes stdout for the protocol, and diverts all else itself. */
export const serving: Serving = {
  process,
  release: () => {
    stdout.write = write;
    unguard();
  },
};
