/** Every request's method is run here: where callers are asked who they are, only with the scopes it needs. */
import type { Call, Method } from './call.ts';

export function runMethod(call: Call, method: string, run: Method): ReturnType<Method> {
  const { project, exchange } = call;
  if (exchange.caller === undefined) return run(call);
  const { runScoped } = project.parts;
  return runScoped === undefined ? loadScoped(call, method, run) : runScoped(call, method, run);
}

async function loadScoped(call: Call, method: string, run: Method): Promise<Awaited<ReturnType<Method>>> {
  const { auth, parts } = call.project;
  if (auth === undefined) throw new Error('A caller was asked who it is, but nothing says what it may do.');
  const { runScoped } = await auth.runtime();
  return (parts.runScoped = runScoped)(call, method, run);
}
