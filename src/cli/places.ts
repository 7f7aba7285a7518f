import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceTexts } from '../diagnostics/locate/source-texts.ts';
import { noPlaces, type Places } from '../diagnostics/render/place.ts';

/** Loads the search for positions only if a diagnostic needs one. */
export async function placesFor(diagnostics: readonly Diagnostic[], texts: SourceTexts): Promise<Places> {
  if (!diagnostics.some(({ origin }) => origin !== undefined)) return noPlaces;
  const { locate } = await import('../diagnostics/locate/locate.ts');
  return { locate: (origin) => locate(texts, origin), textOf: (file) => texts.textOf(file) };
}

/** Adds the texts of modules and configurations that diagnostics point into, read again for their code frames. */
export function withCode(places: Places, diagnostics: readonly Diagnostic[], cwd: string): Places {
  const files = new Set(diagnostics.flatMap(({ origin }) => (origin?.kind === 'code' ? [origin.file] : [])));
  const code = new Map([...files].flatMap((file) => readIfThere(file, cwd)));
  return code.size === 0 ? places : { ...places, textOf: (file) => places.textOf(file) ?? code.get(file) };
}

function readIfThere(file: string, cwd: string): [string, string][] {
  try {
    return [[file, readFileSync(resolve(cwd, file), 'utf8')]];
  } catch {
    return [];
  }
}
