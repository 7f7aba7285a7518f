/** A second run. */
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseLock, printLock } from '../../src/emit/index.ts';
import { check, generate, regenerate } from '../../src/index.ts';
import { filesOf, put, temporaryFolder } from '../write/project-on-disk.ts';

const document = (title: string) => `openapi: 3.1.0
info: { title: ${title}, version: 1.0.0 }
servers: [{ url: https://dogs.example.com }]
paths:
  /dogs: { get: { operationId: listDogs, responses: { '200': { $ref: './parts.yaml#/ok' } } } }
`;

const start = temporaryFolder();

beforeAll(async () => {
  put(start, { 'dogs.yaml': document('Dogs'), 'parts.yaml': 'ok: { description: Dogs }\n' });
  const { ok } = await generate({ source: 'dogs.yaml', dir: 'out', cwd: start });
  expect(ok).toBe(true);
});

function folder(): string {
  const cwd = temporaryFolder();
  cpSync(start, cwd, { recursive: true });
  return cwd;
}

const edit =
  (file: string, text = '\n') =>
  (cwd: string) =>
    appendFileSync(join(cwd, file), text);

function replace(file: string, from: string, to: string): (cwd: string) => void {
  return (cwd) => {
    const text = readFileSync(join(cwd, file), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(cwd, file), text.replace(from, to));
  };
}

test('the lock holds what the project is made of, whichever command has written it', async () => {
  const cwd = folder();
  const lock: Record<string, unknown> = JSON.parse(readFileSync(join(cwd, 'out/mcpgen.lock'), 'utf8'));
  expect(Object.keys(lock)).toEqual([
    'format',
    'compiler',
    'configuration',
    'inputs',
    'names',
    'origins',
    'files',
    'package',
    'hash',
  ]);
  expect(lock['inputs']).toEqual(['../dogs.yaml', '../parts.yaml']);
  expect((await regenerate('out', { cwd })).report?.written).toEqual([]);
});

test('a lock that was edited is told, and written anew', async () => {
  const cwd = folder();
  replace('out/mcpgen.lock', ': "listDogs"', ': "all_dogs"')(cwd);
  const { diagnostics, model } = await regenerate('out', { cwd });
  expect(diagnostics.map(({ name }) => name)).toContain('lock-edited');
  expect(model?.tools.map(({ name }) => name)).toEqual(['all_dogs']);
  expect((await regenerate('out', { cwd })).diagnostics.map(({ name }) => name)).not.toContain('lock-edited');
});

/** Dogs are cats now, by the title of the document. */
const retitled = replace('dogs.yaml', 'title: Dogs', 'title: Cats');

test('a new title gives the server another name, and that is told once: project-renamed', async () => {
  const cwd = folder();
  retitled(cwd);
  const { ok, diagnostics } = await regenerate('out', { cwd });
  expect(ok).toBe(true);
  expect(diagnostics).toMatchObject([
    {
      name: 'project-renamed',
      severity: 'warning',
      message: expect.stringMatching(/`dogs-mcp`.*`cats-mcp`/),
      hint: expect.stringContaining('give `name` in out/mcpgen.config.json the value `dogs-mcp`'),
    },
  ]);
  expect((await regenerate('out', { cwd })).diagnostics).toEqual([]);
});

test('by the command line, too; nothing is written with strict', async () => {
  const cwd = folder();
  retitled(cwd);
  const before = filesOf(cwd);
  const { ok, diagnostics } = await generate({ source: 'dogs.yaml', dir: 'out', cwd, strict: true });
  expect([ok, diagnostics.map(({ name }) => name)]).toEqual([false, ['project-renamed']]);
  expect(filesOf(cwd)).toEqual(before);
});

test.each(['dogs-mcp', 'cats-mcp'])('whoever names the server %s is taken at his word', async (name) => {
  const cwd = folder();
  retitled(cwd);
  const { ok, diagnostics } = await generate({ source: 'dogs.yaml', dir: 'out', cwd, name });
  expect([ok, diagnostics.map(({ name: each }) => each)]).toEqual([true, ['settings-written']]);
});

test.each([
  ['another document of the same server', 'dogs-2.yaml', 'Dogs'],
  ['another title of the same document', 'dogs.yaml', 'Good dogs'],
])('%s is the same project', async (_, source, title) => {
  const cwd = folder();
  put(cwd, { [source]: document(title) });
  expect((await generate({ source, dir: 'out', cwd })).ok).toBe(true);
});

test.each([
  { compiler: '9.1.0', want: ['project-of-newer'] },
  { compiler: '0.10.0', want: ['project-of-newer'] },
  { compiler: '0.0.9', want: [] },
  { compiler: 'newest', want: [] },
])('a project that mcpgen $compiler has written gives $want', async ({ compiler, want }) => {
  const cwd = folder();
  const lock = parseLock(readFileSync(join(cwd, 'out/mcpgen.lock'), 'utf8'));
  if (lock !== undefined) put(cwd, { 'out/mcpgen.lock': printLock({ ...lock, compiler }) });
  const names = async (run: Promise<{ diagnostics: readonly { name: string }[] }>) =>
    (await run).diagnostics.map(({ name }) => name).filter((name) => name !== 'project-stale');
  expect(await names(check('out', { cwd }))).toEqual(want);
  expect(await names(regenerate('out', { cwd }))).toEqual(want);
  expect(await names(regenerate('out', { cwd }))).toEqual([]);
});

test("a module of a feature stays as long as the user's own src/server.ts imports it", async () => {
  const cwd = folder();
  const upload = `    post: { requestBody: { content: { multipart/form-data: { schema: { properties: { a: { type: string } } } } } }, responses: {} }`;
  const paths = replace('dogs.yaml', '  /dogs: {', `  /photos:\n${upload}\n  /dogs: {`);
  paths(cwd);
  const run = { source: 'dogs.yaml', dir: 'out', cwd };
  const bodies = join(cwd, 'out/src/runtime/features/multipart.ts');
  expect(await generate(run)).toMatchObject({ ok: true });
  edit('out/src/server.ts', '// mine\n')(cwd);
  put(cwd, { 'dogs.yaml': document('Dogs') });
  expect(await generate({ ...run, keep: true })).toMatchObject({ ok: true });
  expect(existsSync(bodies), 'keep').toBe(true);
  expect(await generate(run)).toMatchObject({ ok: true });
  expect(existsSync(bodies), 'again').toBe(true);
  expect(await generate({ ...run, force: true })).toMatchObject({ ok: true });
  expect(existsSync(bodies), 'force').toBe(true);
  rmSync(join(cwd, 'out/src/server.ts'));
  expect(await generate(run)).toMatchObject({ ok: true });
  expect(existsSync(bodies), 'deleted').toBe(false);
});
