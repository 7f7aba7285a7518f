// Types for the tests; the words stand in `by-call.mjs`.
import type { ServerModel } from '../../../src/model/server-model.ts';

export function judgeCalls(model: ServerModel): Promise<{
  faults: string[];
  called: number;
  pairs: number;
  refused: number;
}>;
