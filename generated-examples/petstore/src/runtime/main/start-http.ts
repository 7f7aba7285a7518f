import { createCore } from '../core/core.ts';
import type { Project } from '../core/project.ts';
import { createHttpHandler } from '../transports/http/http-handler.ts';
import { isLoopback } from '../transports/http/origin-check.ts';
import { serveHttp } from '../transports/http/serve-http.ts';
import { SessionStore } from '../transports/http/session-store.ts';
import { createLog } from './log.ts';
import type { Settings } from './settings.ts';

/** Serves over HTTP until a signal asks to stop. */
export async function startHttp(
  project: Project,
  settings: Settings,
  host: NodeJS.Process,
  stop: Promise<void>,
): Promise<void> {
  const { info, limits, report } = project;
  const { allowedOrigins, logLevel, path, rateLimit } = settings;
  const log = createLog(info.name, logLevel, host);
  const sessions = new SessionStore(limits);
  const handler = createHttpHandler({
    core: createCore(project),
    sessions,
    limits,
    rules: { host: settings.host, allowedOrigins },
    path,
    callsPerMinute:
      rateLimit === 'default' ? limits.callsPerMinute : rateLimit === 'off' ? undefined : rateLimit,
    logLevel,
    report,
  });
  const listener = await serveHttp(handler, { host: settings.host, port: settings.port, limits });
  log('info', `serving ${listener.url}${path}`);
  if (!isLoopback(settings.host)) {
    log('warning', 'anyone who can reach this address can call the tools: this build checks no tokens.');
  }
  await stop;
  log('info', 'stopping');
  await listener.close();
  sessions.endAll();
}
