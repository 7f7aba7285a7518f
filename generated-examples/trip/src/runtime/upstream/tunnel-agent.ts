/** TLS through a proxy that only passes bytes on (RFC 9110, section 9.3.6). */
import { request as httpRequest } from 'node:http';
import { Agent, type AgentOptions, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { boundInterim } from '../contract/interim-answers.ts';
import { proxyHeaders } from './proxy.ts';

export interface Tunnel {
  proxy: URL;
  /** Of the connection to the proxy, where that is TLS itself. */
  secureContext?: SecureContext | undefined;
  /** Milliseconds the proxy has to open it. */
  timeoutMs: number;
}

export class TunnelAgent extends Agent {
  readonly #tunnel: Tunnel;

  constructor(tunnel: Tunnel, options: AgentOptions) {
    super(options);
    this.#tunnel = tunnel;
  }

  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | undefined {
    openTunnel(this.#tunnel, `${bracketed(String(options.host))}:${String(options.port)}`).then(
      (socket) =>
        callback?.(null, super.createConnection({ ...options, socket } as RequestOptions) as Duplex),
      // A stream comes with no error.
      (error: unknown) => callback?.(error as Error, undefined as never),
    );
    return undefined;
  }
}

/** An address of IPv6 stands in brackets where a port follows. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function openTunnel({ proxy, secureContext, timeoutMs }: Tunnel, authority: string): Promise<Duplex> {
  const isTls = proxy.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isTls ? httpsRequest : httpRequest)({
      protocol: proxy.protocol,
      hostname: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      ...(proxy.port === '' ? {} : { port: proxy.port }),
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...proxyHeaders(proxy) },
      agent: false,
      timeout: timeoutMs,
      ...(isTls && secureContext !== undefined ? { secureContext } : {}),
    });
    boundInterim(request, reject);
    request.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return void resolve(socket);
      socket.destroy();
      reject(new Error(`it answered ${statusCode} to CONNECT`));
    });
    request.once('timeout', () => request.destroy(new Error('it gave no answer')));
    request.on('error', reject);
    request.end();
  });
}
