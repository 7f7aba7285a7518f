// `@throws {A}`: the classes whose messages are for the caller, as bindings have them.
import { expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

test.each([
  { tag: '@throws {Shut} if it is closed.', want: ['Shut'] },
  { tag: '@throws {Shut | errors.Late}', want: ['Shut', 'Late'] },
  { tag: "@throws {import('./b.ts').Late} too late.\n * @throws {Shut}", want: ['Late', 'Shut'] },
  { tag: '@exception {Error}', want: ['Error'] },
  { tag: '@throws Shut, or {Late}.', want: undefined },
  { tag: '@throws {@link Shut} if it is closed.', want: undefined },
])('$tag', async ({ tag, want }) => {
  const compiled = await compileFiles({
    'a.ts': `import * as errors from './b.ts';\nexport class Shut extends Error {}\n/** Buys. @tool ${tag} */\nexport function f(): void { throw new errors.Late(); }`,
    'b.ts': 'export class Late extends Error {}',
  });
  expect(compiled.problems).toEqual([]);
  const { binding, description } = toolNamed('f', compiled);
  expect(description).toBe('Buys.');
  expect(binding).toMatchObject({ kind: 'function' });
  expect('throws' in binding ? binding.throws : undefined).toEqual(want);
});
