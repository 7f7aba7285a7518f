/** What the command line is given by the process it runs in; a test gives something else. */
import type { Paint } from '../diagnostics/render/paint.ts';

export interface Host {
  /** Without node and script. */
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  stdout: Output;
  stderr: Output;
  readStdin: () => Promise<Uint8Array>;
  /** A person types there. */
  stdinIsTTY: boolean;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Milliseconds from any fixed moment. */
  now: () => number;
}

export interface Output {
  write: (text: string) => void;
  isTTY: boolean;
  /** Styles as far as this output shows them. */
  paint: Paint;
}
