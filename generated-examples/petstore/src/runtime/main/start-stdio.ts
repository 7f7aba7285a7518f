import { createCore } from '../core/core.ts';
import { stopServer } from '../core/server-instance.ts';
import type { LiveServer } from '../core/server-instance.ts';
import type { RateLimiter } from '../core/rate-limiter.ts';
import { Session } from '../core/session.ts';
import { type LineWriter, serveStdio } from '../transports/stdio.ts';
import type { Settings } from './settings.ts';

/** What has time until the client has its first answers waits this long after its first message. */
const STARTED_AFTER_MS = 1_000;

export interface StdioEnds {
  host: NodeJS.Process;
  writer: LineWriter;
  /** Called once, when the first answers are out; not at all where the client goes before. */
  started: () => void;
}

/** Serves one client on stdin and `writer`, which is stdout, until it goes. */
export async function startStdio(
  live: LiveServer,
  { rateLimit, logLevel }: Settings,
  { host, writer, started }: StdioEnds,
  stop: Promise<void>,
): Promise<void> {
  const { stdin: input, stderr } = host;
  const server = live.current;
  const { name } = server.info;
  if (input.isTTY) {
    stderr.write(
      `${name}: an MCP server, waiting for messages on stdin: clients start it themselves. ` +
        '--transport http serves over HTTP, --help says more.\n',
    );
  }
  const limiter = typeof rateLimit === 'number' ? await limiterFor(rateLimit) : undefined;
  const session = new Session(logLevel, limiter);
  // In the same turn as the next line, since listening makes the input flow.
  input.once('data', () => setTimeout(started, STARTED_AFTER_MS).unref());
  await serveStdio({
    core: createCore(live),
    session,
    input,
    writer,
    limits: server.limits,
    stop,
    finish: () => stopServer(server),
  });
  input.destroy();
}

async function limiterFor(callsPerMinute: number): Promise<RateLimiter> {
  const { RateLimiter } = await import('../core/rate-limiter.ts');
  return new RateLimiter(callsPerMinute);
}
