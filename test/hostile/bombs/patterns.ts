// Patterns that run away.
import { type Bomb, text, withSchema } from './parts.ts';

export const bombs: Bomb[] = [
  {
    what: 'patterns that run away',
    document: withSchema({ type: 'string', pattern: '^(a+)+$', example: `${'a'.repeat(60)}!` }),
    told: ['guarded-pattern'],
  },
  {
    what: 'names of properties that run away',
    document: withSchema({
      type: 'object',
      patternProperties: { '^(a|a)*$': text },
      example: { [`${'a'.repeat(60)}!`]: 1 },
    }),
    told: ['guarded-pattern'],
  },
  {
    what: 'a pattern of a thousand kinds',
    document: withSchema({ type: 'string', pattern: '(?:(?:a{1,100}){1,100}){1,100}b'.repeat(2) }),
    told: ['pattern-removed'],
  },
  {
    what: 'two thousand patterns that are slow to analyse',
    document: withSchema({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 2_000 }, (_, at) => [
          `p${at}`,
          { type: 'string', pattern: `^${'.*'.repeat(60)}${at}$` },
        ]),
      ),
    }),
    told: ['guarded-pattern'],
  },
];
