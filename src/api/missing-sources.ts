import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { isUrl } from '../config/options/make-config.ts';
import { type SourceInput, isDocument, listSourceFiles } from '../config/options/sources.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';

/** Reports files on the command line that do not exist, where compiling them comes later. */
export async function reportMissingSource(
  source: SourceInput,
  { cwd }: { cwd: string },
  diagnostics: DiagnosticCollector,
): Promise<void> {
  if (!isDocument(source)) {
    const { findFiles } = await import('../frontends/typescript/program/find-files.ts');
    findFiles(listSourceFiles(source), { cwd }, diagnostics);
    return;
  }
  const { openapi } = source;
  if (openapi !== '-' && !isUrl(openapi) && !existsSync(resolve(cwd, openapi)))
    diagnostics.report('source-not-found', { source: openapi });
}
