// Targets and features: a run adds them to the configuration, which keeps them.
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { regenerate } from '../../src/api/check.ts';
import { generate } from '../../src/api/generate.ts';
import { PUBLISH_TARGETS, type PublishTarget } from '../../src/model/published.ts';

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

test('a feature that extends one which the project does not have is a warning', async () => {
  const typescript = { files: ['fixtures/typescript/weather/src/index.ts'] };
  const features = ['stdio', 'files', 'answer-rules', 'exchange'];
  const { ok, diagnostics } = await generate({ source: '', typescript, dir, features });
  const found = diagnostics.filter(({ name }) => name === 'feature-without-base');
  expect(ok).toBe(true);
  expect(found.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'warning: These features of the configuration need oauth, so they are left out: exchange.',
    'warning: These features of the configuration need api, so they are left out: files, answer-rules.',
  ]);
});
