import type { Codec } from '../../../model/codec.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../util/json-schema.ts';
import { decode, UnfitArguments } from '../../../../templates/runtime/features/functions/decode.ts';
import { resolveReference } from '../../../../templates/runtime/validate.ts';
import { reachedDefinitions, collectRefs } from '../../../model/schema-walk.ts';
import { compileSchema } from '../../../util/check-values.ts';
import { tellBadSchema } from './documented.ts';
import type { Form, NotedDefault, NotedExample, NotedSchema, ReportAt } from './form.ts';

interface NamedTypes {
  schemas: Record<string, JsonSchema>;
  codecs: Record<string, Codec>;
}

export function checkDefaults(noted: readonly NotedDefault[], namedTypes: NamedTypes, tell: ReportAt): void {
  // Later steps may have removed the default.
  for (const { form, at } of noted.filter((notedDefault) => notedDefault.form.schema.default !== undefined)) {
    const value = form.schema.default;
    const problem = findExampleProblem(value, form, namedTypes);
    if (problem !== undefined) tell('default-does-not-fit', { value: JSON.stringify(value), problem }, at);
  }
}

export function checkExamples(noted: readonly NotedExample[], namedTypes: NamedTypes, tell: ReportAt): void {
  for (const { schema, value, tag } of noted) {
    const problem = findExampleProblem(value, { schema }, namedTypes);
    if (problem === undefined) continue;
    tell('example-does-not-fit', { value: JSON.stringify(value), problem }, tag);
    const remaining = schema.examples?.filter((example) => example !== value) ?? [];
    if (remaining.length === 0) delete schema.examples;
    else schema.examples = remaining;
  }
}

function findExampleProblem(
  value: unknown,
  { schema, codec }: Form,
  { schemas, codecs }: NamedTypes,
): string | undefined {
  // Only the named types in use are compiled.
  const reached = reachedDefinitions(schema, schemas);
  try {
    const [misfit] = compileSchema({ ...schema, $defs: { ...reached, ...schema.$defs } })(value);
    if (misfit !== undefined) return misfit.message;
    decode(value, codec, codecs);
    return undefined;
  } catch (error) {
    if (error instanceof UnfitArguments) return error.message;
    // A recursive default.
    if (error instanceof RangeError) return 'It contains itself without end';
    // A schema that can't be checked is told at its tag.
    return undefined;
  }
}

/** `@schema` may name any type of the program. `tops` are the schemas of whole tools. */
export function checkSchemaTags(
  noted: readonly NotedSchema[],
  tops: ReadonlySet<JsonSchemaObject>,
  schemas: Record<string, JsonSchema>,
  tell: ReportAt,
): void {
  for (const { schema, original, tag } of noted) {
    const problem = findDefect(original, tops.has(schema), schemas);
    if (problem !== undefined) tellBadSchema(problem, tag, tell);
  }
}

/** What would keep a server from checking values by it. */
function findDefect(
  schema: JsonSchemaObject,
  isTop: boolean,
  schemas: Record<string, JsonSchema>,
): string | undefined {
  const $defs = { ...reachedDefinitions(schema, schemas), ...(isTop && schema.$defs) };
  const root = isTop ? { ...schema, $defs } : { $defs, items: schema };
  const { $schema: dialect } = schema;
  if (dialect !== undefined && !/2020-12\/schema#?$/.test(String(dialect)))
    return `\`$schema\` is ${String(dialect)}, but only JSON Schema 2020-12 is understood`;
  const dangling = [...collectRefs(root)].find((ref) => resolveReference(root, ref) === undefined);
  return dangling && `\`$ref\` leads nowhere: ${dangling}`;
}
