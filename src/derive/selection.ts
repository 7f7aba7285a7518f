/** Which operations are served, and as what: `x-mcp` › `--exclude` › `--include` › route map › both. */
import { suggest } from '../../templates/runtime/contract/suggest.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Operation, SourceModel } from '../model/source-model.ts';
import { operationKey } from './operation-key.ts';
import type { DeriveOptions } from './options.ts';
import { compileRouteMap, type Route } from './route-map.ts';
import { matchesAll, type NameOf, namesOf, parseSelectors, type Selector } from './selector.ts';

export interface Selected {
  operation: Operation;
  tool: boolean;
  /** `wanted`: the user asked for it, so a failure is reported. */
  resource: 'no' | 'if-possible' | 'wanted';
}

export function selectOperations(
  source: SourceModel,
  options: Pick<DeriveOptions, 'include' | 'exclude' | 'routeMap'>,
  nameOf: NameOf,
  diagnostics: DiagnosticCollector,
): Selected[] {
  const operations = source.capabilities.filter((capability) => capability.kind === 'operation');
  const include = parseSelectors(options.include ?? [], nameOf, diagnostics);
  const exclude = parseSelectors(options.exclude ?? [], nameOf, diagnostics);
  for (const selector of [...include, ...exclude]) reportIdle(selector, operations, nameOf, diagnostics);
  const route = compileRouteMap(options.routeMap ?? []);
  const selected = operations.flatMap((operation) => {
    const enabled = operation.xMcp?.enabled;
    if (enabled === false) return [];
    if (enabled === undefined && source.xMcp?.enabled === false) {
      reportNamed(operation, diagnostics);
      return [];
    }
    if (enabled !== true && !isIncluded(operation, include, exclude)) return [];
    return serveAs(operation, route(operation), source) ?? [];
  });
  if (operations.length > 0 && selected.length === 0 && !diagnostics.hasErrors)
    diagnostics.report('nothing-selected', { operations: operations.length }, { at: source.origin });
  return selected;
}

/** A name in `x-mcp` suggests that its author expected the tool to be served. */
function reportNamed(operation: Operation, diagnostics: DiagnosticCollector): void {
  const name = operation.xMcp?.name;
  if (name === undefined) return;
  const at = operation.origin;
  diagnostics.report('named-but-not-served', { operation: operationKey(operation), name }, { at });
}

function isIncluded(
  operation: Operation,
  include: readonly Selector[],
  exclude: readonly Selector[],
): boolean {
  if (exclude.length > 0 && matchesAll(exclude, operation)) return false;
  return matchesAll(include, operation);
}

function serveAs(operation: Operation, route: Route | undefined, source: SourceModel): Selected | undefined {
  const own = operation.xMcp?.resource;
  const asked = own ?? source.xMcp?.resource;
  if (route === 'exclude' && operation.xMcp?.enabled !== true) return undefined;
  const onlyResource =
    asked === 'only' || (own === undefined && (route === 'resource' || route === 'template'));
  if (onlyResource) return { operation, tool: false, resource: 'wanted' };
  const resource = asked === false ? 'no' : own === true ? 'wanted' : route === 'tool' ? 'no' : 'if-possible';
  return { operation, tool: true, resource };
}

/** A selector without matches is probably a mistake. */
export function reportIdle(
  selector: Selector,
  operations: readonly Operation[],
  nameOf: NameOf,
  diagnostics: DiagnosticCollector,
): void {
  if (operations.some((operation) => selector.matches(operation))) return;
  const value = selector.text.slice(selector.text.indexOf(':') + 1).trim();
  const near = suggest(value, candidatesFor(selector, operations, nameOf));
  diagnostics.report('selector-matches-nothing', {
    selector: selector.text,
    suggestion: near === undefined ? '' : ` Did you mean \`${selector.kind}:${near}\`?`,
  });
}

function candidatesFor({ kind }: Selector, operations: readonly Operation[], nameOf: NameOf): string[] {
  const values = operations.flatMap((operation) => {
    if (kind === 'tag') return operation.tags;
    if (kind === 'path') return operation.path;
    return kind === 'method' ? operation.method.toLowerCase() : namesOf(operation, nameOf);
  });
  return [...new Set(values)];
}
