/** Budgets of tools and tokens, with what each way out would save. */
import type { Budget } from '../config/options/values.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { quoteShellWord } from '../diagnostics/quoting.ts';
import { type ListingCost, listingCost } from '../derive/listing-cost.ts';
import { toolsToList } from '../model/listed-tools.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import { trimText } from '../derive/text/plain-text.ts';

const DEAREST = 10;

/** Counts what clients list. */
export function reportBudget(model: ServerModel, budget: Budget, diagnostics: DiagnosticCollector): void {
  const { tools = Infinity, listTokens = Infinity, toolTokens = Infinity } = budget;
  const { listed: count, tokens } = listingCost(model);
  const listed = toolsToList(model);
  const cost = listingCost({ tools: listed });
  const dear = cost.tools.filter((tool) => tool.tokens > toolTokens);
  if (count <= tools && tokens <= listTokens && dear.length === 0) return;
  const dearest = nameCostliestTools(cost);
  const counted = [
    { what: 'tools', unit: 'tools', measure: 'listed', is: count, limit: tools },
    { what: 'tokens in `tools/list`', unit: 'tokens', measure: 'tokens', is: tokens, limit: listTokens },
  ] as const;
  for (const { unit, measure, ...facts } of counted.filter(({ is, limit }) => is > limit)) {
    const levers = describeSavings(model, listed, measure);
    diagnostics.report('over-budget', { ...facts, dearest, unit, levers });
  }
  for (const { name, tokens: toolCost } of dear) {
    const at = model.tools.find((tool) => tool.name === name)?.origin;
    diagnostics.report('over-budget', { tool: name, tokens: toolCost, limit: toolTokens }, { at });
  }
}

function nameCostliestTools({ tools }: ListingCost): string {
  return [...tools]
    .sort((one, other) => other.tokens - one.tokens)
    .slice(0, DEAREST)
    .map(({ name, tokens }) => `${name} ${String(tokens)}`)
    .join(', ');
}

const SHORT_DESCRIPTION = 200;

/** Says how many tools or tokens each way out saves: `--output-schema off saves 1200; --exclude tag:admin saves 900` */
function describeSavings(model: ServerModel, tools: readonly Tool[], measure: 'listed' | 'tokens'): string {
  const now = listingCost(model)[measure];
  const tag = findLargestTag(tools);
  const short = `descriptions of ${String(SHORT_DESCRIPTION)} characters (\`budget.description\`)`;
  const levers: [string, Partial<ServerModel>][] = [
    ['`--output-schema off`', { tools: tools.map(({ outputSchema, ...rest }) => (void outputSchema, rest)) }],
    [short, { tools: tools.map(shortenDescription) }],
  ];
  if (tag !== undefined)
    levers.push([
      `\`--exclude ${quoteShellWord(`tag:${tag}`)}\``,
      { tools: tools.filter(({ tags }) => !tags.includes(tag)) },
    ]);
  levers.push(
    model.surface === 'search'
      ? ['listing no pinned tools (`x-mcp.pin`, `--pin`)', { tools: [] }]
      : ['`--surface search`', { surface: 'search' }],
  );
  return levers
    .map(([lever, change]) => ({ lever, saved: now - listingCost({ ...model, ...change })[measure] }))
    .filter(({ saved }) => saved > 0)
    .sort((one, other) => other.saved - one.saved)
    .map(({ lever, saved }) => `${lever} saves ${String(saved)}`)
    .join('; ');
}

function shortenDescription({ description, ...tool }: Tool): Tool {
  return description === undefined
    ? tool
    : { ...tool, description: trimText(description, SHORT_DESCRIPTION) };
}

/** The tag of most tools. */
function findLargestTag(tools: readonly Tool[]): string | undefined {
  const counts = new Map<string, number>();
  for (const tag of tools.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))[0]?.[0];
}
