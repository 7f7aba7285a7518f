/** Words about the surface as a whole: clients cap how many tools they take, and models lose their way before. */
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { SourceModel } from '../model/source-model.ts';

const manyTools = 40;
const tooManyTools = 128;

export function reportToolCount(tools: number, source: SourceModel, diagnostics: DiagnosticCollector): void {
  const at = source.origin;
  if (tools > tooManyTools) diagnostics.report('too-many-tools', { tools, limit: tooManyTools }, { at });
  else if (tools > manyTools) diagnostics.report('many-tools', { tools, limit: manyTools }, { at });
}
