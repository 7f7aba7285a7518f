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
  if (docs.example !== undefined) expect(flat(stdout)).toContain(`Provoked by ${flat(docs.example)}`);
  // Said once, and nothing that only the case could fill in.
  const [, hint = ''] = /^Hint\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
  if (hint !== '') expect(flat(docs.fix)).not.toContain(flat(hint).trim().replace(/\.$/, ''));
  expect(hint.replace(/`[^`]*`|<name>\.orig/g, '')).not.toMatch(/<\w+>/);
});

test('what a diagnostic says has words for each of its parameters', () => {
  for (const { name, message } of all) expect(message, name).not.toMatch(/(?:^|[.:]\s)undefined/);
});

test('explain alone lists every diagnostic, each with a summary on its line', async () => {
  const { exitCode, stdout } = await runInProcess(['explain']);
  expect(exitCode).toBe(0);
  const lines = stdout.split('\n').slice(0, all.length);
  for (const [at, { code, name }] of all.entries())
    expect(lines[at]).toMatch(new RegExp(`^${code} .* ${name} +\\S.{9,}$`));
  expect(stdout).toMatch(/\n\nmcpgen explain <code> for more\.\n$/);
});

test('its columns hold, and no summary is cut', async () => {
  const { stdout } = await runInProcess(['explain']);
  const columns = stdout
    .split('\n')
    .flatMap((line) => /^MCPG\d+ +\w+ +[a-z0-9-]+ +/.exec(line)?.[0].length ?? []);
  expect(new Set(columns).size).toBe(1);
  expect(stdout).not.toContain('…');
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

test.each([
  { query: 'MCPG10', want: 'MCPG101, MCPG102, MCPG103, MCPG104, MCPG105' },
  { query: '10', want: 'MCPG101, MCPG102, MCPG103, MCPG104, MCPG105' },
  { query: 'mcpg-1011', want: 'MCPG101, MCPG111' },
  { query: '191', want: 'MCPG101, MCPG111, MCPG121, MCPG141, MCPG291' },
])('explain $query: did you mean $want?', async ({ query, want }) => {
  const { exitCode, stderr } = await runInProcess(['explain', query]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`Did you mean ${want}?`);
});

test('where nothing is near, nothing is suggested', async () => {
  const { stderr } = await runInProcess(['explain', 'zzzzzz']);
  expect(stderr).toContain('There is no diagnostic "zzzzzz".\n');
});

test('explain of a key that is not known lists those that are', async () => {
  for (const [code, key] of [
    ['unknown-x-mcp-key', 'annotations'],
    ['invalid-config', 'docs/reference/configuration.md'],
  ] as const)
    expect((await runInProcess(['explain', code])).stdout).toContain(key);
});

test('unknown-diagnostic suggests the near miss', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(['explain', 'source-not-foud']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('There is no diagnostic "source-not-foud". Did you mean source-not-found?');
});
