// References to what is no part of a document.
import { type Bomb, withSchema } from './parts.ts';

const referring = (target: string, told: string[] = []): Bomb => ({
  what: `a reference to ${target}`,
  document: withSchema({ $ref: target }),
  told,
});

export const bombs: Bomb[] = [
  ...[
    'file:///etc/passwd',
    '/etc/passwd',
    '../../../../../../etc/passwd',
    '%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    'file://evil.example/x',
  ].map((target) => referring(target)),
  ...[
    'http://169.254.169.254/latest/meta-data/',
    'https://2130706433/',
    'http://[::ffff:7f00:1]/x',
    'http://user:secret@evil.example/',
  ].map((target) => referring(target, ['remote-ref-refused'])),
  referring('//evil.example/x'),
  ...['javascript:alert(1)', 'data:application/json,{}', 'node:fs'].map((target) =>
    referring(target, ['invalid-ref']),
  ),
  {
    what: 'a reference that is no text',
    document: withSchema({ $ref: { $ref: ['#'] } }),
    told: ['invalid-ref'],
  },
  {
    what: 'references into prototypes',
    document: withSchema(
      {
        allOf: ['#/__proto__', '#/constructor/prototype', '#/components/schemas/toString'].map(($ref) => ({
          $ref,
        })),
      },
      { components: { schemas: {} } },
    ),
    told: ['dangling-ref'],
  },
];
