// `--accept-origin`, and the command that a refusal says to run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printCommandLine } from '../../src/cli/compile-options.ts';
import type { Host } from '../../src/cli/host.ts';
import { originProblem } from '../../src/config/options/values.ts';
import { temporaryFolder } from '../write/project-on-disk.ts';
import { runInProcess } from './support/fake-host.ts';
import { mcpgen } from './support/spawn.ts';

const commandOf = (...args: string[]): string => printCommandLine({ args } as unknown as Host);

test('the command to run is that of the run', () => {
  expect(commandOf('generate', 'my server', '--force')).toBe('mcpgen generate "my server" --force');
});

test('it shows neither the password nor the query of a URL', () => {
  expect(commandOf('openapi', 'https://user:word@a.example/o.json?key=secret')).toBe(
    'mcpgen openapi https://a.example/o.json',
  );
  expect(commandOf('openapi', '--base-url=https://a.example?key=secret')).not.toContain('secret');
});

test.each(['https://api.example.com', 'https://{r}.example.com', '{u}'])('%s can be accepted', (origin) => {
  expect(originProblem(origin)).toBeUndefined();
});

test('of a URL the message says the origin', () => {
  expect(originProblem('https://API.example.com:443/v1')).toBe(
    'it must be only an origin, such as https://api.example.com',
  );
});

/** A document with one operation, which needs a key unless `parts` say otherwise. */
function shop(server: string, parts: { parameters?: object[]; security?: object[] } = {}): string {
  const { parameters = [], security = [{ key: [] }] } = parts;
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1.0.0' },
    servers: [{ url: server }],
    security,
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    paths: { '/shop': { get: { operationId: 'shop', parameters, responses: {} } } },
  });
}

const VERSION = ['--', '--version'];

const hidden = (name: string): object[] => [
  { name: 'a', in: 'query', schema: { type: 'string' }, 'x-mcp': { env: name } },
];

test('a document that is served without a project sends a variable as an argument only with --allow-env, or by a rule of the configuration', async () => {
  const cwd = temporaryFolder();
  const parameters = [
    { name: 'a', in: 'query', schema: { type: 'string' }, 'x-mcp': { env: 'AWS_SECRET_ACCESS_KEY' } },
    { name: 'team', in: 'query', schema: { type: 'string' } },
  ];
  writeFileSync(join(cwd, 'x.json'), shop('https://x.example', { parameters, security: [] }));
  const refused = await runInProcess(['serve', 'x.json', ...VERSION], { cwd });
  expect(refused.exitCode, refused.stderr).toBe(2);
  expect(refused.stderr).toContain('variable-in-request');
  expect(refused.stderr).toContain('mcpgen serve x.json --allow-env AWS_SECRET_ACCESS_KEY -- --version');
  const rules = { shop: { arguments: { a: { env: 'OWN' }, team: { env: 'TEAM' } } } };
  writeFileSync(join(cwd, 'mcpgen.config.json'), JSON.stringify({ source: 'x.json', tools: rules }));
  for (const args of [['x.json', '--allow-env', 'AWS_SECRET_ACCESS_KEY'], ['mcpgen.config.json']]) {
    const served = await mcpgen(['serve', ...args, ...VERSION], { cwd });
    expect(served.exitCode, served.stderr).toBe(0);
  }
});

test('a project is served with a new variable as an argument only after its lock lists it', async () => {
  const cwd = temporaryFolder();
  const parameters = hidden('AWS_SECRET_ACCESS_KEY');
  writeFileSync(join(cwd, 'x.json'), shop('https://x.example', { security: [] }));
  await runInProcess(['openapi', 'x.json', '-o', 'out'], { cwd });
  writeFileSync(join(cwd, 'x.json'), shop('https://x.example', { parameters, security: [] }));
  const configuration = join('out', 'mcpgen.config.json');
  const refused = await runInProcess(['serve', configuration, ...VERSION], { cwd });
  expect(refused.stderr).toContain('MCPG624');
  expect(refused.exitCode).not.toBe(0);
  expect((await runInProcess(['generate', 'out'], { cwd })).exitCode).toBe(0);
  expect(await mcpgen(['serve', configuration, ...VERSION], { cwd })).toMatchObject({ exitCode: 0 });
});

test('serve of a document sends credentials only where the lock of its project says', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'docs'));
  const file = 'docs/shop.json';
  writeFileSync(join(cwd, file), shop('https://api.example.com'));
  expect(await runInProcess(['openapi', file], { cwd })).toMatchObject({ exitCode: 0 });
  expect(await mcpgen(['serve', file, ...VERSION], { cwd })).toMatchObject({ exitCode: 0 });
  writeFileSync(join(cwd, file), shop('https://evil.example'));
  for (const source of [file, join('shop-mcp', 'mcpgen.config.json')]) {
    const refused = await runInProcess(['serve', source, ...VERSION], { cwd });
    expect(refused.stderr).toContain('MCPG580');
    expect(refused.stderr).toMatch(/`mcpgen generate \S+ --accept-origin https:\/\/evil\.example`/);
    expect(refused.exitCode).toBe(1);
  }
  const args = ['--base-url', 'https://evil.example', ...VERSION];
  expect(await mcpgen(['serve', file, ...args], { cwd })).toMatchObject({ exitCode: 0 });
  writeFileSync(join(cwd, 'other.json'), shop('https://evil.example'));
  expect(await mcpgen(['serve', 'other.json', ...VERSION], { cwd })).toMatchObject({ exitCode: 0 });
});

test('so does serve of a configuration without a lock, and one project that accepts is enough', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'shop.json'), shop('https://api.example.com'));
  await runInProcess(['openapi', 'shop.json', '-o', 'one'], { cwd });
  writeFileSync(join(cwd, 'mcpgen.config.json'), JSON.stringify({ source: 'shop.json' }));
  writeFileSync(join(cwd, 'shop.json'), shop('https://evil.example'));
  const refused = await runInProcess(['serve', 'mcpgen.config.json', ...VERSION], { cwd });
  expect(refused.stderr).toContain('MCPG580');
  const project = ['openapi', 'shop.json', '-o', 'two', '--name', 'two-mcp'];
  expect(await runInProcess(project, { cwd })).toMatchObject({ exitCode: 0 });
  expect(await mcpgen(['serve', 'mcpgen.config.json', ...VERSION], { cwd })).toMatchObject({ exitCode: 0 });
});

test('a variable that goes to no known origin has been accepted by no lock', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'shop.json'), shop('/v1'));
  await runInProcess(['openapi', 'shop.json', '-o', 'out'], { cwd });
  writeFileSync(join(cwd, 'shop.json'), shop('/v1', { parameters: hidden('AWS_SECRET_ACCESS_KEY') }));
  const refused = await runInProcess(['serve', join('out', 'mcpgen.config.json'), ...VERSION], { cwd });
  expect(refused.stderr).toContain('MCPG624');
  expect(refused.exitCode).toBe(2);
});

test('serve names the variables that only a configuration sends; --no-code refuses them', async () => {
  const cwd = temporaryFolder();
  const parameters = [{ name: 'region', in: 'query', schema: { type: 'string' } }];
  const headers = { 'X-T': '${AWS_SECRET_ACCESS_KEY}', 'X-Plain': 'acme' };
  const tools = { shop: { arguments: { region: { env: 'GITHUB_TOKEN' } } } };
  writeFileSync(join(cwd, 'shop.json'), shop('https://x.example', { parameters, security: [] }));
  writeFileSync(join(cwd, 'mcpgen.config.json'), JSON.stringify({ source: 'shop.json', headers, tools }));
  const serve = ['serve', 'mcpgen.config.json'];
  const named = await mcpgen([...serve, ...VERSION], { cwd });
  expect(named).toMatchObject({
    exitCode: 0,
    stderr: 'sends AWS_SECRET_ACCESS_KEY, GITHUB_TOKEN to https://x.example\n',
  });
  const refused = await runInProcess([...serve, '--no-code', ...VERSION], { cwd });
  expect(refused.exitCode, refused.stderr).toBe(2);
  expect(refused.stderr).toContain(
    'MCPG624 variable-in-request: The configuration has the server send the environment variable AWS_SECRET_ACCESS_KEY and GITHUB_TOKEN to the API, and no lock accepts it.',
  );
  const consent = ['--allow-env', 'AWS_SECRET_ACCESS_KEY,GITHUB_TOKEN'];
  const allowed = await mcpgen([...serve, '--no-code', ...consent, ...VERSION], { cwd });
  expect(allowed).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await runInProcess(['generate'], { cwd })).exitCode).toBe(0);
  for (const args of [[], ['--no-code']])
    expect(await mcpgen([...serve, ...args, ...VERSION], { cwd })).toMatchObject({ exitCode: 0, stderr: '' });
});
