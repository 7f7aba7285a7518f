/** Lists what a server would offer, and measures what listing it costs a client. */
import { type Compilation, compile } from './compile.ts';
import type { CompileOptions, DocumentCompileOptions } from './options.ts';
import type { RunSwitches, ServerOptions } from '../config/options/option-types.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { reportBudgetWithPauses } from '../lint/budget.ts';
import { omitUndefined } from '../util/collections.ts';
import type { ServerModel } from '../model/server-model.ts';
import { type ListingCost, listingCostWithPauses } from '../derive/listing-cost.ts';
import { runWithPauses } from '../util/pauses.ts';

export { type ListingCost, countListed } from '../derive/listing-cost.ts';

export interface Inspection extends Compilation {
  /** Absent after an error. */
  cost?: ListingCost;
}

/** Compiles a document and measures what clients would list. Nothing is written. */
export async function inspect(options: CompileOptions | DocumentCompileOptions): Promise<Inspection> {
  const compilation = await compile(options);
  const { model } = compilation;
  if (model === undefined) return compilation;
  return { ...compilation, cost: await runWithPauses(listingCostWithPauses(model), options.signal) };
}

/** Reports what exceeds the budget of the configuration, or `maxTokens` of one run. */
export async function reportExceededBudget(
  model: ServerModel,
  {
    budget,
    maxTokens,
    signal,
  }: Pick<ServerOptions, 'budget'> & Pick<RunSwitches, 'maxTokens'> & Pick<CompileOptions, 'signal'>,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  if (budget === undefined && maxTokens === undefined) return;
  const limits = { ...budget, ...omitUndefined({ listTokens: maxTokens }) };
  await runWithPauses(reportBudgetWithPauses(model, limits, diagnostics), signal);
}
