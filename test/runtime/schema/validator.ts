/** The validator of the runtime that `MCPGEN_RUNTIME` names. */
import type { JsonSchema } from '../../../templates/runtime/contract/json-schema.ts';
import { compileSchema as compileOld } from '../../../templates/runtime/schema/compile-schema.ts';
import { compileSchema as compileNext } from '../../../templates/runtime-next/validate.ts';
import '../../../templates/runtime/schema/alternatives.ts';
import '../../../templates/runtime/contract/regex/linear-patterns.ts';

export interface Misfit {
  message: string;
}

export const isNext = process.env['MCPGEN_RUNTIME'] === 'next';

export const compileSchema: (schema: JsonSchema) => (value: unknown) => Misfit[] = isNext
  ? (compileNext as never)
  : compileOld;

/** The core leaves these to the compiler, which lowers them, and to a feature. */
const OF_FEATURES = /"(?:unevaluated\w+|\$dynamic\w+|\$anchor|\$id|\$vocabulary|\$schema)"/;

/** Whether the runtime under test checks all keywords of the schema. */
export function isChecked(schema: JsonSchema): boolean {
  return !isNext || !OF_FEATURES.test(JSON.stringify(schema));
}
