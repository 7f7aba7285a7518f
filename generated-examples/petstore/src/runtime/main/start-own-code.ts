/** Gives the project's own code the running server, before the first message is read. */
import { loadFunctions } from '../core/tools/tool-entry.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import type { Ending, ServerHandle } from '../definition.ts';
import { createServerHandle } from './server-handle.ts';
import { stackOf } from './stack-of.ts';

/**
 * Runs `started` of the handlers, then the functions that are to run at the start, in their order.
 *
 * @returns what undoes it, the last first
 * @throws {Error} with the place of what failed; what has been begun by then is undone
 */
export async function startOwnCode(instance: ServerInstance): Promise<Ending> {
  const server = await createServerHandle(instance);
  const ends: Ending[] = [];
  const end = async (): Promise<void> => {
    for (const each of ends.splice(0).reverse()) await each();
  };
  try {
    await startHandlers(instance, server, ends);
    await startFunctions(instance, server, ends);
    return end;
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

async function startHandlers(
  { handlers: { started } }: ServerInstance,
  server: ServerHandle,
  ends: Ending[],
): Promise<void> {
  try {
    const end = await started?.(server);
    if (typeof end === 'function') ends.push(end);
  } catch (thrown) {
    throw new Error(`\`started\` of src/handlers/ failed. ${stackOf(thrown)}`, { cause: thrown });
  }
}

async function startFunctions(instance: ServerInstance, server: ServerHandle, ends: Ending[]): Promise<void> {
  if (instance.functions?.started !== true) return;
  const functions = await loadFunctions(instance);
  const { started = [] } = await instance.bindings();
  for (const binding of started) {
    try {
      const end = await functions.start(binding, server);
      if (end !== undefined) ends.push(end);
    } catch (thrown) {
      throw new Error(`${binding.method ?? binding.export} of ${binding.module} failed. ${stackOf(thrown)}`, {
        cause: thrown,
      });
    }
  }
}
