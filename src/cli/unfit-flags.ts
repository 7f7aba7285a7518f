/** Options of `mcpgen serve` that have no meaning for the kind of source that was named. */
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { CompileFlags } from './flags.ts';

const ANY: readonly (keyof CompileFlags)[] = [
  'name',
  'serverVersion',
  'maxNameLength',
  'outputSchema',
  'strict',
];
const DOCUMENT: readonly (keyof CompileFlags)[] = [
  'overlay',
  'baseUrl',
  'bodyMediaType',
  'routeMap',
  'allowRemoteRefs',
  'refRoot',
];

/** Whether a flag says how a document is compiled, or (`source`) how any source is. */
export function isFlagOf(kind: 'document' | 'source'): (flag: string) => boolean {
  const flags: readonly string[] = kind === 'document' ? DOCUMENT : [...ANY, ...DOCUMENT, 'tsconfig'];
  return (flag) => flags.includes(flag);
}

/** `why` ends the sentence that the option begins. */
export function reportFlags(flags: readonly string[], why: string, diagnostics: DiagnosticCollector): void {
  for (const flag of flags) {
    const option = `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    diagnostics.report('invalid-usage', {
      problem: `${option} ${why}`,
      suggestion: '',
      command: 'mcpgen serve',
    });
  }
}
