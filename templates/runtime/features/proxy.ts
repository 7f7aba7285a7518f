// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Requests through the proxies that the environment names, and with client certificates. */
import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:http';
import type { Agent, AgentOptions } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CredentialSource } from '../credentials.ts';
import type { Feature } from '../feature.ts';
import type { ApiRequest } from '../request.ts';
import { type Env, type SecurityScheme, ToolError, UsageError } from '../types.ts';

const TUNNEL_TIMEOUT_MS = 10_000;

type Connect = (request: ApiRequest) => RequestOptions;
let directly: Connect | undefined;
/** Of the servers in this process. A new version of one starts before the old one stops; the newest is used. */
const active = new Set<Connect>();

export function proxy(): Feature {
  let stop = (): void => undefined;
  return {
    name: 'proxy',
    settings: [
      { variable: 'HTTPS_PROXY', help: 'Proxy for requests at https, as http://proxy.example:3128.' },
      { variable: 'HTTP_PROXY', help: 'Proxy for requests at http.' },
      { variable: 'NO_PROXY', help: 'Hosts without a proxy, separated by commas. This machine has none.' },
    ],
    parts: { credentials: { mutualTLS: clientCertificates() } },
    start: async (_, __, env) => {
      if (readProxy('https:', env) === undefined && readProxy('http:', env) === undefined) return;
      const { connections } = await import('../send.ts');
      const tunnels = await openAgent(env);
      const direct = (directly ??= connections.connect);
      const connect: Connect = (request) => {
        const { url, agent } = request;
        const proxyUrl = chooseProxy(url, env);
        if (proxyUrl === undefined || certifiedAgents.has(agent as Agent)) return direct(request);
        // Other agents check the addresses of a name, which the proxy resolves itself.
        if (url.protocol === 'https:') return { agent: tunnels };
        return { ...direct({ ...request, agent: undefined }), ...forwardThrough(proxyUrl, url) };
      };
      active.add(connect);
      connections.connect = (request) => ([...active].at(-1) ?? direct)(request);
      stop = () => void active.delete(connect);
    },
    stop: () => stop(),
  };
}

/** Lower-case names win, as with curl. @throws {UsageError} without the value, which may hold a password */
function readProxy(protocol: string, env: Env): URL | undefined {
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = env[name.toLowerCase()] || env[name];
  if (!value) return undefined;
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:') return url;
  throw new UsageError(`${name} must be the URL of an HTTP proxy, such as http://proxy.example:3128.`);
}

/** This machine never uses a proxy. */
const LOCAL = ['localhost', '127.0.0.0/8', '::1'];

/** `NO_PROXY` lists `*`, domains with their subdomains, addresses and blocks, each with an optional port. */
export function chooseProxy({ protocol, hostname, port }: URL, env: Env): URL | undefined {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  const actualPort = port || (protocol === 'https:' ? '443' : '80');
  const list = (env['no_proxy'] || env['NO_PROXY'] || '').toLowerCase().split(/[\s,]+/);
  const isExempt = [...LOCAL, ...list.filter(Boolean)].some((entry) => {
    const [, name = entry, entryPort = actualPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    if (entryPort !== actualPort) return false;
    const [address = '', bits] = name.replace(/^\[|\]$/g, '').split('/');
    if (isIP(address) !== 0) return isInBlock(host, address, bits);
    const domain = address.replace(/^\*?\.?/, '');
    return domain === '' || host === domain || host.endsWith(`.${domain}`);
  });
  return isExempt ? undefined : readProxy(protocol, env);
}

function isInBlock(host: string, address: string, bits?: string): boolean {
  const typeOf = (text: string) => (isIP(text) === 6 ? 'ipv6' : 'ipv4');
  const longest = isIP(address) === 6 ? 128 : 32;
  const length = Number(bits ?? longest);
  if (isIP(host) === 0 || !(length <= longest)) return false;
  const block = new BlockList();
  block.addSubnet(address, length, typeOf(address));
  return block.check(host, typeOf(host));
}

/** The request line has the whole URL (RFC 9112, section 3.2.2). */
function forwardThrough(proxyUrl: URL, { origin, pathname, search, host }: URL): RequestOptions {
  const headers = { host, ...authorizationOf(proxyUrl) };
  return { ...addressOf(proxyUrl), path: origin + pathname + search, headers };
}

function addressOf({ hostname, port }: URL): RequestOptions {
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: port || 80 };
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username + password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Makes connections of TLS, through the proxy where there is one. */
async function openAgent(env: Env, options: AgentOptions = {}): Promise<Agent> {
  const { Agent: NewAgent } = await import('node:https');
  const agent = new NewAgent({ keepAlive: true, timeout: 4_000, ...options });
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (target, callback) => {
    const { host, port } = target;
    const authority = `${host?.includes(':') ? `[${host}]` : host}:${port}`;
    const proxyUrl = chooseProxy(new URL(`https://${authority}`), env);
    if (proxyUrl === undefined) return connect(target, callback);
    openTunnel(proxyUrl, authority).then(
      (socket) => callback?.(null, connect({ ...target, socket } as typeof target) as Duplex),
      // The type demands a stream beside an error.
      (error: Error) => callback?.(error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

async function openTunnel(proxyUrl: URL, authority: string): Promise<Duplex> {
  const { request: open } = await import('node:http');
  const headers = { host: authority, ...authorizationOf(proxyUrl) };
  const options = { method: 'CONNECT', path: authority, headers, agent: false, timeout: TUNNEL_TIMEOUT_MS };
  return new Promise((resolve, reject) => {
    const request = open({ ...addressOf(proxyUrl), ...options });
    const fail = (reason: string): void => {
      reject(new Error(`the proxy that HTTPS_PROXY names ${reason}`));
      request.destroy();
    };
    request.on('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      fail(`answered ${statusCode}`);
    });
    request.on('timeout', () => fail('did not answer'));
    request.on('error', ({ message }) => fail(`can't be used (${message})`));
    request.end();
  });
}

/** Agents with a certificate. */
const certifiedAgents = new WeakSet<Agent>();

/** Credentials of the type `mutualTLS`. A connection with a certificate serves no other requests. */
function clientCertificates(): CredentialSource {
  const agents = new Map<string, Agent>();
  return {
    isAvailable: () => false,
    apply: async (request, { scheme, env }) => {
      if (request.url.protocol !== 'https:') return [];
      const { createSecureContext } = await import('node:tls');
      // Files are read for each request, since certificates are renewed.
      const certificate = readCertificate(scheme, env);
      const key = JSON.stringify(certificate);
      try {
        request.agent =
          agents.get(key) ?? (await openAgent(env, { secureContext: createSecureContext(certificate) }));
      } catch (thrown) {
        throw unusable(Object.values(scheme.env ?? {}).join(', '), "can't be used", thrown);
      }
      agents.set(key, request.agent as Agent);
      certifiedAgents.add(request.agent as Agent);
      return certificate.passphrase === undefined ? [] : [certificate.passphrase];
    },
  };
}

/** PEM, or the files that hold it. @throws {ToolError} */
function readCertificate({ env: names = {} }: SecurityScheme, env: Env) {
  const read = (name: string): string => {
    const value = env[name] ?? '';
    if (value.trimStart().startsWith('-----BEGIN')) return value.replaceAll('\\n', '\n');
    try {
      return readFileSync(value, 'utf8');
    } catch (thrown) {
      throw unusable(name, "must be PEM, or the path of a file that holds it, which can't be read", thrown);
    }
  };
  const { cert: certName = '', key: keyName = '', passphrase: passphraseName = '' } = names;
  const cert = read(certName);
  // The file of the certificate may hold the key, too.
  return { cert, key: env[keyName] ? read(keyName) : cert, passphrase: env[passphraseName] || undefined };
}

function unusable(names: string, reason: string, thrown: unknown): ToolError {
  const { code } = thrown as NodeJS.ErrnoException;
  return new ToolError(
    `Nothing was sent: ${names} in the environment of this MCP server ${reason} (${code}).`,
  );
}
