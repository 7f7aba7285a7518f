/** The HTTP endpoint of `templates/runtime-next` behind the front door of the tables in `test/runtime/transports`. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createHttpHandler, type HttpOptions } from '../../templates/runtime-next/http.ts';
import { LIMITS } from '../../templates/runtime-next/settings.ts';
import { Server } from '../../templates/runtime-next/server.ts';
import { CallLimiter } from '../../templates/runtime-next/session.ts';
import { makeServer, type Parts, setLimits } from './core.ts';

export interface HttpParts extends Parts {
  rules?: Partial<HttpOptions> | undefined;
  callsPerMinute?: number | undefined;
  /** Instead of one that the other parts make. */
  server?: unknown;
}

export async function serve(parts: HttpParts, reported: unknown[]) {
  const { rules, callsPerMinute } = parts;
  const flags = { transport: 'http', 'rate-limit': 'off' };
  const server = parts.server instanceof Server ? parts.server : makeServer({ ...parts, flags }, reported);
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
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const close = async (): Promise<void> => {
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  };
  onTestFinished(close);
  return { server, requests, handle, limits: LIMITS, url: `http://127.0.0.1:${port}`, close };
}
