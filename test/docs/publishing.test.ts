// The way from a project to what is published, as the page walks it: every command is run, or stands below with a reason.
import { readdirSync, readFileSync } from 'node:fs';
import { cp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mcpgen, node, root } from '../e2e/support/command.ts';
import { linkTypes, temporaryFolder } from '../e2e/support/project.ts';
import { blocksOf } from './blocks.ts';

const PAGE = 'docs/publishing.md';

/** Commands that are not run here. */
const ELSEWHERE: Record<string, string> = {
  'npm install --save-dev ./vendor/mcpgen-*.tgz': 'fetches packages: mcpgen is linked instead',
  'npm install': 'fetches packages: run by `npm run e2e:publish`',
  'npm publish --dry-run': 'builds and tests once more: run by `npm run e2e:publish`',
  'npm publish --access public': 'publishes',
  'npx petstore-mcp --help': 'needs a package on npm: started from its tarball in test/e2e/publish.test.ts',
  'mcp-publisher login github': 'signs a person in',
  'mcp-publisher publish': 'publishes',
  'docker build -t petstore-mcp .': 'needs Docker: the file is linted in test/e2e/publish.test.ts',
  'docker run --rm -p 127.0.0.1:3000:3000 --env-file .env petstore-mcp': 'needs Docker',
  'docker compose up --build': 'needs Docker: the file is read in test/emit/publishing.test.ts',
};

/** A change that the reader makes is applied. */
const commands = blocksOf(PAGE).flatMap(({ info, text }) => {
  if (info === 'diff') return [`git apply - <<'END'\n${text}END`];
  return info === 'sh' ? text.trimEnd().split('\n') : [];
});

const AUTHOR = { NAME: 'Ada', EMAIL: 'ada@example.com' };
const env = Object.fromEntries(
  Object.entries(AUTHOR).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]),
);

let folder: string;
let project: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  project = join(folder, 'petstore-mcp');
  await cp(join(root, 'fixtures/petstore.yaml'), join(folder, 'petstore.yaml'));
  await writeFile(join(folder, 'mcpgen-0.1.0.tgz'), 'Stands for the package.');
  const [block] = blocksOf(PAGE).filter(({ info }) => info === 'console');
  const [, words = ''] = /^\$ mcpgen (.*)$/m.exec(block?.text ?? '') ?? [];
  const compiled = await mcpgen(words.split(' '), { cwd: folder });
  expect(compiled.code, compiled.stderr).toBe(0);
  await linkTypes(project);
  await symlink(join(root, 'dist/bin/mcpgen.js'), join(project, 'node_modules/.bin/mcpgen'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('every command that is said to be run elsewhere stands on the page', () => {
  for (const command of Object.keys(ELSEWHERE)) expect(commands).toContain(command);
  expect(commands.filter((command) => !Object.hasOwn(ELSEWHERE, command)).length).toBeGreaterThan(5);
});

test('the others do what the page says, one after the other', { timeout: 240_000 }, async () => {
  for (const command of commands.filter((each) => !Object.hasOwn(ELSEWHERE, each))) {
    const { code, stdout, stderr } = await node(['-c', command], { cwd: project, program: 'sh', env });
    expect({ command, code }, `${stdout}\n${stderr}`).toEqual({ command, code: 0 });
  }
  const json = (file: string) => JSON.parse(readFileSync(join(project, file), 'utf8')) as object;
  expect(json('server.json')).toMatchObject({
    version: '1.5.0',
    repository: { url: 'https://github.com/ada/petstore-mcp', source: 'github' },
  });
  expect(json('manifest.json')).toMatchObject({
    version: '1.5.0',
    license: 'MIT',
    author: { name: 'Ada', email: 'ada@example.com' },
  });
  expect(readdirSync(project)).toContain('petstore-mcp-1.5.0.mcpb');
});

test('a fresh clone has what the workflow asks for', async () => {
  const clone = join(folder, 'clone');
  const git = await node(['clone', '--quiet', project, clone], { cwd: folder, program: 'git' });
  expect(git.code, git.stderr).toBe(0);
  expect(readdirSync(join(clone, 'vendor'))).toEqual(['mcpgen-0.1.0.tgz']);
  const { code, stdout, stderr } = await mcpgen(['check'], { cwd: clone });
  expect(code, `${stdout}\n${stderr}`).toBe(0);
});
