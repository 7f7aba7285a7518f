/** A server that calls an API for its callers: an issuer, a token endpoint, the server over HTTP, and the API that keeps what it is sent. */
import { allFeatures } from '../../../../templates/runtime/all-features.ts';
import { onTestFinished } from 'vitest';
import type {
  SecurityRequirement,
  SecuritySchemeBinding,
} from '../../../../templates/runtime/contract/bindings.ts';
import { createAudit } from '../../../../templates/runtime/audit/open-audit.ts';
import { createServer } from '../../../../templates/runtime/core/server-instance.ts';
import type { AuthDefinition, Handlers } from '../../../../templates/runtime/definition.ts';
import { DEFAULT_LIMITS, type UpstreamLimits } from '../../../../templates/runtime/contract/feature.ts';
import * as runtime from '../../../../templates/runtime/oauth/index.ts';
import { newCatalog } from '../../core/harness.ts';
import { start } from '../../transports/http-harness.ts';
import { headerOf, rawServer, type Received } from '../../upstream/loopback.ts';
import { neverTaken } from '../guarded.ts';
import { AUDIENCE, type Issuer, startIssuer } from '../issuer.ts';
import { modernCall } from '../modern-call.ts';
import { CLIENT, startTokenEndpoint, type TokenEndpoint } from './token-endpoint.ts';
import { openOnBehalf } from '../../../../templates/runtime/oauth/for-caller.ts';

export interface BehalfOptions {
  /** Of the API. Default: `user`, a bearer token. */
  schemes?: Record<string, SecuritySchemeBinding>;
  security?: SecurityRequirement[];
  /** Schemes that are sent though nothing says `security`. */
  ifSet?: string[];
  /** Of the configuration. */
  headers?: Record<string, string>;
  handlers?: Handlers<object>;
  auth?: Omit<AuthDefinition, 'runtime'>;
  /** Beside the issuer's. */
  env?: Record<string, string>;
  /** Tokens of callers are exchanged. Default true. */
  exchanges?: boolean;
  /** The API's status, by its count of requests. Default 200. */
  status?: (received: Received, count: number) => number;
  limits?: Partial<UpstreamLimits>;
}

export interface Behalf {
  issuer: Issuer;
  endpoint: TokenEndpoint;
  /** Requests that the API got. */
  sent: Received[];
  /** `Authorization` of each. */
  authorizations: () => (string | undefined)[];
  /** Calls the one tool, and gives what its caller is answered. */
  call: (token: string) => Promise<string>;
  /** Of whatever went wrong inside. */
  reported: unknown[];
  /** The lines of the audit log. */
  audit: Record<string, unknown>[];
  post: (message: object, headers: Record<string, string>) => Promise<{ text: string }>;
}

export const BEARER: SecuritySchemeBinding = { type: 'bearer', env: { token: 'BEARER_TOKEN_USER' } };

export async function startBehalf(options: BehalfOptions = {}): Promise<Behalf> {
  const { schemes = { user: BEARER }, handlers = {}, auth = {}, ifSet, headers } = options;
  const { security = ifSet === undefined ? [{ user: [] }] : undefined } = options;
  const issuer = await startIssuer();
  const endpoint = await startTokenEndpoint(issuer);
  const api = await rawServer((received, _socket, index) =>
    answerOf(received, options.status?.(received, index + 1)),
  );
  onTestFinished(() => api.close());
  const lines: Record<string, unknown>[] = [];
  const reported: unknown[] = [];
  const env = {
    MCP_AUTH_ISSUER: issuer.url,
    MCP_AUTH_AUDIENCE: AUDIENCE,
    ...(options.exchanges === false ? {} : exchangeBy(endpoint)),
    ...options.env,
  };
  const definition = { ...auth, runtime: () => Promise.resolve(runtime) };
  const instance = createServer({
    definition: { info: { name: 'test', version: '1' }, features: allFeatures, handlers, auth: definition },
    catalog: newCatalog({ tools: [{ name: 'me', inputSchema: { type: 'object' } }] }),
    readBindings: () =>
      JSON.stringify({
        tools: { me: { do: { kind: 'http', method: 'GET', path: '/me', parameters: [], security } } },
        resources: {},
        resourceTemplates: {},
        prompts: {},
        completions: [],
        upstream: { servers: [{ url: api.url }], securitySchemes: schemes, ifSet, headers },
      }),
    env,
    limits: DEFAULT_LIMITS,
    upstreamLimits: { retryDelayMs: 1, ...options.limits },
    report: (thrown) => void reported.push(thrown),
    audit: createAudit({
      server: 'test',
      log: { add: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
      show: (args, withoutToken = String) => withoutToken(JSON.stringify(args)),
    }),
  });
  await (instance.cache.onBehalf ??= openOnBehalf(instance));
  const guard = await runtime.openGuard({
    definition,
    info: instance.info,
    env,
    paths: ['/mcp'],
    scopes: [],
    verifyToken: handlers.verifyToken,
    shared: neverTaken,
    report: instance.report,
  });
  const server = await start({ server: instance, guard });
  return {
    issuer,
    endpoint,
    sent: api.requests,
    authorizations: () => api.requests.map((each) => headerOf(each, 'authorization')),
    call: async (token) =>
      (await server.post(...modernCall('me', { authorization: `Bearer ${token}` }))).text,
    reported,
    audit: lines,
    post: server.post,
  };
}

export function exchangeBy({ url }: TokenEndpoint): Record<string, string> {
  return {
    MCP_AUTH_EXCHANGE_URI: url,
    MCP_AUTH_EXCHANGE_CLIENT_ID: CLIENT.id,
    MCP_AUTH_EXCHANGE_CLIENT_SECRET: CLIENT.secret,
    MCP_AUTH_EXCHANGE_AUDIENCE: 'https://api.example.com',
  };
}

/** Shows what was sent, as debug pages do. */
function answerOf({ headers }: Received, status = 200): string {
  const text = JSON.stringify({ status, headers });
  return `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
}
