/**
 * Reports names and URIs that two items share. Names of operations were separated before, so a function is involved.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { ParametersOf } from '../../diagnostics/registry.ts';
import type { Origin } from '../../model/origin.ts';
import type { ServerModel } from '../../model/server-model.ts';

export function reportDuplicateNames(model: ServerModel, diagnostics: DiagnosticCollector): void {
  reportDuplicatesOfKind('tools', model.tools, ({ name }) => name, diagnostics);
  reportDuplicatesOfKind('resources', model.resources, ({ uri }) => uri, diagnostics);
  reportDuplicatesOfKind(
    'resource templates',
    model.resourceTemplates,
    // Names of variables do not tell URIs apart, except in a query.
    ({ uriTemplate }) => uriTemplate.replace(/\{[^?&}]*\}/g, '{}'),
    diagnostics,
  );
  reportDuplicatesOfKind('prompts', model.prompts, ({ name }) => name, diagnostics);
}

type Kind = Extract<ParametersOf<'name-taken'>, { kind: string }>['kind'];

function reportDuplicatesOfKind<T extends { origin: Origin }>(
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
      // Instances of one class share their methods, so both items may come from the same place.
      const isSame = isDeepStrictEqual(item.origin, other.origin);
      const related = isSame ? [] : [{ message: 'The other one.', origin: other.origin }];
      diagnostics.report('name-taken', { kind, name }, { at: item.origin, related });
    }
  }
}
