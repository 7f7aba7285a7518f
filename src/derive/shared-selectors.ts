/** Selectors that hold for each document of a server are idle only if they match in none of them. */
import { isDeepStrictEqual } from 'node:util';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { ParametersOf } from '../diagnostics/registry.ts';
import type { Origin } from '../model/origin.ts';
import type { DeriveOptions } from './options.ts';

type Chosen = Pick<DeriveOptions, 'include' | 'exclude' | 'pin'>;

interface Pending<P> {
  /** Receives the diagnostic if the selector has matched nothing by the end. */
  place: DiagnosticCollector;
  parameters: P;
}

export class SharedSelectors {
  readonly #isShared: boolean;
  readonly #matched = new Set<string>();
  readonly #idle = new Map<string, Pending<ParametersOf<'selector-matches-nothing'>>>();
  readonly #empty: (Pending<ParametersOf<'nothing-selected'>> & { at: Origin })[] = [];
  #serves = false;

  /** @param lists those of each document */
  constructor(lists: readonly Chosen[]) {
    const [first, ...moreLists] = lists.map(({ include, exclude, pin }) => [include, exclude, pin]);
    this.#isShared = moreLists.length > 0 && moreLists.every((other) => isDeepStrictEqual(other, first));
  }

  noteMatch(selector: string): void {
    this.#matched.add(selector);
  }

  noteUnmatched(
    parameters: ParametersOf<'selector-matches-nothing'>,
    diagnostics: DiagnosticCollector,
  ): void {
    if (!this.#isShared) diagnostics.report('selector-matches-nothing', parameters);
    else if (!this.#idle.has(parameters.selector))
      this.#idle.set(parameters.selector, { place: reserveDiagnosticPlace(diagnostics), parameters });
  }

  /** Notes that a server has `served` of the `operations` of one document. */
  noteServedCount(served: number, operations: number, at: Origin, diagnostics: DiagnosticCollector): void {
    if (served > 0) this.#serves = true;
    else if (operations > 0 && !diagnostics.hasErrors)
      this.#empty.push({ place: reserveDiagnosticPlace(diagnostics), parameters: { operations }, at });
  }

  /** Reports selectors that matched nothing in any document. Call it after the last document. */
  reportUnmatched(): void {
    for (const [selector, { place, parameters }] of this.#idle)
      if (!this.#matched.has(selector)) place.report('selector-matches-nothing', parameters);
    if (this.#isShared && this.#serves) return;
    for (const { place, parameters, at } of this.#empty) place.report('nothing-selected', parameters, { at });
  }
}

function reserveDiagnosticPlace(diagnostics: DiagnosticCollector): DiagnosticCollector {
  const place = new DiagnosticCollector();
  diagnostics.include(place);
  return place;
}
