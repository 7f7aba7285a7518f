/** Lists what a server would offer, and measures what listing it costs a client. */
import { type Compilation, compile } from './compile.ts';
import type { CompileOptions, DocumentCompileOptions } from './options.ts';
import type { RunSwitches, ServerOptions } from '../config/options/option-types.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { listedInput, listedSchema } from '../emit/index.ts';
import { reportBudget } from '../lint/budget.ts';
import { definedMembers } from '../util/collections.ts';
import { estimateTokens } from '../util/estimate-tokens.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { ListedTool } from '../../templates/runtime/contract/json-schema.ts';

export interface Inspection extends Compilation {
  /** Absent after an error. */
  cost?: ListingCost;
}

export interface ListingCost {
  /** UTF-8 bytes of JSON. */
  bytes: number;
  /** An estimate of o200k: other models count a little differently. */
  tokens: number;
  tools: { name: string; bytes: number; tokens: number }[];
}

/** Compiles a document and measures what clients would list. Nothing is written. */
export async function inspect(options: CompileOptions | DocumentCompileOptions): Promise<Inspection> {
  const compilation = await compile(options);
  const { model } = compilation;
  return model === undefined ? compilation : { ...compilation, cost: listingCost(model) };
}

export function listingCost({ tools }: { tools: readonly ListedTool[] }): ListingCost {
  const costs = tools.map((tool) => ({ name: tool.name, ...measureSize(listedMembers(tool)) }));
  // The list itself may be longer than any string.
  const separators = Math.max(0, tools.length - 1);
  const bytes = costs.reduce((sum, cost) => sum + cost.bytes, '{"tools":[]}'.length + separators);
  const tokens = costs.reduce((sum, cost) => sum + cost.tokens, 0);
  return { bytes, tokens, tools: costs };
}

/** The members of MCP `Tool`, without the binding and the rest that stays in the server. */
function listedMembers({
  name,
  title,
  description,
  icons,
  inputSchema,
  outputSchema,
  annotations,
  _meta,
}: ListedTool): unknown {
  return {
    ...{ name, title, description, icons, annotations, _meta },
    inputSchema: listedInput(inputSchema).schema,
    outputSchema: outputSchema && listedSchema(outputSchema),
  };
}

function measureSize(value: unknown): { bytes: number; tokens: number } {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  return { bytes, tokens: estimateTokens(text) };
}

/** Reports what exceeds the budget of the configuration, or `maxTokens` of one run. */
export function checkBudget(
  model: ServerModel,
  { budget, maxTokens }: Pick<ServerOptions, 'budget'> & Pick<RunSwitches, 'maxTokens'>,
  diagnostics: DiagnosticCollector,
): void {
  if (budget === undefined && maxTokens === undefined) return;
  const most = { ...budget, ...definedMembers({ listTokens: maxTokens }) };
  reportBudget(model, most, listingCost, diagnostics);
}
