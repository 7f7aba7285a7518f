// `npm run sbom` of an emitted project: CycloneDX 1.6 of what it needs to run.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, afterAll, expect, test } from 'vitest';
import { petstore } from './models.ts';
import { contentsOf, emit } from './render-project.ts';

const sha512 = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;

/** As npm writes it, with packages in one another. */
const LOCK = {
  name: 'p',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': { name: 'p', version: '1.0.0', dependencies: { '@a/one': '^1.0.0', two: '^2.0.0' } },
    'node_modules/@a/one': {
      version: '1.0.0',
      integrity: sha512,
      license: 'MIT',
      dependencies: { three: '^3.0.0', two: '^1.0.0' },
    },
    'node_modules/@a/one/node_modules/two': { version: '1.9.0', license: '(MIT OR Apache-2.0)' },
    'node_modules/three': { version: '3.0.0', dependencies: { two: '^2.0.0', gone: '*' } },
    'node_modules/two': { version: '2.0.0+build' },
    'node_modules/typescript': { version: '6.0.0', dev: true },
  },
};

interface Bom {
  metadata: { timestamp: string; component: Record<string, unknown> };
  serialNumber: string;
  components: Record<string, unknown>[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

let script: string;
const folders: string[] = [];

beforeAll(async () => {
  script = contentsOf(await emit(petstore), 'sbom.mjs');
});

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function run(manifest: object, files: Record<string, object | string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-sbom-'));
  folders.push(folder);
  for (const [name, file] of Object.entries({ 'sbom.mjs': script, 'package.json': manifest, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof file === 'string' ? file : JSON.stringify(file));
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['sbom.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stderr, bom: (stdout === '' ? undefined : JSON.parse(stdout)) as Bom };
}

const own = { name: '@me/p', version: '1.0.0', description: 'Pets.' };

const runtime = {
  type: 'library',
  'bom-ref': 'src/runtime',
  name: 'mcpgen',
  version: '9.9.9',
  licenses: [{ expression: 'MIT' }],
  purl: 'pkg:npm/mcpgen@9.9.9',
};
const compiled = { 'mcpgen.lock': { compiler: '9.9.9' } };

test('a project without dependencies is made of itself and the runtime', async () => {
  const { bom } = run(JSON.parse(contentsOf(await emit(petstore), 'package.json')) as object, compiled);
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    components: [runtime],
  });
  expect(bom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(new Date(bom.metadata.timestamp).toISOString()).toBe(bom.metadata.timestamp);
  expect(bom.metadata.component).toMatchObject({
    type: 'application',
    purl: expect.stringMatching(/^pkg:npm\//),
  });
  expect(bom.dependencies).toEqual([
    { ref: bom.metadata.component['bom-ref'], dependsOn: ['src/runtime'] },
    { ref: 'src/runtime', dependsOn: [] },
  ]);
});

test.each(['package-lock.json', 'node_modules/.package-lock.json'])('what runs, by %s', (file) => {
  const dependencies = { '@a/one': '^1.0.0', two: '^2.0.0' };
  const { bom } = run({ ...own, dependencies }, { ...compiled, [file]: LOCK });
  expect(bom.metadata.component).toMatchObject({ name: '@me/p', purl: 'pkg:npm/%40me/p@1.0.0' });
  expect(bom.components).toEqual([
    runtime,
    {
      type: 'library',
      'bom-ref': 'node_modules/@a/one',
      name: '@a/one',
      version: '1.0.0',
      hashes: [{ alg: 'SHA-512', content: '07'.repeat(64) }],
      licenses: [{ expression: 'MIT' }],
      purl: 'pkg:npm/%40a/one@1.0.0',
    },
    expect.objectContaining({
      name: 'two',
      version: '1.9.0',
      licenses: [{ expression: '(MIT OR Apache-2.0)' }],
    }),
    expect.objectContaining({ name: 'three' }),
    expect.objectContaining({ name: 'two', purl: 'pkg:npm/two@2.0.0%2Bbuild' }),
  ]);
  expect(bom.dependencies).toEqual([
    { ref: '@me/p@1.0.0', dependsOn: ['src/runtime', 'node_modules/@a/one', 'node_modules/two'] },
    { ref: 'src/runtime', dependsOn: [] },
    {
      ref: 'node_modules/@a/one',
      dependsOn: ['node_modules/three', 'node_modules/@a/one/node_modules/two'],
    },
    { ref: 'node_modules/@a/one/node_modules/two', dependsOn: [] },
    { ref: 'node_modules/three', dependsOn: ['node_modules/two'] },
    { ref: 'node_modules/two', dependsOn: [] },
  ]);
});

test.each<[string, object]>([
  ['MIT', { expression: 'MIT' }],
  ['(MIT OR Apache-2.0) AND BSD-3-Clause', { expression: '(MIT OR Apache-2.0) AND BSD-3-Clause' }],
  ['SEE LICENSE IN LICENSE.txt', { license: { name: 'SEE LICENSE IN LICENSE.txt' } }],
])('the licence %s', (license, want) => {
  const lock = { packages: { 'node_modules/one': { version: '1.0.0', license } } };
  const { bom } = run({ ...own, dependencies: { one: '1' } }, { 'package-lock.json': lock });
  expect(bom.components[1]).toMatchObject({ name: 'one', licenses: [want] });
});

test('what development needs too, what is optional, and what came from a repository', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567';
  const resolved = `git+ssh://git@git.example.com/me/three.git#${commit}`;
  const lock = {
    packages: {
      'node_modules/one': { version: '1.0.0', devOptional: true },
      'node_modules/two': { version: '2.0.0', optional: true },
      'node_modules/three': { version: '3.0.0', resolved },
      'node_modules/four': { version: '4.0.0', dev: true },
      'node_modules/five': {
        version: '5.0.0',
        resolved: `git+https://me:secret@git.example.com/five.git#${commit}`,
      },
    },
  };
  const manifest = {
    ...own,
    dependencies: { three: resolved },
    optionalDependencies: { one: '1', two: '2', gone: '1' },
  };
  const { bom } = run(manifest, { 'package-lock.json': lock });
  const vcs = `git%2Bssh%3A%2F%2Fgit%40git.example.com%2Fme%2Fthree.git%23${commit}`;
  expect(bom.components.slice(1).map(({ purl }) => purl)).toEqual([
    'pkg:npm/one@1.0.0',
    'pkg:npm/two@2.0.0',
    `pkg:npm/three@3.0.0?vcs_url=${vcs}`,
    `pkg:npm/five@5.0.0?vcs_url=git%2Bhttps%3A%2F%2Fgit.example.com%2Ffive.git%23${commit}`,
  ]);
  expect(bom.dependencies[0]?.dependsOn).toEqual([
    'src/runtime',
    'node_modules/three',
    'node_modules/one',
    'node_modules/two',
  ]);
});

test('a dependency without a version is told', () => {
  const { status, stderr } = run({ ...own, dependencies: { jose: '^6.0.0' } });
  expect([status, stderr]).toEqual([1, 'There is no version of jose yet: run npm install first.\n']);
});

test.each([
  ['cut off', '{"packages":'],
  ['of the sixth npm', '{"lockfileVersion":1,"dependencies":{}}'],
])('a lock that is %s is told in a sentence', (_, lock) => {
  expect(run(own, { 'package-lock.json': lock })).toEqual({
    ...{ status: 1, bom: undefined },
    stderr: "package-lock.json can't be read as npm writes it: run npm install again.\n",
  });
});
