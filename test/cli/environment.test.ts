// `${NAME}` in a configuration: what the environment gives, what is written of it, and what a later run makes of that.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { httpServer } from '../support/loopback.ts';
import { runInProcess, type Said } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const API = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: listPets
      responses: { '200': { description: Fine. } }
`;

let cwd = '';
beforeEach(() => {
  cwd = temporaryFolder();
  write('pets.yaml', API);
});

function write(path: string, text: string): void {
  writeFileSync(join(cwd, path), text);
}

function config(value: object): void {
  write('mcpgen.config.json', JSON.stringify({ source: 'pets.yaml', output: 'out', ...value }, null, 2));
}

async function mcpgen(env: Record<string, string>, ...args: string[]): Promise<Said> {
  return runInProcess(args, { cwd, env });
}

function written(path = 'out'): string {
  return readdirSync(join(cwd, path), { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

test('every form takes variables, each command too', async () => {
  write(
    'mcpgen.config.mjs',
    "export default { source: '${API}.yaml', output: 'out', name: '${NAME:-a-mcp}' };\n",
  );
  const env = { API: 'pets' };
  expect((await mcpgen(env, 'generate')).exitCode).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, 'out/mcpgen.lock'), 'utf8'))).toMatchObject({
    ...{ configuration: '../mcpgen.config.mjs', package: { name: 'a-mcp' } },
  });
  for (const args of [['check'], ['inspect', '.'], ['diff', '.']])
    expect(await mcpgen(env, ...args)).toMatchObject({ exitCode: 0 });
  for (const args of [['check'], ['generate'], ['inspect', '.'], ['diff', '.'], ['serve', '.']]) {
    const { exitCode, stderr } = await mcpgen({}, ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^error MCPG616 unset-variable: The configuration uses the environment variable API/,
    );
    expect(stderr).toContain('hint: Set it, or give a default: `${API:-default}`.');
  }
});

test('the same environment gives the same answer, another one says that the project is stale', async () => {
  config({ baseUrl: '${BASE}' });
  const [one, other] = [{ BASE: 'https://one.test' }, { BASE: 'https://other.test' }];
  expect((await mcpgen(one, 'generate')).exitCode).toBe(0);
  expect((await mcpgen(one, 'check')).exitCode).toBe(0);
  const { exitCode, stderr } = await mcpgen(other, 'check');
  expect(exitCode).toBe(1);
  // The server would send its requests elsewhere.
  expect(stderr).toContain('origin-not-accepted');
  const accepted = await mcpgen(other, 'generate', '--dry-run', '--accept-origin', 'https://other.test');
  expect(accepted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('bindings.json') as string });
  // The project by itself has the text as it is written, so that it needs the variable too.
  expect((await mcpgen({}, 'check', 'out')).exitCode).toBe(2);
  expect((await mcpgen(one, 'check', 'out')).exitCode).toBe(0);
});

const SECRET = 'canary-7f3a91';

test.each([
  { name: 'API_TOKEN', value: SECRET, warned: true },
  { name: 'PASSWORD', value: 'a"b\\c-7f3a91', warned: true },
  { name: 'KEY', value: 'v1', warned: false },
])('$name=$value in what is generated: warned $warned', async ({ name, value, warned }) => {
  config({ baseUrl: `https://a.test/\${${name}}` });
  const { exitCode, stderr } = await mcpgen({ [name]: value }, 'generate');
  expect(exitCode).toBe(0);
  expect(stderr.includes('secret-written')).toBe(warned);
  if (warned) expect(stderr).toMatch(new RegExp(`The value of ${name}, .*bindings\\.json`));
  expect(stderr).not.toContain(value);
});

test('with strict a secret stops the run', async () => {
  config({ baseUrl: 'https://a.test/${API_TOKEN}', strict: true });
  const { exitCode, stderr } = await mcpgen({ API_TOKEN: SECRET }, 'generate');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('error MCPG547 secret-written');
  expect(existsSync(join(cwd, 'out'))).toBe(false);
});

test('user and password of a URL reach no file, and nobody is warned', async () => {
  let sent: string | undefined;
  const { url, close } = await httpServer((request, response) => {
    sent = request.headers.authorization;
    response.end(API);
  });
  const place = url.replace('//', '//me:${API_TOKEN}@');
  config({ source: `${place}/\${API_TOKEN}/a.yaml?key=\${API_TOKEN}` });
  const { exitCode, stderr } = await mcpgen({ API_TOKEN: SECRET }, 'generate', '--allow-env', 'API_TOKEN');
  await close();
  expect({ exitCode, sent }).toEqual({ exitCode: 0, sent: `Basic ${btoa(`me:${SECRET}`)}` });
  expect(stderr).not.toContain('secret-written');
  expect(written()).not.toContain(SECRET);
});
