/** Values that are not what stands there elsewhere. */
import { text, withOperation, withSchema } from '../parts.mjs';

export const bombs = [
  {
    what: 'a place that can be no text',
    document: withOperation({
      parameters: [
        { name: 'p', in: { toString: '' } },
        { name: 'q', in: 'query', style: { toString: 1 } },
        { $ref: { toString: null } },
      ],
    }),
    told: ['unknown-parameter-location'],
  },
  {
    what: 'members of prototypes',
    document: JSON.stringify(withSchema({ type: 'object', properties: { a: text } })).replaceAll(
      '"a":{',
      '"__proto__":{"type":"string","polluted":true},"constructor":{"prototype":{"polluted":true}},"a":{',
    ),
  },
  {
    what: 'numbers beyond all bounds',
    document: JSON.stringify(
      withSchema({
        type: 'array',
        minItems: 1e15,
        maxItems: -1,
        items: { type: 'number', multipleOf: 0, minimum: 7 },
      }),
    ).replace('"minimum":7', '"minimum":1e999'),
    told: ['invalid-keyword'],
  },
  {
    what: 'a text of a length that nobody has',
    document: withOperation({
      parameters: [
        { name: 'q', in: 'query', required: true, schema: { type: 'string', minLength: 2 ** 40 } },
      ],
    }),
  },
];
