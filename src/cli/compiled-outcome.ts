import type { Flags } from '../config/options/option-types.ts';
import { compile } from '../api/compile.ts';
import type { CompileOptions } from '../api/options.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import { checkSendingOfModel } from '../project/check-sending.ts';
import { readSendingConsent } from './compile-options.ts';
import type { Host } from './host.ts';
import { type Outcome, outcomeOfDiagnostics } from './outcome.ts';
import type { ServedModel } from '../serve/serve-model.ts';

export interface Compiled {
  outcome: Outcome;
  served?: ServedModel;
}

/** Compiles a server that runs without a project. */
export async function compileForServing(
  options: CompileOptions,
  flags: Flags,
  host: Host,
): Promise<Compiled> {
  const { model, app, texts, diagnostics: compileDiagnostics } = await compile(options);
  const diagnostics = new DiagnosticCollector();
  const line =
    model && (await checkSendingOfModel(model, options, readSendingConsent(flags, host), diagnostics));
  const warnings = diagnostics.found.filter(({ severity }) => severity !== 'info');
  const outcome = await outcomeOfDiagnostics([...compileDiagnostics, ...warnings], texts);
  if (model === undefined || diagnostics.hasErrors) return { outcome };
  if (line !== undefined) host.stderr.write(`${line}\n`);
  return { outcome, served: { model, app: app?.({ maps: true, inPlace: true }) } };
}
