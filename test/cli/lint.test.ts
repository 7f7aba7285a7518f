// `mcpgen lint` at the command line: forms, exit codes, and each kind of source.
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { type Said, runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));

function folderWith(...files: string[]): string {
  const cwd = temporaryFolder();
  for (const file of files) cpSync(join(fixtures, file), join(cwd, file.replace(/^.*\//, '')));
  return cwd;
}

async function lint(cwd: string, line: string, env: Record<string, string> = {}): Promise<Said> {
  return runInProcess(['lint', ...line.split(' ')], { cwd, env });
}

test.each([
  { line: 'petstore.yaml', exitCode: 0 },
  { line: 'petstore.yaml --strict', exitCode: 1 },
  { line: 'petstore.yaml --client cursor,claude', exitCode: 0 },
  { line: 'petstore.yaml --client gemini', exitCode: 1 },
  { line: 'petstore.yaml --max-tokens 100', exitCode: 1 },
  { line: 'petstore.yaml --client emacs', exitCode: 2 },
  { line: 'missing.yaml', exitCode: 1 },
])('$line exits with $exitCode', async ({ line, exitCode }) => {
  const said = await lint(folderWith('petstore.yaml'), line);
  expect([said.exitCode, said.stderr]).toEqual([exitCode, expect.anything()]);
});

test('--fix writes the overlay, twice the same, and keeps what a person wrote in it', async () => {
  const cwd = folderWith('petstore.yaml');
  const file = join(cwd, 'mcpgen.overlay.yaml');
  const said = await lint(cwd, 'petstore.yaml --fix');
  expect(said.stderr).toContain('mcpgen.overlay.yaml ends 2 findings');
  const text = readFileSync(file, 'utf8');
  await lint(cwd, 'petstore.yaml --fix');
  expect(readFileSync(file, 'utf8')).toBe(text);
  writeFileSync(file, `${text}  - target: $.info\n    update: { x-mine: 1 }\n`);
  await lint(cwd, 'petstore.yaml --fix');
  expect(readFileSync(file, 'utf8')).toContain('x-mine');
  const after = await lint(cwd, 'petstore.yaml --overlay mcpgen.overlay.yaml --fix');
  expect(after.stderr).toContain('Nothing can be fixed');
});

const MINE = `# Mine.
overlay: 1.1.0 # The version.
info: { title: Mine, version: "1" }

actions:
  # The one with toys.
  - target: $.paths["/pets"].post # POST
    update:
      # Not the operationId.
      summary: Files a pet.

  # Hidden.
  - target: $.paths["/pets"].get
    update: { x-mcp: { pin: true } }
  # The last word.
`;

test('--fix adds its actions to those of an overlay, whose comments are beside it', async () => {
  const cwd = folderWith('petstore.yaml');
  const file = join(cwd, 'mcpgen.overlay.yaml');
  writeFileSync(file, MINE);
  const { exitCode, stderr } = await lint(cwd, 'petstore.yaml --fix');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('What it held is in mcpgen.overlay.yaml.orig.');
  expect(readFileSync(`${file}.orig`, 'utf8')).toBe(MINE);
  const [before, fixed] = [MINE, readFileSync(file, 'utf8')].map(
    (text) => load(text) as { actions: object[] },
  );
  expect(fixed).toEqual({
    ...before,
    actions: [...(before?.actions ?? []), expect.anything(), expect.anything()],
  });
  expect((await lint(cwd, 'petstore.yaml --overlay mcpgen.overlay.yaml --fix')).stderr).toContain(
    'Nothing can be fixed',
  );
});

test.each(['actions:\n  - target: "$\n', '- no\n', '{ "overlay": \n'])(
  '--fix does not replace what it cannot read: %j',
  async (text) => {
    const cwd = folderWith('petstore.yaml');
    const file = join(cwd, 'mcpgen.overlay.yaml');
    writeFileSync(file, text);
    const { exitCode, stderr } = await lint(cwd, 'petstore.yaml --fix');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(
        'MCPG129 draft-not-written: mcpgen.overlay.yaml was not written: what it holds cannot be read',
      ),
    ]);
    expect([readFileSync(file, 'utf8'), existsSync(`${file}.orig`)]).toEqual([text, false]);
  },
);

test('--fix does not write through a link', async () => {
  const cwd = folderWith('petstore.yaml');
  writeFileSync(join(cwd, 'mine.txt'), 'mine');
  symlinkSync(join(cwd, 'mine.txt'), join(cwd, 'mcpgen.overlay.yaml'));
  const { exitCode, stderr } = await lint(cwd, 'petstore.yaml --fix');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('it is a symbolic link')]);
  expect(readFileSync(join(cwd, 'mine.txt'), 'utf8')).toBe('mine');
});

test('budgets fail openapi, generate and check, and nothing is written', async () => {
  const cwd = folderWith('petstore.yaml');
  const run = (...args: string[]): Promise<Said> => runInProcess(args, { cwd });
  const refused = await run('openapi', 'petstore.yaml', '-o', 'p', '--max-tokens', '100');
  expect([refused.exitCode, existsSync(join(cwd, 'p'))]).toEqual([1, false]);
  expect((await run('openapi', 'petstore.yaml', '-o', 'p')).exitCode).toBe(0);
  expect((await run('check', 'p')).exitCode).toBe(0);
  expect((await run('check', 'p', '--max-tokens', '100')).stderr).toContain('MCPG960 over-budget');
  const file = join(cwd, 'p/mcpgen.config.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...config, budget: { tools: 3 } }));
  for (const command of ['check', 'generate', 'lint']) {
    const said = await run(command, 'p');
    expect([command, said.exitCode, said.stderr.includes('13 tools; its budget allows 3')]).toEqual([
      command,
      1,
      true,
    ]);
  }
});
