/** Dispatchers for proxies, authorities, client certificates and checked addresses. Loaded when a request needs one. */
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import * as tls from 'node:tls';
import { guardedLookup } from '../contract/guarded-lookup.ts';
import type { ClientCertificate } from './client-certificate.ts';
import {
  agentOptions,
  type ChooseDispatcher,
  directDispatcher,
  type Dispatcher,
  guardIdleConnections,
  mayName,
  type Target,
} from './dispatcher.ts';
import { proxyFor, proxyHeaders, TunnelAgent } from './proxy.ts';
import type { UpstreamSettings } from './settings.ts';
import { UpstreamError } from './upstream-error.ts';

type Environment = UpstreamSettings['env'];

/**
 * One agent for each proxy, certificate and check of addresses: a connection that was opened with a certificate, or to an unchecked
 * address, serves no other request.
 */
export function createAgents(env: Environment, timeoutMs: number): ChooseDispatcher {
  const dispatchers = new Map<string, Dispatcher>();
  let authorities: string[] | undefined;
  return (target) => {
    const proxy = proxyFor(target.url, env);
    const isTls = target.url.protocol === 'https:';
    const { certificate, sentBy } = target;
    if (proxy === undefined && !isTls && sentBy === undefined) return directDispatcher(target);
    const key = JSON.stringify([isTls, proxy?.href, certificate, sentBy?.isInward]);
    const known = dispatchers.get(key);
    if (known !== undefined) return known;
    authorities ??= readAuthorities(env['NODE_EXTRA_CA_CERTS']);
    const means = { authorities, timeoutMs };
    const dispatcher = isTls ? tlsDispatcher(target, proxy, means) : plainDispatcher(target, proxy, means);
    dispatchers.set(key, dispatcher);
    return dispatcher;
  };
}

/** A proxy resolves names itself, so that its own rules decide which addresses are reached. */
function guardOf({ sentBy }: Target, proxy: URL | undefined): { lookup?: LookupFunction } {
  if (sentBy === undefined || proxy !== undefined) return {};
  return { lookup: guardedLookup({ allowsAddress: (address) => mayName(sentBy, address) }) };
}

function plainDispatcher(target: Target, proxy: URL | undefined, { authorities }: Means): Dispatcher {
  if (proxy !== undefined) return forwardingDispatcher(proxy, authorities);
  return {
    request: httpRequest,
    agent: guardIdleConnections(new Agent({ ...agentOptions, ...guardOf(target, proxy) })),
  };
}

interface Means {
  /** All that are trusted; undefined: those that Node trusts. */
  authorities: string[] | undefined;
  timeoutMs: number;
}

function tlsDispatcher(
  target: Target,
  proxy: URL | undefined,
  { authorities, timeoutMs }: Means,
): Dispatcher {
  const { certificate } = target;
  const options = { ...agentOptions, ...contextOf(authorities, certificate), ...guardOf(target, proxy) };
  if (proxy === undefined)
    return { request: httpsRequest, agent: guardIdleConnections(new HttpsAgent(options)) };
  // The certificate is for the API alone.
  const { secureContext } = contextOf(authorities);
  const agent = guardIdleConnections(new TunnelAgent({ proxy, secureContext, timeoutMs }, options));
  return { request: httpsRequest, agent, proxy: proxy.origin };
}

/** Plain HTTP: the proxy is asked for the whole URL (RFC 9112, section 3.2.2). */
function forwardingDispatcher(proxy: URL, authorities: string[] | undefined): Dispatcher {
  const isTls = proxy.protocol === 'https:';
  const forward = (options: RequestOptions, url: URL): RequestOptions => ({
    ...options,
    protocol: proxy.protocol,
    hostname: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port === '' ? (isTls ? 443 : 80) : proxy.port,
    path: `${url.origin}${String(options.path)}`,
    headers: [...(options.headers as string[]), ...Object.entries(proxyHeaders(proxy)).flat()],
  });
  const agent = guardIdleConnections(
    isTls ? new HttpsAgent({ ...agentOptions, ...contextOf(authorities) }) : new Agent(agentOptions),
  );
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
