import type {
  Codec,
  JsonSchema,
  JsonSchemaObject,
} from '../../../../templates/runtime/contract/json-schema.ts';
import {
  UndecodableArguments,
  decodeArgument,
} from '../../../../templates/runtime/functions/decode-arguments.ts';
import { SchemaDefect, compileSchema } from '../../../../templates/runtime/schema/compile-schema.ts';
import '../../../../templates/runtime/schema/alternatives.ts';
import { reachedDefinitions, definitionNameOf, collectRefs } from '../../../model/schema-walk.ts';
import { tellBadSchema } from './documented.ts';
import { type Form, type NotedDefault, type NotedExample, type NotedSchema, type ReportAt } from './form.ts';

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
  try {
    // Only the named types in use are compiled.
    const reached = reachedDefinitions(schema, schemas);
    const [error] = compileSchema({ ...schema, $defs: { ...reached, ...schema.$defs } })(value);
    if (error !== undefined) return error.message;
    decodeArgument(value, codec, codecs);
    return undefined;
  } catch (error) {
    if (error instanceof UndecodableArguments) return error.message;
    // A recursive default.
    if (error instanceof RangeError) return 'It contains itself without end';
    // `@schema` is checked elsewhere.
    if (error instanceof SchemaDefect) return undefined;
    throw error;
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
    const isTop = tops.has(schema);
    const problem =
      (isTop ? undefined : findMisplacedReference(original)) ?? findDefect(original, isTop, schemas);
    if (problem !== undefined) tellBadSchema(problem, tag, tell);
  }
}

/** In a tool's schema `#` is the whole, and `#/$defs` are the named types. A schema with `$id` has its own. */
function findMisplacedReference(schema: JsonSchemaObject): string | undefined {
  if (schema.$id !== undefined) return undefined;
  const isMisplacedReference = (ref: string): boolean => {
    const name = definitionNameOf(ref);
    return ref.startsWith('#') && (name === undefined || Object.hasOwn(schema.$defs ?? {}, name));
  };
  const odd = [...collectRefs(schema)].find(isMisplacedReference);
  return odd === undefined
    ? undefined
    : `its \`$ref\` ${JSON.stringify(odd)} starts at the top of the tool's schema, and this one is within it`;
}

function findDefect(
  schema: JsonSchemaObject,
  isTop: boolean,
  schemas: Record<string, JsonSchema>,
): string | undefined {
  try {
    if (isTop) compileSchema({ ...schema, $defs: { ...schemas, ...schema.$defs } });
    else compileSchema({ $defs: reachedDefinitions(schema, schemas), items: schema });
    return undefined;
  } catch (error) {
    if (error instanceof SchemaDefect) return error.message.replace('#/items', '#');
    throw error;
  }
}
