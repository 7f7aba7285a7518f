// More of one kind than anyone has.
import { type Bomb, many, openapi, text, withOperation, withSchema } from './parts.ts';

export const bombs: Bomb[] = [
  {
    what: 'many properties',
    document: withSchema({ type: 'object', properties: many(20_000, (index) => [`p${index}`, text]) }),
  },
  {
    what: 'many operations',
    document: openapi({
      paths: many(3_000, (index) => [`/p${index}`, { get: { operationId: 'same', responses: {} } }]),
    }),
  },
  {
    what: 'many parameters',
    document: withOperation({
      parameters: Array.from({ length: 5_000 }, (_, index) => ({
        name: `p${index}`,
        in: 'query',
        schema: text,
      })),
    }),
  },
  {
    what: 'many parameters of one name',
    document: withOperation({
      parameters: Array.from({ length: 2_000 }, (_, index) => ({
        name: `a${'-'.repeat(index % 50)}b`,
        in: index % 2 === 0 ? 'query' : 'header',
        schema: text,
      })),
    }),
  },
  {
    what: 'schemes that give one variable',
    document: withOperation(
      { security: ['a-b', 'a.b', 'a_b', 'A b'].map((name) => ({ [name]: [] })) },
      {
        components: {
          securitySchemes: many(4, (index) => [
            ['a-b', 'a.b', 'a_b', 'A b'][index] ?? '',
            { type: 'apiKey', in: 'header', name: `X-${index}` },
          ]),
        },
      },
    ),
    told: ['environment-name-clash'],
  },
];
