import { basename } from 'node:path';
import type { ValueProblem } from './config-value.ts';
import type { Observer } from '../../model/observer.ts';
import { runModule } from './run-module.ts';
import { whileRunning } from '../../diagnostics/running-code.ts';

/** Runs a `mcpgen.config.ts` (or `.js`) and returns its default export. `path` is absolute. */
export async function runConfig(
  path: string,
  text: string,
  observer?: Observer,
): Promise<{ value: unknown } | ValueProblem> {
  const ran = await runModule(path, text, observer);
  if ('problem' in ran) return { ...ran, problem: `it cannot be run (${ran.problem})` };
  let value: unknown;
  try {
    // The export may be a promise.
    value = await whileRunning(basename(path), () => ran.exports['default']);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const at = ran.placeOf(thrown);
    const place = at?.file === path ? { place: { line: at.line, column: at.column } } : {};
    return { problem: `it cannot be run (${reason})`, ...place };
  }
  if (value === undefined)
    return { problem: 'it needs a default export: `export default defineConfig({ … })`' };
  return typeof value === 'function'
    ? { problem: 'it exports a function, but must export an object' }
    : { value };
}
