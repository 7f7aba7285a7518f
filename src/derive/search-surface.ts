/** Which tools are listed, which of them are pinned, and the names that tools of the search surface have. */
import { SURFACE_TOOLS, type SurfaceName } from '../../templates/runtime/contract/json-schema.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import type { Operation } from '../model/source-model.ts';
import { LARGE, isLarge } from '../model/listed-tools.ts';
import { estimateTokens } from '../util/estimate-tokens.ts';
import type { DeriveOptions } from './options.ts';
import { type NameOf, parseSelectors, noteUse } from './selection.ts';
import type { SharedSelectors } from './shared-selectors.ts';

/** Decides `auto` for the first time only: clients know which tools a server lists. */
export function withSurface(
  model: ServerModel,
  { surface = 'tools', lockedSurface, budget }: Pick<DeriveOptions, 'surface' | 'lockedSurface' | 'budget'>,
  diagnostics: DiagnosticCollector,
): ServerModel {
  if (surface !== 'auto') return surface === 'tools' ? model : { ...model, surface };
  const { tools } = model;
  const tokens = countTokens(tools);
  const { listTokens = LARGE.tokens } = budget ?? {};
  const chosen: SurfaceName = isLarge(tools.length, tokens, listTokens) ? 'search' : 'tools';
  const facts = { tools: tools.length, tokens };
  if (lockedSurface !== undefined && lockedSurface !== chosen)
    diagnostics.report('surface-kept', { ...facts, surface: lockedSurface, other: chosen });
  else if (lockedSurface === undefined) diagnostics.report('surface-chosen', { ...facts, surface: chosen });
  return { ...model, surface: lockedSurface ?? chosen };
}

/** Many tools are above the other limit anyway, and are not counted. */
function countTokens(tools: readonly Tool[]): number {
  if (tools.length > LARGE.tools) return 0;
  const listed = tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) =>
    estimateTokens(JSON.stringify({ name, title, description, inputSchema, outputSchema, annotations })),
  );
  return listed.reduce((sum, tokens) => sum + tokens, 0);
}

interface Pins {
  selectors: readonly string[];
  nameOf: NameOf;
  shared: SharedSelectors;
  diagnostics: DiagnosticCollector;
}

/** `x-mcp.pin` wins over the selectors. */
export function pinTools(
  tools: readonly Tool[],
  served: readonly Operation[],
  { selectors, nameOf, shared, diagnostics }: Pins,
): void {
  const parsed = parseSelectors(selectors, nameOf, diagnostics);
  for (const selector of parsed) noteUse(selector, served, nameOf, shared, diagnostics);
  const isPinned = (operation: Operation): boolean =>
    operation.xMcp?.pin ?? parsed.some(({ matches }) => matches(operation));
  const pinned = new Set(served.filter(isPinned).map(nameOf));
  for (const tool of tools) if (pinned.has(tool.name)) tool.pin = true;
}

/** Operations were renamed before, so only names that a person has given to functions are left. */
export function reportReservedNames({ tools }: ServerModel, diagnostics: DiagnosticCollector): void {
  for (const { name, origin } of tools)
    if (SURFACE_TOOLS.includes(name)) diagnostics.report('name-reserved', { name }, { at: origin });
}
