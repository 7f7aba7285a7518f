/** The HTTP endpoint of `templates/runtime` behind the front door of the tables in `test/runtime/transports`. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { http, type HttpOptions } from '../../templates/runtime/http.ts';
import { createHttpHandler } from '../../templates/runtime/http-handler.ts';
import { LIMITS } from '../../templates/runtime/settings.ts';
import { Server } from '../../templates/runtime/server.ts';
import { CallLimiter } from '../../templates/runtime/session.ts';
import { makeServer, type Parts, setLimits } from './core.ts';

export interface HttpParts extends Parts {
  rules?: Partial<HttpOptions> | undefined;
  callsPerMinute?: number | undefined;
  /** Instead of one that the other parts make. */
  server?: unknown;
  /** That server runs already. */
  isStarted?: boolean | undefined;
  secret?: string | undefined;
  previous?: string | undefined;
  lifetime?: number | undefined;
  stateless?: boolean | undefined;
}

export async function serve(parts: HttpParts, reported: unknown[]) {
  const { rules, callsPerMinute } = parts;
  const flags = {
    transport: 'http',
    'rate-limit': 'off',
    ...parts.flags,
    ...(parts.stateless === true && { stateless: true }),
  };
  const env = {
    ...parts.env,
    MCP_STATE_SECRET: parts.secret,
    MCP_STATE_SECRET_PREVIOUS: parts.previous,
    MCP_SESSION_TTL: parts.lifetime?.toString(),
  };
  const server =
    parts.server instanceof Server ? parts.server : makeServer({ ...parts, flags, env }, reported);
  if (parts.isStarted !== true) await server.start();
  onTestFinished(() => server.close());
  if (callsPerMinute !== undefined) server.services.limiter = new CallLimiter(callsPerMinute);
  setLimits(parts.limits);
  const requests: IncomingHttpHeaders[] = [];
  const handle = createHttpHandler(server, {
    host: '127.0.0.1',
    path: '/mcp',
    allowedOrigins: [],
    allowedHosts: [],
    ...rules,
  });
  const settings = {
    joinDuplicateHeaders: true,
    requireHostHeader: false,
    maxHeaderSize: LIMITS.headerBytes,
  };
  const listener = createServer(settings, (request, response) => {
    requests.push(request.headers);
    void handle(request, response);
  });
  for (const feature of server.features) feature.listen?.(listener, (...both) => void handle(...both));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const close = async (): Promise<void> => {
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  };
  onTestFinished(close);
  return { server, requests, handle, listener, limits: LIMITS, url: `http://127.0.0.1:${port}`, close };
}

/** Starts a server, lets it listen as its transport does, and returns the URL of its endpoint. */
export async function listen(server: Server): Promise<string> {
  const lines: string[] = [];
  await server.start();
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const serving = http().transports?.['http']?.(server, stopped, (line) => lines.push(line));
  onTestFinished(async () => {
    stop();
    await serving;
  });
  const find = (): string | undefined => /https?:\S+/.exec(lines.join('\n'))?.[0];
  await expect.poll(find).toBeDefined();
  return find() ?? '';
}
