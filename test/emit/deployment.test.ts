// The manifest for Kubernetes and the services for Docker Compose: each object, and how they fit together.
import { load, loadAll } from 'js-yaml';
import { expect, test } from 'vitest';
import { LIMITS } from '../../templates/runtime/settings.ts';
import { listApiVariables } from '../../src/emit/api-variables.ts';
import { openBuiltIn } from '../../src/emit/templates/compile-template.ts';
import { makeComposeView, makeKubernetesView } from '../../src/emit/views/deployment.ts';
import type { EmitOptions } from '../../src/emit/index.ts';
import { publishTargets } from '../../src/model/published.ts';
import type { ServerModel } from '../../src/model/server-model.ts';
import { hostile, models, petstore } from './models.ts';
import { contentsOf, emit } from './render-project.ts';

interface Port {
  name?: string;
  port?: string | number;
  containerPort?: number;
  targetPort?: string;
}

interface Container {
  image: string;
  ports: Port[];
  env: { name: string; valueFrom: { secretKeyRef: { name: string; key: string; optional?: boolean } } }[];
  envFrom: { configMapRef: { name: string } }[];
  securityContext: object;
  resources: Record<'requests' | 'limits', Record<'cpu' | 'memory', string>>;
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
}

interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string> };
  automountServiceAccountToken?: boolean;
  data?: Record<string, string>;
  spec: Record<string, unknown> & {
    selector: Record<string, unknown>;
    template: {
      metadata: { labels: object; annotations?: object };
      spec: Record<string, unknown> & { containers: [Container] };
    };
    ingress: { ports: Port[] }[];
    egress: { ports: Port[]; to?: unknown }[];
    ports: Port[];
    minReplicas: number;
  };
}

async function manifestFor(model: ServerModel, options: Partial<EmitOptions> = {}) {
  const files = await emit(model, { publish: publishTargets, ...options });
  return read(contentsOf(files, 'deploy/kubernetes.yaml'));
}

function read(text: string) {
  const objects = loadAll(text) as KubernetesObject[];
  const find = (kind: string): KubernetesObject => {
    const found = objects.filter((each) => each.kind === kind);
    expect(found, kind).toHaveLength(1);
    return found[0] as KubernetesObject;
  };
  return { text, objects, find };
}

const KINDS = [
  'v1 ServiceAccount',
  'v1 ConfigMap',
  'apps/v1 Deployment',
  'v1 Service',
  'autoscaling/v2 HorizontalPodAutoscaler',
  'policy/v1 PodDisruptionBudget',
  'networking.k8s.io/v1 NetworkPolicy',
];

test.each(Object.entries({ ...models, hostile }))(
  '%s: the objects have one name, and select the pods',
  async (_, model) => {
    const { objects, find } = await manifestFor(model);
    expect(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual(KINDS);
    const [name = '', ...others] = new Set(objects.map(({ metadata }) => metadata.name));
    expect(others).toEqual([]);
    expect(name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
    const labels = { 'app.kubernetes.io/name': name };
    for (const { metadata } of objects) expect(metadata.labels).toEqual(labels);
    const { selector, template } = find('Deployment').spec;
    expect([selector, template.metadata.labels]).toEqual([{ matchLabels: labels }, labels]);
    expect(find('Service').spec.selector).toEqual(labels);
    expect(find('PodDisruptionBudget').spec.selector).toEqual({ matchLabels: labels });
    expect(find('NetworkPolicy').spec['podSelector']).toEqual({ matchLabels: labels });
    expect(find('HorizontalPodAutoscaler').spec['scaleTargetRef']).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name,
    });
    const [{ envFrom, image }] = template.spec.containers;
    expect(envFrom).toEqual([{ configMapRef: { name } }]);
    expect(image).toMatch(/^[a-z][a-z0-9-]*:[\w.-]{1,128}$/);
  },
);

test.each([
  { name: '@scope/things', want: 'things' },
  { name: '2fa_codes.v1', want: 'mcp-2fa-codes-v1' },
  { name: '___', want: 'mcp' },
  { name: 'null', want: 'null' },
  { name: `${'x'.repeat(62)}.y`, want: 'x'.repeat(62) },
])('a server called $name is $want in a cluster', async ({ name, want }) => {
  const { objects } = await manifestFor({ ...petstore, name });
  expect(objects.map(({ metadata }) => metadata.name)).toEqual(KINDS.map(() => want));
});

test('pods meet the restricted standard, and have no token of the cluster', async () => {
  const { find } = await manifestFor(petstore);
  expect(find('ServiceAccount').automountServiceAccountToken).toBe(false);
  const { spec } = find('Deployment').spec.template;
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
  });
  for (const forbidden of ['hostNetwork', 'hostPID', 'hostIPC', 'volumes'])
    expect(spec).not.toHaveProperty(forbidden);
  const [{ securityContext, resources }] = spec.containers;
  expect(securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  for (const part of ['requests', 'limits'] as const)
    expect(Object.keys(resources[part])).toEqual(['cpu', 'memory']);
});

test('probes, ports and policies name the same ports', async () => {
  const { find } = await manifestFor(petstore);
  const [container] = find('Deployment').spec.template.spec.containers;
  expect([container.startupProbe, container.livenessProbe, container.readinessProbe]).toMatchObject([
    { httpGet: { path: '/livez', port: 'http' } },
    { httpGet: { path: '/livez', port: 'http' } },
    { httpGet: { path: '/readyz', port: 'http' } },
  ]);
  const names = container.ports.map(({ name }) => name);
  expect(container.ports[0]).toEqual({ name: 'http', containerPort: 3000 });
  const said = contentsOf(await emit(petstore), 'Dockerfile');
  expect(said).toContain('"--port", "3000"');
  expect(find('Service').spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  const { ingress } = find('NetworkPolicy').spec;
  expect(ingress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(names);
});

test('a pod has more time to end than its server takes', async () => {
  const { find } = await manifestFor(petstore);
  const { spec } = find('Deployment').spec.template;
  // As a server that was told to stop reads its settings: the drain delay, then all the time of a call, and closing handshakes.
  const { data } = find('ConfigMap');
  const drainMs = Number(data?.['MCP_DRAIN_DELAY_MS']);
  expect(drainMs).toBeGreaterThan(0);
  expect(Number(spec['terminationGracePeriodSeconds']) * 1_000).toBeGreaterThan(
    drainMs + LIMITS.httpDrainMs + LIMITS.closeMs,
  );
  expect(find('Deployment').spec).not.toHaveProperty('replicas');
  expect(find('HorizontalPodAutoscaler').spec.minReplicas).toBe(2);
});

test('secrets come from the Secret, other variables from the ConfigMap, and no value of either stands here', async () => {
  const files = await emit(petstore, { auth: {}, publish: publishTargets });
  const { text, find } = await manifestFor(petstore, { auth: {} });
  const [{ env }] = find('Deployment').spec.template.spec.containers;
  for (const { name, valueFrom } of env) {
    const optional = name === 'MCP_STATE_SECRET' ? {} : { optional: true };
    expect(valueFrom).toEqual({ secretKeyRef: { name: 'petstore-mcp', key: name, ...optional } });
  }
  const names = env.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['API_KEY_KEY', 'MCP_STATE_SECRET', 'MCP_AUTH_CLIENT_SECRET']),
  );
  const listed = [...contentsOf(files, '.env.example').matchAll(/^# ([A-Z]\w*)=/gm)].map(([, name]) => name);
  const written = [...text.matchAll(/^ {2}(?:# )?([A-Z]\w*): '/gm)].map(([, name = '']) => name);
  expect(written.filter((name) => names.includes(name))).toEqual([]);
  const here = [...names, ...written, 'PORT', 'MCP_DOTENV', 'NODE_EXTRA_CA_CERTS'];
  expect(listed.filter((name = '') => !here.includes(name))).toEqual([]);
  // The server refuses to start until these are filled in.
  expect(find('ConfigMap').data).toMatchObject({ MCP_AUTH_ISSUER: '', MCP_AUTH_AUDIENCE: '' });
});

test('the ports of the API may be reached, and link-local addresses never', async () => {
  const upstream = { ...petstore.upstream, securitySchemes: {} };
  const servers = [
    { url: 'http://api.internal:8080/v1' },
    { url: 'https://{host}:{port}/', variables: { host: {}, port: { default: '8443' } } },
    { url: '/relative' },
  ];
  const { find } = await manifestFor({ ...petstore, upstream: { ...upstream, servers } });
  const [names, api] = find('NetworkPolicy').spec.egress;
  expect(names?.ports.map(({ port }) => port)).toEqual([53, 53]);
  expect(api?.ports.map(({ port }) => port)).toEqual(expect.arrayContaining([443, 8080, 8443]));
  expect(api?.to).toEqual([
    { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
    { ipBlock: { cidr: '::/0', except: ['fe80::/10', 'fd00:ec2::254/128'] } },
  ]);
});

test('with the feature redis two servers stand behind a balancer, and only they reach Redis', async () => {
  const model = { ...petstore, name: 'redis' };
  const deployed = { ofApi: listApiVariables(model), ofServer: [], present: new Set(['redis']) };
  const render = await openBuiltIn('compose.yaml');
  const text = render(makeComposeView(model, deployed), 'ts');
  const { services, networks } = load(text) as {
    services: Record<string, { image: string; environment?: string[]; networks: string[]; ports?: string[] }>;
    networks: object;
  };
  expect(Object.keys(services)).toEqual(['balancer', 'server', 'redis']);
  const { balancer, server, redis } = services;
  expect(server).toMatchObject({ image: 'redis', deploy: { replicas: 2 }, networks: ['front', 'state'] });
  expect(server?.environment).toEqual(
    expect.arrayContaining(['MCP_REDIS_URL=redis://redis:6379', 'MCP_NODES=2', 'API_KEY_KEY']),
  );
  // Without the secret Docker Compose does not start.
  expect(server?.environment?.[0]).toMatch(/^MCP_STATE_SECRET=\$\{MCP_STATE_SECRET:\?/);
  expect([balancer?.networks, redis?.networks, networks]).toEqual([
    ['front'],
    ['state'],
    { front: {}, state: { internal: true } },
  ]);
  expect(Object.values(services).map(({ ports }) => ports)).toEqual([
    ['127.0.0.1:3000:3000'],
    undefined,
    undefined,
  ]);
  for (const { image } of [balancer, redis].filter((each) => each !== undefined))
    expect(image).toMatch(/^[\w./-]+:[\w.-]+@sha256:[\da-f]{64}$/);
  for (const service of Object.values(services))
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  const renderManifest = await openBuiltIn('deploy/kubernetes.yaml');
  const { find } = read(renderManifest(makeKubernetesView(model, deployed), 'ts'));
  const [, api] = find('NetworkPolicy').spec.egress;
  expect(api?.ports).toContainEqual({ port: 6379 });
});
