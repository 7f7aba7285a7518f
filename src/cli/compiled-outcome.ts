import type { Compilation } from '../compile.ts';
import { exitCodeFor } from './exit-code.ts';
import type { Outcome } from './outcome.ts';
import { placesFor } from './places.ts';
import type { Served } from './served-files.ts';

export interface Compiled {
  outcome: Outcome;
  /** Absent after an error. */
  served?: Served;
}

/** What there is to say of a compilation, and what there is to serve. */
export async function compiledOutcome({ model, app, texts, diagnostics }: Compilation): Promise<Compiled> {
  const outcome = {
    exitCode: exitCodeFor(diagnostics),
    diagnostics,
    places: await placesFor(diagnostics, texts),
    result: null,
  };
  if (model === undefined) return { outcome };
  return {
    outcome,
    served: { model, ...(app === undefined ? {} : { app: app({ maps: true, inPlace: true }) }) },
  };
}
