// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Chooses the connections of requests: direct ones, unless the environment names proxies or an address must be checked.
 */
import { Agent, type AgentOptions, type RequestOptions, request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';

import type { SecuritySchemeBinding } from '../contract/bindings.ts';
import { classifyAddress } from '../contract/address-reach.ts';
import { createGuardedLookup } from '../contract/outgoing-guards.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A server that named a URL of another origin, by redirect or metadata; it may not name every address. */
export interface Sender {
  origin: string;
  /** Whether the sender is in the network of this server. */
  isInward: boolean;
}

/**
 * @param address that answered, if known: the name may resolve to another one by now. Default: the URL's host; a name
 * counts as public
 */
export function senderOf({ origin, hostname }: URL, address: string | undefined): Sender {
  return { origin, isInward: classifyAddress(address ?? hostname) === 'inward' };
}

/**
 * Prevents server-side request forgery: a public sender must not have this server ask its own network, and no sender may name
 * the metadata services of clouds. A name is checked when it is resolved.
 */
export function maySenderNameHost({ isInward }: Sender, host: string): boolean {
  const reach = classifyAddress(host);
  return reach === 'public' || (reach === 'inward' && isInward);
}

export interface Target {
  url: URL;
  certificate?: ClientCertificate | undefined;
  /** Absent: the operator named the URL, which may be anywhere. */
  sentBy?: Sender | undefined;
}

export interface ClientCertificate {
  /** Names the variables that the setting was read from, for messages. */
  from: string;
  cert: string;
  key: string;
  passphrase?: string | undefined;
}

export interface ProxyFeature {
  createAgents: (env: Environment, timeoutMs: number) => ChooseDispatcher;
  readCertificate(
    scheme: Extract<SecuritySchemeBinding, { type: 'mutualTLS' }>,
    env: Environment,
  ): Promise<ClientCertificate>;
}

export interface Dispatcher {
  request: typeof httpRequest;
  agent: Agent;
  proxy?: string;
  /** Rewrites a request for a proxy that forwards. Absent: no proxy, or one that tunnels. */
  forward?: (options: RequestOptions, url: URL) => RequestOptions;
}

export type ChooseDispatcher = (target: Target) => Dispatcher | Promise<Dispatcher>;

/** Idle connections end before the 5 s after which Node's own server, the commonest with a short limit, closes them. */
export const agentOptions = { keepAlive: true, timeout: 4_000, scheduling: 'lifo' } as const;

const plain = createHttpDispatcher(agentOptions);
let tls: Promise<Dispatcher> | undefined;

/**
 * Closes an idle connection that receives anything: the next request would take those bytes for its answer, or be lost
 * on a closing server.
 */
export function guardIdleConnections<A extends Agent>(agent: A): A {
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  /** Whether a connection is idle. Listeners that come and go with each request would cost more. */
  const isIdle = new WeakMap<Duplex, boolean>();
  function destroyIdle(this: Duplex): void {
    if (isIdle.get(this) === true) this.destroy();
  }
  agent.keepSocketAlive = (socket) => {
    if (!isIdle.has(socket)) socket.on('data', destroyIdle).on('end', destroyIdle);
    isIdle.set(socket, true);
    return keep(socket);
  };
  agent.reuseSocket = (socket, request) => {
    isIdle.set(socket, false);
    reuse(socket, request);
  };
  return agent;
}

/** For URLs that the operator named: their addresses are not checked. */
export function directDispatcher({ url }: Target): Dispatcher | Promise<Dispatcher> {
  return url.protocol === 'https:' ? (tls ??= createHttpsDispatcher(agentOptions)) : plain;
}

function createHttpDispatcher(options: AgentOptions): Dispatcher {
  return { request: httpRequest, agent: guardIdleConnections(new Agent(options)) };
}

/** `node:https` costs 15 ms to load. */
async function createHttpsDispatcher(options: AgentOptions): Promise<Dispatcher> {
  const { Agent: HttpsAgent, request } = await import('node:https');
  return { request, agent: guardIdleConnections(new HttpsAgent(options)) };
}

/** For URLs that another server named: each resolved address is checked. */
async function createCheckedDispatcher(isTls: boolean, sender: Sender): Promise<Dispatcher> {
  const lookup = createGuardedLookup({ allowsAddress: (address) => maySenderNameHost(sender, address) });
  const options = { ...agentOptions, lookup };
  return isTls ? createHttpsDispatcher(options) : createHttpDispatcher(options);
}

const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'NODE_EXTRA_CA_CERTS'];

export function createDispatcherChooser(
  env: Environment,
  timeoutMs: number,
  proxy?: () => Promise<Pick<ProxyFeature, 'createAgents'>>,
): ChooseDispatcher {
  const isDirect = !VARIABLES.some((name) => env[name]);
  let loading: Promise<ChooseDispatcher> | undefined;
  // Checked connections are not shared with unchecked ones.
  const checked = new Map<string, Promise<Dispatcher>>();
  return (target) => {
    const { url, certificate, sentBy } = target;
    if (proxy !== undefined && (!isDirect || certificate !== undefined)) {
      loading ??= proxy().then(({ createAgents }) => createAgents(env, timeoutMs));
      return loading.then((choose) => choose(target));
    }
    if (sentBy === undefined) return directDispatcher(target);
    const isTls = url.protocol === 'https:';
    const key = `${isTls} ${sentBy.isInward}`;
    const dispatcher = checked.get(key) ?? createCheckedDispatcher(isTls, sentBy);
    checked.set(key, dispatcher);
    return dispatcher;
  };
}
