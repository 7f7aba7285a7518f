/** Whether defaults are values of their types. References have their names only when all types are read. */
import type { Codec } from '../../../../templates/runtime/functions/codec.ts';
import { NotRevivable, revive } from '../../../../templates/runtime/functions/revive.ts';
import { compileSchema, SchemaDefect } from '../../../../templates/runtime/schema/index.ts';
import type { JsonSchema } from '../../../../templates/runtime/schema/json-schema.ts';
import type { DocTag } from '../docs/doc-text.ts';
import type { Form, TellAt } from './form.ts';

/** A default, and the tag that says it. */
export interface NotedDefault {
  form: Form;
  tag: DocTag;
}

export interface NamedTypes {
  schemas: Record<string, JsonSchema>;
  codecs: Record<string, Codec>;
}

/** Reports each that is not. */
export function checkDefaults(noted: readonly NotedDefault[], named: NamedTypes, tell: TellAt): void {
  // Some were taken away since.
  for (const { form, tag } of noted.filter((each) => each.form.schema.default !== undefined)) {
    const problem = problemOf(form, named);
    if (problem !== undefined)
      tell('default-does-not-fit', { value: JSON.stringify(form.schema.default), problem }, tag);
  }
}

function problemOf({ schema, codec }: Form, { schemas, codecs }: NamedTypes): string | undefined {
  try {
    const [error] = compileSchema({ ...schema, $defs: { ...schemas, ...schema.$defs } })(schema.default);
    if (error !== undefined) return error.message;
    revive(schema.default, codec, codecs);
    return undefined;
  } catch (error) {
    if (error instanceof NotRevivable) return error.message;
    // A default that is filled with itself.
    if (error instanceof RangeError) return 'It contains itself without end';
    // What `@schema` says is judged where it is listed.
    if (error instanceof SchemaDefect) return undefined;
    throw error;
  }
}
