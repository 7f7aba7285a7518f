/**
 * Selects the operations to serve, as tools, resources or both. In order of priority: `x-mcp` › `--exclude` ›
 * `--include` › route map.
 */
import type { Selectable } from '../model/bindings.ts';
import { compileGlob } from '../util/glob.ts';
import { parseSelector } from '../../templates/runtime/settings.ts';
import { nearest } from '../../templates/runtime/validate.ts';
import type { RouteRule } from '../config/options/sources.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { operationKey } from '../model/operation-key.ts';
import type { Origin } from '../model/origin.ts';
import type { Operation, SourceModel } from '../model/source-model.ts';
import type { DeriveOptions } from './options.ts';

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
  uses: SelectorUses,
  diagnostics: DiagnosticCollector,
): Selected[] {
  const operations = source.capabilities.filter((capability) => capability.kind === 'operation');
  const include = parseSelectors(options.include ?? [], nameOf, diagnostics);
  const exclude = parseSelectors(options.exclude ?? [], nameOf, diagnostics);
  for (const { kind } of include) uses.kinds.add(`\`${kind}:\``);
  for (const selector of [...include, ...exclude]) uses.noteUse(selector, operations, nameOf);
  const routes = (options.routeMap ?? []).map((rule) => ({ as: rule.as, matches: compileRouteRule(rule) }));
  const selected = operations.flatMap((operation) => {
    const enabled = operation.xMcp?.enabled;
    if (enabled === false) return [];
    if (enabled === undefined && source.xMcp?.enabled === false) {
      reportNamedButNotServed(operation, diagnostics);
      return [];
    }
    if (
      enabled !== true &&
      !(!exclude.some(({ matches }) => matches(operation)) && matchesAllKinds(include, operation))
    )
      return [];
    const route = routes.find(({ matches }) => matches(operation))?.as;
    return chooseToolOrResource(operation, route, source) ?? [];
  });
  uses.served += selected.length;
  uses.offered += operations.length;
  return selected;
}

/** A name in `x-mcp` suggests that its author expected the tool to be served. */
function reportNamedButNotServed(operation: Operation, diagnostics: DiagnosticCollector): void {
  const name = operation.xMcp?.name;
  if (name === undefined) return;
  const at = operation.origin;
  diagnostics.report('named-but-not-served', { operation: operationKey(operation), name }, { at });
}

function chooseToolOrResource(
  operation: Operation,
  route: Route | undefined,
  source: SourceModel,
): Selected | undefined {
  const setting = operation.xMcp?.resource;
  const wish = setting ?? source.xMcp?.resource;
  if (route === 'exclude' && operation.xMcp?.enabled !== true) return undefined;
  const onlyResource =
    wish === 'only' || (setting === undefined && (route === 'resource' || route === 'template'));
  if (onlyResource) return { operation, tool: false, resource: 'wanted' };
  const resource =
    wish === false ? 'no' : setting === true ? 'wanted' : route === 'tool' ? 'no' : 'if-possible';
  return { operation, tool: true, resource };
}

/** A selector without matches is probably a mistake. One that holds for several documents needs a match in one. */
export class SelectorUses {
  /** Operations of all documents, and those of them that are served. */
  offered = 0;
  served = 0;
  /** The kinds of selectors that `--include` names: `op`, `tag`, `path`, `method`. */
  readonly kinds = new Set<string>();
  /** The selectors without a match, with suggestions. */
  readonly #idle = new Map<string, string>();
  readonly #matched = new Set<string>();

  noteUse(selector: Selector, operations: readonly Operation[], nameOf: NameOf): void {
    if (operations.some((operation) => selector.matches(operation))) this.#matched.add(selector.text);
    const value = selector.text.slice(selector.text.indexOf(':') + 1).trim();
    const near = nearest(
      value,
      operations.flatMap((operation) => toSelectable(operation, nameOf)[selector.kind]),
    );
    this.#idle.set(selector.text, near === undefined ? '' : ` Did you mean \`${selector.kind}:${near}\`?`);
  }

  report(at: Origin | undefined, diagnostics: DiagnosticCollector): void {
    const kinds = [...this.kinds].join(', ');
    if (this.offered > 0 && this.served === 0 && !diagnostics.hasErrors)
      diagnostics.report('nothing-selected', { operations: this.offered, kinds }, { at });
    for (const [selector, suggestion] of this.#idle)
      if (!this.#matched.has(selector))
        diagnostics.report('selector-matches-nothing', { selector, suggestion });
  }
}

type Route = RouteRule['as'];

function compileRouteRule({
  methods,
  path,
  tags,
  operationId,
  deprecated,
}: RouteRule): (operation: Operation) => boolean {
  const upper = methods?.map((method) => method.toUpperCase());
  const pathTest = path === undefined ? undefined : compileGlob(path);
  const idTest = operationId === undefined ? undefined : compileGlob(operationId.replace(/\*+/g, '**'));
  return (operation) =>
    (upper === undefined || upper.includes(operation.method.toUpperCase())) &&
    (pathTest === undefined || pathTest(operation.path)) &&
    (tags === undefined || tags.some((tag) => operation.tags.includes(tag))) &&
    (idTest === undefined || idTest(operation.operationId ?? '')) &&
    (deprecated === undefined || deprecated === (operation.deprecated === true));
}

export type NameOf<T = Operation> = (operation: T) => string;

/** Selectors are compared with these members, and with the name. */
export type Described = Pick<Operation, 'tags' | 'method' | 'path' | 'operationId'>;

/** A selector of `--include` and `--exclude`: `tag:`, `path:`, `op:` or `method:`. */
interface Selector<T = Operation> {
  text: string;
  kind: keyof Selectable;
  matches: (operation: T) => boolean;
}

/** Selectors that cannot be read are reported. They match as those of a server's start do. */
export function parseSelectors<T extends Described>(
  texts: readonly string[],
  nameOf: NameOf<T>,
  diagnostics: DiagnosticCollector,
): Selector<T>[] {
  return texts.flatMap((text) => {
    try {
      const { kind, matches } = parseSelector(text);
      return { text, kind, matches: (operation: T) => matches(toSelectable(operation, nameOf)) };
    } catch {
      diagnostics.report('bad-selector', { selector: text });
      return [];
    }
  });
}

/** `op:` matches the operationId and the tool's name. */
function toSelectable<T extends Described>(operation: T, nameOf: NameOf<T>): Selectable {
  const { tags: tag, path, method, operationId } = operation;
  return {
    op: [...new Set([operationId ?? [], nameOf(operation)].flat())],
    tag,
    path: [path],
    method: [method],
  };
}

/** Lists the operations that are not among `selected`, for selectors of the server's start. */
export function listDeselected(
  source: SourceModel,
  selected: readonly Selected[],
  nameOf: NameOf,
): Selectable[] {
  const served = new Set(selected.map(({ operation }) => operation));
  return source.capabilities.flatMap((operation) =>
    operation.kind !== 'operation' || served.has(operation) ? [] : toSelectable(operation, nameOf),
  );
}

/** Selectors of one kind are alternatives; different kinds must all match. */
function matchesAllKinds(selectors: readonly Selector[], operation: Operation): boolean {
  return selectors.every(({ kind }) =>
    selectors.some((selector) => selector.kind === kind && selector.matches(operation)),
  );
}
