// Several servers in one configuration: each command does its work for all of them, or for the one that is named.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runInProcess, type Said } from './support/fake-host.ts';
import { jsonConfig } from './support/json-config.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const api = (title: string, operationId: string): string => `openapi: 3.1.0
info: { title: ${title}, version: 1.0.0 }
servers: [{ url: 'https://${title.toLowerCase()}.test' }]
paths:
  /things:
    get:
      operationId: ${operationId}
      responses: { '200': { description: Fine. } }
`;
const CONFIG = `maxNameLength: 40
servers:
  pets:
    source: pets.yaml
  orders:
    source: orders.yaml
    output: out/orders
    name: orders-mcp
    maxNameLength: 64
`;

let cwd = '';
beforeEach(() => {
  cwd = temporaryFolder();
  write('pets.yaml', api('Pets', 'listPets'));
  write('orders.yaml', api('Orders', 'listOrders'));
  write('mcpgen.config.json', jsonConfig(CONFIG));
});

function write(path: string, text: string): void {
  writeFileSync(join(cwd, path), text);
}

function json(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(cwd, path), 'utf8')) as Record<string, unknown>;
}

async function mcpgen(...args: string[]): Promise<Said> {
  return runInProcess(args, { cwd });
}

test('generate writes each, with what is shared and what is its own', async () => {
  const { exitCode, stdout, stderr } = await mcpgen('generate');
  expect({ exitCode, stdout: stdout.replace(/ · .*/g, '') }).toEqual({
    exitCode: 0,
    stdout: '✓ pets.yaml → ./pets\n✓ orders.yaml → ./out/orders\n',
  });
  expect(stderr).toBe(
    '  Next: mcpgen install pets --client claude-code\n  Next: mcpgen install out/orders --client claude-code\n',
  );
  expect(json('pets/mcpgen.lock')).toMatchObject({ configuration: '../mcpgen.config.json', server: 'pets' });
  expect(json('out/orders/mcpgen.lock')).toMatchObject({
    ...{ configuration: '../../mcpgen.config.json', server: 'orders' },
    package: { name: 'orders-mcp' },
  });
  expect(existsSync(join(cwd, 'pets/mcpgen.config.json'))).toBe(false);
  expect((await mcpgen('check')).stdout.replace(/ · .*/g, '')).toBe(
    '✓ ./pets is up to date\n✓ ./out/orders is up to date\n',
  );
  // Each project is one by itself, too.
  expect((await mcpgen('check', 'pets')).exitCode).toBe(0);
});

test('one that is named is alone', async () => {
  expect((await mcpgen('generate', '--server', 'orders')).exitCode).toBe(0);
  expect([existsSync(join(cwd, 'pets')), existsSync(join(cwd, 'out/orders'))]).toEqual([false, true]);
  expect((await mcpgen('check', '--server', 'orders')).exitCode).toBe(0);
  const all = await mcpgen('check');
  expect(all.exitCode).toBe(1);
  expect(all.stderr).toContain('project-missing: [pets] pets contains no project by mcpgen');
  expect(all.stderr).toContain('`mcpgen generate --server pets`');
});

test('one that fails does not keep the others from it, and is named', async () => {
  write('pets.yaml', 'openapi: 3.1.0\npaths: {}\n');
  const { exitCode, stdout, stderr } = await mcpgen('generate');
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^✓ orders\.yaml → [^\n]*\n$/);
  expect(stderr).toMatch(/^pets\.yaml:\d+:\d+ - error MCPG\d+ [\w-]+: \[pets\] /m);
  expect(stderr).toContain('Nothing was written for pets.');
  expect((await runInProcess(['generate'], { cwd, env: { GITHUB_ACTIONS: 'true' } })).stderr).toMatch(
    /^::error file=pets\.yaml,.*::\[pets\] /m,
  );
});

test.each([
  { args: ['serve', '.'], words: /has several servers \(pets, orders\), but mcpgen serve needs one/ },
  { args: ['overlay', 'init', '.'], words: /mcpgen overlay init needs one/ },
  { args: ['diff', 'mcpgen.config.json', 'pets.yaml'], words: /a side of mcpgen diff needs one/ },
  { args: ['generate', '-o', 'x'], words: /unknown-server: .*-o needs one/ },
  { args: ['generate', '--server', 'pet'], words: /has no server "pet"\. .*pets, orders\.\n.*mean pets\?/ },
  { args: ['inspect', 'pets.yaml', '--server', 'x'], words: /--server applies only to a configuration/ },
])('$args is refused', async ({ args, words }) => {
  const { exitCode, stderr } = await mcpgen(...args);
  expect(stderr).toMatch(words);
  expect(exitCode).toBe(2);
  expect([existsSync(join(cwd, 'pets')), existsSync(join(cwd, 'x'))]).toEqual([false, false]);
});

test('of two servers with one folder, the second is refused', async () => {
  const servers = {
    a: { source: 'pets.yaml', output: 'out' },
    b: { source: 'orders.yaml', output: './out/' },
  };
  write('mcpgen.config.json', JSON.stringify({ servers }));
  const { exitCode, stderr } = await mcpgen('generate');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/MCPG534 target-of-another: \[b\] /);
});

test.each([
  { config: 'servers: {}', words: /:2:3 .*"servers" must be an object with at least one named server/ },
  {
    config: 'servers:\n  My Pets: { source: a }',
    words: /:3:5 .*"servers" has a server "My Pets"; server names/,
  },
  { config: 'servers:\n  a: { sourc: b }', words: /:4:7 .*"servers\.a" has an unknown member "sourc"/ },
  { config: 'servers:\n  a:\n', words: /:3:10 .*"servers\.a" must be an object/ },
  { config: 'name: x\nservers:\n  a: { source: b }', words: /:2:11 .*"name" belongs inside a server/ },
  {
    config: 'strict: 1\nservers:\n  a: { source: b }\n  b: { source: b }',
    words: /:2:13 .*"strict" must be/,
  },
  {
    config: 'baseUrl: https://a.test\nservers:\n  a: { sources: [{ openapi: b }, { openapi: c }] }',
    words: /:2:14 .*"baseUrl" belongs beside/,
  },
])('$config', async ({ config, words }) => {
  for (const source of ['a', 'b', 'c']) write(source, '');
  write('mcpgen.config.json', jsonConfig(config));
  const { exitCode, stderr } = await mcpgen('generate');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(words);
  expect(stderr).toContain('Found 1 error.');
});
