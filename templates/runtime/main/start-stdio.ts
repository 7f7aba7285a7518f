// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
import { createCore } from '../core/core.ts';
import { type LiveServer, stopServer } from '../core/server-instance.ts';
import { Session } from '../core/session.ts';
import { type LineWriter, serveStdio } from '../transports/stdio.ts';
import type { Settings } from './settings.ts';

/** Warnings wait this long after the first message, so that they don't delay the first answers. */
const STARTED_AFTER_MS = 1_000;

export interface StdioEnds {
  host: NodeJS.Process;
  writer: LineWriter;
  /** Called once after the first answers, unless the client disconnects before. */
  started: () => void;
}

/** Serves one client on stdin and `writer`, which is stdout, until it disconnects. */
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
  const limited = typeof rateLimit === 'number' ? await import('../core/rate-limiter.ts') : undefined;
  const session = new Session(logLevel, limited && new limited.RateLimiter(Number(rateLimit)));
  // Listening makes the input flow, so `serveStdio` must listen in the same turn.
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
