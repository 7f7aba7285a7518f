/** Whether defaults and examples are values of their types. References have their names only when all types are read. */
import type { Codec } from '../../../../templates/runtime/contract/codec.ts';
import { NotRevivable, decodeArgument } from '../../../../templates/runtime/functions/decode-arguments.ts';
import { compileSchema, SchemaDefect } from '../../../../templates/runtime/schema/index.ts';
import type { JsonSchema } from '../../../../templates/runtime/contract/json-schema.ts';
import { reachedFrom } from '../../../model/schema-walk.ts';
import type { Form, NotedDefault, NotedExample, TellAt } from './form.ts';

export interface NamedTypes {
  schemas: Record<string, JsonSchema>;
  codecs: Record<string, Codec>;
}

/** Reports each that is not. */
export function checkDefaults(noted: readonly NotedDefault[], named: NamedTypes, tell: TellAt): void {
  // Later steps have removed some defaults.
  for (const { form, at } of noted.filter((each) => each.form.schema.default !== undefined)) {
    const value = form.schema.default;
    const problem = findProblem(value, form, named);
    if (problem !== undefined) tell('default-does-not-fit', { value: JSON.stringify(value), problem }, at);
  }
}

/** Reports each that is not, and takes it out. */
export function checkExamples(noted: readonly NotedExample[], named: NamedTypes, tell: TellAt): void {
  for (const { schema, value, tag } of noted) {
    const problem = findProblem(value, { schema }, named);
    if (problem === undefined) continue;
    tell('example-does-not-fit', { value: JSON.stringify(value), problem }, tag);
    const left = schema.examples?.filter((each) => each !== value) ?? [];
    if (left.length === 0) delete schema.examples;
    else schema.examples = left;
  }
}

function findProblem(
  value: unknown,
  { schema, codec }: Form,
  { schemas, codecs }: NamedTypes,
): string | undefined {
  try {
    // All named types are many, and would be compiled for each.
    const reached = reachedFrom(schema, schemas);
    const [error] = compileSchema({ ...schema, $defs: { ...reached, ...schema.$defs } })(value);
    if (error !== undefined) return error.message;
    decodeArgument(value, codec, codecs);
    return undefined;
  } catch (error) {
    if (error instanceof NotRevivable) return error.message;
    // A default that is filled with itself.
    if (error instanceof RangeError) return 'It contains itself without end';
    // `@schema` is checked elsewhere.
    if (error instanceof SchemaDefect) return undefined;
    throw error;
  }
}
