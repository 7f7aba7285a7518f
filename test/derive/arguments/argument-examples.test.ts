/** The document's examples, given beside those of the tool's arguments. */
import { expect, test } from 'vitest';
import { longestExample } from '../../../src/derive/arguments/arguments.ts';
import type { Operation, Parameter, RequestBody } from '../../../src/model/source-model.ts';
import type { JsonSchema } from '../../../src/util/json-schema.ts';
import { body, deriveTool, jsonBody, media, operation, parameter } from '../support.ts';

const Pet: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer', example: 7 },
    name: { $ref: '#/$defs/Name' },
    note: { type: 'string', example: 'shy' },
  },
  required: ['id', 'name'],
};
const schemas: Record<string, JsonSchema> = { Pet, Name: { type: 'string', example: 'Rex' } };
const pet: JsonSchema = { $ref: '#/$defs/Pet' };
const text: JsonSchema = { type: 'string', example: 'own' };
const withBody = (given: RequestBody): Partial<Operation> => ({ body: given });
const withQuery = (schema: JsonSchema, rest: Partial<Parameter>): Partial<Operation> => ({
  parameters: [parameter('query', 'q', schema, rest)],
});

test.each<[string, Partial<Operation>, object | undefined]>([
  ['none', withQuery({ type: 'string' }, {}), undefined],
  ['a parameter', withQuery({ type: 'array' }, { example: ['a'] }), { q: ['a'] }],
  ['a parameter before its schema', withQuery(text, { example: 'x', required: true }), { q: 'x' }],
  ['the schema of a required parameter', withQuery(text, { required: true }), { q: 'own' }],
  ['the schema of an optional one says little', withQuery(text, {}), undefined],
  [
    'members of the example of a body, renamed as arguments are',
    {
      ...withQuery({ type: 'string' }, {}),
      ...withBody(
        body([
          media(
            'application/json',
            { properties: { q: {}, b: {} }, type: 'object' },
            { example: { q: 1, b: 2, c: 3 } },
          ),
        ]),
      ),
    },
    { q_body: 1, b: 2 },
  ],
  ['required properties of a body', withBody(jsonBody(pet, { required: true })), { id: 7, name: 'Rex' }],
  [
    'a body that is one argument',
    withBody(body([media('application/json', { type: 'array' }, { example: [1] })])),
    { body: [1] },
  ],
  [
    'the media type that is sent',
    withBody(
      body([media('text/plain', {}, { example: 'no' }), media('application/json', { type: 'array' })]),
    ),
    undefined,
  ],
  [
    'the parts of a body, and what is beside a reference',
    withBody(
      jsonBody({
        allOf: [
          { ...pet, example: { id: 8 } },
          { type: 'object', properties: { b: { type: 'object' } }, example: { b: { c: 1 } } },
        ],
      }),
    ),
    { id: 8, name: 'Rex', b: { c: 1 } },
  ],
  ['a long one', withQuery({ type: 'array' }, { example: ['x'.repeat(longestExample)] }), undefined],
  [
    'names of a prototype',
    withBody(jsonBody({ type: 'object', properties: { constructor: {} } }, { required: true })),
    undefined,
  ],
])('%s', (_, given, want) => {
  expect(deriveTool(operation('POST /', given), { schemas }).examples).toEqual(want);
});
