import { DiagnosticError } from '../diagnostics/collector.ts';

/** What each comes to, in order. Where some throw `DiagnosticError`, one with the diagnostics of all is thrown. */
export async function gathered<T>(all: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(all);
  const told = settled.flatMap((each) =>
    each.status === 'rejected' && each.reason instanceof DiagnosticError ? each.reason.diagnostics : [],
  );
  if (told.length > 0) throw new DiagnosticError(...told);
  return Promise.all(all);
}
