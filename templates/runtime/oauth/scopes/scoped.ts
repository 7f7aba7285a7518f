/** Runs a method for a caller whose token reaches as far as the request does. */
import { ScopeError } from '../../protocol/scope-error.ts';
import type { Call, Method, RunScoped } from '../../core/call.ts';
import { grants } from './granted.ts';
import { NEEDED, together } from './needed.ts';

/** @throws {ScopeError} before anything of the method is done: it names all scopes of the call */
export const runScoped: RunScoped = (call, method, run) => {
  const needs = NEEDED.get(method);
  if (needs === undefined) {
    demand(call, []);
    return run(call);
  }
  const { cache } = call.server;
  if (cache.bindings !== undefined) return runWith(needs(call, cache.bindings), call, run);
  return call.server.bindings().then((bindings) => {
    cache.bindings = bindings;
    return runWith(needs(call, bindings), call, run);
  });
};

function runWith(needed: readonly string[], call: Call, run: Method): ReturnType<Method> {
  demand(call, needed);
  call.context.needs?.(needed);
  call.reach = { needed, covers: (scopes) => covers(call, scopes) };
  return run(call);
}

/** With the scopes that every request needs. */
function demand(call: Call, needed: readonly string[]): void {
  const { scopes = [] } = call.server.auth ?? {};
  if (covers(call, scopes) && covers(call, needed)) return;
  throw new ScopeError(together(scopes, needed));
}

function covers({ server, context }: Call, scopes: readonly string[]): boolean {
  return grants(context.caller?.auth.scopes ?? [], scopes, server.auth?.implies);
}
