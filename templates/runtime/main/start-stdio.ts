import { createCore } from '../core/core.ts';
import type { Project } from '../core/project.ts';
import { RateLimiter } from '../core/rate-limiter.ts';
import { Session } from '../core/session.ts';
import { LineWriter } from '../transports/line-writer.ts';
import { serveStdio } from '../transports/stdio.ts';
import type { Settings } from './settings.ts';
import { stopSignal } from './stop-signal.ts';

/** How long a handler that never ends may keep the process after the client has gone. */
const LINGER_MS = 250;

/** Serves one client on stdin and stdout, until it goes. */
export async function startStdio(project: Project, settings: Settings, host: NodeJS.Process): Promise<void> {
  const { rateLimit, logLevel } = settings;
  const { stdin: input, stdout, stderr } = host;
  const writer = new LineWriter(stdout);
  // Whatever else writes to stdout, as a stray `console.log` in a handler, would break the client's reading.
  stdout.write = stderr.write.bind(stderr);
  const limiter = typeof rateLimit === 'number' ? new RateLimiter(rateLimit) : undefined;
  const session = new Session(logLevel, limiter);
  const stop = stopSignal(host);
  await serveStdio({ core: createCore(project), session, input, writer, limits: project.limits, stop });
  input.destroy();
  setTimeout(() => host.exit(), LINGER_MS).unref();
}
