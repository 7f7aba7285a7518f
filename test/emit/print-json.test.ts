import fc from 'fast-check';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { printJson, printMember } from '../../src/emit/print-literals.ts';
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

test.each(['x', 'é', '日'])('what fits on the line to the last column: %s', async (letter) => {
  for (let count = 40; count < 110; count += 1) {
    const list = [letter.repeat(count), null];
    const record = { inner: list, last: { list } };
    expect(`${printJson(record)}\n`).toBe(
      await format(JSON.stringify(record, undefined, 2), { ...projectStyle, parser: 'json' }),
    );
  }
});

const letter = fc.constantFrom(...'ab 9.,\'"`$\\\n\u2028é日本가😀');

const member = fc.record({
  name: fc.string(),
  title: fc.string({ unit: letter, minLength: 60, maxLength: 120 }),
  websiteUrl: fc.string({ minLength: 80, maxLength: 130 }),
  icons: fc.array(
    fc.record({ src: fc.string({ maxLength: 130 }), sizes: fc.array(fc.string(), { maxLength: 4 }) }),
    { maxLength: 2 },
  ),
});

test('members of code are printed as Prettier prints them', async () => {
  await fc.assert(
    fc.asyncProperty(member, async (info) => {
      const code = `export const server = {\n  ${printMember('info', info, 2)}\n};\n`;
      expect(code).toBe(await format(code, { ...projectStyle, parser: 'typescript' }));
    }),
  );
});

test('printJson begins inside of a line', () => {
  expect(printJson({ a: ['b'] }, 4)).toBe('{\n      "a": ["b"]\n    }');
});
