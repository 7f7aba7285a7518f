/** A server over HTTP that asks for tokens of an issuer of the test. */
import type { AuthDefinition, VerifyToken } from '../../../templates/runtime/definition.ts';
import { createIssuerClient } from '../../../templates/runtime/oauth/ask-issuer.ts';
import {
  AUTH_LIMITS,
  type AuthLimits,
  parseAuthSettings,
} from '../../../templates/runtime/oauth/settings.ts';
import { openTokenBinding } from '../../../templates/runtime/oauth/dpop/index.ts';
import { ResourceGuard } from '../../../templates/runtime/oauth/resource-guard.ts';
import { MemoryState } from '../../../templates/runtime/core/shared-state.ts';
import type { SharedState } from '../../../templates/runtime/feature-loaders.ts';
import { type Options, start } from '../transports/http-harness.ts';
import { AUDIENCE, type Issuer } from './issuer.ts';

export interface GuardedOptions extends Omit<Options, 'guard'> {
  auth?: Pick<AuthDefinition, 'scopes' | 'implies'>;
  env?: Record<string, string>;
  /** All that items need. */
  scopes?: string[];
  verifyToken?: VerifyToken;
  authLimits?: Partial<AuthLimits>;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** How long the server has run already: proofs of an earlier time need a nonce. */
  ranMs?: number;
  proofs?: Pick<SharedState, 'takeOnce'>;
  paths?: string[];
}

export const initialize = {
  jsonrpc: '2.0',
  id: 'i',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
};

/** Each key is the first. */
export const neverTaken = { takeOnce: async () => Promise.resolve(true) };

export async function startGuarded(issuer: Issuer, options: GuardedOptions = {}) {
  const {
    auth = {},
    env = {},
    scopes = ['read', 'write'],
    verifyToken,
    authLimits = {},
    now = Date.now,
    ranMs = 60_000,
    proofs = new MemoryState(),
    paths = ['/mcp'],
  } = options;
  const told: unknown[] = [];
  const settings = parseAuthSettings({ MCP_AUTH_ISSUER: issuer.url, MCP_AUTH_AUDIENCE: AUDIENCE, ...env });
  let isOpen = false;
  const binding = openTokenBinding({
    ...{ env, paths, shared: proofs, resource: settings.resource },
    now: () => now() - (isOpen ? 0 : ranMs),
  });
  isOpen = true;
  const guard = new ResourceGuard({
    definition: { ...auth, runtime: () => import('../../../templates/runtime/oauth/index.ts') },
    info: { name: 'test', version: '1', title: 'A test' },
    settings,
    binding,
    ask: createIssuerClient({}),
    paths,
    scopes,
    verifyToken,
    limits: { ...AUTH_LIMITS, ...authLimits },
    proxies: options.proxies,
    now,
    report: (thrown) => void told.push(thrown),
  });
  const server = await start({ ...options, auth, guard });
  const withToken = (token: string) => server.post(initialize, { authorization: `Bearer ${token}` });
  return { ...server, told, withToken };
}
