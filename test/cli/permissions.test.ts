// Repositories that somebody else wrote: what their configurations do only with consent, and what is said of it.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { check, regenerate } from '../../src/index.ts';
import { httpServer } from '../support/loopback.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const SECRET = 'a secret of the person';
const env = { TOKEN: SECRET };
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  servers: [{ url: 'https://things.example' }],
  paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'd' } } } } },
});
const asked: string[] = [];
const { url, close } = await httpServer((request, response) => {
  asked.push(request.url ?? '');
  response.end(document);
});
afterAll(close);

/** The root of a repository, in a folder of its own. */
function repository(files: Record<string, string>): string {
  const cwd = join(temporaryFolder(), 'work');
  for (const [name, text] of Object.entries({ '.git/HEAD': '', 'api.json': document, ...files })) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  return cwd;
}

const HOOKED = {
  'mcpgen.config.json': '{\n  "source": "api.json",\n  "output": "out",\n  "hooks": "./hooks.mjs"\n}\n',
};
const HOOKS = {
  'hooks.mjs':
    "import { word } from './word.mjs';\nexport const onModel = (model) => void (model.title = word);\n",
};
const WORD = { 'word.mjs': "export const word = 'hooked';\n" };

test('a variable in a URL is an error where it stands, with the command that allows it', async () => {
  const config = `{\n  "output": "out",\n  "source": "${url}/a.json?key=\${TOKEN}"\n}\n`;
  const cwd = repository({ 'mcpgen.config.json': config });
  const refused = await runInProcess(['generate', '.', '--force'], { cwd, env });
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('mcpgen.config.json:3:13 - error MCPG624 variable-in-request');
  expect(refused.stderr).toContain('`mcpgen generate . --force --allow-env TOKEN`');
  expect(refused.stderr).toContain('MCPGEN_ALLOW_ENV=TOKEN');
  expect(asked).toEqual([]);
  const other = await runInProcess(['generate', '--allow-env', 'OTHER'], { cwd, env });
  expect(other.exitCode).toBe(2);
  expect(asked).toEqual([]);
});

test.each([
  { way: 'the option', args: ['--allow-env', 'OTHER,TOKEN'], more: {} },
  { way: 'the variable', args: [], more: { MCPGEN_ALLOW_ENV: 'TOKEN' } },
])('$way allows it; what is printed and written does not hold it', async ({ args, more }) => {
  const written = `${url}/a.json?key=\${TOKEN}`;
  const cwd = repository({ 'mcpgen.config.json': JSON.stringify({ source: written, output: 'out' }) });
  asked.length = 0;
  const said = await runInProcess(['generate', ...args, '--json'], { cwd, env: { ...env, ...more } });
  expect(said).toMatchObject({ exitCode: 0 });
  expect(asked).toEqual([`/a.json?key=${encodeURI(SECRET)}`]);
  expect(`${said.stdout}${said.stderr}`).not.toMatch(/a secret|a%20secret|key=/);
  expect(JSON.parse(said.stdout)).toMatchObject({ result: { source: `${url}/a.json` } });
  for (const file of ['mcpgen.lock', 'README.md', 'src/server.ts'])
    expect(readFileSync(join(cwd, 'out', file), 'utf8')).not.toMatch(/a secret|a%20secret|key=/);
});

test('baseUrl, names and local paths need no consent; of baseUrl an info names the variable', async () => {
  const config =
    '{ "source": "${DIR}/api.json", "name": "${NAME}",\n "baseUrl": "https://${HOST}/v1", "output": "out" }';
  const cwd = repository({ 'mcpgen.config.json': config });
  const variables = { DIR: '.', NAME: 'named-mcp', HOST: 'api.example' };
  const { exitCode, stderr } = await runInProcess(['generate', '--verbose'], { cwd, env: variables });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stderr).toContain(
    'mcpgen.config.json:2:13 - info MCPG625 base-url-variable: "baseUrl" contains the environment variable HOST',
  );
  const lock: unknown = JSON.parse(readFileSync(join(cwd, 'out/mcpgen.lock'), 'utf8'));
  expect(lock).toMatchObject({ configuration: '../mcpgen.config.json', package: { name: 'named-mcp' } });
});

test.each(['node_modules/x', '.git/x', 'link/deep'])(
  'no configuration places its project among the files of git or npm: %s',
  async (output) => {
    const cwd = repository({
      'mcpgen.config.json': JSON.stringify({ source: 'api.json', output }),
      'node_modules/y/index.js': '',
    });
    symlinkSync(join(cwd, 'node_modules/y'), join(cwd, 'link'));
    const { stderr, exitCode } = await runInProcess(['generate', '--allow-output', '.'], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('MCPG567 output-reserved');
    expect(existsSync(join(cwd, output, 'package.json'))).toBe(false);
  },
);

const OUTSIDE = { 'mcpgen.config.json': '{\n  "source": "api.json",\n  "output": "../elsewhere"\n}\n' };

test('a folder outside the repository is an error where it stands, with the command that allows it', async () => {
  const cwd = repository(OUTSIDE);
  const target = join(dirname(cwd), 'elsewhere');
  const { exitCode, stderr } = await runInProcess(['generate', '--force'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('mcpgen.config.json:3:13 - error MCPG626 output-outside');
  expect(stderr).toMatch(/`mcpgen generate --force --allow-output \S+elsewhere`/);
  expect(existsSync(target)).toBe(false);
  for (const command of ['check', 'inspect', 'diff', 'serve'])
    expect((await runInProcess([command, '.'], { cwd })).stderr).toContain('MCPG626');
});

test.each([
  { how: 'the option', args: ['--allow-output', '../elsewhere'], place: '../elsewhere' },
  { how: '-o', args: ['-o', '../chosen'], place: '../chosen' },
])('$how is consent', async ({ args, place }) => {
  const cwd = repository(OUTSIDE);
  expect(await runInProcess(['generate', ...args], { cwd })).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(cwd, place, 'mcpgen.lock'))).toBe(true);
});

test('a folder beside the configuration, in the same repository, needs no consent', async () => {
  const cwd = repository({ 'deep/mcpgen.config.json': '{ "source": "../api.json", "output": "../out" }' });
  expect(await runInProcess(['generate', 'deep'], { cwd })).toMatchObject({ exitCode: 0 });
});

test.each(['check', 'generate', 'inspect'])(
  '%s --verbose names the files it runs, before it does',
  async (command) => {
    const cwd = repository({ ...HOOKED, ...HOOKS, ...WORD });
    const { stderr } = await runInProcess([command, '.', '--verbose'], { cwd });
    expect(stderr).toMatch(/^runs hooks\.mjs\nruns word\.mjs\n/m);
    expect((await runInProcess([command, '.'], { cwd })).stderr).not.toContain('runs ');
  },
);

test('--json names them too', async () => {
  const cwd = repository({ ...HOOKED, ...HOOKS, ...WORD });
  const { stdout } = await runInProcess(['generate', '--json', '--dry-run'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, code: ['hooks.mjs', 'word.mjs'] });
});

test('--no-code refuses hooks where the configuration names them, before anything runs', async () => {
  const cwd = repository({ ...HOOKED, ...HOOKS, ...WORD });
  const { exitCode, stderr } = await runInProcess(['generate', '--no-code', '--verbose'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    'mcpgen.config.json:4:12 - error MCPG623 code-refused: mcpgen did not run hooks.mjs: "hooks" names it',
  );
  expect(stderr).not.toContain('runs ');
  expect(existsSync(join(cwd, 'out'))).toBe(false);
});

test('JSON and YAML without hooks work under it, and so do functions that are only read', async () => {
  const tools =
    '/**\n * Adds.\n * @tool add\n */\nexport function add(a: number): number {\n  return a;\n}\n';
  const cwd = repository({
    'mcpgen.config.json': '{ "source": "api.json", "output": "out" }',
    'tools.ts': tools,
  });
  for (const command of ['generate', 'check', 'inspect', 'diff'])
    expect(await runInProcess([command, '.', '--no-code'], { cwd })).toMatchObject({ exitCode: 0 });
  const other = repository({});
  expect(await runInProcess(['openapi', 'api.json', '--no-code'], { cwd: other })).toMatchObject({
    exitCode: 0,
  });
  const functions = await runInProcess(['ts', 'tools.ts', '--no-code', '-o', 'functions'], { cwd });
  expect(functions).toMatchObject({ exitCode: 0 });
  const served = await runInProcess(['serve', 'tools.ts', '--no-code'], { cwd });
  expect(served.stderr).toContain('MCPG623 code-refused: mcpgen did not run tools.ts');
});

test('a schema that a function names is code: refused under it, else named, and loaded elsewhere', async () => {
  const schema =
    "import { writeFileSync } from 'node:fs';\nwriteFileSync(process.env.TOKEN ?? 'ran', '');\n" +
    "export const S = { '~standard': { version: 1, vendor: 'own', jsonSchema: { input: () => ({ type: 'string' }), output: () => ({}) } } };\n";
  const tools =
    "import { S } from './schema.js';\nvoid S;\n/** @tool */\nexport function add(/** @schema S */ a: string): void {}\n";
  const cwd = repository({ 'package.json': '{ "type": "module" }', 'schema.js': schema, 'tools.ts': tools });
  const refused = await runInProcess(['ts', 'tools.ts', '--no-code', '-o', 'out'], { cwd, env });
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(
    'tools.ts:4:25 - error MCPG623 code-refused: mcpgen did not run schema.js: only it knows',
  );
  expect(existsSync(join(cwd, 'out'))).toBe(false);
  expect(existsSync(join(cwd, 'ran'))).toBe(false);
  const { exitCode, stderr } = await runInProcess(['inspect', 'tools.ts', '--verbose'], { cwd, env });
  expect(stderr).toContain('runs schema.js');
  expect(exitCode).toBe(0);
  expect(existsSync(join(cwd, 'ran'))).toBe(true);
});

test('MCPGEN_NO_CODE that is neither on nor off is a usage error', async () => {
  const cwd = repository({});
  const { exitCode, stderr } = await runInProcess(['check'], { cwd, env: { MCPGEN_NO_CODE: 'yes' } });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('MCPGEN_NO_CODE cannot be "yes"');
});

test('a program states the same as options', async () => {
  const hooked = repository({ ...HOOKED, ...HOOKS, ...WORD });
  expect(await check('.', { cwd: hooked, noCode: true })).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'MCPG623' }],
  });
  const cwd = repository(OUTSIDE);
  const refused = await regenerate('.', { cwd });
  expect(refused).toMatchObject({ ok: false, diagnostics: [{ code: 'MCPG626' }] });
  expect(refused.diagnostics[0]?.hint).toContain('`--allow-output ');
  expect(await regenerate('.', { cwd, allowOutput: ['../elsewhere'] })).toMatchObject({ ok: true });
  const sending = repository({
    'mcpgen.config.json': JSON.stringify({ source: `${url}/\${TOKEN}`, output: 'out' }),
  });
  expect(await regenerate('.', { cwd: sending, env })).toMatchObject({ diagnostics: [{ code: 'MCPG624' }] });
  expect(await regenerate('.', { cwd: sending, env, allowEnv: ['TOKEN'] })).toMatchObject({ ok: true });
  const wrong = await check('.', Object.assign({ cwd }, { allowEnv: 'TOKEN' }) as object);
  expect(wrong).toMatchObject({ ok: false, diagnostics: [{ code: 'MCPG622' }] });
});
