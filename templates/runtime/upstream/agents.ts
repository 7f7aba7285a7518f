// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Dispatchers for proxies, authorities and client certificates. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Agent, request as httpRequest, type RequestOptions } from 'node:http';
import {
  Agent as HttpsAgent,
  type AgentOptions,
  request as httpsRequest,
  type RequestOptions as TlsRequestOptions,
} from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import * as tls from 'node:tls';
import type { SecuritySchemeBinding } from '../contract/bindings.ts';
import { limitInterimAnswers, createGuardedLookup } from '../contract/outgoing-guards.ts';
import {
  agentOptions,
  type ChooseDispatcher,
  type ClientCertificate,
  directDispatcher,
  type Dispatcher,
  guardIdleConnections,
  maySenderNameHost,
  type Target,
} from './dispatcher.ts';
import type { Environment } from './upstream-settings.ts';
import { UpstreamError, errorCode } from './upstream-error.ts';

/** Connections with a certificate, or to unchecked addresses, are never shared. */
export function createAgents(env: Environment, timeoutMs: number): ChooseDispatcher {
  const dispatchers = new Map<string, Dispatcher>();
  let authorities: string[] | undefined;
  return (target) => {
    const { url, certificate, sentBy } = target;
    const proxy = chooseProxy(url, env);
    if (proxy === undefined && url.protocol === 'http:' && sentBy === undefined)
      return directDispatcher(target);
    const key = JSON.stringify([url.protocol, proxy?.href, certificate, sentBy?.isInward]);
    const known = dispatchers.get(key);
    if (known !== undefined) return known;
    authorities ??= readCertificateAuthorities(env['NODE_EXTRA_CA_CERTS']);
    const dispatcher = makeDispatcher(target, proxy, authorities, timeoutMs);
    dispatchers.set(key, dispatcher);
    return dispatcher;
  };
}

/** A proxy resolves names itself, by its own rules. */
function guardedLookupOption({ sentBy }: Target, proxy: URL | undefined): { lookup?: LookupFunction } {
  if (sentBy === undefined || proxy !== undefined) return {};
  return { lookup: createGuardedLookup({ allowsAddress: (address) => maySenderNameHost(sentBy, address) }) };
}

function makeDispatcher(
  target: Target,
  proxy: URL | undefined,
  authorities: string[] | undefined,
  timeoutMs: number,
): Dispatcher {
  const guarded = { ...agentOptions, ...guardedLookupOption(target, proxy) };
  if (target.url.protocol !== 'https:')
    return proxy === undefined
      ? { request: httpRequest, agent: guardIdleConnections(new Agent(guarded)) }
      : forwardingDispatcher(proxy, authorities);
  const options = { ...guarded, ...makeSecureContext(authorities, target.certificate) };
  if (proxy === undefined)
    return { request: httpsRequest, agent: guardIdleConnections(new HttpsAgent(options)) };
  // The certificate is for the API alone.
  const agent = new TunnelAgent({ proxy, ...makeSecureContext(authorities), timeoutMs }, options);
  return { request: httpsRequest, agent: guardIdleConnections(agent), proxy: proxy.origin };
}

/** The request line has the whole URL (RFC 9112, section 3.2.2). */
function forwardingDispatcher(proxy: URL, authorities: string[] | undefined): Dispatcher {
  const isTls = proxy.protocol === 'https:';
  const toProxyOptions = (options: RequestOptions, url: URL): RequestOptions => ({
    ...options,
    protocol: proxy.protocol,
    hostname: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port === '' ? (isTls ? 443 : 80) : proxy.port,
    path: `${url.origin}${String(options.path)}`,
    headers: [...(options.headers as string[]), ...Object.entries(proxyAuthorization(proxy)).flat()],
  });
  const agent = guardIdleConnections(
    isTls ? new HttpsAgent({ ...agentOptions, ...makeSecureContext(authorities) }) : new Agent(agentOptions),
  );
  return { request: isTls ? httpsRequest : httpRequest, agent, proxy: proxy.origin, forward: toProxyOptions };
}

function makeSecureContext(
  ca?: string[],
  certificate?: ClientCertificate,
): { secureContext?: tls.SecureContext } {
  if (ca === undefined && certificate === undefined) return {};
  const { from = 'NODE_EXTRA_CA_CERTS', cert, key, passphrase } = certificate ?? {};
  try {
    return { secureContext: tls.createSecureContext({ ca, cert, key, passphrase }) };
  } catch (thrown) {
    throw makeUnusableConnectionError(`${from} in the environment of this MCP server can't be used`, thrown);
  }
}

/** Node reads the variable only at its own start. */
function readCertificateAuthorities(file: string | undefined): string[] | undefined {
  if (!file) return undefined;
  try {
    return [...trustedAuthorities(), readFileSync(file, 'utf8')];
  } catch (thrown) {
    throw makeUnusableConnectionError(`The file that NODE_EXTRA_CA_CERTS names can't be read`, thrown);
  }
}

/** Since Node 22.15, with authorities of the system and of Node's options. */
function trustedAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

function makeUnusableConnectionError(words: string, thrown: unknown): UpstreamError {
  const code = errorCode(thrown);
  return new UpstreamError('connection', `Nothing was sent: ${words}${code && ` (${code})`}.`, {
    cause: thrown,
  });
}

/**
 * Lower-case names win, as with curl. Loopback addresses never use a proxy.
 * @throws {UpstreamError} `connection` for a value that is not the URL of an HTTP proxy
 */
export function chooseProxy(url: URL, env: Environment): URL | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const value = env[name] || env[name.toUpperCase()];
  if (!value || isExemptFromProxy(url, env['no_proxy'] || env['NO_PROXY'] || '')) return undefined;
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  // The value may hold a password, so the message does not show it.
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol)) {
    throw new UpstreamError(
      'connection',
      `${name.toUpperCase()} in the environment of this MCP server must be the URL of an HTTP proxy, such as ` +
        `http://proxy.example:3128. NO_PROXY names hosts that need none.`,
    );
  }
  return proxy;
}

/** `NO_PROXY` lists `*`, domains with their subdomains, addresses and blocks, each with an optional port. */
function isExemptFromProxy({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    LOOPBACK.some((block) => isInAddressBlock(host, block))
  )
    return true;
  const actual = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => matchesNoProxyEntry(entry, host, actual));
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

function matchesNoProxyEntry(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const { name = entry, wanted } = /^(?<name>\[[^\]]*\]|[^:]*):(?<wanted>\d+)$/.exec(entry)?.groups ?? {};
  if (wanted !== undefined && wanted !== port) return false;
  const bare = name.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare.replace(/\/\d+$/, '')) !== 0) return isInAddressBlock(host, bare);
  const domain = bare.replace(/^\*?\./, '');
  return host === domain || host.endsWith(`.${domain}`);
}

/** An address or a CIDR block. */
function isInAddressBlock(host: string, block: string): boolean {
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

function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

interface Tunnel {
  proxy: URL;
  /** Set for a proxy at https. */
  secureContext?: tls.SecureContext;
  /** How long opening the tunnel may take. */
  timeoutMs: number;
}

class TunnelAgent extends HttpsAgent {
  readonly #tunnel: Tunnel;

  constructor(tunnel: Tunnel, options: AgentOptions) {
    super(options);
    this.#tunnel = tunnel;
  }

  override createConnection(
    options: TlsRequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | undefined {
    const host = String(options.host);
    openTunnel(this.#tunnel, `${host.includes(':') ? `[${host}]` : host}:${String(options.port)}`).then(
      (socket) =>
        callback?.(null, super.createConnection({ ...options, socket } as TlsRequestOptions) as Duplex),
      // Node's type demands a stream beside an error.
      (error: unknown) => callback?.(error as Error, undefined as never),
    );
    return undefined;
  }
}

function openTunnel({ proxy, secureContext, timeoutMs }: Tunnel, authority: string): Promise<Duplex> {
  const isTls = proxy.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isTls ? httpsRequest : httpRequest)({
      protocol: proxy.protocol,
      hostname: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: proxy.port || undefined,
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...proxyAuthorization(proxy) },
      agent: false,
      timeout: timeoutMs,
      ...(isTls && { secureContext }),
    });
    limitInterimAnswers(request, reject);
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

/** The key may be in the certificate's file. */
export async function readCertificate(
  { env: names }: Extract<SecuritySchemeBinding, { type: 'mutualTLS' }>,
  env: Environment,
): Promise<ClientCertificate> {
  const cert = await readPem(names.cert, env[names.cert] ?? '');
  const key = env[names.key] ? await readPem(names.key, env[names.key] ?? '') : cert;
  const from = `${names.cert}, ${names.key} and ${names.passphrase}`;
  return { from, cert, key, passphrase: env[names.passphrase] || undefined };
}

async function readPem(name: string, value: string): Promise<string> {
  if (value.trimStart().startsWith('-----BEGIN')) return value.replaceAll('\\n', '\n');
  try {
    return await readFile(value, 'utf8');
  } catch (thrown) {
    throw new UpstreamError(
      'credentials',
      `Nothing was sent: ${name} in the environment of this MCP server must be PEM, or the path of a file that holds it, ` +
        `which can't be read (${errorCode(thrown) || 'no file'}).`,
    );
  }
}
