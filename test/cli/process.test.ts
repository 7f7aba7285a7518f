// The built command at its edges: streams, exit codes, JSON, colours, pipes.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mcpgen } from './support/spawn.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const main = fileURLToPath(new URL('../../dist/bin/mcpgen.js', import.meta.url));
const cwd = temporaryFolder();
for (const file of [
  'petstore.yaml',
  'invalid/broken.yaml',
  'hostile/injection.json',
  'hostile/ref-escape.yaml',
]) {
  cpSync(join(fixtures, file), join(cwd, file.replace(/^.*\//, '')));
}

test.each([
  {
    args: ['openapi', 'petstore.yaml', '-o', 'out', '--dry-run'],
    exitCode: 0,
    diagnostics: [],
    result: { name: 'petstore-mcp', tools: 13 },
  },
  { args: ['explain', 'MCPG101'], exitCode: 0, result: { code: 'MCPG101' } },
  {
    args: ['openapi', 'missing.yaml'],
    exitCode: 1,
    diagnostics: [{ name: 'source-not-found' }],
  },
  {
    args: ['openapi', 'broken.yaml'],
    exitCode: 1,
    diagnostics: [
      { code: 'MCPG108', name: 'invalid-syntax', severity: 'error', file: 'broken.yaml', line: 5, column: 3 },
    ],
  },
  { args: ['inspect', 'missing.yaml'], exitCode: 1, diagnostics: [{ name: 'source-not-found' }] },
  { args: ['check', '.'], exitCode: 2, diagnostics: [{ name: 'missing-config' }] },
  { args: ['openapi'], exitCode: 2, diagnostics: [{ name: 'invalid-usage' }] },
  {
    args: ['openapi', 'petstore.yaml', '--output-schema', 'no'],
    exitCode: 2,
    diagnostics: [{ name: 'invalid-option' }],
  },
])(
  '$args --json: exit $exitCode, one document on stdout, nothing on stderr',
  async ({ args, exitCode, ...rest }) => {
    const said = await mcpgen([...args, '--json'], { cwd });
    expect({ exitCode: said.exitCode, stderr: said.stderr }).toEqual({ exitCode, stderr: '' });
    expect(JSON.parse(said.stdout)).toMatchObject({ ok: exitCode === 0, exitCode, diagnostics: [], ...rest });
  },
);

test('--strict turns warnings into exit 1 and writes nothing', async () => {
  const { exitCode, stderr } = await mcpgen(['openapi', 'ref-escape.yaml', '-o', 'strict', '--strict'], {
    cwd,
  });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /Found (\d+) errors\. \1 of them are warnings without --strict\. Nothing was written\.\n$/,
  );
  expect(existsSync(join(cwd, 'strict'))).toBe(false);
});

test.each(['true', 'false'])('a hostile document drives no terminal (on GitHub: %s)', async (isGithub) => {
  const { exitCode, stdout, stderr } = await mcpgen(['inspect', 'injection.json', '--verbose'], {
    cwd,
    env: { GITHUB_ACTIONS: isGithub },
  });
  expect(exitCode).toBe(0);
  expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e]/);
});

test('GitHub gets annotations by itself', async () => {
  const { stderr } = await mcpgen(['openapi', 'broken.yaml'], { cwd, env: { GITHUB_ACTIONS: 'true' } });
  expect(stderr).toMatch(/^::error file=broken\.yaml,line=5,col=3,title=MCPG108 invalid-syntax::/);
});

test('in a workflow text of a document is no command', async () => {
  const sign = '##[add-mask]x';
  const paths = {
    '/a': {
      get: {
        operationId: 'a',
        tags: [sign],
        summary: `::error::${sign}`,
        parameters: [{ name: sign, in: 'query', schema: { $ref: `#/x/${sign}` } }],
        responses: {},
      },
    },
  };
  const info = { title: `::error::Title ${sign}`, version: '1' };
  writeFileSync(join(cwd, 'commands.json'), JSON.stringify({ openapi: '3.1.0', info, paths }));
  const env = { GITHUB_ACTIONS: 'true' };
  for (const args of [
    ['inspect', 'commands.json', '--verbose'],
    ['inspect', 'commands.json', '--json'],
  ]) {
    const { exitCode, stdout, stderr } = await mcpgen(args, { cwd, env });
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/add-mask/)]);
    const lines = `${stdout}\n${stderr}`.split('\n');
    // The signs stand in annotations too, where the runner has found a command before.
    const others = lines.filter((line) => !/^::(?:warning|notice) [^:]*title=MCPG/.test(line));
    expect(others.filter((line) => /^\s*::|##\[/.test(line))).toEqual([]);
  }
});

test.each([
  { env: {}, coloured: false },
  { env: { FORCE_COLOR: '1' }, coloured: true },
  { env: { NO_COLOR: '1' }, coloured: false },
])('colours with $env: $coloured', async ({ env, coloured }) => {
  const { stderr } = await mcpgen(['openapi', 'broken.yaml'], { cwd, env });
  expect(stderr.includes('\x1b[31m')).toBe(coloured);
});

test.each([
  { args: ['inspect', 'petstore.yaml', '--json'], want: 0 },
  { args: ['inspect', 'broken.yaml', '--json'], want: 1 },
  { args: ['inspect', 'broken.yaml'], want: 1 },
  { args: ['inspect', 'petstore.yaml', '--no-such-flag'], want: 2 },
])('$args: readers that leave early change nothing', async ({ args, want }) => {
  for (const closed of [['stdout'], ['stderr'], ['stdout', 'stderr']] as const) {
    const child = spawn(process.execPath, [main, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    child.stdout.resume();
    for (const stream of closed) child[stream].destroy();
    const exitCode = await new Promise((resolve) => child.once('close', resolve));
    expect({ closed, exitCode }).toEqual({ closed, exitCode: want });
    expect(stderr).not.toContain('EPIPE');
  }
});

test('a project is written whole when nobody reads what is said', async () => {
  const child = spawn(process.execPath, [main, 'openapi', 'petstore.yaml', '-o', 'unread', '--verbose'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  child.stderr.destroy();
  const exitCode = await new Promise((resolve) => child.once('close', resolve));
  expect(exitCode).toBe(0);
  expect((await mcpgen(['check', 'unread'], { cwd })).exitCode).toBe(0);
});

test('serve speaks the protocol on stdout and leaves nothing behind', async () => {
  const before = readdirSync(cwd);
  const { exitCode, stdout, stderr } = await mcpgen(['serve', 'petstore.yaml', '--include', 'tag:pets'], {
    cwd,
    meanwhile: ({ stdin, stdout: answers }) => {
      const send = (message: object): void => {
        stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      };
      const clientInfo = { name: 'test', version: '1' };
      send({
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      });
      answers?.once('data', () => {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/list' });
        answers.once('data', () => stdin?.end());
      });
    },
  });
  expect(stderr).not.toContain('ignored');
  expect(exitCode).toBe(0);
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(messages).toMatchObject([
    { id: 1, result: { serverInfo: { name: 'petstore-mcp' } } },
    { id: 2, result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'getPet' })]) } },
  ]);
  expect(readdirSync(cwd)).toEqual(before);
});

test('serve of a project runs its server, handlers included', async () => {
  await mcpgen(['openapi', 'petstore.yaml', '-o', 'served', '--quiet'], { cwd });
  const hooks =
    "export const handlers = { beforeRequest() {}, tools: {} };\\nconsole.error('handlers loaded');\\n";
  writeFileSync(join(cwd, 'served/src/handlers/index.ts'), hooks.replaceAll('\\n', '\n'));
  await mcpgen(['generate', 'served', '--quiet'], { cwd });
  const run = await mcpgen(['serve', 'served', '--include', 'tag:pets', '--', '--version'], { cwd });
  expect(run).toMatchObject({ exitCode: 0, stdout: '1.4.0\n' });
  expect(run.stderr).toContain('handlers loaded');
  const named = await mcpgen(['serve', 'served', '--name', 'x'], { cwd });
  expect(named.exitCode).toBe(2);
  expect(named.stderr).toContain('--name applies only to sources');
  expect(named.stderr).toContain('`mcpgen serve served -- --help` lists the flags of its server');
});

test('serve of a project that is not built: project-not-built', async () => {
  mkdirSync(join(cwd, 'fresh'));
  writeFileSync(join(cwd, 'fresh/mcpgen.config.json'), '{ "source": "../petstore.yaml" }');
  const { exitCode, stdout, stderr } = await mcpgen(['serve', 'fresh'], { cwd });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('project-not-built: fresh/dist/main.js does not exist');
});

test.each([
  { args: ['petstore.yaml'], want: 'Did you mean `mcpgen openapi petstore.yaml`?' },
  {
    args: ['openapi', '--allow-remote-refs', 'a.example', 'petstore.yaml'],
    want: 'takes all words that follow it',
  },
  {
    args: ['openapi', 'petstore.yaml', '--include', 'tag:pets', 'tag:store'],
    want: 'repeat the option: `--include a --include b`',
  },
])('$args: what was probably meant', async ({ args, want }) => {
  const { exitCode, stderr } = await mcpgen(args, { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(want);
});
