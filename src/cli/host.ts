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
  /** `taken` is called once the reader has the text, or with the error that ended the stream. */
  write: (text: string, onWritten?: (error?: Error | null) => void) => void;
  isTTY: boolean;
  paint: Paint;
}
