import type { Flags } from '../../config/options/option-types.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { join } from 'node:path';
import { type Outcome, combineOutcomes, outcomeOfDiagnostics, outcomeWithoutSource } from '../outcome.ts';
import type { Host } from '../host.ts';
import { type SourceOptions, runForServers } from '../sources.ts';
import { withProgress } from '../progress.ts';
import { printablePath } from '../words.ts';

export async function inspectSource(source: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const run = { flags, host, diagnostics, command: 'mcpgen inspect' };
  const outcomes = await runForServers(source, run, (options) => inspectServer(source, options, flags, host));
  return outcomes === undefined ? outcomeWithoutSource(diagnostics) : combineOutcomes(outcomes, host);
}

async function inspectServer(
  source: string,
  options: SourceOptions,
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const { inspect } = await import('../../api/inspect.ts');
  return withProgress(source, flags, host, async (onStage) => {
    const { diagnostics, texts, model, cost } = await inspect({ ...options, onStage });
    const outcome = await outcomeOfDiagnostics(diagnostics, texts);
    if (model === undefined || cost === undefined) return outcome;
    const { renderModel } = await import('../render-model.ts');
    const { shareRepeatedSchemas } = await import('../../model/shared-schemas.ts');
    const text = renderModel(model, cost, host.stdout.paint);
    // `inspect` does not run the code of the project.
    const handlers = options.dir && printablePath(join(options.dir, 'src/handlers/'));
    const next = handlers && `  What ${handlers} adds or replaces is not shown.\n`;
    const printed = flags.json === true ? shareRepeatedSchemas(model) : model;
    return { ...outcome, result: printed, document: printed, text, next };
  });
}
