/** The examples of a document, given beside the one that is kept. */
import { expect, test } from 'vitest';
import { firstOperation, modelOf, read, swagger, withOperation } from './reading.ts';

const components = {
  examples: {
    tom: { summary: 'A cat.', value: { name: 'Tom' } },
    chain: { $ref: '#/components/examples/tom' },
    away: { externalValue: 'https://example.com/tom.json' },
  },
};
const refTo = (name: string) => ({ $ref: `#/components/examples/${name}` });

test.each<[string, object, unknown]>([
  ['none', {}, undefined],
  ['example', { example: { a: 1 } }, { a: 1 }],
  ['example before examples', { example: 1, examples: { b: { value: 2 } } }, 1],
  ['the first of examples', { examples: { a: { value: [1] }, b: { value: 2 } } }, [1]],
  ['behind a reference', { examples: { a: refTo('tom') } }, { name: 'Tom' }],
  ['behind two', { examples: { a: refTo('chain') } }, { name: 'Tom' }],
  ['false and 0 are examples', { example: false }, false],
  ['null is none', { example: null, examples: { a: { value: 0 } } }, 0],
  ['elsewhere', { examples: { a: refTo('away') } }, undefined],
  ['after one that is elsewhere', { examples: { a: refTo('away'), b: { value: 2 } } }, 2],
  ['a list', { examples: ['a'] }, undefined],
  ['values that stand alone', { examples: { a: 'x' } }, undefined],
  ['a reference where a value should be', { example: refTo('tom') }, undefined],
  ['a value that is a reference', { examples: { a: { value: refTo('tom') } } }, undefined],
  ['3.2: dataValue', { examples: { a: { dataValue: { a: 1 }, serializedValue: '{"a":2}' } } }, { a: 1 }],
  ['3.2: serializedValue of JSON', { examples: { a: { serializedValue: '{"a":2}' } } }, { a: 2 }],
  ['3.2: serializedValue that is no JSON', { examples: { a: { serializedValue: '{' } } }, undefined],
])('of a response and a body: %s', async (_, members, want) => {
  const content = { 'application/json': members };
  const document = withOperation(
    { requestBody: { content }, responses: { 200: { description: 'ok', content } } },
    { components },
    '3.2.0',
  );
  const { model, told } = await read(document);
  expect(told).toEqual([]);
  const { body, responses } = firstOperation(model ?? (await modelOf(document)));
  expect(body?.content[0]?.example).toEqual(want);
  expect(responses[0]?.content[0]?.example).toEqual(want);
});

test('serializedValue of any other media type is text', async () => {
  const content = { 'text/csv': { examples: { a: { serializedValue: '1,2' } } } };
  const document = withOperation({ responses: { 200: { description: 'ok', content } } }, {}, '3.2.0');
  expect(firstOperation(await modelOf(document)).responses[0]?.content[0]?.example).toBe('1,2');
});

test('an example that is nowhere is told of, and another one is taken', async () => {
  const content = { 'application/json': { examples: { a: refTo('none'), b: { value: 1 } } } };
  const { model, told } = await read(
    withOperation({ responses: { 200: { description: 'ok', content } } }, { components }),
  );
  expect(told).toEqual([
    'warning dangling-ref /paths/~1a/get/responses/200/content/application~1json/examples/a/$ref',
  ]);
  expect(model && firstOperation(model).responses[0]?.content[0]?.example).toBe(1);
});

test('of parameters, by schema and by content', async () => {
  const { parameters } = firstOperation(
    await modelOf(
      withOperation(
        {
          parameters: [
            { name: 'a', in: 'query', schema: { type: 'array' }, example: ['x'] },
            { name: 'b', in: 'query', schema: { type: 'object' }, examples: { tom: refTo('tom') } },
            { name: 'c', in: 'query', content: { 'application/json': { schema: {}, example: { a: 1 } } } },
          ],
        },
        { components },
      ),
    ),
  );
  expect(parameters.map(({ example }) => example)).toEqual([['x'], { name: 'Tom' }, { a: 1 }]);
});

test('of Swagger 2.0: by media type, and x-example', async () => {
  const { parameters, body, responses } = firstOperation(
    await modelOf(
      swagger({
        consumes: ['application/json'],
        produces: ['application/json', 'text/plain'],
        parameters: [
          { name: 'a', in: 'query', type: 'integer', 'x-example': 7 },
          { name: 'b', in: 'body', schema: { type: 'object' }, 'x-example': { a: 1 } },
        ],
        responses: {
          200: {
            description: 'ok',
            schema: { type: 'object' },
            examples: { 'application/json': { a: 2 }, __proto__: 3 },
          },
        },
      }),
    ),
  );
  expect(parameters[0]?.example).toBe(7);
  expect(body?.content[0]?.example).toEqual({ a: 1 });
  expect(responses[0]?.content.map(({ example }) => example)).toEqual([{ a: 2 }, undefined]);
});
