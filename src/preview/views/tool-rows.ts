/** The tools of a server, a row each. */
import type { Diagnostic } from '../../diagnostics/collector.ts';
import { listingCost } from '../../derive/listing-cost.ts';
import { isPlaceInTool } from '../../lint/score.ts';
import { toolsToList } from '../../model/listed-tools.ts';
import type { Tool } from '../../model/server-model.ts';
import { omitUndefined } from '../../util/collections.ts';
import { cutInputForListing, toListedSchema } from '../../emit/index.ts';
import { estimateTokens } from '../../util/estimate-tokens.ts';
import type { TokenParts, ToolRow } from '../protocol.ts';
import type { CompiledServer } from '../workspace.ts';

/** The rows of `tools`. Default: all. */
export function makeToolRows({ report }: CompiledServer, tools = report.model?.tools ?? []): ToolRow[] {
  const { model } = report;
  if (model === undefined) return [];
  const { cost = listingCost(model), tools: scores = [] } = report;
  const tokens = new Map(cost.tools.map((tool) => [tool.name, tool.tokens]));
  const points = new Map(scores.map(({ name, score }) => [name, score]));
  const listed = new Set(toolsToList(model).map(({ name }) => name));
  const counts = countFindings(tools, report);
  return tools.map((tool) => ({
    name: tool.name,
    ...omitUndefined({ title: tool.title }),
    ...originAndMethod(tool),
    tags: tool.tags,
    access: accessByHints(tool),
    pin: tool.pin === true,
    isListed: listed.has(tool.name),
    tokens: countTokensByPart(tool, tokens.get(tool.name) ?? 0),
    score: points.get(tool.name) ?? 100,
    findings: counts.get(tool.name) ?? 0,
  }));
}

/** Estimated tokens of the members of a listed tool. `total` is that of the whole, which costs a little more or less. */
function countTokensByPart(tool: Tool, total: number): TokenParts {
  const { name, title, description, inputSchema, outputSchema, annotations, icons, _meta } = tool;
  const rest = omitUndefined({ annotations, icons, _meta });
  return {
    total,
    name: countTokensOf({ name, title }),
    description: countTokensOf(description),
    input: countTokensOf(cutInputForListing(inputSchema).schema),
    output: countTokensOf(outputSchema && toListedSchema(outputSchema)),
    annotations: Object.keys(rest).length === 0 ? 0 : countTokensOf(rest),
  };
}

function countTokensOf(value: unknown): number {
  return value === undefined ? 0 : estimateTokens(JSON.stringify(value));
}

function originAndMethod({ binding, origin }: Tool): Pick<ToolRow, 'origin' | 'method'> {
  if (binding.kind === 'http') return { origin: `${binding.method} ${binding.path}`, method: binding.method };
  return { origin: origin.kind === 'code' ? `${origin.file}:${String(origin.line)}` : origin.file };
}

/** Reads hints as the search surface does: without them a tool may do anything. */
export function accessByHints({ annotations = {} }: Tool): ToolRow['access'] {
  if (annotations.readOnlyHint === true) return 'read';
  return annotations.destructiveHint === false ? 'write' : 'destructive';
}

function countFindings(
  tools: readonly Tool[],
  { findings = [], diagnostics }: CompiledServer['report'],
): Map<string, number> {
  const counts = new Map<string, number>();
  const countFinding = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const finding of findings) for (const name of finding.tools) countFinding(name);
  const judged = new Set(findings.map(({ diagnostic }) => diagnostic));
  for (const diagnostic of diagnostics)
    if (!judged.has(diagnostic) && diagnostic.severity !== 'info')
      for (const name of toolNamesAtOrigin(tools, diagnostic.origin)) countFinding(name);
  return counts;
}

/** The tools that a place belongs to. */
export function toolNamesAtOrigin(tools: readonly Tool[], origin: Diagnostic['origin']): string[] {
  return tools.filter((tool) => isPlaceInTool(tool, origin)).map(({ name }) => name);
}
