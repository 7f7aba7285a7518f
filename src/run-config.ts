/** Runs a `mcpgen.config.ts` (or `.js`). */
import type { ValueProblem } from './config-value.ts';
import type { Observer } from './model/observer.ts';
import { runModule } from './run-module.ts';

/** What it exports by default, or what is wrong, in words that end a sentence. `path` is absolute. */
export async function runConfig(
  path: string,
  text: string,
  observer?: Observer,
): Promise<{ value: unknown } | ValueProblem> {
  const ran = await runModule(path, text, observer);
  if ('problem' in ran) return { ...ran, problem: `it cannot be run (${ran.problem})` };
  const value = ran.exports['default'];
  if (value === undefined)
    return { problem: 'it has no default export: `export default defineConfig({ … })`' };
  return typeof value === 'function'
    ? { problem: 'it exports a function, and must export an object' }
    : { value };
}
