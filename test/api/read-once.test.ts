// A run opens the lock of its project once, also one that writes: its stamp shows whether another run wrote it meanwhile.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { generate, regenerate } from '../../src/index.ts';
import { nodeFileSystem } from '../../src/write/file-system.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';

const SOURCE = `openapi: 3.1.0
info: { title: Birds, version: 1.0.0 }
servers: [{ url: https://birds.example.com }]
paths: { /birds: { get: { operationId: listBirds, responses: { '200': { description: Birds } } } } }
`;

let cwd: string;
let opened: string[];

beforeEach(async () => {
  cwd = temporaryFolder();
  opened = [];
  writeFileSync(join(cwd, 'birds.yaml'), SOURCE);
  expect(await generate({ source: 'birds.yaml', dir: 'out', cwd })).toMatchObject({ ok: true });
  const { readText } = nodeFileSystem;
  vi.spyOn(nodeFileSystem, 'readText').mockImplementation(async (path) => {
    opened.push(path);
    return readText(path);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const locks = (): number => opened.filter((path) => path.endsWith('mcpgen.lock')).length;

// A run that writes opens the lock again before it does: another run may have written meanwhile.
test.each([
  { options: {}, reads: 2 },
  { options: { skip: true }, reads: 1 },
  { options: { check: true }, reads: 1 },
])('nothing has changed, $options: the lock is read $reads times', async ({ options, reads }) => {
  expect(await regenerate('out', { cwd, ...options })).toMatchObject({ ok: true });
  expect(locks()).toBe(reads);
});

test.each([{}, { skip: true }])('the document has changed, %j', async (options) => {
  const file = join(cwd, 'birds.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('listBirds', 'searchBirds'));
  expect(await regenerate('out', { cwd, ...options })).toMatchObject({ ok: true });
  expect(locks()).toBe(2);
});

test('without a folder the sources are read once, unless the configuration in the folder reads them otherwise', async () => {
  cwd = temporaryFolder();
  writeFileSync(join(cwd, 'birds.yaml'), SOURCE);
  const stages: string[] = [];
  const run = () => generate({ source: 'birds.yaml', cwd, onStage: (stage) => void stages.push(stage) });
  for (let count = 0; count < 2; count += 1) {
    stages.length = 0;
    expect(await run()).toMatchObject({ ok: true, dir: 'birds-mcp' });
    expect(stages).toEqual(['load', 'derive', 'emit', 'write']);
  }
  const file = join(cwd, 'birds-mcp/mcpgen.config.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{ "strict": true,'));
  stages.length = 0;
  expect(await run()).toMatchObject({ ok: true });
  expect(stages).toEqual(['load', 'load', 'derive', 'emit', 'write']);
});
