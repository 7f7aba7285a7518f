// What the types say of a form's answer. What is asked: runtime/core/forms.test.ts.
import { expectTypeOf, test } from 'vitest';
import type { FilledForm, FormSchema, StandardForm } from '../../templates/runtime/features/ask/forms.ts';

declare const fill: <const S extends FormSchema>(schema: S) => FilledForm<S>;
type Filled<S extends () => unknown> = ReturnType<S>;

test('an answer has the type that its form says', () => {
  const fields = () =>
    fill({
      a: { type: 'string' },
      b: { type: 'integer', minimum: 0 },
      c: { type: 'boolean', required: false },
      d: { type: 'string', enum: ['x', 'y'] },
      e: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] } },
    });
  expectTypeOf<Filled<typeof fields>>().branded.toEqualTypeOf<{
    a: string;
    b: number;
    c?: boolean;
    d: 'x' | 'y';
    e: 'x'[];
  }>();
  const object = () =>
    fill({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
    });
  expectTypeOf<Filled<typeof object>>().branded.toEqualTypeOf<{ a: string; b?: number }>();
  const library = (schema: StandardForm<{ age: number }>) => fill(schema);
  expectTypeOf<ReturnType<typeof library>>().toEqualTypeOf<{ age: number }>();
  void [fields, object, library];
});

test('what is no field of a form is a mistake', () => {
  // @ts-expect-error an object is no field
  const nested = () => fill({ home: { type: 'object' } });
  // @ts-expect-error secrets are asked for by a page
  const secret = () => fill({ password: { type: 'string', format: 'password' } });
  void [nested, secret];
});
