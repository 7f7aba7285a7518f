/** The process as the command line sees it; tests pass a substitute. */
import type { Paint } from '../diagnostics/render/terminal-text.ts';

export interface Host {
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  stdout: Output;
  stderr: Output;
  readStdin: () => Promise<Uint8Array>;
  stdinIsTTY: boolean;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Milliseconds since a fixed moment. */
  now: () => number;
  /** Begins, before the code of a command runs, to report user code that ends the process. Absent in tests. */
  guard?: () => Promise<void>;
}

export interface Output {
  write: (text: string) => void;
  isTTY: boolean;
  paint: Paint;
}
