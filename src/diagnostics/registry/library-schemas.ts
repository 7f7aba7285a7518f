/** MCPG73x: schemas of zod, ArkType and other libraries, which `@schema Name` names. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';

export const librarySchemaDiagnostics = {
  'schema-unusable': defineDiagnostic<{ name: string; problem: string; next: string }>({
    code: 'MCPG730',
    message: ({ name, problem }) => `${quoteAsCodeSpan(`@schema ${name}`)} can't be used: ${problem}.`,
    hint: ({ next }) => next,
  }),
};
