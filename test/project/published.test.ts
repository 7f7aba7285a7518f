// The user's package.json decides what is published: other files follow it in the next run, and checks say when they have not.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check, generate, regenerate } from '../../src/index.ts';
import { pickPublishedMembers, readManifestOnDisk } from '../../src/project/package-json.ts';
import { put, temporaryFolder } from '../write/project-on-disk.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: Dogs, version: 1.0.0 }
servers: [{ url: https://dogs.example.com }]
paths: { /dogs: { get: { operationId: listDogs, responses: { '200': { description: Dogs } } } } }
`;

async function project(options: { serverVersion?: string } = {}): Promise<string> {
  const cwd = temporaryFolder();
  put(cwd, { 'dogs.yaml': DOCUMENT });
  expect(
    (await generate({ source: 'dogs.yaml', dir: 'out', cwd, publish: ['registry', 'mcpb'], ...options })).ok,
  ).toBe(true);
  return cwd;
}

const read = (cwd: string, file: string) =>
  JSON.parse(readFileSync(join(cwd, 'out', file), 'utf8')) as Record<string, unknown>;

function edit(cwd: string, members: Record<string, unknown>): void {
  put(cwd, {
    'out/package.json': JSON.stringify({ ...read(cwd, 'package.json'), ...members }, undefined, 2),
  });
}

const versions = (cwd: string) =>
  ['package.json', 'server.json', 'manifest.json'].map((file) => read(cwd, file)['version']);

test('a version that is set there goes everywhere, stays, and comes back', async () => {
  const cwd = await project();
  edit(cwd, { version: '1.1.0' });
  expect((await check('out', { cwd })).ok).toBe(false);
  const { ok, diagnostics } = await regenerate('out', { cwd });
  expect([ok, diagnostics.map(({ name }) => name)]).toEqual([true, []]);
  expect(versions(cwd)).toEqual(['1.1.0', '1.1.0', '1.1.0']);
  expect((await check('out', { cwd })).ok).toBe(true);
  put(cwd, { 'dogs.yaml': DOCUMENT.replace('1.0.0', '2.0.0') });
  await regenerate('out', { cwd });
  expect(versions(cwd)).toEqual(['1.1.0', '1.1.0', '1.1.0']);
  // Generated values there are not the user's.
  edit(cwd, { version: '2.0.0' });
  put(cwd, { 'dogs.yaml': DOCUMENT.replace('1.0.0', '3.0.0') });
  await regenerate('out', { cwd });
  expect(versions(cwd)).toEqual(['3.0.0', '3.0.0', '3.0.0']);
});

test('what stands there goes everywhere also when the lock is lost', async () => {
  const cwd = await project();
  edit(cwd, { version: '1.1.0', type: undefined, dependencies: { lodash: '^4.0.0' } });
  rmSync(join(cwd, 'out/mcpgen.lock'));
  expect((await regenerate('out', { cwd, force: true })).ok).toBe(true);
  expect(read(cwd, 'package.json')['type']).toBe('module');
  expect(versions(cwd)).toEqual(['1.1.0', '1.1.0', '1.1.0']);
  expect((await check('out', { cwd })).ok).toBe(true);
});

test('a package that is renamed there is called so wherever it is published, and its server stays the same', async () => {
  const cwd = await project();
  edit(cwd, { name: '@ada/dogs', description: 'Dogs of Ada.' });
  expect((await regenerate('out', { cwd })).diagnostics).toEqual([]);
  expect(read(cwd, 'package.json')).toMatchObject({ name: '@ada/dogs', description: 'Dogs of Ada.' });
  expect(read(cwd, 'server.json')).toMatchObject({
    description: 'Dogs of Ada.',
    packages: [{ identifier: '@ada/dogs' }],
  });
  expect(read(cwd, 'manifest.json')).toMatchObject({ name: '@ada/dogs', description: 'Dogs of Ada.' });
  const readme = readFileSync(join(cwd, 'out/README.md'), 'utf8');
  expect(readme.match(/npx -y \S+/g)).toEqual(['npx -y @ada/dogs']);
  expect(readFileSync(join(cwd, 'out/src/server.ts'), 'utf8')).toContain("name: 'dogs-mcp'");
  expect((await check('out', { cwd })).ok).toBe(true);
});

test('where the configuration says another, package.json stands, and both are named', async () => {
  const cwd = await project({ serverVersion: '4.0.0' });
  edit(cwd, { version: '4.0.1' });
  const { ok, diagnostics } = await regenerate('out', { cwd });
  expect([ok, versions(cwd)]).toEqual([true, ['4.0.1', '4.0.1', '4.0.1']]);
  expect(diagnostics.map(({ name }) => name)).toEqual(['published-otherwise']);
  expect(diagnostics[0]?.message).toMatch(
    /package\.json has `4\.0\.1` as `version`, .* `4\.0\.0` as `serverVersion`/,
  );
});

test.each<{ what: string; members: Record<string, unknown>; want: object }>([
  { what: 'no package', members: { name: 'Dogs; rm' }, want: {} },
  { what: 'a description', members: { description: 'Mine' }, want: { description: 'Mine' } },
  { what: 'no version', members: { version: 'next' }, want: {} },
  { what: 'a name', members: { mcpName: 'io.github.ada/dogs' }, want: { mcpName: 'io.github.ada/dogs' } },
  {
    what: 'a person in a text',
    members: { author: 'Ada L <ada@example.com> (https://ada.example)', license: 'MIT' },
    want: { author: { name: 'Ada L', email: 'ada@example.com', url: 'https://ada.example' }, license: 'MIT' },
  },
  {
    what: 'a person in parts, some of no use',
    members: {
      author: { name: 'Ada', email: 'nowhere', url: 'javascript:a' },
      homepage: 'dogs',
      license: {},
    },
    want: { author: { name: 'Ada' } },
  },
  {
    what: 'npm’s form of a repository',
    members: { repository: { type: 'git', url: 'git+https://github.com/ada/dogs.git' } },
    want: { repository: 'https://github.com/ada/dogs' },
  },
  {
    what: 'a shorthand',
    members: { repository: 'gitlab:ada/dogs' },
    want: { repository: 'https://gitlab.com/ada/dogs' },
  },
  { what: 'a path', members: { repository: 'git@github.com:ada/dogs.git' }, want: {} },
  { what: 'packages', members: { dependencies: { zod: '^4.0.0' } }, want: { installs: true } },
])('of package.json with $what', async ({ members, want }) => {
  const folder = temporaryFolder();
  const generated = { version: '1.0.0', mcpName: 'io.github.owner/dogs', dependencies: {} };
  put(folder, { 'package.json': JSON.stringify({ ...generated, ...members }) });
  const lock = { format: 1, compiler: '1', names: {}, files: {}, package: generated };
  expect(pickPublishedMembers(readManifestOnDisk(folder, lock))).toEqual(want);
  expect(pickPublishedMembers(readManifestOnDisk(folder, undefined))).toEqual({});
});

test.each<{ members: Record<string, unknown>; want: RegExp }>([
  { members: { version: 'nope' }, want: /has `"nope"` as `version`, which is not a version/ },
  { members: { mcpName: 'bad name' }, want: /as `mcpName`, which is not a name in the MCP registry/ },
  { members: { description: 3 }, want: /as `description`, which is not a text/ },
  { members: { homepage: 'dogs' }, want: /as `homepage`, which is not an http or https URL/ },
  { members: { repository: 'nonsense' }, want: /as `repository`, which is not the https URL/ },
])('a value there that is of no use is reported each time: $members', async ({ members, want }) => {
  const cwd = await project();
  edit(cwd, members);
  await regenerate('out', { cwd });
  const { ok, diagnostics } = await check('out', { cwd });
  expect(ok).toBe(true);
  expect(diagnostics).toMatchObject([
    { code: 'MCPG565', name: 'package-value-unusable', severity: 'warning' },
  ]);
  expect(diagnostics[0]?.message).toMatch(want);
});

test.each([
  { type: 'commonjs', want: /has `"commonjs"` as `type`/ },
  { type: undefined, want: /has no `type`/ },
])('a package that is no module stops the run: $type', async ({ type, want }) => {
  const cwd = await project();
  edit(cwd, { type });
  for (const { ok, diagnostics } of [await check('out', { cwd }), await regenerate('out', { cwd })]) {
    expect(ok).toBe(false);
    expect(diagnostics).toMatchObject([{ code: 'MCPG536', name: 'owned-file-broken', severity: 'error' }]);
    expect(diagnostics[0]?.message).toMatch(want);
  }
});
