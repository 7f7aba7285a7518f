import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Hooks } from '../model/user-code.ts';
import { whileRunning } from '../diagnostics/running-code.ts';
import type { LoadedCode } from './user-code.ts';

/** Calls a hook; reports what it throws, and returns undefined. */
export async function callHook<T>(
  hook: keyof Hooks,
  { file, placeOf }: LoadedCode<Hooks>,
  call: () => T | Promise<T>,
  diagnostics: DiagnosticCollector,
): Promise<{ returned: T } | undefined> {
  try {
    return { returned: await whileRunning(`the hook ${hook} of ${file}`, call) };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    diagnostics.report('hook-failed', { hook, file, reason }, { at: placeOf(thrown) });
    return undefined;
  }
}
