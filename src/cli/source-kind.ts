/** Whether a source is a file or glob of annotated functions, by its name. Configurations in code are none. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import { isUrl } from '../config/options/make-config.ts';
import { isConfigFile } from '../config/options/project-config.ts';
import { listRows } from '../config/options/rows.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { omitUndefined } from '../util/collections.ts';

export function isCodeFile(source: string): boolean {
  const isCode = source.startsWith('!') || ENDS_AS_CODE.test(source) || GLOB_OF_ALL.test(source);
  return isCode && !isUrl(source) && !isConfigFile(source);
}

/** `.ts`, `.{ts,js}`, `.?(m)ts`, `.[jt]s` */
const ENDS_AS_CODE = /\.(?:[^./]*\))?[mc]?(?:[jt]|\[[jt]+\])sx?$|\.\{(?:[mc]?[jt]sx?[,}])+$/;

/** `src/*` and `src/{one,two}`: a document is never named by a glob. */
const GLOB_OF_ALL = /(?:\*|(?:^|\/)[^/.]*\{[^/.]*,[^/.]*\})[^/.]*$/;

/** Whether a source is a folder: a project, and no document. */
export async function isFolder(source: string, cwd: string): Promise<boolean> {
  if (source === '-' || /^https?:\/\//i.test(source)) return false;
  return stat(resolve(cwd, source)).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

/** Options of a source that a running server accepts too. */
const OF_SERVER = ['include', 'exclude'];

/** Lists the given flags that only compiling uses: a `document`, or a `source` of either kind. */
export function listCompileFlags(kind: 'document' | 'source', flags: object): string[] {
  const groups = kind === 'document' ? (['document'] as const) : (['document', 'server', 'source'] as const);
  const flagNames = new Set(Object.keys(omitUndefined(flags)));
  return listRows(...groups)
    .filter(([name]) => flagNames.has(name) && !OF_SERVER.includes(name))
    .map(([, { flag = '' }]) => flag.replace(/ .*/, ''));
}

/** Reports flags that `mcpgen serve` cannot apply. `why` continues the sentence that begins with the flag. */
export function reportInapplicableFlags(
  flags: readonly string[],
  why: string,
  diagnostics: DiagnosticCollector,
): void {
  for (const flag of flags)
    diagnostics.report('invalid-usage', {
      problem: `${flag} ${why}`,
      suggestion: '',
      command: 'mcpgen serve',
    });
}
