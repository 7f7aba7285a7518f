/** Wherever a run is killed: each file is the old one or the new one, and the next run completes the project. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../src/write/file-system.ts';
import { complete, listChanges, mine, one, two, written } from './edited-project.ts';
import {
  faultyFileSystem,
  filesOf,
  project,
  put,
  temporaryFolder,
  texts,
  tree,
  write,
} from './project-on-disk.ts';

/** Does nothing any more from an operation on, as a process that is gone. Only changes leave something. */
function killedAt(last: number): FileSystem {
  return faultyFileSystem((_, __, call) => {
    if (call >= last) throw new Error('killed');
  });
}

/** What `--force` keeps of the user's edit. */
const saved: Record<string, string> = { 'README.md.orig': 'edited\n' };

const isTemporary = (path: string): boolean => /\.[0-9a-f]{8}\.mcpgen-tmp$/.test(path);

/** Each file is whole, as one of `versions` has it; `extra` are the user's. */
function expectWholeFiles(dir: string, versions: Record<string, string>[], extra: Record<string, string>) {
  for (const [path, text] of Object.entries(filesOf(dir))) {
    if (path === 'mcpgen.lock' || isTemporary(path)) continue;
    const wholeTexts = [...versions, extra, saved].map((version) => version[path]);
    expect(wholeTexts, path).toContain(text);
  }
}

const three = project('three', { 'src/app/other.ts': 'other\n' });

test.each([
  { what: 'edited, with --force', edits: mine, force: true },
  { what: 'unedited', edits: {}, force: false },
])('$what, killed at any operation: the same command completes it', async ({ edits, force }) => {
  const begin = async (): Promise<string> => {
    const dir = join(temporaryFolder(), 'petstore-mcp');
    await write(one, dir);
    put(dir, edits);
    return dir;
  };
  const calls = await listChanges(async (fs) => write(two, await begin(), { force }, fs));
  const states = new Set<string>();
  for (const call of calls) {
    for (const next of [two, three, one]) {
      const dir = await begin();
      await write(two, dir, { force }, killedAt(call)).catch(() => undefined);
      const killed = tree(dir);
      // The lock of a run that has begun accepts two hashes.
      states.add(/"[\w-]{22} [\w-]{22}"/.test(killed['mcpgen.lock'] ?? '') ? 'between' : 'old or new');
      expectWholeFiles(dir, [texts(one), texts(two)], edits);
      const checked = await write(next, dir, { check: true });
      expect(checked.problems).toEqual([]);
      if (!force) expect(checked.edited).toEqual([]);
      await write(next, dir, { force, dryRun: true });
      expect(tree(dir), 'a check changes nothing').toEqual(killed);
      expect((await write(next, dir, { force })).problems).toEqual([]);
      const wanted = { ...edits, ...texts(next), ...(force ? saved : {}) };
      expect(filesOf(dir), `killed at ${String(call)}`).toEqual(wanted);
    }
  }
  expect(states.size).toBe(2);
});

test('killed again and again, with another source each time', async () => {
  const dir = join(temporaryFolder(), 'petstore-mcp');
  await write(one, dir);
  const calls = await listChanges(async (fs) => write(two, await written(), { force: true }, fs));
  for (const call of calls) {
    const version = project(`version ${String(call)}`, { [`src/app/${String(call)}.ts`]: 'x\n' });
    await write(version, dir, {}, killedAt(call)).catch(() => undefined);
  }
  expect((await write(two, dir)).problems).toEqual([]);
  expect(filesOf(dir)).toEqual(texts(two));
});

test('a first run that is killed at any operation: the next one completes it', async () => {
  const calls = await listChanges((fs) => write(one, join(temporaryFolder(), 'a'), {}, fs));
  for (const call of calls) {
    for (const next of [one, two]) {
      const dir = join(temporaryFolder(), 'a');
      await write(one, dir, {}, killedAt(call)).catch(() => undefined);
      expect((await write(next, dir)).problems).toEqual([]);
      expect(filesOf(dir), `killed at ${String(call)}`).toEqual(texts(next));
    }
  }
});

const packageJson = (members: object): string => `${JSON.stringify(members, undefined, 2)}\n`;

test('package.json that a killed run has merged: the same command completes it, and another one merges it', async () => {
  const withPackage = (version: string, scripts: object) => {
    const generated = { name: 'p', version, scripts };
    const files = project(version, { 'package.json': packageJson(generated) });
    return files.map((file) =>
      file.path === 'mcpgen.lock'
        ? { ...file, contents: JSON.stringify({ ...JSON.parse(file.contents), package: generated }) }
        : file,
    );
  };
  const [first, second, third] = [
    withPackage('1', { build: 'one' }),
    withPackage('2', { build: 'two', born: 'two' }),
    withPackage('3', { build: 'three' }),
  ];
  const begin = async (): Promise<string> => {
    const dir = join(temporaryFolder(), 'p');
    await write(first, dir);
    put(dir, {
      'package.json': packageJson({ name: 'p', version: '1', scripts: { build: 'one', mine: 'x' } }),
    });
    return dir;
  };
  const calls = await listChanges(async (fs) => write(second, await begin(), {}, fs));
  for (const call of calls) {
    const dir = await begin();
    await write(second, dir, {}, killedAt(call)).catch(() => undefined);
    for (const next of [second, third]) expect((await write(next, dir)).problems).toEqual([]);
    const merged: unknown = JSON.parse(filesOf(dir)['package.json'] ?? '');
    expect(merged).toEqual({ name: 'p', version: '3', scripts: { build: 'three', mine: 'x' } });
  }
});

test('temporary files are removed wherever a run has left them; nothing else is, and no link is followed', async () => {
  const base = temporaryFolder();
  const dir = join(base, 'p');
  await write(one, dir);
  const name = 'x.0123abcd.mcpgen-tmp';
  put(base, { [`outside/${name}`]: 'theirs\n' });
  put(dir, {
    [name]: '',
    [`src/app/gone/${name}`]: '',
    [`.git/${name}`]: 'of git\n',
    [`node_modules/a/${name}`]: 'of npm\n',
    'mcpgen-tmp': 'mine\n',
    'x.mcpgen-tmp': 'mine\n',
    'x.0123.mcpgen-tmp': 'mine\n',
  });
  mkdirSync(join(dir, 'y.0123abcd.mcpgen-tmp'));
  put(dir, { 'y.0123abcd.mcpgen-tmp/z': 'mine\n' });
  symlinkSync(join(base, 'outside'), join(dir, 'link'));
  symlinkSync(join(base, 'outside', name), join(dir, 'z.0123abcd.mcpgen-tmp'));
  const before = tree(base);
  for (const options of [{ check: true }, { dryRun: true }]) await write(one, dir, options);
  expect(tree(base)).toEqual(before);
  await write(one, dir);
  const removed = [`p/${name}`, `p/src/app/gone/${name}`, 'p/src/app/gone'];
  const rest = Object.entries(before).filter(([path]) => !removed.includes(path));
  expect(tree(base)).toEqual(Object.fromEntries(rest));
});

test('a temporary file that cannot be removed is named', async () => {
  const dir = await written();
  put(dir, { 'x.0123abcd.mcpgen-tmp': '' });
  const refusing = faultyFileSystem((operation, path) => {
    if (operation === 'removeFile' && path.endsWith('x.0123abcd.mcpgen-tmp')) throw new Error('busy');
  });
  const { problems, messages } = await write(two, dir, { force: true }, refusing);
  expect(problems).toEqual(['leftover-file']);
  expect(messages[0]).toContain('x.0123abcd.mcpgen-tmp');
});

/** Runs `meanwhile` just before the first file is written. */
function withAnother(meanwhile: () => Promise<unknown>): FileSystem {
  let hasBegun = false;
  return new Proxy(nodeFileSystem, {
    get: (target, name: keyof FileSystem) => {
      if (name !== 'writeText' && name !== 'copyFile') return target[name];
      return async (...parameters: string[]) => {
        if (!hasBegun) {
          hasBegun = true;
          await meanwhile();
        }
        return (target[name] as (...parameters: string[]) => Promise<unknown>)(...parameters);
      };
    },
  });
}

test('two runs at the same time: the second is told, and nothing is mixed', async () => {
  const dir = await written();
  const other = withAnother(() => write(two, dir, { force: true }));
  const { problems } = await write(project('three'), dir, { force: true }, other);
  expect(problems).toEqual(['project-changed-meanwhile']);
  expect(filesOf(dir)).toEqual(complete);
});

test('two runs that make the same new project: the second is told, and the first one is whole', async () => {
  const dir = join(temporaryFolder(), 'new/petstore-mcp');
  const other = withAnother(() => write(two, dir));
  const { problems, written: paths } = await write(project('three'), dir, {}, other);
  expect(problems).toEqual(['project-changed-meanwhile']);
  expect(paths).toEqual([]);
  expect(filesOf(dir)).toEqual(texts(two));
});

test('two runs that make projects in the same new folder: both are written', async () => {
  const base = temporaryFolder();
  const other = withAnother(() => write(two, join(base, 'new/deep/one')));
  expect((await write(two, join(base, 'new/deep/other'), {}, other)).problems).toEqual([]);
  expect(filesOf(join(base, 'new/deep/other'))).toEqual(filesOf(join(base, 'new/deep/one')));
});
