// `mcpgen publish check` and the files that `mcpgen publish init` writes.
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { CHECKED_PLACES } from '../../src/model/published.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

async function makeProject(...flags: string[]): Promise<string> {
  const cwd = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(cwd, 'petstore.yaml'));
  const { exitCode } = await runInProcess(['openapi', 'petstore.yaml', '-o', 'project', ...flags], { cwd });
  expect(exitCode).toBe(0);
  return join(cwd, 'project');
}

const ALL = ['docker', 'kubernetes', 'registry', 'mcpb'].flatMap((name) => ['--publish', name]);

function edit(dir: string, file: string, change: (members: Record<string, unknown>) => object): void {
  const members = JSON.parse(readFileSync(join(dir, file), 'utf8')) as Record<string, unknown>;
  writeFileSync(join(dir, file), `${JSON.stringify({ ...members, ...change(members) }, null, 2)}\n`);
}

const COMPLETE = {
  mcpName: 'io.github.ada/petstore-mcp',
  license: 'MIT',
  author: 'Ada',
  repository: 'github:ada/petstore-mcp',
};

interface Checked {
  exitCode: number;
  found: string[];
  result: { ready: boolean; place: string; source: string; reviewed: string; byHand: string[] };
}

async function check(place: string, cwd: string): Promise<Checked> {
  const { exitCode, stdout } = await runInProcess(['publish', 'check', place, '--json'], { cwd });
  const { diagnostics, result } = JSON.parse(stdout) as {
    diagnostics: { name: string }[];
    result: Checked['result'];
  };
  return { exitCode, found: diagnostics.map(({ name }) => name), result };
}

test.each([
  ['docker', ['publish-lacks-files', 'publish-lacks-member', 'publish-lacks-files']],
  ['registry', ['publish-lacks-files']],
  ['npm', ['publish-lacks-member', 'publish-lacks-files']],
  ['mcpb', ['publish-lacks-files', 'publish-lacks-member', 'publish-lacks-files']],
  ['kubernetes', ['publish-lacks-files', 'publish-lacks-files']],
])('a new project is not ready for %s', async (place, wanted) => {
  const { exitCode, found, result } = await check(place, await makeProject());
  expect({ exitCode, found: found.filter((name) => name.startsWith('publish-')) }).toEqual({
    exitCode: 1,
    found: wanted,
  });
  expect(result).toMatchObject({ ready: false, place });
});

test('a complete project is ready for each place', async () => {
  const dir = await makeProject(...ALL);
  edit(dir, 'package.json', () => COMPLETE);
  await runInProcess(['publish', 'init', 'npm'], { cwd: dir });
  writeFileSync(join(dir, 'LICENSE'), 'Mine.\n');
  edit(dir, 'manifest.json', () => ({ icon: 'icon.png', privacy_policies: ['https://example.com/privacy'] }));
  for (const place of CHECKED_PLACES) {
    const { exitCode, found, result } = await check(place, dir);
    expect([place, found, exitCode, result.ready]).toEqual([place, [], 0, true]);
  }
});

test.each<[string, string, string[], (dir: string) => void]>([
  ['publish-name-placeholder', 'registry', [], () => undefined],
  ['publish-bundle-lacks', 'mcpb', [], () => undefined],
  ['publish-files-differ', 'registry', [], (dir) => edit(dir, 'package.json', () => ({ version: '9.9.9' }))],
])('%s is found for %s', async (name, place, flags, change) => {
  const dir = await makeProject(...ALL, ...flags);
  change(dir);
  const { found } = await check(place, dir);
  expect(found).toContain(name);
});

test('`publish init github` says where GitHub runs no workflow', async () => {
  const cwd = await makeProject();
  const init = () => runInProcess(['publish', 'init', 'github'], { cwd });
  mkdirSync(join(cwd, '.git'));
  expect((await init()).stderr).not.toContain('publish-workflow-below-root');
  renameSync(join(cwd, '.git'), join(cwd, '../.git'));
  const { stderr, exitCode } = await init();
  expect(exitCode).toBe(0);
  expect(stderr).toContain('GitHub does not run the workflows in project/.github/workflows,');
  expect(stderr).toContain('`defaults: { run: { working-directory: project } }`');
});
