import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { readLockFile } from '../../src/write/index.ts';
import { put, temporaryFolder } from './project-on-disk.ts';

async function read(lock: string | undefined): Promise<{ names: object | undefined; problems: string[] }> {
  const dir = temporaryFolder();
  if (lock !== undefined) put(dir, { 'mcpgen.lock': lock });
  const diagnostics = new DiagnosticCollector();
  const { lock: found } = await readLockFile(dir, diagnostics);
  return { names: found?.names, problems: diagnostics.found.map(({ name }) => name) };
}

test.each([
  ['no lock', undefined, { names: undefined, problems: [] }],
  [
    'a lock',
    '{"format":1,"compiler":"1","names":{"GET /":"root"},"files":{}}',
    { names: { 'GET /': 'root' }, problems: [] },
  ],
  ['a damaged one', '{', { names: undefined, problems: ['invalid-lock'] }],
  ['one from the future', '{"format":4}', { names: undefined, problems: ['lock-from-future'] }],
])('%s', async (_, lock, want) => {
  expect(await read(lock)).toEqual(want);
});

test('no folder at all', async () => {
  const diagnostics = new DiagnosticCollector();
  expect(await readLockFile('/nowhere/at/all', diagnostics)).toEqual({});
  expect(diagnostics.found).toEqual([]);
});

test.each(['.git/HEAD', 'src/app/.git/HEAD', 'src/app/node_modules/a/index.js', 'src/app/.GIT./config'])(
  'a lock with %s is of no use to any command',
  async (path) => {
    const lock = { format: 1, compiler: '1', names: {}, files: { [path]: 'sha256-x' } };
    expect(await read(JSON.stringify(lock))).toEqual({ names: undefined, problems: ['lock-stray-paths'] });
  },
);
