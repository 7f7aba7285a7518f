import { createCore } from '../core/core.ts';
import { endProject } from '../core/end-project.ts';
import type { Project } from '../core/project.ts';
import type { RateLimiter } from '../core/rate-limiter.ts';
import { Session } from '../core/session.ts';
import type { LineWriter } from '../transports/line-writer.ts';
import { serveStdio } from '../transports/stdio.ts';
import type { Settings } from './settings.ts';

/** Serves one client on stdin and `writer`, which is stdout, until it goes. */
export async function startStdio(
  project: Project,
  { rateLimit, logLevel }: Settings,
  host: NodeJS.Process,
  writer: LineWriter,
  stop: Promise<void>,
): Promise<void> {
  const { stdin: input, stderr } = host;
  const { name } = project.info;
  if (input.isTTY) {
    stderr.write(
      `${name}: an MCP server, waiting for messages on stdin: clients start it themselves. ` +
        '--transport http serves over HTTP, --help says more.\n',
    );
  }
  const limiter = typeof rateLimit === 'number' ? await limiterFor(rateLimit) : undefined;
  const session = new Session(logLevel, limiter);
  await serveStdio({
    core: createCore(project),
    session,
    input,
    writer,
    limits: project.limits,
    stop,
    finish: () => endProject(project),
  });
  input.destroy();
}

async function limiterFor(callsPerMinute: number): Promise<RateLimiter> {
  const { RateLimiter } = await import('../core/rate-limiter.ts');
  return new RateLimiter(callsPerMinute);
}
