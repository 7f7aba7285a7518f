/** Warns of too many tools: clients cap them, and models choose worse. */
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { ParametersOf } from '../diagnostics/registry.ts';
import type { SourceModel } from '../model/source-model.ts';

const manyTools = 40;
const tooManyTools = 128;

export function reportToolCount(
  tools: number,
  sources: readonly SourceModel[],
  diagnostics: DiagnosticCollector,
): void {
  const [first] = sources;
  if (first === undefined || tools <= manyTools) return;
  const [name, limit] =
    tools > tooManyTools ? (['too-many-tools', tooManyTools] as const) : (['many-tools', manyTools] as const);
  diagnostics.report(name, { tools, limit, of: findKinds(sources) }, { at: first.origin });
}

function findKinds(sources: readonly SourceModel[]): ParametersOf<'many-tools'>['of'] {
  const ofFunctions = sources.filter(({ capabilities }) =>
    capabilities.some(({ kind }) => kind === 'function-tool'),
  );
  if (ofFunctions.length === 0) return 'documents';
  return ofFunctions.length === sources.length ? 'functions' : 'both';
}
