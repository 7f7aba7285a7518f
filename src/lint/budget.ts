/** Budgets of tools and tokens, with what each way out would save. */
import type { Budget } from '../config/options/lint-options.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { countListed, listedTools } from '../model/listed-tools.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import { trimText } from '../derive/text/plain-text.ts';

/** Estimated tokens of `tools/list`, in all and by tool. */
interface Cost {
  tokens: number;
  tools: { name: string; tokens: number }[];
}

const DEAREST = 10;

/** About what the five tools of a search surface take. */
export const SEARCH_TOKENS = 600;

/** Counts what clients list. `measure` estimates the list of some tools. */
export function reportBudget(
  model: ServerModel,
  budget: Budget,
  measure: (server: Pick<ServerModel, 'tools'>) => Cost,
  diagnostics: DiagnosticCollector,
): void {
  const { tools = Infinity, listTokens = Infinity, toolTokens = Infinity } = budget;
  const listed = listedTools(model);
  const count = countListed(model);
  const own = measure({ tools: listed });
  const cost = { ...own, tokens: own.tokens + (count > listed.length ? SEARCH_TOKENS : 0) };
  const dear = cost.tools.filter((tool) => tool.tokens > toolTokens);
  if (count <= tools && cost.tokens <= listTokens && dear.length === 0) return;
  const dearest = nameDearest(cost);
  const levers = describeLevers({ ...model, tools: listed }, own, measure);
  if (count > tools)
    diagnostics.report('over-budget', { what: 'tools', is: count, most: tools, dearest, levers });
  if (cost.tokens > listTokens) {
    const parameters = { what: 'tokens in `tools/list`', is: cost.tokens, most: listTokens, dearest, levers };
    diagnostics.report('over-budget', parameters);
  }
  for (const { name, tokens } of dear) {
    const at = model.tools.find((tool) => tool.name === name)?.origin;
    diagnostics.report('tool-over-budget', { tool: name, is: tokens, most: toolTokens }, { at });
  }
}

function nameDearest({ tools }: Cost): string {
  return [...tools]
    .sort((one, other) => other.tokens - one.tokens)
    .slice(0, DEAREST)
    .map(({ name, tokens }) => `${name} ${String(tokens)}`)
    .join(', ');
}

const SHORT_DESCRIPTION = 200;

/** `--output-schema off saves 1200; --exclude tag:admin saves 900` */
function describeLevers(
  { tools, surface = 'tools' }: ServerModel,
  { tokens }: Cost,
  measure: (server: Pick<ServerModel, 'tools'>) => Cost,
): string {
  const tag = largestTag(tools);
  const levers: [string, Tool[]][] = [
    ['`--output-schema off`', tools.map(({ outputSchema, ...rest }) => (void outputSchema, rest))],
    [
      `descriptions of ${String(SHORT_DESCRIPTION)} characters (\`descriptionBudget\`)`,
      tools.map(withShortDescription),
    ],
  ];
  if (tag !== undefined)
    levers.push([`\`--exclude tag:${tag}\``, tools.filter(({ tags }) => !tags.includes(tag))]);
  const saving = levers.map(([lever, left]) => ({ lever, saved: tokens - measure({ tools: left }).tokens }));
  if (surface === 'tools') saving.push({ lever: '`--surface search`', saved: tokens - SEARCH_TOKENS });
  return saving
    .filter(({ saved }) => saved > 0)
    .sort((one, other) => other.saved - one.saved)
    .map(({ lever, saved }) => `${lever} saves ${String(saved)}`)
    .join('; ');
}

function withShortDescription({ description, ...tool }: Tool): Tool {
  return description === undefined
    ? tool
    : { ...tool, description: trimText(description, SHORT_DESCRIPTION) };
}

/** The tag of most tools. */
function largestTag(tools: readonly Tool[]): string | undefined {
  const counts = new Map<string, number>();
  for (const tag of tools.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))[0]?.[0];
}
