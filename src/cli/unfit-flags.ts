/** Options of `mcpgen serve` that have no meaning for the kind of source that was named. */
import { rows } from '../config/options/rows.ts';
import { definedMembers } from '../util/defined-members.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';

/** The server has these options too. */
const OF_SERVER = ['include', 'exclude'];

/** The flags that say how a document is compiled, or (`source`) how any source is. */
export function flagsFor(kind: 'document' | 'source', flags: object): string[] {
  const groups = kind === 'document' ? (['document'] as const) : (['document', 'server', 'source'] as const);
  const given = new Set(Object.keys(definedMembers(flags)));
  return rows(...groups)
    .filter(([name]) => given.has(name) && !OF_SERVER.includes(name))
    .map(([, { flag = '' }]) => flag.replace(/ .*/, ''));
}

/** `why` ends the sentence that the option begins. */
export function reportFlags(flags: readonly string[], why: string, diagnostics: DiagnosticCollector): void {
  for (const flag of flags)
    diagnostics.report('invalid-usage', {
      problem: `${flag} ${why}`,
      suggestion: '',
      command: 'mcpgen serve',
    });
}
