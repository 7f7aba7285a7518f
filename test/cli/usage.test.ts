import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const COMMANDS = [
  'openapi',
  'ts',
  'generate',
  'check',
  'diff',
  'inspect',
  'serve',
  'init',
  'lint',
  'overlay',
  'explain',
];

test('help fits one screen: examples, six commands, and where the others are', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(['--help']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^Examples:\n {2}mcpgen openapi petstore\.yaml/);
  expect(stdout.split('\n').length).toBeLessThanOrEqual(24);
  const [, commands = ''] = stdout.split('Commands:\n');
  expect(commands.match(/^ {2}\w+/gm)).toHaveLength(6);
  expect(stdout).toMatch(/\nmore: mcpgen help --all/);
});

test('help --all lists the commands and documents the exit codes', async () => {
  const { stdout } = await runInProcess(['help', '--all']);
  for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  expect(stdout).toMatch(/Exit codes:\n {2}0 {3}success\n {2}1 .*\n {2}2 .*\n {2}70 .*\n {2}130 /);
});

test('the exit codes of serve are those of the server, which Ctrl-C ends well', async () => {
  const { stdout } = await runInProcess(['serve', '--help']);
  expect(stdout).toMatch(
    /Exit codes:\n {2}0 .*Ctrl-C.*\n {2}1 .*server.*\n {2}2 .*\n {2}70 .*\n {2}130 .* before .*\n\n/,
  );
});

test.each(COMMANDS)('help %s says what its --help says: examples, and exit codes', async (command) => {
  const said = await runInProcess([command, '--help']);
  expect(await runInProcess(['help', command])).toEqual(said);
  expect(said.exitCode).toBe(0);
  expect(said.stdout).toMatch(new RegExp(`^Examples:\\n  mcpgen ${command}[^]*Exit codes:`));
});

test('an option of several commands says what it is of this one', async () => {
  const { stdout } = await runInProcess(['install', '--help']);
  expect(stdout).toMatch(/^ {2}--name <name> +the entry's name$/m);
  expect(stdout).not.toMatch(/\bof (?:un)?install/);
});

test('help alone, and help of a nested or misspelt command', async () => {
  expect(await runInProcess(['help'])).toEqual(await runInProcess(['--help']));
  expect(await runInProcess(['help', 'chek'])).toEqual(await runInProcess(['--help']));
  expect(await runInProcess(['help', 'templates', 'eject'])).toEqual(
    await runInProcess(['templates', 'eject', '--help']),
  );
});

test('--version goes to stdout', async () => {
  const { exitCode, stdout } = await runInProcess(['--version']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('mcpgen alone is wrong usage: the help goes to stderr', async () => {
  const { exitCode, stdout, stderr } = await runInProcess([]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('Usage: mcpgen');
});

test.each([
  { args: ['opnapi', 'x.yaml'], words: "unknown command 'opnapi'. Did you mean openapi?" },
  { args: ['openapi'], words: "missing required argument 'source'" },
  { args: ['petstore.yaml'], words: 'Did you mean `mcpgen openapi petstore.yaml`?' },
  {
    args: ['openapi', '--allow-remote-refs', 'a.example', 'petstore.yaml'],
    words: 'takes all words that follow it',
  },
  {
    args: ['inspect', 'src/one.mts', 'src/two.mts'],
    words: 'Quote a glob, so that the shell does not expand it: `mcpgen inspect "src/*.mts"`',
  },
  { args: ['check', 'src/*'], words: 'compile one with `mcpgen ts "src/*" -o <dir>`' },
  { args: ['inspect', '.'], words: '`mcpgen ts "<dir>/**/*.ts"`' },
  { args: ['openapi', 'a.yaml', '--dry-rum'], words: "unknown option '--dry-rum'. Did you mean --dry-run?" },
  {
    args: ['generate', 'p', '--surface', 'search'],
    words: "unknown option '--surface'. Set `surface` in the configuration instead.",
  },
  { args: ['publish', 'init'], words: 'Run `mcpgen publish init --help` for the commands and options.' },
  {
    args: ['publish', 'init', 'npm', 'dockr', 'p'],
    words: '<target> cannot be "dockr". Only one word may be',
  },
  { args: ['publish', 'init', 'x'], words: '<target> cannot be "x". Allowed choices are npm, docker,' },
  { args: ['openapi', 'a.yaml', '--publish', 'dockr'], words: '(did you mean docker?)' },
  { args: ['install', 'p', '--client', 'vs-code'], words: 'windsurf, zed (did you mean vscode?)' },
  { args: ['openapi', 'a.yaml', '--auth', 'basic'], words: 'It must be one of oauth, none' },
  {
    args: ['openapi', 'a.yaml', '--max-name-length', '8'],
    words: 'It must be a whole number from 16 to 128',
  },
  { args: ['openapi', 'a.yaml', '--name', ''], words: 'It must not be empty' },
  { args: ['openapi', 'a.yaml', '--allow-remote-refs', 'two words'], words: 'It must be only a host' },
  { args: ['serve', '--port', '3000', 'a.yaml'], words: "must come before the server's option --port" },
  { args: ['openapi', 'a.yaml', '--route-map', 'no-such-file.yaml'], words: 'there is no such file' },
  {
    args: ['diff', 'old.yaml'],
    words: 'old.yaml is not a project, so a second source is needed to compare it with',
  },
])('mcpgen $args is wrong usage: exit 2, words on stderr, or one JSON document', async ({ args, words }) => {
  const { exitCode, stdout, stderr } = await runInProcess(args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(words);
  if (args[0] === 'serve') return;
  const json = await runInProcess([...args, '--json']);
  expect(json.exitCode).toBe(2);
  const answer: unknown = JSON.parse(json.stdout);
  expect(answer).toMatchObject({ ok: false, exitCode: 2, diagnostics: [{ severity: 'error' }] });
  expect(json.stdout).toContain(JSON.stringify(words).slice(1, -1));
});

test('serving standard input over stdio is wrong usage: stdin-taken', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(['serve', '-']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('stdin-taken');
  expect(stderr).toContain('--transport http');
});

test('a locked name of a function stays until --rename', async () => {
  const cwd = temporaryFolder();
  const names = () =>
    Object.values(
      (JSON.parse(readFileSync(join(cwd, 'own/mcpgen.lock'), 'utf8')) as { names: object }).names,
    );
  const compile = async (tag: string, toolNames: string, ...flags: string[]) => {
    mkdirSync(join(cwd, 'own'), { recursive: true });
    const config = { typescript: { files: ['../own.ts'] }, toolNames };
    writeFileSync(join(cwd, 'own/mcpgen.config.json'), JSON.stringify(config));
    writeFileSync(
      join(cwd, 'own.ts'),
      `/** Adds. @tool ${tag} */\nexport function add(a: number): number { return a; }\n`,
    );
    return runInProcess(['generate', 'own', ...flags], { cwd });
  };
  await compile('math.add', 'spec');
  expect(names()).toEqual(['math.add']);
  const kept = await compile('math.add', 'models');
  expect(kept.stderr).toContain('MCPG434');
  expect(names()).toEqual(['math.add']);
  expect((await compile('math.add', 'models', '--rename')).exitCode).toBe(0);
  expect(names()).toEqual(['math_add']);
});
