// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Gives the project's own code the running server, before the first message is read. */
import { loadFunctions } from '../core/tools/tool-entry.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import type { Ending } from '../definition.ts';
import { readStack } from './process-context.ts';
import { createServerHandle } from './server-handle.ts';

/**
 * Runs `started` of the handlers, then the functions that are to run at the start, in their order.
 *
 * @returns an ending that undoes these, the last first
 * @throws {Error} with the place of the failure, after undoing the earlier ones
 */
export async function startOwnCode(instance: ServerInstance): Promise<Ending> {
  const server = await createServerHandle(instance);
  const ends: Ending[] = [];
  const end = async (): Promise<void> => {
    for (const each of ends.splice(0).reverse()) await each();
  };
  const start = async (name: string, begin: () => unknown): Promise<void> => {
    try {
      const ending = await begin();
      if (typeof ending === 'function') ends.push(ending as Ending);
    } catch (thrown) {
      throw new Error(`${name} failed. ${readStack(thrown)}`, { cause: thrown });
    }
  };
  try {
    const { started: ofHandlers } = instance.handlers;
    await start('`started` of src/handlers/', () => ofHandlers?.(server));
    if (instance.functions?.started !== true) return end;
    const functions = await loadFunctions(instance);
    const { started = [] } = await instance.bindings();
    for (const binding of started)
      await start(`${binding.method ?? binding.export} of ${binding.module}`, async () =>
        functions.start(binding, server),
      );
    return end;
  } catch (thrown) {
    await end();
    throw thrown;
  }
}
