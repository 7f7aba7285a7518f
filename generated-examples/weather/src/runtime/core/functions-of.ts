import type { BoundFunctions } from '../definition.ts';
import type { Project } from './project.ts';

/** What calls the project's functions; the part of the runtime for it loads with the first call of one. */
export async function functionsOf({ functions, bindings, parts, report }: Project): Promise<BoundFunctions> {
  if (functions === undefined) throw new Error('The server has no functions, but a binding names one.');
  const { runtime, modules } = functions;
  parts.functions ??= Promise.all([runtime(), bindings()]).then(([{ openFunctions }, { codecs }]) =>
    openFunctions(modules, codecs, report),
  );
  return parts.functions;
}
