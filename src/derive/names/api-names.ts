/** Names of the APIs of a server with several documents, for bindings and environment variables. */
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { SourceModel } from '../../model/source-model.ts';
import { schemeVariables, type ApiName } from '../upstream.ts';
import { slugOfText } from '../server-info.ts';
import { toVariableName } from '../../model/variable-names.ts';

export interface Part {
  source: SourceModel;
  options?: { prefix?: string };
}

/** Names APIs if there are several documents. Names that are too similar are reported. */
export function deriveApiNames(
  parts: readonly Part[],
  diagnostics: DiagnosticCollector,
): ReadonlyMap<Part, ApiName> {
  const documents = parts.filter(({ source }) => isFromDocument(source));
  if (documents.length < 2) return new Map();
  const names = new Map(documents.map((part) => [part, deriveApiName(part)]));
  const variables = new Map(documents.map((part) => [part, schemeVariables(part.source)]));
  documents.forEach((part, index) => {
    const other = documents
      .slice(0, index)
      .find((document) => areNamesTooSimilar(names.get(document), names.get(part)));
    if (other === undefined) return;
    const related = [{ message: 'The other document.', origin: other.source.origin }];
    const alike = new Set([names.get(part) ?? '', names.get(other) ?? '']);
    const parameters = { documents: [...alike].join(' and ') };
    diagnostics.report('variable-of-two', parameters, { at: part.source.origin, related });
  });
  return new Map(
    documents.map((part) => {
      const otherDocuments = documents.filter((document) => document !== part);
      const reserved = new Set(otherDocuments.flatMap((other) => [...(variables.get(other) ?? [])]));
      return [part, { name: names.get(part) ?? '', reserved }];
    }),
  );
}

export function isFromDocument({ origin }: SourceModel): boolean {
  return origin.kind === 'document';
}

/** The prefix `rail_` gives `RAIL`; without one the API's title does. */
export function deriveApiName({ source, options: { prefix = '' } = {} }: Part): string {
  const name = prefix.replace(/[^A-Za-z0-9]+$/, '') || slugOfText(source.info.title) || 'api';
  return toVariableName(name);
}

/** One name must not begin with the other, or their variables could be confused. */
function areNamesTooSimilar(one = '', other = ''): boolean {
  return one === other || one.startsWith(`${other}_`) || other.startsWith(`${one}_`);
}
