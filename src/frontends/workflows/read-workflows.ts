/** Reads the files of workflows, in JSON or YAML. */
import { resolve } from 'node:path';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { SourceTexts } from '../../diagnostics/locate/text-places.ts';
import type { Observer } from '../../model/observer.ts';
import type { WorkflowFile } from '../../model/workflows.ts';
import { toLineColumn } from '../../util/text-lines.ts';
import { isLoadFailure } from '../openapi/load/load-failure.ts';
import { defaultDocumentLimits } from '../openapi/load/loaded-document.ts';
import { parseText } from '../openapi/load/parse-text.ts';
import { decodeText, makeUnreadableFailure, readFile } from '../openapi/load/read-file.ts';

/** A workflow has 50 steps at most. */
const MAX_BYTES = 4 * 1024 * 1024;

export function readWorkflowFiles(
  paths: readonly string[],
  { cwd = '.', observer }: { cwd?: string | undefined; observer?: Observer | undefined },
  diagnostics: DiagnosticCollector,
): { files: WorkflowFile[]; texts: SourceTexts } {
  const texts = new Map<string, string>();
  const files = paths.flatMap((file): WorkflowFile[] => {
    const path = resolve(cwd, file);
    observer?.file(path);
    const bytes = readFile(path, file, MAX_BYTES);
    const text = isLoadFailure(bytes) ? bytes : decodeText(bytes, file);
    if (typeof text === 'string') texts.set(file, text);
    const parsed = typeof text === 'string' ? parseText(text, file, defaultDocumentLimits) : text;
    // What aliases repeat would be read once for each.
    const isExpanded = !isLoadFailure(parsed) && (parsed.aliases ?? 0) > 0;
    const reading = isExpanded ? makeUnreadableFailure(file, 'workflows have no aliases of YAML') : parsed;
    if (isLoadFailure(reading)) {
      reading.report((name, parameters, place) => diagnostics.report(name, parameters, place));
      return [];
    }
    for (const { key, offset } of reading.duplicateKeys ?? []) {
      const place = toLineColumn(texts.get(file) ?? '', offset);
      diagnostics.report('duplicate-key', { key }, { at: { kind: 'code', file, ...place } });
    }
    return [{ file, value: reading.value }];
  });
  return { files, texts: { textOf: (file) => texts.get(file) } };
}
