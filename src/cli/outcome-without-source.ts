import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceTexts } from '../diagnostics/locate/source-texts.ts';
import { noPlaces } from '../diagnostics/render/place.ts';
import { EXIT, exitCodeFor } from './exit-code.ts';
import type { Outcome } from './outcome.ts';
import { placesFor } from './places.ts';

/** The outcome of a command that ended before a source was read. */
export function outcomeWithoutSource({ found }: DiagnosticCollector): Outcome {
  return { exitCode: exitCodeFor(found), diagnostics: found, places: noPlaces, result: null };
}

/** The outcome of a command that read sources, without a result yet. */
export async function outcomeFrom(found: readonly Diagnostic[], texts: SourceTexts): Promise<Outcome> {
  const places = await placesFor(found, texts);
  return { exitCode: exitCodeFor(found), diagnostics: found, places, result: null };
}

export function success(result: unknown, text?: string, next?: string): Outcome {
  return { exitCode: EXIT.fine, diagnostics: [], places: noPlaces, result, text, next };
}
