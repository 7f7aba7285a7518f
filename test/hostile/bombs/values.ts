// Values that are not what stands there elsewhere.
import { type Bomb, text, withOperation, withSchema } from './parts.ts';

export const bombs: Bomb[] = [
  {
    what: 'a place that can be no text',
    document: withOperation({
      parameters: [
        { name: 'p', in: { toString: '' } },
        { name: 'q', in: 'query', style: { toString: 1 } },
        { $ref: { toString: null } },
      ],
    }),
    told: ['parameter-ignored'],
  },
  ...Object.entries({
    'marks on one letter': `b${'\u0315\u0300'.repeat(100_000)}`,
    'marks that hidden characters part': `b${'\u0315\u200b\u0300'.repeat(100_000)}`,
    'hidden characters between letters': '\u1820\u200b'.repeat(100_000),
    'selectors on one letter': `\u1820${'\u180b'.repeat(100_000)}`,
  }).map(([what, description]) => ({
    what,
    document: withOperation({ description }),
    told: ['hidden-text'],
  })),
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
];
