/** A variable that is empty counts as not set: clients, and hosts of bundles, set those that are left blank in a form. */
import { allFeatures as features } from '../../../templates/runtime/all-features.ts';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { HttpBinding, UpstreamBinding } from '../../../templates/runtime/contract/bindings.ts';
import { type Environment, parseSettings } from '../../../templates/runtime/main/settings.ts';
import { isJsonLogWanted } from '../../../templates/runtime/main/run.ts';
import { parseExportSettings } from '../../../templates/runtime/telemetry/exporter.ts';
import { parseMetricsSettings } from '../../../templates/runtime/telemetry/metrics.ts';
import { createSampler } from '../../../templates/runtime/telemetry/traces.ts';
import { FEATURES } from '../../../templates/runtime/features.ts';
import { listFeatureVariables } from '../../../templates/runtime/contract/feature.ts';
import { parseRedisSettings } from '../../../templates/runtime/redis/settings.ts';
import { listUpstreamVariables } from '../../../src/emit/api-variables.ts';
import { createDispatcherChooser } from '../../../templates/runtime/upstream/dispatcher.ts';
import { createUpstreamClient } from '../../../templates/runtime/upstream/upstream-client.ts';
import { defaultUpstreamLimits } from '../../../templates/runtime/contract/feature.ts';
import { chooseProxy } from '../../../templates/runtime/upstream/agents.ts';
import { httpServer } from '../upstream/loopback.ts';

const identity = await httpServer((request, response) => {
  const { authorization = 'nobody' } = request.headers;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const token = `${authorization} ${Buffer.concat(chunks).toString()}`;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ access_token: token }));
  });
});

afterAll(() => identity.close());

const api: UpstreamBinding = {
  servers: [
    { url: 'https://{region}.a.test', variables: { region: { default: 'eu' } } },
    { url: 'https://b.test' },
  ],
  otherServers: [{ url: 'https://files.test' }],
  securitySchemes: {
    key: { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'API_KEY_K' } },
    basic: { type: 'basic', env: { username: 'BASIC_USERNAME_B', password: 'BASIC_PASSWORD_B' } },
    bearer: { type: 'bearer', env: { token: 'BEARER_TOKEN_T' } },
    shared: { type: 'http', scheme: 'Shared', env: { authorization: 'AUTHORIZATION_S' } },
    tls: { type: 'mutualTLS', env: { cert: 'TLS_CERT_C', key: 'TLS_KEY_C', passphrase: 'TLS_PASSPHRASE_C' } },
    oauth: {
      type: 'oauth2',
      tokenUrl: identity.url,
      env: {
        token: 'BEARER_TOKEN_O',
        clientId: 'OAUTH_CLIENT_ID_O',
        clientSecret: 'OAUTH_CLIENT_SECRET_O',
        scopes: 'OAUTH_SCOPES_O',
      },
    },
  },
};

/** Those of everyone who runs the server; beside each stands one more, or it is taken away. */
const usual: Record<string, string> = {
  API_KEY_K: 'key',
  BASIC_USERNAME_B: 'ada',
  BASIC_PASSWORD_B: 'lovelace',
  BEARER_TOKEN_T: 'token',
  AUTHORIZATION_S: 'value',
  TLS_CERT_C: '-----BEGIN CERTIFICATE-----',
  TLS_KEY_C: '-----BEGIN PRIVATE KEY-----',
  OAUTH_CLIENT_ID_O: 'id',
  OAUTH_CLIENT_SECRET_O: 'secret',
};

const pem = (name: string): string => fileURLToPath(new URL(`../../support/tls/${name}`, import.meta.url));

/** Everything that the environment decides: settings, requests with each scheme, and how they would travel. */
async function outcome(env: Environment): Promise<unknown> {
  const settings = await parseSettings(new Map([['transport', ['http']]]), env, { features }).catch(String);
  const redis = await new Promise((resolve) => resolve(parseRedisSettings(env, 'server'))).catch(String);
  const requests: unknown[] = [];
  const client = createUpstreamClient(api, {
    features,
    env,
    limits: defaultUpstreamLimits,
    answer: (wire) => {
      requests.push(JSON.stringify({ ...wire, headers: wire.headers.toRawHeaders('host', undefined) }));
      return {
        url: wire.url,
        status: 204,
        headers: new Map(),
        body: Buffer.alloc(0),
        truncated: false,
      } as never;
    },
  });
  const binding: HttpBinding = { kind: 'http', method: 'GET', path: '/', parameters: [] };
  const bindings = Object.keys(api.securitySchemes).map((name) => ({
    ...binding,
    security: [{ [name]: [] }],
  }));
  for (const each of [...bindings, { ...binding, servers: [{ url: 'https://files.test' }] }])
    await client.call(each, {}, {}).catch((thrown: unknown) => requests.push(String(thrown)));
  const ways = ['http://a.test', 'https://a.test'].map((url) => wayTo({ url: new URL(url) }, env));
  return { settings, redis, requests, ways: await Promise.all(ways), watching: watching(env) };
}

/** Metrics, traces and the log. */
function watching(env: Environment): unknown {
  const info = { name: 'pets', version: '1' };
  const options = { info, env, isHttp: true, isTracedLog: false, tell: () => undefined };
  const isSampled = createSampler(options);
  const parent = { traceId: '', spanId: '', state: undefined, isSampled: true };
  return {
    metrics: parseMetricsSettings(options),
    spans: JSON.stringify(parseExportSettings(env, info)),
    sampled: [isSampled('8'.repeat(32), undefined), isSampled('8'.repeat(32), parent)],
    isJson: isJsonLogWanted([], env),
  };
}

async function wayTo(target: { url: URL }, env: Environment): Promise<string> {
  try {
    const { proxy } = await createDispatcherChooser(env, 1_000, features.proxy)(target);
    return `${String(chooseProxy(target.url, env))} ${String(proxy)}`;
  } catch (thrown) {
    return String(thrown);
  }
}

type Row = [name: string, value: string, beside?: Record<string, string>];

function exported(...rows: [name: string, value: string][]): Row[] {
  return rows.map(([name, value]) => [name, value, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test' }]);
}

const table: Row[] = [
  ...Object.entries(usual),
  ['API_BASE_URL', 'https://c.test'],
  ['API_SERVER', '2'],
  ['API_HEADERS', 'X-Team: cats'],
  ['API_HEADERS_FILES_TEST', '{"X-Team":"dogs"}'],
  ['API_SERVER_REGION', 'us'],
  ['API_BASE_URL_FILES_TEST', 'https://d.test'],
  ['API_CREDENTIALS', 'optional', { API_KEY_K: '' }],
  ['TLS_PASSPHRASE_C', 'phrase'],
  ['BEARER_TOKEN_O', 'ready'],
  ['OAUTH_SCOPES_O', 'read'],
  ['PORT', '8080'],
  ['MCP_ALLOWED_ORIGINS', 'https://app.test'],
  ['MCP_REPAIR', 'off'],
  ['MCP_READ_ONLY', '1'],
  ['MCP_ALLOWED_HOSTS', 'mcp.test'],
  ['MCP_TRUSTED_PROXIES', '10.0.0.0/8'],
  ['MCP_WELL_KNOWN_OPENAI_APPS_CHALLENGE', 'token'],
  ['MCP_CONNECTIONS', '50'],
  ['MCP_UNFINISHED_BYTES', '1000000'],
  ['MCP_UNFINISHED_BYTES_PER_ADDRESS', '1000000'],
  ['MCP_UNREAD_BYTES', '1000000'],
  ['MCP_UNREAD_BYTES_PER_ADDRESS', '1000000'],
  ['MCP_TLS_CERT', 'no-such-file.pem'],
  ['MCP_TLS_KEY', pem('client-key.pem'), { MCP_TLS_CERT: pem('client.pem') }],
  [
    'MCP_TLS_PASSPHRASE',
    'test-passphrase',
    { MCP_TLS_CERT: pem('client.pem'), MCP_TLS_KEY: pem('client-key-encrypted.pem') },
  ],
  ['MCP_DRAIN_DELAY_MS', '5000'],
  ['MCP_METRICS_PORT', 'off'],
  ['MCP_METRICS_HOST', '0.0.0.0'],
  ['MCP_LOG_FORMAT', 'json'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector.test'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://collector.test/v1/traces'],
  ['OTEL_TRACES_SAMPLER', 'always_off'],
  ['OTEL_TRACES_SAMPLER_ARG', '0', { OTEL_TRACES_SAMPLER: 'traceidratio' }],
  ...exported(
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=a'],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'api-key=b'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '5'],
    ['OTEL_SERVICE_NAME', 'other'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'region=eu'],
    ['OTEL_TRACES_EXPORTER', 'none'],
    ['OTEL_SDK_DISABLED', 'true'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '5'],
    ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '5'],
    ['OTEL_BSP_SCHEDULE_DELAY', '5'],
  ),
  ['MCP_SELECTORS', 'lenient'],
  ['MCP_RATE_LIMIT', 'off'],
  ['MCP_AUDIT', 'stderr'],
  ['MCP_AUDIT_ARGUMENTS', 'full', { MCP_AUDIT: 'stderr' }],
  ['MCP_PASS_HEADERS', 'X-Tenant'],
  ['MCP_MOCK', '1'],
  ['MCP_FILES_ROOT', '.'],
  ['MCP_STATE_SECRET', 'too short'],
  ['MCP_STATE_SECRET_PREVIOUS', 'too short', { MCP_STATE_SECRET: 'x'.repeat(32) }],
  ['MCP_SESSION_TTL', 'a week'],
  ['MCP_STATELESS', '1'],
  ['MCP_SHOW_ERRORS', '1'],
  ['MCP_REDIS_URL', 'redis://redis.test'],
  ...['cluster', 'sentinel'].map((mode): [string, string, Record<string, string>] => [
    'MCP_REDIS_MODE',
    mode,
    { MCP_REDIS_URL: 'redis://redis.test' },
  ]),
  ...Object.entries({
    MCP_REDIS_SENTINEL_MASTER: 'first',
    MCP_REDIS_PREFIX: 'cats',
    MCP_NODES: '3',
    MCP_REVOCATION: 'strict',
  }).map(([name, value]): [string, string, Record<string, string>] => [
    name,
    value,
    { MCP_REDIS_URL: 'redis://redis.test' },
  ]),
  ['HTTPS_PROXY', 'http://proxy.test'],
  ['HTTP_PROXY', 'http://proxy.test'],
  ['https_proxy', 'http://proxy.test'],
  ['http_proxy', 'http://proxy.test'],
  ['NO_PROXY', 'a.test', { HTTPS_PROXY: 'http://proxy.test' }],
  ['no_proxy', 'a.test', { HTTPS_PROXY: 'http://proxy.test' }],
  ['NODE_EXTRA_CA_CERTS', 'no-such-file.pem'],
  ['API_CONCURRENCY', '4'],
  ['API_TIMEOUT_MS', '5'],
  ['API_RESPONSE_BYTES', '5'],
  ['API_RESULT_CHARACTERS', '5'],
  ['API_FILE_BYTES', '5'],
  ['API_STREAM_ITEMS', '5'],
  ['API_STREAM_MS', '5'],
];

test.each(table)('%s is not set when it is empty', async (name, value, beside = {}) => {
  const { [name]: taken, ...others } = { ...usual, ...beside };
  void taken;
  const unset = await outcome(others);
  expect(await outcome({ ...others, [name]: value })).not.toEqual(unset);
  expect(await outcome({ ...others, [name]: '' })).toEqual(unset);
});

test('every variable is among them', () => {
  const features = FEATURES.map(({ name }) => name).filter(
    (name) => !['oauth', 'exchange', 'dpop'].includes(name),
  );
  const names = [
    ...listUpstreamVariables(api),
    ...listFeatureVariables({ rows: FEATURES, present: new Set(features) }),
  ].map(({ name }) => name);
  // The file of variables is read before the settings; its own tests have an empty name of it.
  const others = names.filter((name) => name !== 'MCP_DOTENV');
  expect(table.map(([name]) => name)).toEqual(expect.arrayContaining(others));
});
