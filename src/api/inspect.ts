/** Lists what a server would offer, and measures what listing it costs a client. */
import { type Compilation, compile } from './compile.ts';
import type { CompileOptions, DocumentCompileOptions } from './options.ts';
import type { RunSwitches, ServerOptions } from '../config/options/option-types.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { reportBudget } from '../lint/budget.ts';
import { omitUndefined } from '../util/collections.ts';
import type { ServerModel } from '../model/server-model.ts';
import { type ListingCost, listingCost } from '../derive/listing-cost.ts';

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
  return { ...compilation, cost: listingCost(model) };
}

/** Reports what exceeds the budget of the configuration, or `maxTokens` of one run. */
export function reportExceededBudget(
  model: ServerModel,
  { budget, maxTokens }: Pick<ServerOptions, 'budget'> & Pick<RunSwitches, 'maxTokens'>,
  diagnostics: DiagnosticCollector,
): void {
  if (budget === undefined && maxTokens === undefined) return;
  reportBudget(model, { ...budget, ...omitUndefined({ listTokens: maxTokens }) }, diagnostics);
}
