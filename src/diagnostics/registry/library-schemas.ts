/** MCPG73x: schemas of zod, ArkType and other libraries, which `@schema Name` names. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';

export const librarySchemaDiagnostics = {
  'schema-unusable': defineDiagnostic<{ name: string; problem: string; next: string }>({
    code: 'MCPG730',
    severity: 'error',
    message: ({ name, problem }) => `${quoteAsCodeSpan(`@schema ${name}`)} can't be used: ${problem}.`,
    hint: ({ next }) => next,
  }),
  'schema-not-named': defineDiagnostic<{ name: string }>({
    code: 'MCPG731',
    severity: 'warning',
    message: ({ name }) =>
      `This is the type of the schema ${quoteAsCodeSpan(name)} alone: its limits, defaults, texts and transforms are not listed, and it checks no value.`,
    hint: ({ name }) =>
      `Export ${quoteAsCodeSpan(name)}, and write ${quoteAsCodeSpan(`@schema ${name}`)} before the parameter (after its name in ${quoteAsCodeSpan('@param')}), or before the function for its result. Within a larger value, name an exported schema of the whole.`,
  }),
  'schema-type-differs': defineDiagnostic<{ name: string; gives: string; subject: string; takes: string }>({
    code: 'MCPG732',
    severity: 'warning',
    message: ({ name, gives, subject, takes }) =>
      `${quoteAsCodeSpan(name)} describes ${quoteAsCodeSpan(gives)}, and ${subject} is ${quoteAsCodeSpan(takes)}.`,
    hint: 'Use the output type of the schema, such as `z.infer<typeof Schema>` or `StandardSchemaV1.InferOutput`.',
  }),
};
