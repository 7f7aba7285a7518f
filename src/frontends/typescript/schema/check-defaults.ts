/** Checks that defaults and examples are values of their types, after references have their names. */
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

export function checkDefaults(noted: readonly NotedDefault[], named: NamedTypes, tell: TellAt): void {
  // Later steps may have removed the default.
  for (const { form, at } of noted.filter((each) => each.form.schema.default !== undefined)) {
    const value = form.schema.default;
    const problem = findProblem(value, form, named);
    if (problem !== undefined) tell('default-does-not-fit', { value: JSON.stringify(value), problem }, at);
  }
}

/** Reports and removes invalid examples. */
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
    // Only the named types in use are compiled.
    const reached = reachedFrom(schema, schemas);
    const [error] = compileSchema({ ...schema, $defs: { ...reached, ...schema.$defs } })(value);
    if (error !== undefined) return error.message;
    decodeArgument(value, codec, codecs);
    return undefined;
  } catch (error) {
    if (error instanceof NotRevivable) return error.message;
    // A recursive default.
    if (error instanceof RangeError) return 'It contains itself without end';
    // `@schema` is checked elsewhere.
    if (error instanceof SchemaDefect) return undefined;
    throw error;
  }
}
