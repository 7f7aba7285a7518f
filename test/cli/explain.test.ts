import { expect, test } from 'vitest';
import { listDefinitions } from '../../src/diagnostics/find-definition.ts';
import { runInProcess } from './support/fake-host.ts';

const all = listDefinitions();

function flat(text: string): string {
  return text.replace(/\s+/g, ' ');
}

test.each(all)('explain $code says what $name means and how to fix it', async ({ code, name, docs }) => {
  const { exitCode, stdout, stderr } = await runInProcess(['explain', code]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain(`${code} ${name}`);
  expect(flat(stdout)).toContain(flat(docs.cause));
  expect(flat(stdout)).toContain(flat(docs.fix));
  if (docs.example !== undefined) expect(flat(stdout)).toContain(flat(docs.example));
});

test('explain alone lists every diagnostic', async () => {
  const { exitCode, stdout } = await runInProcess(['explain']);
  expect(exitCode).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(all.length);
  for (const { code, name } of all) expect(stdout).toMatch(new RegExp(`^${code} .*${name}$`, 'm'));
});

test.each(['MCPG101', 'mcpg101', '101', 'source-not-found'])('explain %s finds it', async (query) => {
  const { stdout } = await runInProcess(['explain', query]);
  expect(stdout).toMatch(/^MCPG101 source-not-found \(error\)\n/);
});

test('explain --json gives the same as data', async () => {
  const { stdout } = await runInProcess(['explain', 'MCPG101', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    exitCode: 0,
    diagnostics: [],
    result: { code: 'MCPG101', name: 'source-not-found', severity: 'error' },
  });
});

test('unknown-diagnostic suggests the near miss', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(['explain', 'source-not-foud']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('There is no diagnostic "source-not-foud". Did you mean source-not-found?');
});
