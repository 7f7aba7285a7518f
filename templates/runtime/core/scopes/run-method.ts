/** Every request's method is run here: where callers are asked who they are, only with the scopes it needs. */
import type { Call, Method } from '../call.ts';
import type { runScoped } from './scoped.ts';

let scoped: typeof runScoped | undefined;

export function runMethod(call: Call, method: string, run: Method): ReturnType<Method> {
  if (call.exchange.auth === undefined) return run(call);
  if (scoped !== undefined) return scoped(call, method, run);
  return import('./scoped.ts').then((loaded) => (scoped = loaded.runScoped)(call, method, run));
}
