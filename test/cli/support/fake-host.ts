import type { Host, Output } from '../../../src/cli/host.ts';
import { run } from '../../../src/cli/run.ts';

export interface Said {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs the command line in this process. */
export async function runInProcess(args: string[], changes: Partial<Host> = {}): Promise<Said> {
  const said = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): Output => ({
    write: (text) => void (said[name] += text),
    isTTY: false,
    paint: (_style, text) => text,
  });
  const exitCode = await run(
    hostOf({ args, stdout: output('stdout'), stderr: output('stderr'), ...changes }),
  );
  return { exitCode, ...said };
}

const SILENT: Output = { write: () => undefined, isTTY: false, paint: (_style, text) => text };

/** A process that says nothing, but for what is changed. */
export function hostOf(changes: Partial<Host>): Host {
  return {
    args: [],
    cwd: process.cwd(),
    env: {},
    stdout: SILENT,
    stderr: SILENT,
    readStdin: () => Promise.resolve(new Uint8Array()),
    stdinIsTTY: false,
    signal: new AbortController().signal,
    now: () => 0,
    ...changes,
  };
}
