/** Runs a method for a caller whose token reaches as far as the request does. */
import type { Bindings } from '../../bindings.ts';
import { ScopeError } from '../../protocol/scope-error.ts';
import type { Call, Method, RunScoped } from '../../core/call.ts';
import { grants } from './granted.ts';
import { NEEDED, together } from './needed.ts';

/** @throws {ScopeError} before anything of the method is done */
export const runScoped: RunScoped = (call, method, run) => {
  if (!NEEDED.has(method)) return run(call);
  const { parts } = call.project;
  if (parts.bindings !== undefined) return runWith(parts.bindings, call, method, run);
  return call.project.bindings().then((bindings) => runWith((parts.bindings = bindings), call, method, run));
};

function runWith(bindings: Bindings, call: Call, method: string, run: Method): ReturnType<Method> {
  const { project, exchange } = call;
  const needed = NEEDED.get(method)?.(call, bindings) ?? [];
  const covers = (scopes: readonly string[]): boolean =>
    grants(exchange.auth?.scopes ?? [], scopes, project.auth?.implies);
  if (!covers(needed)) throw new ScopeError(together(project.auth?.scopes, needed));
  call.reach = { needed, covers };
  return run(call);
}
