import { expect, test } from 'vitest';
import { listDefinitions } from '../../src/diagnostics/find-definition.ts';
import { runInProcess } from './support/fake-host.ts';

test.each(['MCPG101', 'mcpg101', '101', 'source-not-found'])('explain %s prints its page', async (query) => {
  expect(await runInProcess(['explain', query])).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: `MCPG101 source-not-found (error)

It says
  The file <source> does not exist.

Why
  The source on the command line does not exist, so there is nothing to compile.

What to do
  Use the path of an OpenAPI document, a URL, or \`-\` for standard input.

Provoked by
  mcpgen openapi does-not-exist.yaml
`,
  });
});

test('explain alone lists every diagnostic on a line, in columns', async () => {
  const { exitCode, stdout } = await runInProcess(['explain']);
  expect(exitCode).toBe(0);
  const rows = stdout.match(/^MCPG\d{3} +(?:error|warning|info) +[a-z0-9-]+ +\S.{9,}$/gm) ?? [];
  expect(rows).toHaveLength(listDefinitions().length);
  expect(new Set(rows.map((row) => /^MCPG\d+ +\w+ +[a-z0-9-]+ +/.exec(row)?.[0].length)).size).toBe(1);
  expect(stdout).toMatch(/\n\nmcpgen explain <code> for more\.\n$/);
});

test.each([
  ['source-not-foud', 'there is no diagnostic "source-not-foud". Did you mean source-not-found?'],
  ['zzzzzz', 'there is no diagnostic "zzzzzz".\n'],
])('explain %s suggests a near name, or none', async (query, message) => {
  const { exitCode, stdout, stderr } = await runInProcess(['explain', query]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
});
