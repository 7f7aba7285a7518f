/** Names and URIs that two would have: those of documents have been told apart, those of functions are a person's own. */
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { ParametersOf } from '../diagnostics/registry.ts';
import type { Origin } from '../model/origin.ts';
import type { ServerModel } from '../model/server-model.ts';

export function reportTakenNames(model: ServerModel, diagnostics: DiagnosticCollector): void {
  reportKind('tools', model.tools, ({ name }) => name, diagnostics);
  reportKind('resources', model.resources, ({ uri }) => uri, diagnostics);
  reportKind('resource templates', model.resourceTemplates, ({ uriTemplate }) => uriTemplate, diagnostics);
  reportKind('prompts', model.prompts, ({ name }) => name, diagnostics);
}

type Kind = ParametersOf<'name-taken'>['kind'];

function reportKind<T extends { origin: Origin }>(
  kind: Kind,
  items: readonly T[],
  nameOf: (item: T) => string,
  diagnostics: DiagnosticCollector,
): void {
  const first = new Map<string, T>();
  for (const item of items) {
    const name = nameOf(item);
    const other = first.get(name);
    if (other === undefined) first.set(name, item);
    else {
      const related = [{ message: 'The other one.', origin: other.origin }];
      diagnostics.report('name-taken', { kind, name }, { at: item.origin, related });
    }
  }
}
