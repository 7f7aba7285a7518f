// Two branches have generated the project, and git has merged them: what stands there then, and the run that settles it.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { check, generate, regenerate } from '../../src/index.ts';
import { filesOf, put, temporaryFolder } from '../write/project-on-disk.ts';

const MARK = /^(?:<{7} |={7}$|>{7} )/m;

const operation = (path: string, id: string, more = '') => `  ${path}:
    get:
      operationId: ${id}
      responses: { '200': { description: Fine } }
${more}`;

const document = (...operations: string[]) => `openapi: 3.1.0
info: { title: Dogs, version: 1.0.0 }
servers: [{ url: https://dogs.example.com }]
paths:
${operations.join('')}`;

const base = ['/dogs', '/cats', '/fish', '/mice'].map((path) => operation(path, `list_${path.slice(1)}`));
const rates = operation('/rates', 'listRates');
const search = operation('/search', 'searchAll');
const both = document(...base, rates, search);

function gitIn(cwd: string) {
  return (...args: string[]): void => {
    execFileSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args],
      { cwd, stdio: 'ignore' },
    );
  };
}

async function commitAs(cwd: string, text: string, edit: (cwd: string) => Promise<unknown>): Promise<void> {
  const git = gitIn(cwd);
  put(cwd, { 'dogs.yaml': text });
  await edit(cwd);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'x');
}

const again = async (cwd: string): Promise<void> => {
  expect((await regenerate('out', { cwd })).ok).toBe(true);
};

interface Branches {
  /** Steps on each branch, once its document is there. */
  ours?: (cwd: string) => Promise<unknown>;
  theirs?: (cwd: string) => Promise<unknown>;
}

/** After a merge that has stopped at conflicts; the document is settled. */
async function merged(branched: Promise<string>, by = ['merge', 'theirs']): Promise<string> {
  const cwd = temporaryFolder();
  cpSync(await branched, cwd, { recursive: true });
  expect(() => gitIn(cwd)(...by)).toThrow();
  put(cwd, { 'dogs.yaml': both });
  return cwd;
}

/** A repository with both branches. */
async function branch({ ours = again, theirs = again }: Branches = {}): Promise<string> {
  const cwd = temporaryFolder();
  const git = gitIn(cwd);
  git('init', '--quiet', '--initial-branch', 'ours');
  await commitAs(cwd, document(...base), async () => generate({ source: 'dogs.yaml', dir: 'out', cwd }));
  git('checkout', '--quiet', '-b', 'theirs');
  await commitAs(cwd, document(...base, search), theirs);
  git('checkout', '--quiet', 'ours');
  await commitAs(cwd, document(...base, rates), ours);
  return cwd;
}

let plain: Promise<string> | undefined;
const plainBranches = (): Promise<string> => (plain ??= branch());

/** Output of a first run of the resolved document, without `dist/`, which no repository has. */
let fresh: Record<string, string | null> = {};

beforeAll(async () => {
  const cwd = temporaryFolder();
  put(cwd, { 'dogs.yaml': both });
  await generate({ source: 'dogs.yaml', dir: 'out', cwd });
  fresh = projectOf(cwd);
});

function projectOf(cwd: string): Record<string, string | null> {
  const files = Object.entries(filesOf(join(cwd, 'out')));
  return Object.fromEntries(files.filter(([path]) => !path.startsWith('dist/')));
}

async function run(cwd: string, options = {}): Promise<{ ok: boolean; problems: string[] }> {
  const { ok, diagnostics } = await regenerate('out', { cwd, ...options });
  return { ok, problems: diagnostics.map(({ name }) => name) };
}

test.each<{ how: string; by: string[] }>([
  // `by`: how git puts the branches together.
  { how: 'git merge, with the common ancestor', by: ['-c', 'merge.conflictStyle=diff3', 'merge', 'theirs'] },
  { how: 'git rebase', by: ['rebase', 'theirs'] },
])('$how: one run writes the whole project, from both sides of the lock', async ({ by }) => {
  const cwd = await merged(plainBranches(), by);
  expect(readFileSync(join(cwd, 'out/mcpgen.lock'), 'utf8')).toMatch(MARK);
  expect((await check('out', { cwd })).ok).toBe(false);
  expect(await run(cwd)).toEqual({ ok: true, problems: ['lock-edited', 'merge-generated-anew'] });
  expect(projectOf(cwd)).toEqual(fresh);
  expect((await check('out', { cwd })).ok).toBe(true);
});

test('with one side of the lock, files with markers are written again too', async () => {
  const cwd = await merged(plainBranches());
  gitIn(cwd)('checkout', '--ours', '--', 'out/mcpgen.lock');
  expect(MARK.test(projectOf(cwd)['src/generated/bindings.json'] ?? '')).toBe(true);
  await run(cwd, { force: true });
  expect(Object.entries(projectOf(cwd)).filter(([, text]) => MARK.test(text ?? ''))).toEqual([]);
});

test('names of both sides of the lock stay', async () => {
  const named = (name: string) => async (cwd: string) => {
    await again(cwd);
    const file = join(cwd, 'out/mcpgen.lock');
    const lock = readFileSync(file, 'utf8');
    writeFileSync(file, lock.replace(/: "(listRates|searchAll)"/, `: "${name} $1"`));
  };
  const cwd = await merged(branch({ ours: named('rates'), theirs: named('find') }));
  const { model } = await regenerate('out', { cwd });
  expect(model?.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['rates', 'find', 'list_dogs']),
  );
});

test('sides of the lock with other origins are an error', async () => {
  const [ours, theirs] = ['https://a.example.com', 'https://b.example.com'];
  const secured = (text: string, url: string) =>
    text.replace(/url: [^ }]+/, `url: ${url}`) +
    'components: { securitySchemes: { key: { type: apiKey, in: header, name: K } } }\nsecurity: [{ key: [] }]\n';
  const moved = (url: string, more: string) => async (cwd: string) => {
    put(cwd, { 'dogs.yaml': secured(document(...base, more), url) });
    expect((await regenerate('out', { cwd, acceptOrigins: [url] })).ok).toBe(true);
  };
  const cwd = await merged(branch({ ours: moved(ours, rates), theirs: moved(theirs, search) }));
  put(cwd, { 'dogs.yaml': secured(both, ours) });
  const before = filesOf(join(cwd, 'out'));
  const { ok, diagnostics } = await regenerate('out', { cwd });
  expect([ok, diagnostics.map(({ name }) => name)]).toEqual([false, ['invalid-lock']]);
  expect(diagnostics[0]?.message).toMatch(/send API_HEADERS to different origins/);
  expect(filesOf(join(cwd, 'out'))).toEqual(before);
});

const editReadme = (text: string) => async (cwd: string) => {
  await again(cwd);
  const file = join(cwd, 'out/README.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^# .*$/m, `# ${text}`));
  expect(await run(cwd, { keep: true })).toMatchObject({ ok: true });
};

let edited: Promise<string> | undefined;

test.each([{}, { check: true }])(
  'a conflict in a file that a person has taken over stops the run, with %o',
  async (options) => {
    edited ??= branch({ ours: editReadme('Mine'), theirs: editReadme('Theirs') });
    const cwd = await merged(edited);
    const before = filesOf(join(cwd, 'out'));
    const { ok, diagnostics } = await regenerate('out', { cwd, ...options });
    const told = diagnostics.filter(({ name }) => name === 'file-conflict');
    expect({ ok, told }).toMatchObject({ ok: false, told: [{ severity: 'error' }] });
    expect(told[0]?.message).toContain('README.md');
    expect(told[0]?.origin).toMatchObject({ kind: 'code', file: 'out/README.md', line: 1 });
    expect(filesOf(join(cwd, 'out'))).toEqual(before);
    gitIn(cwd)('checkout', '--ours', '--', 'out/README.md');
    expect(await run(cwd, { keep: true })).toMatchObject({ ok: true });
    expect(Object.entries(projectOf(cwd)).filter(([, text]) => MARK.test(text ?? ''))).toEqual([]);
    expect(projectOf(cwd)['README.md']).toContain('# Mine\n');
  },
);
