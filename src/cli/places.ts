import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceTexts } from '../diagnostics/locate/source-texts.ts';
import { noPlaces, type Places } from '../diagnostics/render/place.ts';

/** The places of a run's diagnostics. The position finder is loaded only when something needs a position. */
export async function placesFor(diagnostics: readonly Diagnostic[], texts: SourceTexts): Promise<Places> {
  if (!diagnostics.some(({ origin }) => origin !== undefined)) return noPlaces;
  const { locate } = await import('../diagnostics/locate/locate.ts');
  return { locate: (origin) => locate(texts, origin), textOf: (file) => texts.textOf(file) };
}
