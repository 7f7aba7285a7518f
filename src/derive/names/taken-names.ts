/**
 * Reports names and URIs that two items share. Names of operations were separated before, so a function is involved.
 */
import { isDeepStrictEqual } from 'node:util';

import { type Expression, parseUriTemplate } from '../../../templates/runtime/uri-template/index.ts';
import { operatorRules } from '../../../templates/runtime/uri-template/uri-template.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { ParametersOf } from '../../diagnostics/registry.ts';
import type { Origin } from '../../model/origin.ts';
import type { ResourceTemplate, ServerModel } from '../../model/server-model.ts';

export function reportDuplicateNames(model: ServerModel, diagnostics: DiagnosticCollector): void {
  reportDuplicatesOfKind('tools', model.tools, ({ name }) => name, diagnostics);
  reportDuplicatesOfKind('resources', model.resources, ({ uri }) => uri, diagnostics);
  reportDuplicatesOfKind(
    'resource templates',
    model.resourceTemplates,
    ({ uriTemplate }) => uriTemplate,
    diagnostics,
  );
  reportDuplicatesOfKind('prompts', model.prompts, ({ name }) => name, diagnostics);
  reportEquivalentTemplates(model, diagnostics);
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

/** A URI is read by the first template that matches it, so the second of two equivalent templates never answers. */
function reportEquivalentTemplates(
  { tools, resourceTemplates }: ServerModel,
  diagnostics: DiagnosticCollector,
): void {
  const requests = new Set(
    tools.filter(({ binding }) => binding.kind !== 'function').map(({ name }) => name),
  );
  const isTemplateOfDocument = ({ binding: { do: work } }: ResourceTemplate): boolean =>
    work.kind === 'tool' ? requests.has(work.name) : work.kind !== 'function';
  const first = new Map<string, ResourceTemplate>();
  for (const template of resourceTemplates) {
    const uris = normalizeTemplate(template.uriTemplate);
    const other = first.get(uris);
    if (other === undefined) first.set(uris, template);
    else if (other.uriTemplate !== template.uriTemplate) {
      const related = [{ message: 'The other one.', origin: other.origin }];
      const names = { template: template.uriTemplate, other: other.uriTemplate };
      const areOfDocuments = isTemplateOfDocument(template) && isTemplateOfDocument(other);
      const code = areOfDocuments ? 'template-shadowed' : 'name-taken';
      diagnostics.report(code, names, { at: template.origin, related });
    }
  }
}

/**
 * Returns the same text for templates that read the same URIs. Names are kept only where they matter: in a query
 * (`{?page}`), and if they are repeated.
 *
 * @throws {UriTemplateError} for an invalid template
 */
function normalizeTemplate(template: string): string {
  const numbers = new Map<string, number>();
  const numberVariable = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const formatExpression = ({ operator, variables }: Expression): unknown => {
    const { named } = operatorRules[operator];
    return [
      operator,
      ...variables.map(({ name, ...how }) => ({ ...how, name: named ? name : numberVariable(name) })),
    ];
  };
  return JSON.stringify(
    parseUriTemplate(template).map((part) => ('literal' in part ? part.literal : formatExpression(part))),
  );
}
