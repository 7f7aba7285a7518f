/** The meta-schema of JSON Schema draft-07, written in 2020-12: some clients check input schemas by it. */
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import { compileSchema } from '../../templates/runtime/schema/compile-schema.ts';
import '../../templates/runtime/schema/alternatives.ts';

const schema: JsonSchema = { $ref: '#/$defs/schema' };
const schemas: JsonSchema = { type: 'object', additionalProperties: schema };
const list: JsonSchema = { type: 'array', minItems: 1, items: schema };
const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const texts: JsonSchema = { type: 'array', items: text, uniqueItems: true };
const flag: JsonSchema = { type: 'boolean' };
const number: JsonSchema = { type: 'number' };
const types: JsonSchema = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };

const meta: JsonSchemaObject = {
  type: ['object', 'boolean'],
  properties: {
    ...{ $id: text, $schema: text, $ref: text, $comment: text, title: text, description: text },
    ...{ readOnly: flag, examples: { type: 'array' }, multipleOf: { type: 'number', exclusiveMinimum: 0 } },
    ...{ maximum: number, exclusiveMaximum: number, minimum: number, exclusiveMinimum: number },
    ...{ maxLength: count, minLength: count, pattern: text, additionalItems: schema },
    ...{ items: { anyOf: [schema, list] }, maxItems: count, minItems: count, uniqueItems: flag },
    ...{ contains: schema, maxProperties: count, minProperties: count, required: texts },
    ...{
      additionalProperties: schema,
      definitions: schemas,
      properties: schemas,
      patternProperties: schemas,
    },
    dependencies: { type: 'object', additionalProperties: { anyOf: [schema, texts] } },
    ...{ propertyNames: schema, enum: { type: 'array' } },
    type: { anyOf: [types, { type: 'array', items: types, minItems: 1, uniqueItems: true }] },
    ...{ format: text, contentMediaType: text, contentEncoding: text },
    ...{ if: schema, then: schema, else: schema, allOf: list, anyOf: list, oneOf: list, not: schema },
  },
};

const validate = compileSchema({ ...schema, $defs: { schema: meta } }, { maxWork: Infinity });

/** The first fault, with its place. */
export function findDraft07Fault(schema: JsonSchema): { at: string; rule: string } | undefined {
  const [error] = validate(schema);
  if (error === undefined) return undefined;
  return { at: `#${error.instancePath}`, rule: `the meta-schema of draft-07 refuses it: ${error.message}` };
}
