/** Which proxy a request goes through: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case. */
import { BlockList, isIP } from 'node:net';
import type { UpstreamSettings } from './settings.ts';
import { UpstreamError } from './upstream-error.ts';
import { request as httpRequest } from 'node:http';
import { Agent, type AgentOptions, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { boundInterim } from '../contract/interim-answers.ts';

type Environment = UpstreamSettings['env'];

/**
 * Undefined: none. The lower case of a name wins, as with curl. This machine itself is never asked for through a proxy.
 *
 * @throws {UpstreamError} `connection` when the variable holds no URL of an HTTP proxy
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const value = env[name] || env[name.toUpperCase()];
  if (!value || isExempt(url, env['no_proxy'] || env['NO_PROXY'] || '')) return undefined;
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  // The value is not shown: it may hold a password.
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol)) {
    throw new UpstreamError(
      'connection',
      `${name.toUpperCase()} in the environment of this MCP server must be the URL of an HTTP proxy, such as ` +
        `http://proxy.example:3128. NO_PROXY names hosts that need none.`,
    );
  }
  return proxy;
}

/** Whether `NO_PROXY` names the host: `*`, a domain with all below it, an address or a block of them; each with a port or none. */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost') || LOOPBACK.some((block) => isIn(host, block)))
    return true;
  const actual = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => matches(entry, host, actual));
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const { name = entry, wanted } = /^(?<name>\[[^\]]*\]|[^:]*):(?<wanted>\d+)$/.exec(entry)?.groups ?? {};
  if (wanted !== undefined && wanted !== port) return false;
  const bare = name.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare.replace(/\/\d+$/, '')) !== 0) return isIn(host, bare);
  const domain = bare.replace(/^\*?\./, '');
  return host === domain || host.endsWith(`.${domain}`);
}

/** `block` is an address, or one with a length of prefix. */
function isIn(host: string, block: string): boolean {
  const [address = '', prefix] = block.split('/');
  const family = isIP(address);
  if (isIP(host) === 0) return false;
  const most = family === 6 ? 128 : 32;
  const length = prefix === undefined ? most : Number(prefix);
  if (length > most) return false;
  const list = new BlockList();
  list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4');
  return list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

/** What a proxy is told of who asks, from the userinfo of its URL. */
export function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

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
