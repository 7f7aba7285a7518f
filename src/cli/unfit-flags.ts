import { rows } from '../config/options/rows.ts';
import { definedMembers } from '../util/defined-members.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';

/** The server has these options, too. */
const OF_SERVER = ['include', 'exclude'];

/** The given flags that apply only to compiling a document, or (`source`) any source. */
export function flagsFor(kind: 'document' | 'source', flags: object): string[] {
  const groups = kind === 'document' ? (['document'] as const) : (['document', 'server', 'source'] as const);
  const given = new Set(Object.keys(definedMembers(flags)));
  return rows(...groups)
    .filter(([name]) => given.has(name) && !OF_SERVER.includes(name))
    .map(([, { flag = '' }]) => flag.replace(/ .*/, ''));
}

/** Reports flags that `mcpgen serve` cannot apply. `why` continues the sentence that begins with the flag. */
export function reportFlags(flags: readonly string[], why: string, diagnostics: DiagnosticCollector): void {
  for (const flag of flags)
    diagnostics.report('invalid-usage', {
      problem: `${flag} ${why}`,
      suggestion: '',
      command: 'mcpgen serve',
    });
}
