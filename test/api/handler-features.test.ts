/** A project has the features that its handlers use; `check` and `generate` agree. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check, generate } from '../../src/index.ts';
import { fixtures } from '../e2e/support/command.ts';
import { temporaryFolder } from '../write/project-on-disk.ts';

async function project(): Promise<{
  dir: string;
  putHandlers: (text: string) => void;
  run: (command: 'check' | 'generate') => Promise<{ ok: boolean; said: string[] }>;
}> {
  const cwd = temporaryFolder();
  const dir = join(cwd, 'out');
  const options = { source: join(fixtures, 'petstore.yaml'), dir: 'out', cwd };
  await generate(options);
  return {
    dir,
    putHandlers: (text) => writeFileSync(join(dir, 'src/handlers/index.ts'), text),
    run: async (command) => {
      const { ok, diagnostics } = command === 'check' ? await check('out', { cwd }) : await generate(options);
      return { ok, said: diagnostics.map(({ name, message }) => `${name}: ${message}`) };
    },
  };
}

const lines = (said: readonly string[], name: string): string[] =>
  said.filter((each) => each.startsWith(`${name}: `));

test('handlers bring the feature that they use, once it is said; without the use it goes, which is said too', async () => {
  const { dir, putHandlers, run } = await project();
  const client = join(dir, 'src/runtime/features/ask/index.ts');
  const untouched = readFileSync(join(dir, 'src/handlers/index.ts'), 'utf8');
  expect(existsSync(client)).toBe(false);
  putHandlers(`import type { Handlers } from '../runtime/types.ts';
import type { Tools } from '../generated/types.ts';
export const handlers: Handlers<Tools> = {
  tools: { deletePet: async (_, { elicit }) => (await elicit('Really?', {})).action },
};
`);
  const stale = await run('check');
  expect(stale.ok).toBe(false);
  const added = 'feature-changed: src/handlers/ uses elicit, so the project gets the feature ask.';
  expect(lines(stale.said, 'feature-changed')).toEqual([added]);
  expect(existsSync(client)).toBe(false);

  const first = await run('generate');
  expect(first).toMatchObject({ ok: true });
  expect(lines(first.said, 'feature-changed')).toEqual([added]);
  expect(existsSync(client)).toBe(true);
  expect(readFileSync(join(dir, 'mcpgen.config.json'), 'utf8')).not.toContain('ask');
  expect(await run('check')).toEqual({ ok: true, said: [] });
  expect(await run('generate')).toEqual({ ok: true, said: [] });

  putHandlers(untouched);
  const last = await run('generate');
  expect(lines(last.said, 'feature-changed')).toEqual([
    'feature-changed: Nothing in the project needs the feature ask any more, so it is left out.',
  ]);
  expect(existsSync(client)).toBe(false);
  expect(await run('check')).toEqual({ ok: true, said: [] });
});

test.each([
  ['a member by its text', "export const handlers = { beforeRequest: (_, c) => c['sample']({}) };", ['ask']],
  ['a type', "import type { Root } from '../runtime/types.ts';\nexport const handlers = {};", ['ask']],
  [
    'a task',
    "export const handlers = { extraTools: [{ name: 'x', execution: { taskSupport: 'optional' } }] };",
    ['changes', 'tasks'],
  ],
])('%s brings it', async (_, text, features) => {
  const { putHandlers, run } = await project();
  putHandlers(text);
  const { ok, said } = await run('generate');
  expect({
    ok,
    features: lines(said, 'feature-changed').map((line) => /the feature (\w+)/.exec(line)?.[1]),
  }).toEqual({
    ok: true,
    features,
  });
});

test.each([
  ['a comment', '// context.elicit is not called here\nexport const handlers = {};'],
  ['a tool of the name', 'export const handlers = { extraTools: [sample] };\nconst sample = { sample: 1 };'],
])('%s brings none', async (_, text) => {
  const { putHandlers, run } = await project();
  putHandlers(text);
  expect(lines((await run('generate')).said, 'feature-changed')).toEqual([]);
});
