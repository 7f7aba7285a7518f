/** Chooses the media type of a body: `x-mcp` › `bodyMediaType` › the default preference. */
import { mediaTypeEssence } from '../../../templates/runtime/contract/http-syntax.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { MediaType, Operation } from '../../model/source-model.ts';
import { operationKey } from '../../model/operation-key.ts';
import { type NameOf, type Selector, parseSelectors, suggestSelectorValue } from '../selection.ts';

/** The chosen media type; undefined for the default preference. */
export type BodyChoice = (operation: Operation) => MediaType | undefined;

interface Rule {
  selector: Selector;
  mediaType: string;
}

/**
 * `rules` have the form `<selector>=<media type>`; the first that matches and is offered wins. A rule is an error if
 * no selected operation offers its media type. `fallback` is used wherever it is offered.
 */
export function createBodyChoice(
  rules: readonly string[],
  fallback: string | undefined,
  operations: readonly Operation[],
  nameOf: NameOf,
  diagnostics: DiagnosticCollector,
): BodyChoice {
  const parsed = rules.flatMap((text): Rule[] => {
    const [selectorText = '', mediaType = ''] = text.split(/=(.*)/s);
    const [selector] = parseSelectors([selectorText], nameOf, diagnostics);
    return selector === undefined ? [] : [{ selector, mediaType: mediaType.trim() }];
  });
  for (const rule of parsed) reportUnmatchedRule(rule, operations, nameOf, diagnostics);
  return (operation) => {
    const own = operation.xMcp?.bodyMediaType;
    if (own !== undefined && operation.body !== undefined)
      return findMediaType(operation, own) ?? reportNotOffered(operation, own, diagnostics);
    return parsed
      .filter(({ selector }) => selector.matches(operation))
      .map(({ mediaType }) => mediaType)
      .concat(fallback ?? [])
      .map((mediaType) => findMediaType(operation, mediaType))
      .find((media) => media !== undefined);
  };
}

/** Finds a media type with its parameters first, then without, since users often omit them. */
function findMediaType({ body }: Operation, wanted: string): MediaType | undefined {
  const { content = [] } = body ?? {};
  return (
    content.find(({ mediaType }) => mediaType.toLowerCase() === wanted.toLowerCase()) ??
    content.find(({ mediaType }) => mediaTypeEssence(mediaType) === mediaTypeEssence(wanted))
  );
}

function reportUnmatchedRule(
  { selector, mediaType }: Rule,
  operations: readonly Operation[],
  nameOf: NameOf,
  diagnostics: DiagnosticCollector,
): void {
  const matching = operations.filter((operation) => selector.matches(operation));
  if (matching.length === 0) {
    const suggestion = suggestSelectorValue(selector, operations, nameOf);
    diagnostics.report('selector-matches-nothing', { selector: selector.text, suggestion });
    return;
  }
  if (matching.some((operation) => findMediaType(operation, mediaType) !== undefined)) return;
  const [first] = matching.filter(({ body }) => body !== undefined);
  if (first !== undefined) reportNotOffered(first, mediaType, diagnostics);
  else
    diagnostics.report('body-media-type-not-offered', {
      mediaType,
      operation: selector.text,
      offered: 'no body',
    });
}

function reportNotOffered(
  operation: Operation,
  mediaType: string,
  diagnostics: DiagnosticCollector,
): undefined {
  const offers = (operation.body?.content ?? []).map((media) => media.mediaType).join(', ');
  diagnostics.report(
    'body-media-type-not-offered',
    { mediaType, operation: operationKey(operation), offered: offers },
    { at: operation.body?.origin ?? operation.origin },
  );
}
