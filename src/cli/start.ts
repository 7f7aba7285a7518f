import { EXIT } from './outcome.ts';
import { divertStdout, makeNodeHost } from './node-host.ts';
import { run } from './run.ts';

export async function runProcess(): Promise<number> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interruption.abort();
    });
  }
  // `mcpgen inspect … | head` closes stdout early; the exit code stays that of the run.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exit(EXIT.errors);
    });
  }

  divertStdout();
  return run(makeNodeHost(interruption.signal));
}
