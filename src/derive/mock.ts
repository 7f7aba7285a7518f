/**
 * Answers for `--mock`: the example of an operation's success, else the source's own schema. Values are kept
 * as JSON text, since they are large and only written out.
 */
import { isJsonType, isSequentialType } from '../util/http-syntax.ts';
import type { Json, JsonSchema, JsonSchemaObject } from '../util/json-schema.ts';
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
  const examples = new Examples();
  const schemas = new Schemas(view.pool);
  const answers: Record<string, string> = {};
  for (const operation of operations) {
    const answer = printMockAnswer(operation, examples, schemas, view);
    if (answer !== undefined) answers[operationKey(operation)] = answer;
  }
  return { answers, examples: examples.texts, schemas: schemas.printReachedSchemas() };
}

class Room {
  #remaining: number = mockLimits.all;

  /** Writes a value as JSON; undefined if it is too large. */
  printWithinLimits(value: unknown): string | undefined {
    if (this.#remaining <= 0) return undefined;
    const text = JSON.stringify(value);
    if (text.length > mockLimits.one) return undefined;
    this.#remaining -= text.length;
    return text;
  }
}

class Examples {
  readonly texts: string[] = [];
  readonly #places = new Map<unknown, number | undefined>();
  readonly #room = new Room();

  /** Operations share examples, so each is stored once. */
  storeExample(example: unknown): number | undefined {
    if (!this.#places.has(example)) {
      const text = this.#room.printWithinLimits(example);
      this.#places.set(example, text === undefined ? undefined : this.texts.push(text) - 1);
    }
    return this.#places.get(example);
  }
}

class Schemas {
  readonly #pool: Record<string, JsonSchema>;
  readonly #names = new Set<string>();
  readonly #room = new Room();

  constructor(pool: Record<string, JsonSchema>) {
    this.#pool = pool;
  }

  printSchema(schema: JsonSchema): string | undefined {
    const text = this.#room.printWithinLimits(this.#toAnswerSchema(schema));
    for (const [, ref = ''] of text?.matchAll(references) ?? []) {
      const name = definitionNameOf(ref);
      if (name !== undefined) this.#names.add(name);
    }
    return text;
  }

  /** `example` of OpenAPI becomes `examples`, and members that are only written go. */
  #toAnswerSchema(schema: JsonSchema): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    const { example, ...rest } = schema;
    const isWritten = ([, member]: [string, JsonSchema]): boolean =>
      followRefs(member, this.#pool)?.writeOnly === true;
    const gone = new Set(
      Object.entries(rest.properties ?? {}).flatMap((entry) => (isWritten(entry) ? entry[0] : [])),
    );
    const isKept = (name: string): boolean => !gone.has(name);
    const kept: JsonSchemaObject = {
      ...rest,
      ...(example !== undefined && { examples: [example as Json] }),
      ...(rest.properties && {
        properties: Object.fromEntries(Object.entries(rest.properties).filter(([name]) => isKept(name))),
      }),
      ...(rest.required && { required: rest.required.filter(isKept) }),
    };
    return mapSubschemas(gone.size > 0 || example !== undefined ? kept : schema, (subschema) =>
      this.#toAnswerSchema(subschema),
    );
  }

  /** Breadth first, so that the outer parts of answers are kept when space runs out. */
  printReachedSchemas(): Record<string, string> {
    const printed: [string, string][] = [];
    // The set grows during the loop.
    for (const name of this.#names) {
      const schema = Object.hasOwn(this.#pool, name) ? this.#pool[name] : undefined;
      const text = schema === undefined ? undefined : this.printSchema(schema);
      if (text !== undefined) printed.push([name, text]);
    }
    return Object.fromEntries(printed);
  }
}

/** Finds references in the text of a schema. A description may match too: that only adds an unneeded schema. */
const references = /"\$ref":"(#\/\$defs\/[^"\\]+)"/g;

/** An answer without content is undefined, and the mock returns 204. */
function printMockAnswer(
  operation: Operation,
  examples: Examples,
  schemas: Schemas,
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
    const text = schemas.printSchema(schema);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  const headers = members.length === 0 ? '' : `,"headers":{${members.join(',')}}`;
  if (content === undefined)
    return status === 204 && headers === '' ? undefined : `{"status":${status}${headers}}`;
  const start = `{"status":${status},"mediaType":${JSON.stringify(content.mediaType)}${headers}`;
  const example = content.example === undefined ? undefined : examples.storeExample(content.example);
  if (example !== undefined) return `${start},"example":${example}}`;
  const schema =
    isSequentialType(content.mediaType) && content.schema !== undefined
      ? makeSequenceListSchema(content, view)
      : content.schema;
  const text = schema === undefined ? undefined : schemas.printSchema(schema);
  return text === undefined ? `${start}}` : `${start},"schema":${text}}`;
}
