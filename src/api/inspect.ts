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
import { listedTools } from '../model/listed-tools.ts';
import type { ListedTool, ObjectSchema, SurfaceName } from '../../templates/runtime/contract/json-schema.ts';
import { surfaceTools } from '../../templates/runtime/search/tools.ts';

export interface Inspection extends Compilation {
  /** Absent after an error. */
  cost?: ListingCost;
}

export interface ListingCost {
  /** Tools that `tools/list` has: with a search surface, the five that search, and pinned ones. */
  listed: number;
  /** UTF-8 bytes of JSON. */
  bytes: number;
  /** An estimate of o200k: other models count a little differently. */
  tokens: number;
  /** If it is not what is listed: all tools of the source. */
  all?: { bytes: number; tokens: number };
  /** All tools of the source. */
  tools: { name: string; bytes: number; tokens: number }[];
}

/** Compiles a document and measures what clients would list. Nothing is written. */
export async function inspect(options: CompileOptions | DocumentCompileOptions): Promise<Inspection> {
  const compilation = await compile(options);
  const { model } = compilation;
  return model === undefined ? compilation : { ...compilation, cost: listingCost(model) };
}

interface ListingServer {
  tools: readonly (ListedTool & { pin?: boolean; strictInput?: ObjectSchema })[];
  surface?: SurfaceName;
  title?: string;
}

export function listingCost(server: ListingServer): ListingCost {
  const { tools, surface = 'tools', title = '' } = server;
  const costs = tools.map((tool) => ({ name: tool.name, ...measureSize(listedMembers(tool)) }));
  const all = sumCosts(costs);
  if (surface === 'tools') return { listed: tools.length, ...all, tools: costs };
  const hasTasks = tools.some(({ execution }) => (execution?.taskSupport ?? 'forbidden') !== 'forbidden');
  const searching = surfaceTools(title, tools.length, hasTasks).map(measureSize);
  const names = new Set(listedTools(server).map(({ name }) => name));
  const listed = [...searching, ...costs.filter(({ name }) => names.has(name))];
  return { listed: listed.length, ...sumCosts(listed), all, tools: costs };
}

/** The list itself may be longer than any string. */
function sumCosts(costs: readonly { bytes: number; tokens: number }[]): { bytes: number; tokens: number } {
  const separators = Math.max(0, costs.length - 1);
  return {
    bytes: costs.reduce((sum, cost) => sum + cost.bytes, '{"tools":[]}'.length + separators),
    tokens: costs.reduce((sum, cost) => sum + cost.tokens, 0),
  };
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
  strictInput,
}: ListingServer['tools'][number]): unknown {
  return {
    ...{ name, title, description, icons, annotations, _meta },
    inputSchema: listedInput(strictInput ?? inputSchema).schema,
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
