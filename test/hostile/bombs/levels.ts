// Levels inside levels.
import { type Bomb, nest, withOperation, withSchema } from './parts.ts';

/** The text of a document with a member, which is written by hand: what it holds has no other form. */
function withText(member: string): string {
  return JSON.stringify(withOperation({})).replace(/\}$/, `,${member}}`);
}

export const bombs: Bomb[] = [
  {
    what: 'lists of JSON inside one another',
    document: withText(`"x-a":${nest(100_000, '[', '', ']')}`),
    told: ['source-unreadable'],
    served: false,
  },
  ...['example', 'default', 'const', 'x-a'].map((keyword) => ({
    what: `a deep ${keyword}`,
    document: JSON.stringify(withSchema({ [keyword]: '@' })).replaceAll('"@"', nest(900, '[', '', ']')),
  })),
  {
    what: 'a deep example of an answer',
    document: JSON.stringify(
      withOperation({
        responses: { 200: { description: 'd', content: { 'application/json': { example: '@' } } } },
      }),
    ).replaceAll('"@"', nest(900, '[', '', ']')),
  },
  ...['items', 'not', 'additionalProperties', 'contains', 'propertyNames', 'if'].map((keyword) => ({
    what: `schemas in ${keyword} inside one another`,
    document: JSON.stringify(withSchema('@')).replaceAll('"@"', nest(900, `{"${keyword}":`, 'true', '}')),
    told: ['schema-too-large'],
  })),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => ({
    what: `schemas in ${keyword} inside one another`,
    document: JSON.stringify(withSchema('@')).replaceAll('"@"', nest(450, `{"${keyword}":[`, 'true', ']}')),
    told: ['schema-too-large'],
  })),
];
