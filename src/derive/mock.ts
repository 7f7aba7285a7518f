/**
 * Answers for `--mock`: the example of an operation's success, else the source's own schema. Values are kept
 * as JSON text, since they are large and only written out.
 */
import { isJsonType, isSequentialType } from '../util/http-syntax.ts';
import type { Json, JsonSchema, JsonSchemaObject } from '../util/json-schema.ts';
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import { definitionNameOf, followRefs, mapSubschemas } from '../model/schema-walk.ts';
import type { MockTexts } from '../model/server-model.ts';
import type { Operation } from '../model/source-model.ts';
import { operationKey } from '../model/operation-key.ts';
import type { SchemaView } from './schema/schema-view.ts';
import { makeSequenceListSchema, successResponses } from './body/success-response.ts';

/** Limits of the mock data in a project, in UTF-16 code units of JSON. */
export const mockLimits = {
  one: 32 * 1024,
  /** The limit of all examples, and of all schemas. Values beyond it are left out. */
  all: 256 * 1024,
} as const;

export function deriveMock(operations: readonly Operation[], view: SchemaView): MockTexts {
  const { pool } = view;
  const [printExample, printText] = [makeLimitedPrinter(), makeLimitedPrinter()];
  const examples: string[] = [];
  const places = new Map<unknown, number | undefined>();
  const names = new Set<string>();
  const printer: Printer = {
    // Operations share examples, so each is stored once.
    storeExample: (example) => {
      const text = places.has(example) ? undefined : printExample(example);
      if (!places.has(example)) places.set(example, text === undefined ? text : examples.push(text) - 1);
      return places.get(example);
    },
    printSchema: (schema) => {
      const text = printText(toAnswerSchema(schema, pool));
      for (const [, ref = ''] of text?.matchAll(REFERENCES) ?? []) names.add(definitionNameOf(ref) ?? '');
      return text;
    },
  };
  const answers = operations.flatMap((operation) => {
    const answer = printMockAnswer(operation, printer, view);
    return answer === undefined ? [] : [[operationKey(operation), answer]];
  });
  const schemas: [string, string][] = [];
  // The set grows during the loop: breadth first, so that the outer parts of answers are kept when space runs out.
  for (const name of names) {
    const schema = ownMember(pool, name);
    const text = schema === undefined ? undefined : printer.printSchema(schema);
    if (text !== undefined) schemas.push([name, text]);
  }
  return {
    answers: Object.fromEntries(answers) as Record<string, string>,
    examples,
    schemas: Object.fromEntries(schemas),
  };
}

interface Printer {
  /** The example's place; undefined if it is too large. */
  storeExample: (example: unknown) => number | undefined;
  printSchema: (schema: JsonSchema) => string | undefined;
}

/** Writes values as JSON; undefined for one that is too large. */
function makeLimitedPrinter(): (value: unknown) => string | undefined {
  let remaining: number = mockLimits.all;
  return (value) => {
    const text = remaining <= 0 ? undefined : JSON.stringify(value);
    if (text === undefined || text.length > mockLimits.one) return undefined;
    remaining -= text.length;
    return text;
  };
}

/** `example` of OpenAPI becomes `examples`, and members that are only written go. */
function toAnswerSchema(schema: JsonSchema, pool: SchemaView['pool']): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const { example, properties, required, ...rest } = schema;
  const readable = Object.entries(properties ?? {}).filter(
    ([, member]) => followRefs(member, pool)?.writeOnly !== true,
  );
  const names = readable.map(([name]) => name);
  const isAnswered = (name: string): boolean =>
    names.includes(name) || !Object.hasOwn(properties ?? {}, name);
  const answered: JsonSchemaObject = {
    ...rest,
    ...(example !== undefined && { examples: [example as Json] }),
    ...(properties && { properties: Object.fromEntries(readable) }),
    ...(required && { required: required.filter(isAnswered) }),
  };
  return mapSubschemas(answered, (subschema) => toAnswerSchema(subschema, pool));
}

/** Finds references in the text of a schema. A description may match too: that only adds an unneeded schema. */
const REFERENCES = /"\$ref":"(#\/\$defs\/[^"\\]+)"/g;

/** An answer without content is undefined, and the mock returns 204. */
function printMockAnswer(
  operation: Operation,
  { storeExample, printSchema }: Printer,
  view: SchemaView,
): string | undefined {
  const responses = successResponses(operation);
  const response = responses.find(({ content }) => content.length > 0) ?? responses[0];
  if (response === undefined) return undefined;
  // `2XX` and `default` become 200.
  const status = /^\d{3}$/.test(response.status) ? Number(response.status) : 200;
  // JSON comes first, as in the runtime.
  const content =
    response.content.find(({ mediaType }) => isJsonType(mediaType) && !isSequentialType(mediaType)) ??
    response.content[0];
  const members = (response.headers ?? []).flatMap(({ name, schema }) => {
    const text = printSchema(schema);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  const headers = members.length === 0 ? '' : `,"headers":{${members.join(',')}}`;
  if (content === undefined)
    return status === 204 && headers === '' ? undefined : `{"status":${status}${headers}}`;
  const start = `{"status":${status},"mediaType":${JSON.stringify(content.mediaType)}${headers}`;
  const example = content.example === undefined ? undefined : storeExample(content.example);
  if (example !== undefined) return `${start},"example":${example}}`;
  const schema =
    isSequentialType(content.mediaType) && content.schema !== undefined
      ? makeSequenceListSchema(content, view)
      : content.schema;
  const text = schema === undefined ? undefined : printSchema(schema);
  return text === undefined ? `${start}}` : `${start},"schema":${text}}`;
}
