// The questions of `mcpgen init`: answers give the same file as flags, and Ctrl-C leaves nothing.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess, type Said } from './support/fake-host.ts';
import { KEY, fakeTerminal } from './support/fake-terminal.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

type Answer = [question: RegExp, ...keys: string[]];

function folderWith(name: string, fixture = 'fixtures/petstore.yaml'): string {
  const folder = temporaryFolder();
  cpSync(join(repositoryRoot, fixture), join(folder, name));
  return folder;
}

async function answer(cwd: string, args: string[], answers: Answer[]): Promise<Said & { shown: string }> {
  const { terminal, shown } = fakeTerminal(answers);
  return { ...(await runInProcess(['init', ...args], { cwd, terminal })), shown: shown() };
}

/** By default the configuration of the only project. */
const read = (
  cwd: string,
  file = `${readdirSync(cwd).find((name) => name.endsWith('-mcp'))}/mcpgen.config.json`,
): string => readFileSync(join(cwd, file), 'utf8');

const SOURCE: Answer = [/Source:/, KEY.enter];
const NAME: Answer = [/Name of the package/, KEY.enter];
const TAGS: Answer = [/Operations, by tag/, KEY.enter];
const TRANSPORTS: Answer = [/Transports beside stdio/, KEY.enter];
const AUTH: Answer = [/Callers over HTTP/, KEY.enter];

test.each<[string, string[], Answer[], string[]]>([
  ['defaults', [], [SOURCE, NAME, TAGS, TRANSPORTS, AUTH], ['--name', 'petstore-mcp']],
  [
    'a name, two tags, WebSocket and OAuth',
    [],
    [
      SOURCE,
      [/Name of the package/, KEY.clear, ...'zoo-mcp', KEY.enter],
      [/Operations, by tag/, KEY.space, KEY.enter],
      [/Transports beside stdio/, KEY.down, KEY.down, KEY.space, KEY.enter],
      [/Callers over HTTP/, KEY.down, KEY.enter],
    ],
    [
      ...['--name', 'zoo-mcp', '--include', 'tag:orders', '--include', 'tag:store'],
      ...['--transport', 'http,websocket', '--auth', 'oauth'],
    ],
  ],
  [
    'stdio alone, which needs no question about callers',
    ['openapi.yaml'],
    [NAME, TAGS, [/Transports beside stdio/, KEY.space, KEY.enter]],
    ['openapi.yaml', '--name', 'petstore-mcp', '--transport', 'stdio'],
  ],
  [
    'only what flags do not say',
    ['openapi.yaml', '--name', 'zoo', '--exclude', 'tag:pets', '--transport', 'http', '--format', 'ts'],
    [AUTH],
    ['openapi.yaml', '--name', 'zoo', '--exclude', 'tag:pets', '--transport', 'http', '--format', 'ts'],
  ],
])('%s', async (_, args, answers, flags) => {
  const [cwd, other] = [folderWith('openapi.yaml'), folderWith('openapi.yaml')];
  const said = await answer(cwd, args, answers);
  expect(said, said.shown).toMatchObject({ exitCode: 0 });
  expect((await runInProcess(['init', ...flags], { cwd: other })).exitCode).toBe(0);
  const file = said.stdout.replace(/^wrote |\n/g, '');
  expect(read(cwd, file)).toBe(read(other, file));
});

test('the command that it prints writes the same without questions', async () => {
  const [cwd, other] = [folderWith('openapi.yaml'), folderWith('openapi.yaml')];
  const chosen: Answer = [/Operations, by tag/, KEY.space, KEY.enter];
  const { stderr, shown } = await answer(cwd, [], [SOURCE, NAME, chosen, TRANSPORTS, AUTH]);
  const [, command = ''] = /^ {2}Without questions: mcpgen (.*)$/m.exec(stderr) ?? [];
  expect(command).toBe(
    'init openapi.yaml --name petstore-mcp --include tag:orders --include tag:store --yes',
  );
  await runInProcess(command.split(' '), { cwd: other, terminal: fakeTerminal([]).terminal });
  expect(read(cwd)).toBe(read(other));
  expect(shown).toMatch(/pets \(\d+ tools, about [\d,]+ tokens\)/);
});

test.each<[string, Answer[]]>([
  ['the first question', [[/Source:/, KEY.ctrlC]]],
  ['the tags', [SOURCE, NAME, [/Operations, by tag/, KEY.space, KEY.ctrlC]]],
  ['the last question', [SOURCE, NAME, TAGS, TRANSPORTS, [/Callers over HTTP/, KEY.ctrlC]]],
])('Ctrl-C at %s leaves nothing', async (_, answers) => {
  const cwd = folderWith('openapi.yaml');
  expect(await answer(cwd, [], answers)).toMatchObject({
    exitCode: 130,
    stdout: '',
    stderr: 'Stopped. Nothing was changed.\n',
  });
  expect(readdirSync(cwd)).toEqual(['openapi.yaml']);
});

test('a source that does not compile is asked for again', async () => {
  const cwd = folderWith('petstore.yaml');
  const { exitCode, shown } = await answer(
    cwd,
    ['nothing.yaml'],
    [[/MCPG\d+: .*nothing\.yaml[^]*Source:/, ...'petstore.yaml', KEY.enter], NAME, TAGS, TRANSPORTS, AUTH],
  );
  expect(exitCode, shown).toBe(0);
  expect(read(cwd)).toContain('"source": "../petstore.yaml"');
});

/** `count` operations: every second one has a tag, none of the others. */
function largeDocument(count: number): string {
  const operations = Array.from({ length: count }, (_, index) => [
    `/items/${String(index)}`,
    {
      get: {
        operationId: `item${String(index)}`,
        tags: index % 2 === 0 ? ['even\u001b[31m'] : [],
        responses: { '200': { description: 'An item' } },
      },
    },
  ]);
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Items', version: '1' },
    servers: [{ url: 'https://items.example' }],
    paths: Object.fromEntries(operations) as object,
  });
}

test('of a large document it asks what clients list; tags are text, and operations without tags have a row', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'api.json'), largeDocument(300));
  const answers: Answer[] = [
    SOURCE,
    NAME,
    [/Operations, by tag/, KEY.enter],
    [/Tools that clients list: 300 tools/, KEY.enter],
    TRANSPORTS,
    AUTH,
  ];
  const { exitCode, shown } = await answer(cwd, [], answers);
  expect(exitCode, shown).toBe(0);
  expect(shown).toMatch(/even \(150 tools[^]*\(no tag\) \(150 tools/);
  expect(read(cwd)).toContain('"surface": "search"');
});

test('without a tag, and not with another: the others are excluded', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'api.json'), largeDocument(20));
  const chosen: Answer = [/Operations, by tag/, KEY.space, KEY.enter];
  const { exitCode } = await answer(cwd, ['--format', 'json'], [SOURCE, NAME, chosen, TRANSPORTS, AUTH]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(read(cwd))).toMatchObject({ source: '../api.json', exclude: ['tag:even'] });
});

test.each([[['--yes']], [['--json']]])('with %s nothing is asked', async (args) => {
  const cwd = folderWith('openapi.yaml');
  const { exitCode, shown } = await answer(cwd, args, []);
  expect([exitCode, shown, existsSync(join(cwd, 'petstore-mcp/mcpgen.config.json'))]).toEqual([0, '', true]);
});

test('functions have no tags to choose', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'tools.ts'), '/** @tool */\nexport function hello(): string {\n  return "";\n}\n');
  const { exitCode, shown } = await answer(cwd, ['tools.ts'], [NAME, TRANSPORTS, AUTH]);
  expect(exitCode, shown).toBe(0);
  expect(shown).not.toContain('by tag');
});

test('selectors without a document are refused', async () => {
  const { exitCode, stderr } = await runInProcess(['init', 'tools.ts', '--include', 'tag:pets'], {
    cwd: temporaryFolder(),
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--include and --exclude select operations of a document');
});
