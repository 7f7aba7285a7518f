import type { RunScoped } from '../../templates/runtime/core/call.ts';
import type { Caller, AuthRuntime } from '../../templates/runtime/feature-loaders.ts';

import type { ServerInstance } from '../../templates/runtime/core/server-instance.ts';

/** Whom a transport that asks for tokens would have found; its token is good for ever. */
export function callerOf(subject: string, scopes: string[] = []): Caller {
  const auth = { issuer: 'https://id.test', subject, scopes, expiresAt: 9_999_999_999, claims: {} };
  return { auth, subject, untilRefused: () => () => undefined };
}

/** Callers are told apart, and nothing that they ask for needs a scope. */
export function withoutScopes(server: ServerInstance): void {
  const runWithScopeCheck: RunScoped = async (call, _method, run) => run(call);
  const runtime: Partial<AuthRuntime> = { runWithScopeCheck };
  server.auth = { runtime: async () => runtime as AuthRuntime };
}
