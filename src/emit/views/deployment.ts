/** The manifest for Kubernetes, and the services for Docker Compose. */
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { type ServerBinding, listApis } from '../../model/bindings.ts';
import { LIMITS } from '../../../templates/runtime/settings.ts';
import type { EnvironmentVariable } from '../environment-variable.ts';
import type { ServerModel } from '../../model/server-model.ts';
import { commandName } from '../../model/published.ts';
import { packageVersion } from '../package-identity.ts';
import type { ComposeView, KubernetesView } from './publishing-views.ts';

export interface Deployed {
  ofApi: readonly EnvironmentVariable[];
  ofServer: readonly EnvironmentVariable[];
  /** Names of the project's features. */
  present: ReadonlySet<string>;
}

const REPLICAS = 2;
/** A balancer needs a few seconds to hear that a server is draining. */
const DRAIN_DELAY_MS = 10_000;
const SPARE_MS = 5_000;
/** The default of API_TIMEOUT_MS. */
const CALL_MS = 50_000;
/** A call that begins at the end of the drain delay has all of its time. */
const GRACE_SECONDS = (DRAIN_DELAY_MS + CALL_MS + LIMITS.closeMs + SPARE_MS) / 1_000;

/** Variables that a server among several sets to other values than their defaults, if it has them. */
const CLUSTER_VALUES: Readonly<Record<string, string>> = {
  MCP_DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
  MCP_METRICS_HOST: '0.0.0.0',
  MCP_NODES: String(REPLICAS),
};
const REQUIRED = ['MCP_AUTH_ISSUER', 'MCP_AUTH_AUDIENCE'];
/** Variables that deployments leave out: the image sets the port and reads no `.env` file. */
const OF_IMAGE = ['PORT', 'MCP_DOTENV'];
/** Variables that `compose.yaml` itself sets, with Redis. */
const OF_COMPOSE = ['MCP_STATE_SECRET', 'MCP_REDIS_URL', 'MCP_NODES', 'MCP_TRUSTED_PROXIES'];
/** The secret that all instances share: without it none would accept another's sessions. */
const NEEDED_SECRET = 'MCP_STATE_SECRET';
const REDIS_PORTS = [6379];

export function makeComposeView(model: ServerModel, { ofApi, ofServer, present }: Deployed): ComposeView {
  const fixed = [...OF_IMAGE, ...(present.has('redis') ? OF_COMPOSE : [])];
  const names = [...ofApi, ...ofServer].map(({ name }) => name);
  const variables = [...new Set(names)].filter((name) => !fixed.includes(name));
  return {
    bin: commandName(model),
    variables,
    hasRedis: present.has('redis'),
    graceSeconds: GRACE_SECONDS,
  };
}

export function makeKubernetesView(
  model: ServerModel,
  { ofApi, ofServer, present }: Deployed,
): KubernetesView {
  const text = commandName(model);
  const slug = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const label = /^[a-z]/.test(slug) ? slug : `mcp-${slug}`;
  const name = label.slice(0, 63).replaceAll(/-+/g, '-').replace(/-$/, '');

  const byName = new Map([...ofApi, ...ofServer].map((variable) => [variable.name, variable]));
  const all = [...byName.values()].filter((variable) => !OF_IMAGE.includes(variable.name));
  const plain = all.filter(({ secret }) => !secret);
  const secrets = all.filter(({ secret }) => secret);
  const hasRedis = present.has('redis');
  return {
    name,
    image: `${name}:${packageVersion(model.version).replaceAll('+', '_').slice(0, 128)}`,
    replicas: REPLICAS,
    graceSeconds: GRACE_SECONDS,
    settings: plain.filter(isSetInCluster).map(clusterSetting),
    otherSettings: plain.filter((variable) => !isSetInCluster(variable)).map(clusterSetting),
    secrets: secrets.map((secret) => ({
      name: secret.name,
      from: name,
      isOptional: secret.name !== NEEDED_SECRET,
    })),
    egressPorts: [...new Set([443, ...listApiPorts(model), ...(hasRedis ? REDIS_PORTS : [])])],
    hasAuth: present.has('oauth'),
    hasRedis,
    hasMetrics: present.has('metrics'),
  };
}

function isSetInCluster({ name, required }: EnvironmentVariable): boolean {
  return required || Object.hasOwn(CLUSTER_VALUES, name) || REQUIRED.includes(name);
}

function clusterSetting({ name, default: value = '' }: EnvironmentVariable): { name: string; value: string } {
  return { name, value: ownMember(CLUSTER_VALUES, name) ?? value };
}

function listApiPorts(model: ServerModel): number[] {
  const servers = listApis(model).flatMap(({ servers, otherServers = [] }) => [...servers, ...otherServers]);
  return servers.flatMap(listUrlPorts).sort((one, other) => one - other);
}

function listUrlPorts({ url, variables = {} }: ServerBinding): number[] {
  const filled = url.replaceAll(
    /\{([^{}]*)\}/g,
    (_, name: string) => ownMember(variables, name)?.default ?? 'x',
  );
  if (!URL.canParse(filled)) return [];
  const { port, protocol } = new URL(filled);
  const known = protocol === 'http:' ? 80 : 443;
  return [port === '' ? known : Number(port)];
}
