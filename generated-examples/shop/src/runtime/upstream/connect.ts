/** How requests reach their server: directly, unless the environment says more; what that takes is loaded only then. */
import { Agent, type RequestOptions, request as httpRequest } from 'node:http';
import type { ClientCertificate } from './client-certificate.ts';
import { Connections } from './connections.ts';
import type { Sender } from './sender.ts';
import type { UpstreamSettings } from './settings.ts';

type Environment = UpstreamSettings['env'];

/** Where a request goes, as far as its connection depends on it. */
export interface Target {
  url: URL;
  /** What the client proves itself by in TLS. */
  certificate?: ClientCertificate;
  /** Absent: the operator named the URL, which may be anywhere. */
  sentBy?: Sender;
}

/** What a request goes by. */
export interface Way {
  request: typeof httpRequest;
  agent: Agent;
  /** Sends ordinary requests without them. Absent: there is another way to go, or TLS. */
  connections?: Connections;
  /** The origin of the proxy in between. */
  proxy?: string;
  /** Sends a request for `url` to the proxy instead. Absent: none is in between, or it only passes bytes on. */
  forward?: (options: RequestOptions, url: URL) => RequestOptions;
}

/** @throws {UpstreamError} `connection` when what the environment says can't be used */
export type Connect = (target: Target) => Way | Promise<Way>;

/**
 * Connections are kept for the next request, as many as were open at one time. Idle ones end before the 5 s after which
 * Node's own server, the commonest of short ones, closes them.
 */
export const agentOptions = { keepAlive: true, timeout: 4_000, scheduling: 'lifo' } as const;

const plain: Way = {
  request: httpRequest,
  agent: new Agent(agentOptions),
  connections: new Connections(),
};
let tls: Promise<Way> | undefined;

/** Only for targets that the operator named: addresses are not judged here. */
export function directly({ url }: Target): Way | Promise<Way> {
  return url.protocol === 'https:' ? loadTls() : plain;
}

/** `node:https` costs 15 ms to load. */
function loadTls(): Promise<Way> {
  return (tls ??= import('node:https').then(({ Agent: HttpsAgent, request }) => ({
    request,
    agent: new HttpsAgent(agentOptions),
  })));
}

const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'NODE_EXTRA_CA_CERTS'];

/** Through proxies, with authorities of its own, with client certificates and to judged addresses, where there are some. */
export function connectBy(env: Environment, timeoutMs: number): Connect {
  const isDirect = !VARIABLES.some((name) => env[name]);
  let loading: Promise<Connect> | undefined;
  return (target) => {
    if (isDirect && target.certificate === undefined && target.sentBy === undefined) return directly(target);
    loading ??= import('./agents.ts').then(({ createAgents }) => createAgents(env, timeoutMs));
    return loading.then((connect) => connect(target));
  };
}
