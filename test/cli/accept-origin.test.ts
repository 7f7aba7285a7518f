// `--accept-origin`, and the command that a refusal says to run.
import { writeFileSync } from 'node:fs';
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
  expect(commandOf('generate', 'my server', '--force')).toBe("mcpgen generate 'my server' --force");
});

test('it shows neither the password nor the query of a URL', () => {
  expect(commandOf('openapi', 'https://user:word@a.example/o.json?key=secret')).toBe(
    'mcpgen openapi https://a.example/o.json',
  );
  expect(commandOf('openapi', '--base-url=https://a.example?key=secret')).not.toContain('secret');
});

test.each([
  'https://api.example.com',
  'http://10.0.0.1:8080',
  'https://[::1]:1',
  'https://{r}.example.com',
  '{u}',
])('%s can be accepted', (origin) => {
  expect(originProblem(origin)).toBeUndefined();
});

test('of a URL the message says the origin', () => {
  expect(originProblem('https://API.example.com:443/v1')).toBe(
    'it must be only an origin, such as https://api.example.com',
  );
});

test('serve of a configuration sends credentials where the lock of its project says, or --base-url', async () => {
  const cwd = temporaryFolder();
  const document = (server: string): void => {
    const all = {
      openapi: '3.1.0',
      info: { title: 'Dogs', version: '1.0.0' },
      servers: [{ url: server }],
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
      paths: { '/dogs': { get: { responses: { 200: { description: 'Dogs' } } } } },
    };
    writeFileSync(join(cwd, 'dogs.json'), JSON.stringify(all));
  };
  document('https://api.example.com');
  expect((await runInProcess(['openapi', 'dogs.json', '-o', 'out'], { cwd })).exitCode).toBe(0);
  document('https://evil.example');
  const configuration = join('out', 'mcpgen.config.json');
  const refused = await runInProcess(['serve', configuration], { cwd });
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain('--accept-origin https://evil.example');
  const args = ['--base-url', 'https://evil.example', '--', '--version'];
  const served = await mcpgen(['serve', configuration, ...args], { cwd });
  expect(served).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a document that is served without a project sends a variable as an argument only with --allow-env, or by a rule of the configuration', async () => {
  const cwd = temporaryFolder();
  const parameters = [
    { name: 'a', in: 'query', schema: { type: 'string' }, 'x-mcp': { env: 'AWS_SECRET_ACCESS_KEY' } },
    { name: 'team', in: 'query', schema: { type: 'string' } },
  ];
  const paths = { '/x': { get: { operationId: 'x', parameters, responses: {} } } };
  const info = { title: 'X', version: '1' };
  const document = { openapi: '3.1.0', info, servers: [{ url: 'https://x.example' }], paths };
  writeFileSync(join(cwd, 'x.json'), JSON.stringify(document));
  const refused = await runInProcess(['serve', 'x.json', '--', '--version'], { cwd });
  expect(refused.exitCode, refused.stderr).toBe(2);
  expect(refused.stderr).toContain('variable-in-request');
  expect(refused.stderr).toContain('mcpgen serve x.json --allow-env AWS_SECRET_ACCESS_KEY -- --version');
  const rules = { x: { arguments: { a: { env: 'OWN' }, team: { env: 'TEAM' } } } };
  writeFileSync(join(cwd, 'mcpgen.config.json'), JSON.stringify({ source: 'x.json', tools: rules }));
  for (const args of [['x.json', '--allow-env', 'AWS_SECRET_ACCESS_KEY'], ['mcpgen.config.json']]) {
    const served = await mcpgen(['serve', ...args, '--', '--version'], { cwd });
    expect(served.exitCode, served.stderr).toBe(0);
  }
});

test('a project is served with a new variable as an argument only after its lock lists it', async () => {
  const cwd = temporaryFolder();
  const document = (rule: object): void => {
    const parameters = [{ name: 'a', in: 'query', schema: { type: 'string' }, ...rule }];
    const paths = { '/x': { get: { operationId: 'x', parameters, responses: {} } } };
    const info = { title: 'X', version: '1' };
    const all = { openapi: '3.1.0', info, servers: [{ url: 'https://x.example' }], paths };
    writeFileSync(join(cwd, 'x.json'), JSON.stringify(all));
  };
  document({});
  await runInProcess(['openapi', 'x.json', '-o', 'out'], { cwd });
  document({ 'x-mcp': { env: 'AWS_SECRET_ACCESS_KEY' } });
  const configuration = join('out', 'mcpgen.config.json');
  const refused = await runInProcess(['serve', configuration, '--', '--version'], { cwd });
  expect(refused.stderr).toContain('MCPG624');
  expect(refused.exitCode).not.toBe(0);
  expect((await runInProcess(['generate', 'out'], { cwd })).exitCode).toBe(0);
  expect(await mcpgen(['serve', configuration, '--', '--version'], { cwd })).toMatchObject({ exitCode: 0 });
});
