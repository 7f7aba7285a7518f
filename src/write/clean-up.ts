import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { FileSystem } from './file-system.ts';

/** Removes a temporary folder; a failure is a warning. */
export async function cleanUp(
  folder: string,
  fs: FileSystem,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  try {
    if ((await fs.look(folder)) !== undefined) await fs.removeTree(folder);
  } catch {
    diagnostics.report('leftover-folder', { folder });
  }
}
