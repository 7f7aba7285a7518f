// References in circles, and such that double what they refer to.
import { type Bomb, many, openapi, ref, text, withSchema } from './parts.ts';

export const bombs: Bomb[] = [
  {
    what: 'references in a circle',
    document: withSchema(ref('A'), { components: { schemas: { A: ref('B'), B: ref('C'), C: ref('A') } } }),
    told: ['circular-ref'],
  },
  {
    what: 'a schema of nothing but itself',
    document: withSchema(ref('A'), { components: { schemas: { A: { allOf: [ref('A'), ref('A')] } } } }),
    told: ['endless-schema'],
  },
  {
    what: 'objects that double',
    document: withSchema(ref('S40'), {
      components: {
        schemas: {
          S0: text,
          ...many(40, (index) => [
            `S${index + 1}`,
            {
              type: 'object',
              required: ['a', 'b'],
              properties: { a: ref(`S${index}`), b: ref(`S${index}`) },
            },
          ]),
        },
      },
    }),
  },
  {
    what: 'paths in a circle',
    document: openapi({
      paths: {
        '/a': { $ref: '#/paths/~1b' },
        '/b': { $ref: '#/paths/~1a' },
        '/c': { get: { operationId: 'c', responses: {} } },
      },
    }),
    told: ['circular-ref'],
  },
];
