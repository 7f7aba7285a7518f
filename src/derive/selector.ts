/** Selectors of `--include` and `--exclude`: `tag:`, `path:`, `op:`, `method:`. */
import { suggest } from '../../templates/runtime/contract/suggest.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Operation } from '../model/source-model.ts';
import { globTest } from '../../templates/runtime/contract/glob.ts';

const kinds = ['tag', 'path', 'op', 'method'] as const;
type SelectorKind = (typeof kinds)[number];

export type NameOf = (operation: Operation) => string;

export interface Selector {
  text: string;
  kind: SelectorKind;
  matches: (operation: Operation) => boolean;
}

/** Selectors that cannot be read are reported with a suggestion. */
export function parseSelectors(
  texts: readonly string[],
  nameOf: NameOf,
  diagnostics: DiagnosticCollector,
): Selector[] {
  return texts.flatMap((text) => {
    const selector = parseSelector(text, nameOf);
    if (selector === undefined)
      diagnostics.report('bad-selector', { selector: text, suggestion: suggestionFor(text) });
    return selector ?? [];
  });
}

function parseSelector(text: string, nameOf: NameOf): Selector | undefined {
  const colon = text.indexOf(':');
  const kind = kinds.find((each) => each === text.slice(0, Math.max(0, colon)).trim());
  const value = text.slice(colon + 1).trim();
  return kind === undefined || value === ''
    ? undefined
    : { text, kind, matches: makeTest(kind, value, nameOf) };
}

function makeTest(kind: SelectorKind, value: string, nameOf: NameOf): Selector['matches'] {
  switch (kind) {
    case 'tag':
      return ({ tags }) => tags.includes(value);
    case 'method':
      return ({ method }) => method.toUpperCase() === value.toUpperCase();
    case 'op': {
      const test = globTest(value.replace(/\*+/g, '**'));
      return (operation) => namesOf(operation, nameOf).some(test);
    }
    case 'path': {
      const test = globTest(/^[/*]/.test(value) ? value : `/${value}`);
      return ({ path }) => test(path);
    }
  }
}

/** `op:` matches the operationId and the tool's name. */
export function namesOf(operation: Operation, nameOf: NameOf): string[] {
  return [operation.operationId ?? [], nameOf(operation)].flat();
}

/** Selectors of one kind are alternatives; different kinds must all match. */
export function matchesAll(selectors: readonly Selector[], operation: Operation): boolean {
  return kinds.every((kind) => {
    const alternatives = selectors.filter((selector) => selector.kind === kind);
    return alternatives.length === 0 || alternatives.some(({ matches }) => matches(operation));
  });
}

function suggestionFor(text: string): string {
  const colon = text.indexOf(':');
  const value = text.slice(colon + 1).trim();
  if (colon > 0 && !text.startsWith('/')) {
    const kind = suggest(text.slice(0, colon).toLowerCase(), kinds) ?? 'tag';
    return `${kind}:${value === '' ? (kind === 'path' ? '/pets/**' : '<value>') : value}`;
  }
  if (text.startsWith('/')) return `path:${text}`;
  if (/^(get|put|post|delete|options|head|patch|trace|query)$/i.test(text))
    return `method:${text.toLowerCase()}`;
  return `${text.includes('*') ? 'op' : 'tag'}:${value || '<value>'}`;
}
