import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { noPlaces } from '../diagnostics/render/place.ts';
import { exitCodeFor } from './exit-code.ts';
import type { Outcome } from './outcome.ts';

/** The outcome of a command that ended before a source was read. */
export function outcomeWithoutSource({ found }: DiagnosticCollector, result: unknown = null): Outcome {
  return { exitCode: exitCodeFor(found), diagnostics: found, places: noPlaces, result };
}
