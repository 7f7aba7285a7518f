/** Which tools are listed, which of them are pinned, and the names that tools of the search surface have. */
import { SURFACE_TOOLS, type SurfaceName } from '../model/listed-items.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { ParametersOf } from '../diagnostics/registry.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import type { Operation, SourceModel } from '../model/source-model.ts';
import { LARGE, isLargeList } from '../model/listed-tools.ts';
import { measureTool } from './listing-cost.ts';
import type { DeriveOptions } from './options.ts';
import { type NameOf, type SelectorUses, parseSelectors } from './selection.ts';

/** Sets the surface. `auto` is decided only once and then kept in the lock, since clients know which tools a server lists. */
export function decideSurface(
  model: ServerModel,
  { surface = 'tools', lockedSurface, budget }: Pick<DeriveOptions, 'surface' | 'lockedSurface' | 'budget'>,
  diagnostics: DiagnosticCollector,
): ServerModel {
  if (surface !== 'auto') return surface === 'tools' ? model : { ...model, surface };
  const { tools } = model;
  const tokens = countTokens(tools);
  const { listTokens = LARGE.tokens } = budget ?? {};
  const chosen: SurfaceName = isLargeList(tools.length, tokens, listTokens) ? 'search' : 'tools';
  const facts = { tools: tools.length, tokens };
  if (lockedSurface !== undefined && lockedSurface !== chosen)
    diagnostics.report('surface-kept', { ...facts, surface: lockedSurface, other: chosen });
  else if (lockedSurface === undefined) diagnostics.report('surface-chosen', { ...facts, surface: chosen });
  return { ...model, surface: lockedSurface ?? chosen };
}

/** Returns zero above the limit of tools, since the surface is then a search, whatever the tokens. */
function countTokens(tools: readonly Tool[]): number {
  if (tools.length > LARGE.tools) return 0;
  return tools.reduce((sum, tool) => sum + measureTool(tool).tokens, 0);
}

/** Models choose worse among more tools. */
const MANY_TOOLS = 40;

/** Most tags that a hint names. */
const MOST_TAGS = 5;

/** Warns of many tools, and of a long list: clients cap them, and models read all of it before they do anything. */
export function reportLargeList(
  { tools, surface = 'tools' }: ServerModel,
  sources: readonly SourceModel[],
  budget: DeriveOptions['budget'],
  diagnostics: DiagnosticCollector,
): void {
  const [first] = sources;
  if (first === undefined || surface === 'search') return;
  const at = first.origin;
  const facts = { of: describeSourceKinds(sources), tags: describeTags(tools) };
  const tokens = budget?.listTokens === undefined ? countTokens(tools) : 0;
  const problems = [
    ...(tools.length > MANY_TOOLS
      ? [
          tools.length > LARGE.tools
            ? `it has ${tools.length} tools, and above ${LARGE.tools} common clients ignore tools or refuse the server`
            : `it has ${tools.length} tools, and above ${MANY_TOOLS} models choose worse and some clients list only a part`,
        ]
      : []),
    ...(tokens > LARGE.tokens
      ? [
          `its ${tools.length} tools take about ${tokens} tokens, which are sent to the model with each request`,
        ]
      : []),
  ];
  for (const problem of problems) diagnostics.report('many-tools', { problem, ...facts }, { at });
}

function describeSourceKinds(sources: readonly SourceModel[]): ParametersOf<'many-tools'>['of'] {
  const ofFunctions = sources.filter(({ capabilities }) =>
    capabilities.some(({ kind }) => kind === 'function-tool'),
  );
  if (ofFunctions.length === 0) return 'documents';
  return ofFunctions.length === sources.length ? 'functions' : 'both';
}

/** Writes the tags of most tools: `repos (201), actions (184)`. */
function describeTags(tools: readonly Tool[]): string {
  const counts = new Map<string, number>();
  for (const tag of tools.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, MOST_TAGS)
    .map(([tag, count]) => `${tag} (${String(count)})`)
    .join(', ');
}

interface Pins {
  selectors: readonly string[];
  nameOf: NameOf;
  uses: SelectorUses;
  diagnostics: DiagnosticCollector;
}

/** `x-mcp.pin` wins over the selectors. */
export function markPinnedTools(
  tools: readonly Tool[],
  served: readonly Operation[],
  { selectors, nameOf, uses, diagnostics }: Pins,
): void {
  const parsed = parseSelectors(selectors, nameOf, diagnostics);
  for (const selector of parsed) uses.noteUse(selector, served, nameOf);
  const isPinned = (operation: Operation): boolean =>
    operation.xMcp?.pin ?? parsed.some(({ matches }) => matches(operation));
  const pinned = new Set(served.filter(isPinned).map(nameOf));
  for (const tool of tools) if (pinned.has(tool.name)) tool.pin = true;
}

/** Operations were renamed before, so only names that a person has given to functions are left. */
export function reportReservedNames({ tools }: ServerModel, diagnostics: DiagnosticCollector): void {
  for (const { name, origin } of tools)
    if (SURFACE_TOOLS.includes(name)) diagnostics.report('name-taken', { reserved: name }, { at: origin });
}
