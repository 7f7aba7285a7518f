// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Chooses the connections of requests: direct ones, unless the environment names proxies, or an address must be
 * checked.
 */
import { Agent, type RequestOptions, request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';

import type { SecuritySchemeBinding } from '../contract/bindings.ts';
import { classifyAddress } from '../contract/address-reach.ts';
import { guardedLookup } from '../contract/outgoing-guards.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The server that named a URL of another origin, in a redirect or in its metadata: it may not name every address. */
export interface Sender {
  /** The name of the server in messages. */
  origin: string;
  /** The sender is in the network of this server. */
  isInward: boolean;
}

/**
 * @param address that the sender answered from, if known: its name may resolve to another one by now. Default: the address that the
 *   URL holds; a name counts as public
 */
export function toSender({ origin, hostname }: URL, address: string | undefined): Sender {
  return { origin, isInward: classifyAddress(address ?? hostname) === 'inward' };
}

/**
 * Whether a request may go to a host, or an address, that the sender named. A public sender can't have this server ask its own
 * network and show the answer, and no sender can name the metadata services of clouds. A name is checked where the connection is
 * made, by the addresses that it resolves to.
 */
export function mayName({ isInward }: Sender, host: string): boolean {
  const reach = classifyAddress(host);
  return reach === 'public' || (reach === 'inward' && isInward);
}

/** The target of a request, as far as its connection depends on it. */
export interface Target {
  url: URL;
  /** The client's certificate in TLS. */
  certificate?: ClientCertificate;
  /** Absent: the operator named the URL, which may be anywhere. */
  sentBy?: Sender;
}

export interface ClientCertificate {
  /** The variables it is read from, in words. */
  from: string;
  cert: string;
  key: string;
  passphrase?: string;
}

/** The feature `proxy`. */
export interface ProxyFeature {
  createAgents: (env: Environment, timeoutMs: number) => ChooseDispatcher;
  readCertificate(
    scheme: Extract<SecuritySchemeBinding, { type: 'mutualTLS' }>,
    env: Environment,
  ): Promise<ClientCertificate>;
}

/** Sends requests over connections that it keeps. */
export interface Dispatcher {
  request: typeof httpRequest;
  agent: Agent;
  /** The origin of the proxy in between. */
  proxy?: string;
  /** Sends a request for `url` to the proxy instead. Absent: none is in between, or it only passes bytes on. */
  forward?: (options: RequestOptions, url: URL) => RequestOptions;
}

/** @throws {UpstreamError} `connection` when what the environment says can't be used */
export type ChooseDispatcher = (target: Target) => Dispatcher | Promise<Dispatcher>;

/** Idle connections end before the 5 s after which Node's own server, the commonest with a short limit, closes them. */
export const agentOptions = { keepAlive: true, timeout: 4_000, scheduling: 'lifo' } as const;

const plain: Dispatcher = { request: httpRequest, agent: guardIdleConnections(new Agent(agentOptions)) };
let tls: Promise<Dispatcher> | undefined;

/**
 * Closes an idle connection on which something arrives. The next request would take unasked bytes for its answer, or be lost where
 * the server is closing.
 */
export function guardIdleConnections<A extends Agent>(agent: A): A {
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  function close(this: Duplex): void {
    this.destroy();
  }
  agent.keepSocketAlive = (socket) => {
    const isKept = keep(socket);
    socket.on('data', close).on('end', close);
    // Node's types lack this return value.
    return isKept;
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', close).off('end', close);
    reuse(socket, request);
  };
  return agent;
}

/** Sends requests to targets that the operator named: their addresses are not checked. */
export function directDispatcher({ url }: Target): Dispatcher | Promise<Dispatcher> {
  return url.protocol === 'https:' ? loadTls() : plain;
}

/** `node:https` costs 15 ms to load. */
function loadTls(): Promise<Dispatcher> {
  return (tls ??= import('node:https').then(({ Agent: HttpsAgent, request }) => ({
    request,
    agent: guardIdleConnections(new HttpsAgent(agentOptions)),
  })));
}

/** Sends requests to targets that a server named: each address is checked where the connection is made. */
async function checkedDispatcher(isTls: boolean, sender: Sender): Promise<Dispatcher> {
  const lookup = guardedLookup({ allowsAddress: (address) => mayName(sender, address) });
  const options = { ...agentOptions, lookup };
  if (!isTls) return { request: httpRequest, agent: guardIdleConnections(new Agent(options)) };
  const { Agent: HttpsAgent, request } = await import('node:https');
  return { request, agent: guardIdleConnections(new HttpsAgent(options)) };
}

const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'NODE_EXTRA_CA_CERTS'];

/** @param proxy loads the feature, where the environment names proxies or authorities, or a request has a certificate */
export function createDispatchers(
  env: Environment,
  timeoutMs: number,
  proxy?: () => Promise<Pick<ProxyFeature, 'createAgents'>>,
): ChooseDispatcher {
  const isDirect = proxy === undefined || !VARIABLES.some((name) => env[name]);
  let loading: Promise<ChooseDispatcher> | undefined;
  // Connections to unchecked addresses are never shared with targets that must be checked.
  const checked = new Map<string, Promise<Dispatcher>>();
  return (target) => {
    const { certificate, sentBy } = target;
    if (proxy !== undefined && (!isDirect || certificate !== undefined)) {
      loading ??= proxy().then(({ createAgents }) => createAgents(env, timeoutMs));
      return loading.then((choose) => choose(target));
    }
    if (sentBy === undefined) return target.url.protocol === 'http:' ? plain : loadTls();
    const isTls = target.url.protocol === 'https:';
    const key = `${isTls} ${sentBy.isInward}`;
    const dispatcher = checked.get(key) ?? checkedDispatcher(isTls, sentBy);
    checked.set(key, dispatcher);
    return dispatcher;
  };
}
