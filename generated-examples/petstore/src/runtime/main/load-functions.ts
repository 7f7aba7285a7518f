/** Loads the functions of the project before there is a client, who could do nothing about code that does not load. */
import { stackOf } from './stack-of.ts';
import type { FunctionModules } from '../definition.ts';

/**
 * One module after the other, in their order.
 *
 * @throws {Error} with what keeps modules from being loaded, and its place
 */
export async function loadFunctions({ modules }: FunctionModules): Promise<void> {
  const faults = new Map<unknown, string>();
  for (const [name, load] of Object.entries(modules)) {
    try {
      await load();
    } catch (thrown) {
      // Modules that import the same one fail by the same.
      if (!faults.has(thrown)) faults.set(thrown, `${name} can't be loaded. ${stackOf(thrown)}`);
    }
  }
  if (faults.size === 0) return;
  throw new Error([...faults.values()].join('\n'), { cause: [...faults.keys()][0] });
}
