/** A server that calls an API for its callers: an issuer, a token endpoint, the server over HTTP, and the API that keeps what it is sent. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { exchange } from '../../../../templates/runtime/features/exchange/index.ts';
import type { ExchangeOptions } from '../../../../templates/runtime/features/exchange/settings.ts';
import { oauth } from '../../../../templates/runtime/features/oauth/index.ts';
import type { Handlers, SecurityScheme } from '../../../../templates/runtime/types.ts';
import { json, type Received, startApi } from '../../api.ts';
import { makeHttpClient } from '../../client.ts';
import { makeServer } from '../../core.ts';
import { serve } from '../../http.ts';
import { AUDIENCE, startIssuer } from '../issuer.ts';
import { modernCall } from '../modern-call.ts';
import { CLIENT, startTokenEndpoint, type TokenEndpoint } from './token-endpoint.ts';

export interface BehalfOptions {
  /** Of the API. Default: `user`, a bearer token. */
  schemes?: Record<string, SecurityScheme>;
  security?: Record<string, string[]>[];
  /** Schemes that are sent though nothing says `security`. */
  ifSet?: string[];
  handlers?: Handlers<object>;
  auth?: ExchangeOptions;
  /** Beside the issuer's. */
  env?: Record<string, string>;
  /** Tokens of callers are exchanged. Default true. */
  exchanges?: boolean;
  /** The API's status, by its count of requests. Default 200. */
  status?: (received: Received, count: number) => number;
}

export const BEARER: SecurityScheme = { type: 'bearer', env: { token: 'BEARER_TOKEN_USER' } };

export type Behalf = Awaited<ReturnType<typeof startBehalf>>;

export async function startBehalf(options: BehalfOptions = {}) {
  const { schemes = { user: BEARER }, handlers = {}, auth = {}, ifSet } = options;
  const { security = ifSet === undefined ? [{ user: [] }] : undefined } = options;
  const issuer = await startIssuer();
  const endpoint = await startTokenEndpoint(issuer);
  // Shows what it was sent, as debug pages do.
  const api = await startApi((request, index) => {
    const status = options.status?.(request, index + 1) ?? 200;
    return { ...json({ status, headers: request.headers }), status };
  });
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = join(folder, 'audit.jsonl');
  const reported: unknown[] = [];
  const work = { kind: 'http', method: 'GET', path: '/me', parameters: [], security };
  const server = makeServer(
    {
      features: [exchange(auth), oauth()],
      catalog: { tools: [{ name: 'me', inputSchema: { type: 'object' } }] },
      bindings: {
        tools: { me: { do: work } },
        upstream: { servers: [{ url: api.url }], securitySchemes: schemes, ifSet },
      },
      env: {
        MCP_AUTH_ISSUER: issuer.url,
        MCP_AUTH_AUDIENCE: AUDIENCE,
        ...(options.exchanges === false ? {} : exchangeBy(endpoint)),
        ...options.env,
      },
      flags: { transport: 'http', 'rate-limit': 'off', audit: log, 'audit-arguments': 'full' },
      handlers,
    },
    reported,
  );
  const { post } = makeHttpClient((await serve({ server }, reported)).url);
  return {
    issuer,
    endpoint,
    /** Requests that the API got. */
    sent: api.requests,
    /** `Authorization` of each. */
    authorizations: () => api.requests.map(({ headers }) => headers['authorization']),
    /** Calls the one tool, and gives what its caller is answered. */
    call: async (token: string) =>
      (await post(...modernCall('me', { authorization: `Bearer ${token}` }))).text,
    /** Of whatever went wrong inside. */
    reported,
    /** The lines of the audit log, when the server has ended. */
    audit: async () => {
      await server.close();
      const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
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
