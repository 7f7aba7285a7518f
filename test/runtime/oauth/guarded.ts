/** A server over HTTP that asks for tokens of an issuer of the test. */
import type { Feature } from '../../../templates/runtime/feature.ts';
import { dpop, type TakeOnce } from '../../../templates/runtime/features/dpop/index.ts';
import { oauth, type VerifyToken } from '../../../templates/runtime/features/oauth/index.ts';
import type { ScopeOptions } from '../../../templates/runtime/features/oauth/scopes.ts';
import { AUTH_LIMITS } from '../../../templates/runtime/features/oauth/settings.ts';
import type { Context, ExtraTool } from '../../../templates/runtime/types.ts';
import { hello, start, type StartParts } from '../client.ts';
import { makeServer } from '../core.ts';
import { AUDIENCE, type Issuer } from './issuer.ts';

const DEFAULTS = { ...AUTH_LIMITS };

export interface GuardedOptions extends StartParts {
  auth?: ScopeOptions;
  env?: Record<string, string>;
  /** All that items need. */
  scopes?: string[];
  verifyToken?: VerifyToken;
  authLimits?: Partial<typeof AUTH_LIMITS>;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** How long the server has run already: proofs of an earlier time need a nonce. */
  ranMs?: number;
  /** What nodes remember together of proofs. */
  takeOnce?: TakeOnce;
  /** Further members of the tool. */
  tool?: Partial<ExtraTool>;
}

export const initialize = hello();

export async function startGuarded(issuer: Issuer, options: GuardedOptions = {}) {
  const { auth, env, scopes = ['read', 'write'], verifyToken, authLimits, now = Date.now } = options;
  const {
    handler = () => 'done',
    inputSchema = { type: 'object' },
    tool,
    takeOnce,
    ranMs = 60_000,
  } = options;
  const { rules, limits, callsPerMinute } = options;
  const counted = { calls: 0 };
  const reported: unknown[] = [];
  let isOpen = false;
  Object.assign(AUTH_LIMITS, DEFAULTS, authLimits);
  const extraTool = {
    ...{ name: 'x', inputSchema, ...tool },
    handler: (args: object, context: Context) => {
      counted.calls++;
      return handler(context, args);
    },
  };
  const features: Feature[] = [
    // The binding is older than the server where proofs of an earlier time are.
    dpop(() => now() - (isOpen ? 0 : ranMs)),
    oauth(auth, now),
    ...(takeOnce ? [{ name: 'once', parts: { once: { test: takeOnce } } }] : []),
  ];
  const server = makeServer(
    {
      ...options,
      features,
      env: { MCP_AUTH_ISSUER: issuer.url, MCP_AUTH_AUDIENCE: AUDIENCE, ...env },
      flags: { transport: 'http', 'rate-limit': 'off', ...options.flags },
      // What it would share, `once` has.
      without: ['redis'],
      info: { name: 'test', version: '1', title: 'A test' },
      // Operations that no tool has.
      bindings: { operations: { a: { b: { do: {}, input: {}, scopes } } } },
      handlers: { extraTools: [extraTool], ...(verifyToken && { verifyToken }) },
    },
    reported,
  );
  const client = await start({ rules, limits, callsPerMinute, server });
  isOpen = true;
  const withToken = (token: string) => client.post(initialize, { authorization: `Bearer ${token}` });
  return { ...client, counted, reported, withToken };
}
