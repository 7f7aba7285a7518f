/** Every request's method is run here: where callers are asked who they are, only with the scopes it needs. */
import type { Call, Method } from './call.ts';

export function runMethod(call: Call, method: string, run: Method): ReturnType<Method> {
  const { server, context } = call;
  if (context.caller === undefined) return run(call);
  const { runScoped } = server.cache;
  return runScoped === undefined ? loadScoped(call, method, run) : runScoped(call, method, run);
}

async function loadScoped(call: Call, method: string, run: Method): Promise<Awaited<ReturnType<Method>>> {
  const { auth, cache } = call.server;
  if (auth === undefined) throw new Error('A caller was asked who it is, but nothing says what it may do.');
  const { runScoped } = await auth.runtime();
  return (cache.runScoped = runScoped)(call, method, run);
}
