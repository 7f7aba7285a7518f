/** Measures what clients list of a server, and what that costs them. */
import type { ListedTool, SurfaceName } from '../model/listed-items.ts';
import { describeTool, listSurfaceTools } from '../../templates/runtime/features/search/tools.ts';
import { toolsToList } from '../model/listed-tools.ts';
import { estimateTokens } from '../util/estimate-tokens.ts';
import { cutInputForListing } from './schema/cut-schema.ts';
import { toListedSchema } from './schema/listed-schema.ts';

interface ToolCost {
  /** UTF-8 bytes of JSON. */
  bytes: number;
  /** Estimated by the encoding o200k; other models count slightly differently. */
  tokens: number;
}

export interface ListingCost extends ToolCost {
  /** Tools that `tools/list` has: with a search surface, the tools that search, and pinned ones. */
  listed: number;
  /** The cost of all tools of the source, if not all are listed. */
  all?: ToolCost;
  /** All tools of the source. */
  tools: (ToolCost & { name: string })[];
}

interface ListingServer {
  tools: readonly (ListedTool & { pin?: boolean })[];
  surface?: SurfaceName;
  readOnly?: boolean;
  title?: string;
}

export function listingCost(server: ListingServer): ListingCost {
  const costs = server.tools.map((tool) => ({ name: tool.name, ...measureTool(tool) }));
  const added = makeAddedTools(server).map(measureTool);
  const whole = { ...sumCosts(costs), tools: costs };
  if (added.length === 0) return { listed: costs.length, ...whole };
  const names = new Set(toolsToList(server).map(({ name }) => name));
  const listed = [...added, ...costs.filter(({ name }) => names.has(name))];
  const { tools, ...all } = whole;
  return { listed: listed.length, ...sumCosts(listed), all, tools };
}

/** How many tools clients list, with those that mcpgen adds: for search, or to describe cut schemas. */
export function countListed(server: ListingServer): number {
  return collectListedTools(server).length;
}

/** The tools that `tools/list` has: those that mcpgen adds come first. */
export function collectListedTools<T extends ListingServer['tools'][number]>(
  server: ListingServer & { tools: readonly T[] },
): readonly (ListedTool | T)[] {
  return [...makeAddedTools(server), ...toolsToList(server)];
}

/** Returns the tools that search (three if the server only reads), or the one that describes cut schemas. */
function makeAddedTools({ tools, surface = 'tools', readOnly, title = '' }: ListingServer): ListedTool[] {
  if (surface === 'tools') return hasCutSchema(tools) ? [describeTool as ListedTool] : [];
  const hasTasks = tools.some(({ execution }) => (execution?.taskSupport ?? 'forbidden') !== 'forbidden');
  const searching = listSurfaceTools(title, tools.length, hasTasks) as ListedTool[];
  return readOnly === true
    ? searching.filter(({ annotations }) => annotations?.readOnlyHint === true)
    : searching;
}

/** Whether some input schema is listed in part, so that clients need a way to read the rest. */
export function hasCutSchema(tools: ListingServer['tools']): boolean {
  return tools.some(({ inputSchema }) => cutInputForListing(inputSchema).isCut);
}

/** Adds up the costs of tools, since the list itself may be longer than any string. */
function sumCosts(costs: readonly ToolCost[]): ToolCost {
  const separators = Math.max(0, costs.length - 1);
  return {
    bytes: costs.reduce((sum, cost) => sum + cost.bytes, '{"tools":[]}'.length + separators),
    tokens: costs.reduce((sum, cost) => sum + cost.tokens, 0),
  };
}

/** Measures the members of MCP `Tool`, without the binding and the rest that stays in the server. */
export function measureTool(tool: ListingServer['tools'][number]): ToolCost {
  const { name, title, description, icons, annotations, _meta, inputSchema, outputSchema } = tool;
  const text = JSON.stringify({
    ...{ name, title, description, icons, annotations, _meta },
    inputSchema: cutInputForListing(inputSchema).schema,
    outputSchema: outputSchema && toListedSchema(outputSchema),
  });
  return { bytes: Buffer.byteLength(text), tokens: estimateTokens(text) };
}
