// The built command at its edges: streams, exit codes, JSON, colours, pipes.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runInProcess } from './support/fake-host.ts';
import { mcpgen } from './support/spawn.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const main = fileURLToPath(new URL('../../dist/bin/mcpgen.js', import.meta.url));
const cwd = temporaryFolder();
for (const file of ['petstore.yaml', 'invalid/broken.yaml', 'hostile/injection.json'])
  cpSync(join(fixtures, file), join(cwd, file.replace(/^.*\//, '')));

test('--json: one document on stdout, nothing on stderr, and the exit code', async () => {
  const { exitCode, stdout, stderr } = await mcpgen(['openapi', 'broken.yaml', '--json'], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, exitCode: 1, diagnostics: [{ line: 5, column: 3 }] });
});

test.each(['true', 'false'])('a hostile document drives no terminal (on GitHub: %s)', async (isGithub) => {
  const { exitCode, stdout, stderr } = await runInProcess(['inspect', 'injection.json', '--verbose'], {
    cwd,
    env: { GITHUB_ACTIONS: isGithub },
  });
  expect(exitCode).toBe(0);
  expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e]/);
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
    const { exitCode, stdout, stderr } = await runInProcess(args, { cwd, env });
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
])('colours with $env: $coloured', async ({ env, coloured }) => {
  const { stderr } = await mcpgen(['openapi', 'broken.yaml'], { cwd, env });
  expect(stderr.includes('\x1b[31m')).toBe(coloured);
});

test.each(['stdout', 'stderr'] as const)(
  'a reader of %s that leaves early changes nothing',
  async (closed) => {
    const args = ['inspect', 'broken.yaml', '--json'].slice(0, closed === 'stdout' ? 3 : 2);
    const child = spawn(process.execPath, [main, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    child.stdout.resume();
    child[closed].destroy();
    const exitCode = await new Promise((resolve) => child.once('close', resolve));
    expect(exitCode).toBe(1);
    expect(stderr).not.toContain('EPIPE');
  },
);

test('a project is written whole when nobody reads what is said', async () => {
  const child = spawn(process.execPath, [main, 'openapi', 'petstore.yaml', '-o', 'unread', '--verbose'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  child.stderr.destroy();
  const exitCode = await new Promise((resolve) => child.once('close', resolve));
  expect(exitCode).toBe(0);
  expect((await runInProcess(['check', 'unread'], { cwd })).exitCode).toBe(0);
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
  await runInProcess(['openapi', 'petstore.yaml', '-o', 'served'], { cwd });
  const hooks =
    "export const handlers = { beforeRequest() {}, tools: {} };\\nconsole.error('handlers loaded');\\n";
  writeFileSync(join(cwd, 'served/src/handlers/index.ts'), hooks.replaceAll('\\n', '\n'));
  await runInProcess(['generate', 'served'], { cwd });
  const run = await mcpgen(['serve', 'served', '--include', 'tag:pets', '--', '--version'], { cwd });
  expect(run).toMatchObject({ exitCode: 0, stdout: '1.4.0\n' });
  expect(run.stderr).toContain('handlers loaded');
  const named = await runInProcess(['serve', 'served', '--name', 'x'], { cwd });
  expect(named.exitCode).toBe(2);
  expect(named.stderr).toContain('--name applies only to sources');
  expect(named.stderr).toContain('`mcpgen serve served -- --help` lists the flags of its server');
});

test('serve of a project that is not built: project-not-built', async () => {
  mkdirSync(join(cwd, 'fresh'));
  writeFileSync(join(cwd, 'fresh/mcpgen.config.json'), '{ "source": "../petstore.yaml" }');
  const { exitCode, stdout, stderr } = await runInProcess(['serve', 'fresh'], { cwd });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('project-not-built: fresh/dist/main.js does not exist');
});
