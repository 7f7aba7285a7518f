import fc from 'fast-check';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { printJson } from '../../src/emit/print-literals.ts';
import { projectStyle } from '../../src/emit/templates/format.ts';

const scalar = fc.oneof(
  fc.string(),
  fc.string({ minLength: 80, maxLength: 130 }),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: unknown; record: unknown; list: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('record'), tie('list')),
  record: fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { maxKeys: 4 }),
  list: fc.oneof(fc.array(scalar, { maxLength: 6 }), fc.array(tie('record'), { maxLength: 3 })),
}));

test('JSON is printed as Prettier prints it', async () => {
  const records = fc.dictionary(fc.string({ minLength: 1 }), value, { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(records, async (record) => {
      const text = `${printJson(record)}\n`;
      expect(JSON.parse(text)).toEqual(record);
      expect(text).toBe(await format(text, { ...projectStyle, parser: 'json' }));
    }),
  );
});
