import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceTexts } from '../diagnostics/locate/source-texts.ts';
import { noPlaces, type Places } from '../diagnostics/render/place.ts';

/** The places of a run's diagnostics. The position finder is loaded only when something needs a position. */
export async function placesFor(diagnostics: readonly Diagnostic[], texts: SourceTexts): Promise<Places> {
  if (!diagnostics.some(({ origin }) => origin !== undefined)) return noPlaces;
  const { locate } = await import('../diagnostics/locate/locate.ts');
  return { locate: (origin) => locate(texts, origin), textOf: (file) => texts.textOf(file) };
}

/** With the texts of the code that diagnostics point into, for its frames. */
export function withCode(places: Places, diagnostics: readonly Diagnostic[], cwd: string): Places {
  const code = codeTexts(diagnostics, cwd);
  return code.size === 0 ? places : { ...places, textOf: (file) => places.textOf(file) ?? code.get(file) };
}

/** The modules and configurations that diagnostics point into: they were read on the way, and are read again for the code frame. */
function codeTexts(diagnostics: readonly Diagnostic[], cwd: string): Map<string, string> {
  const origins = diagnostics.map(({ origin }) => origin);
  const files = new Set(origins.flatMap((origin) => (origin?.kind === 'code' ? [origin.file] : [])));
  return new Map([...files].flatMap((file) => readIfThere(file, cwd)));
}

function readIfThere(file: string, cwd: string): [string, string][] {
  try {
    return [[file, readFileSync(resolve(cwd, file), 'utf8')]];
  } catch {
    return [];
  }
}
