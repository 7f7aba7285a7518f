// A document may be as large, as deep or as tangled as it likes: there is a server or a diagnostic, never a crash.
import { expect, test } from 'vitest';
import { bombs } from './bombs/bombs.ts';
import { compileText } from './compile-text.ts';
import { sayingsOf } from './judge-files.ts';

test.each(bombs)('$what', async ({ document, told, served }) => {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const { diagnostics, files } = await compileText(text);
  expect(diagnostics.map(({ name }) => name)).toEqual(expect.arrayContaining(told));
  expect(files !== undefined).toBe(served);
  expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(!served);
  expect((await sayingsOf(files ?? [])).wrong).toEqual([]);
  const size = (files ?? []).reduce((sum, { contents }) => sum + contents.length, 0);
  expect(size).toBeLessThan(60_000_000 + 20 * text.length);
  expect({}).not.toHaveProperty('polluted');
});
