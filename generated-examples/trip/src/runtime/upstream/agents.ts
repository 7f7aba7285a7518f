/** Connections that the environment has a say in; loaded only where it has. */
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import * as tls from 'node:tls';
import type { ClientCertificate } from './client-certificate.ts';
import { agentOptions, type Connect, directly, type Target, type Way } from './connect.ts';
import { proxyFor, proxyHeaders } from './proxy.ts';
import type { UpstreamSettings } from './settings.ts';
import { TunnelAgent } from './tunnel-agent.ts';
import { UpstreamError } from './upstream-error.ts';

type Environment = UpstreamSettings['env'];

/** One agent for each proxy and certificate: a connection that was opened with a certificate serves no other request. */
export function createAgents(env: Environment, timeoutMs: number): Connect {
  const ways = new Map<string, Way>();
  let authorities: string[] | undefined;
  return (target) => {
    const proxy = proxyFor(target.url, env);
    const isTls = target.url.protocol === 'https:';
    if (proxy === undefined && !isTls) return directly(target);
    const key = JSON.stringify([isTls, proxy?.href, target.certificate]);
    const known = ways.get(key);
    if (known !== undefined) return known;
    authorities ??= readAuthorities(env['NODE_EXTRA_CA_CERTS']);
    const way =
      proxy === undefined || isTls
        ? tlsWay(target, proxy, { authorities, timeoutMs })
        : forwardingWay(proxy, authorities);
    ways.set(key, way);
    return way;
  };
}

interface Means {
  /** All that are trusted; undefined: those that Node trusts. */
  authorities: string[] | undefined;
  timeoutMs: number;
}

function tlsWay({ certificate }: Target, proxy: URL | undefined, { authorities, timeoutMs }: Means): Way {
  const options = { ...agentOptions, ...contextOf(authorities, certificate) };
  if (proxy === undefined) return { request: httpsRequest, agent: new HttpsAgent(options) };
  // The certificate is for the API alone.
  const { secureContext } = contextOf(authorities);
  const agent = new TunnelAgent({ proxy, secureContext, timeoutMs }, options);
  return { request: httpsRequest, agent, proxy: proxy.origin };
}

/** Plain HTTP: the proxy is asked for the whole URL (RFC 9112, section 3.2.2). */
function forwardingWay(proxy: URL, authorities: string[] | undefined): Way {
  const isTls = proxy.protocol === 'https:';
  const forward = (options: RequestOptions, url: URL): RequestOptions => ({
    ...options,
    protocol: proxy.protocol,
    hostname: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port === '' ? (isTls ? 443 : 80) : proxy.port,
    path: `${url.origin}${String(options.path)}`,
    headers: { Host: url.host, ...(options.headers as Record<string, string>), ...proxyHeaders(proxy) },
  });
  const agent = isTls
    ? new HttpsAgent({ ...agentOptions, ...contextOf(authorities) })
    : new Agent(agentOptions);
  return { request: isTls ? httpsRequest : httpRequest, agent, proxy: proxy.origin, forward };
}

function contextOf(ca?: string[], certificate?: ClientCertificate): { secureContext?: tls.SecureContext } {
  if (ca === undefined && certificate === undefined) return {};
  const { cert, key, passphrase } = certificate ?? {};
  try {
    return { secureContext: tls.createSecureContext({ ca, cert, key, passphrase }) };
  } catch (thrown) {
    const from = certificate === undefined ? 'NODE_EXTRA_CA_CERTS' : certificate.from;
    throw unusable(`${from} in the environment of this MCP server can't be used`, thrown);
  }
}

/** Those Node trusts, and the file's, which Node knows of itself only where the variable was set before it started. */
function readAuthorities(file: string | undefined): string[] | undefined {
  if (!file) return undefined;
  try {
    return [...trusted(), readFileSync(file, 'utf8')];
  } catch (thrown) {
    throw unusable(`The file that NODE_EXTRA_CA_CERTS names can't be read`, thrown);
  }
}

/** Node 22.15 and later tell also those of the system and of its own options. */
function trusted(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

function unusable(words: string, thrown: unknown): UpstreamError {
  const code = thrown instanceof Error && 'code' in thrown ? ` (${String(thrown.code)})` : '';
  return new UpstreamError('connection', `Nothing was sent: ${words}${code}.`, { cause: thrown });
}
