// Publish targets: a new project has none of their files, a project of an earlier compiler keeps those that it has.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { regenerate } from '../../src/api/check.ts';
import { hashLock, parseLock } from '../../src/emit/index.ts';
import { generate } from '../../src/api/generate.ts';
import { PUBLISH_TARGETS, type PublishTarget, publishTargets } from '../../src/model/published.ts';
import { replaceConfigMembers } from '../../src/project/chosen-lists.ts';
import { FEATURES_OF_0_1 } from '../../src/model/features.ts';

const source = 'fixtures/petstore.yaml';
/** Only of servers that share state. */
const ofBalancer = 'deploy/haproxy.cfg';
const files = Object.values(PUBLISH_TARGETS)
  .flat()
  .filter((file) => file !== ofBalancer);
const filesFor = (target: PublishTarget): string[] =>
  files.filter((file) => [...PUBLISH_TARGETS[target]].some((each) => each === file));
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mcpgen-targets-'));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

const here = () => files.filter((file) => existsSync(join(dir, file)));
const read = (file: string) => JSON.parse(readFileSync(join(dir, file), 'utf8')) as Record<string, unknown>;
const diagnosticNames = ({ diagnostics }: { diagnostics: readonly { name: string }[] }) =>
  diagnostics.map(({ name }) => name);

/** The project as an earlier compiler left it: a lock of format 2, and no word of targets in the configuration. */
async function makeOldProject(publish: PublishTarget[]): Promise<void> {
  expect((await generate({ source, dir, publish })).ok).toBe(true);
  const { publish: said, ...config } = read('mcpgen.config.json');
  expect(said).toEqual(publish);
  writeFileSync(join(dir, 'mcpgen.config.json'), `${JSON.stringify(config, undefined, 2)}\n`);
  writeLock({ format: 2 });
}

function writeLock(members: object): void {
  const lock = parseLock(readFileSync(join(dir, 'mcpgen.lock'), 'utf8'));
  if (lock === undefined) throw new Error('no lock');
  const old = { ...lock, ...members };
  writeFileSync(join(dir, 'mcpgen.lock'), JSON.stringify({ ...old, hash: hashLock(old) }));
}

test('a new project has no file of any target, and one for each target that is asked for', async () => {
  expect((await generate({ source, dir })).ok).toBe(true);
  expect(here()).toEqual([]);
  const added = await regenerate(dir, { addTargets: ['docker'] });
  expect(added.ok).toBe(true);
  expect(here()).toEqual(filesFor('docker'));
  expect(read('mcpgen.config.json')['publish']).toEqual(['docker']);
  expect((await regenerate(dir)).report?.written).toEqual([]);
  // A run by flags takes nothing away.
  expect((await generate({ source, dir })).ok).toBe(true);
  expect(here()).toEqual(filesFor('docker'));
});

const listMessages = ({ diagnostics }: Awaited<ReturnType<typeof regenerate>>): string[] =>
  diagnostics
    .filter(({ name }) => name === 'publish-targets-kept' || name === 'features-kept')
    .map(({ message }) => message);

test('a project of an earlier compiler keeps its files, and its configuration names their targets', async () => {
  await makeOldProject(['docker', 'registry']);
  const before = here();
  const dry = await regenerate(dir, { dryRun: true });
  expect(listMessages(dry)).toEqual(
    Array(2).fill(expect.stringContaining('in mcpgen.config.json would name ')),
  );
  const first = await regenerate(dir);
  expect(first.ok).toBe(true);
  expect(listMessages(first)).toEqual(
    Array(2).fill(expect.stringContaining('in mcpgen.config.json now names ')),
  );
  expect([here(), first.report?.removed]).toEqual([before, []]);
  expect(read('mcpgen.config.json')['publish']).toEqual(['docker', 'registry']);
  const second = await regenerate(dir);
  expect(diagnosticNames(second)).not.toContain('publish-targets-kept');
  expect(second.report?.written).toEqual([]);
  expect((await regenerate(dir, { check: true })).ok).toBe(true);
});

test('an old project keeps the features of 0.1, and a check says to generate it first', async () => {
  await makeOldProject(['docker']);
  const checked = await regenerate(dir, { check: true });
  expect([checked.ok, diagnosticNames(checked)]).toEqual([
    false,
    expect.arrayContaining(['made-by-earlier']),
  ]);
  const first = await regenerate(dir);
  const kept = first.diagnostics.find(({ name }) => name === 'features-kept');
  expect(kept?.message).toContain('For a smaller project, set `features`');
  // The server asks for no tokens, so there are none to exchange.
  expect(read('mcpgen.config.json')['features']).toEqual(
    FEATURES_OF_0_1.filter((name) => name !== 'exchange'),
  );
  expect(diagnosticNames(first)).not.toContain('feature-without-base');
  expect(existsSync(join(dir, 'src/runtime/transports/websocket'))).toBe(true);
  expect((await regenerate(dir, { check: true })).ok).toBe(true);
});

test('a feature is added to those of the configuration, or to the default', async () => {
  expect((await generate({ source, dir })).ok).toBe(true);
  expect(read('mcpgen.config.json')).not.toHaveProperty('features');
  expect((await regenerate(dir, { addFeatures: ['websocket'] })).ok).toBe(true);
  expect(read('mcpgen.config.json')['features']).toEqual(['stdio', 'http', 'websocket', 'audit']);
  expect((await regenerate(dir, { addFeatures: ['mock'] })).ok).toBe(true);
  expect(read('mcpgen.config.json')['features']).toEqual(['stdio', 'http', 'websocket', 'audit', 'mock']);
  // A run by flags takes nothing away.
  expect((await generate({ source, dir })).ok).toBe(true);
  expect(read('mcpgen.config.json')['features']).toEqual(['stdio', 'http', 'websocket', 'audit', 'mock']);
});

test('a feature that extends one which the project does not have is a warning', async () => {
  const typescript = { files: ['fixtures/typescript/weather/src/index.ts'] };
  const features = ['stdio', 'transfers', 'bodies', 'exchange'];
  const { ok, diagnostics } = await generate({ source: '', typescript, dir, features });
  const found = diagnostics.filter(({ name }) => name === 'feature-without-base');
  expect(ok).toBe(true);
  expect(found.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'warning: The configuration names bodies, transfers, which no server has without api: left out.',
    'warning: The configuration names exchange, which no server has without oauth: left out.',
  ]);
});

test('the form of the runtime is written into the configuration, and stays', async () => {
  expect((await generate({ source, dir })).ok).toBe(true);
  expect((await regenerate(dir, { setRuntime: 'bundled' })).ok).toBe(true);
  expect(read('mcpgen.config.json')['runtime']).toBe('bundled');
  expect(existsSync(join(dir, 'src/runtime/start.js'))).toBe(true);
  expect((await regenerate(dir)).report?.written).toEqual([]);
  expect((await regenerate(dir, { setRuntime: 'vendored', addFeatures: ['mock'] })).ok).toBe(true);
  expect(read('mcpgen.config.json')).toMatchObject({ runtime: 'vendored', features: expect.any(Array) });
  expect(existsSync(join(dir, 'src/runtime/start.js'))).toBe(false);
});

test('a configuration in code gets all its new lines from its user', async () => {
  writeFileSync(
    join(dir, 'mcpgen.config.mjs'),
    `export default { source: '${join(process.cwd(), source)}', output: '.' }`,
  );
  const refused = await regenerate(dir, { setRuntime: 'bundled', addFeatures: ['mock'] });
  expect(refused.diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/Add to it: features: \['stdio', .*'mock'\], runtime: 'bundled'$/),
  ]);
});

test('a configuration in code is told which of its members change, and how the run is repeated', async () => {
  const file = join(dir, 'mcpgen.config.mjs');
  const document = join(process.cwd(), source);
  writeFileSync(file, `export default { source: '${document}', output: '.', features: ['http'] }`);
  const refused = await regenerate(dir, { addTargets: ['npm'], addFeatures: ['mock'] });
  expect(refused.diagnostics.map(({ message, hint }) => [message, hint])).toEqual([
    [
      `mcpgen does not edit ${relative('.', file)}. Add to it: publish: ['npm']. Change in it: features: ['http', 'mock']`,
      `Then run \`mcpgen generate ${relative('.', dir)}\`, which writes the files.`,
    ],
  ]);
});

test('an old project compiled by flags keeps its files too', async () => {
  await makeOldProject([...publishTargets]);
  writeLock({ format: 2 });
  expect((await generate({ source, dir })).ok).toBe(true);
  expect(here()).toEqual(files);
});

test('where the configuration is code, the lock records the targets until it says its own', async () => {
  await makeOldProject(['docker', 'github']);
  const text = readFileSync(join(dir, 'mcpgen.config.json'), 'utf8');
  rmSync(join(dir, 'mcpgen.config.json'));
  const { files: listed } = read('mcpgen.lock') as { files: Record<string, string> };
  const { 'mcpgen.config.json': config, ...others } = listed;
  void config;
  writeLock({ files: others });
  const file = join(dir, 'mcpgen.config.mjs');
  writeFileSync(file, `export default ${text}`);
  const first = await regenerate(dir);
  expect(diagnosticNames(first)).toContain('publish-targets-kept');
  expect(here()).toEqual([...filesFor('docker'), ...filesFor('github')]);
  expect(read('mcpgen.lock')['publish']).toEqual(['docker', 'github']);
  expect((await regenerate(dir)).report?.written).toEqual([]);
  const refused = await regenerate(dir, { addTargets: ['npm'] });
  expect([refused.ok, diagnosticNames(refused)]).toEqual([false, ['config-not-edited']]);
  const next = join(dir, 'mcpgen.config.js');
  renameSync(file, next);
  writeFileSync(next, `export default { ...${text}, publish: ['github'] }`);
  expect((await regenerate(dir)).ok).toBe(true);
  expect(here()).toEqual(filesFor('github'));
  expect(read('mcpgen.lock')['publish']).toBeUndefined();
});

test('targets that are taken out of the configuration take their files along', async () => {
  expect((await generate({ source, dir, publish: ['docker'] })).ok).toBe(true);
  const { publish, ...config } = read('mcpgen.config.json');
  void publish;
  writeFileSync(join(dir, 'mcpgen.config.json'), JSON.stringify(config));
  expect((await regenerate(dir)).report?.removed).toEqual(expect.arrayContaining(['Dockerfile']));
  expect(here()).toEqual([]);
});

test.each([
  { text: '{\n\t"source": "a"\n}\n', want: '{\n\t"source": "a",\n\t"publish": ["npm"]\n}\n' },
  { text: '{\n  "publish": [],\n  "name": "b"\n}\n', want: '{\n  "publish": ["npm"],\n  "name": "b"\n}\n' },
  { text: '{"source": "}"}', want: '{"source": "}",\n  "publish": ["npm"]\n}\n' },
  {
    text: '{"auth":{"publish":["a"]},"publish":["docker"]}',
    want: '{\n  "auth": {\n    "publish": [\n      "a"\n    ]\n  },\n  "publish": [\n    "npm"\n  ]\n}\n',
  },
])('targets are written into $text', ({ text, want }) => {
  expect(replaceConfigMembers(text, { publish: ['npm'] })).toBe(want);
});

test.each([
  { text: '{\n\t"source": "a"\n}\n', want: '{\n\t"source": "a",\n\t"runtime": "bundled"\n}\n' },
  { text: '{"runtime": "vendored", "name": "b"}', want: '{"runtime": "bundled", "name": "b"}' },
])('the form of the runtime is written into $text', ({ text, want }) => {
  expect(replaceConfigMembers(text, { runtime: 'bundled' })).toBe(want);
});
