// Overlays by the command line and by configurations: what they change, where messages point, what a project remembers.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compile, draftOverlay } from '../../src/index.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess, type Said } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const HEAD = 'overlay: 1.1.0\ninfo: { title: test, version: 1.0.0 }\nactions:\n';

function folderWith(overlays: Record<string, string>): {
  folder: string;
  run: (...args: string[]) => Promise<Said>;
} {
  const folder = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(folder, 'petstore.yaml'));
  for (const [name, text] of Object.entries(overlays)) writeFileSync(join(folder, name), text);
  return { folder, run: (...args) => runInProcess(args, { cwd: folder }) };
}

async function toolNames(run: (...args: string[]) => Promise<Said>, ...args: string[]): Promise<string[]> {
  const { stdout } = await run('inspect', ...args, '--json');
  const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
  return tools.map(({ name }) => name);
}

const RENAME = `${HEAD}  - target: $.paths["/pets"].get\n    update: { x-mcp: { name: find_pets } }\n`;
const AGAIN = `${HEAD}  - target: $.paths["/pets"].get.x-mcp.name\n    update: seek_pets\n`.replace(
  '.x-mcp',
  '["x-mcp"]',
);

describe('a document with overlays', () => {
  test('is what is inspected, compiled and compiled again', async () => {
    const { folder, run } = folderWith({ 'a.yaml': RENAME, 'b.yaml': AGAIN });
    expect(await toolNames(run, 'petstore.yaml', '--overlay', 'a.yaml')).toContain('find_pets');
    expect(await toolNames(run, 'petstore.yaml', '--overlay', 'a.yaml', '--overlay', 'b.yaml')).toContain(
      'seek_pets',
    );
    await run('openapi', 'petstore.yaml', '--overlay', 'a.yaml', '-o', 'out');
    const config = JSON.parse(readFileSync(join(folder, 'out/mcpgen.config.json'), 'utf8')) as unknown;
    expect(config).toEqual({ source: '../petstore.yaml', overlays: ['../a.yaml'] });
    expect(await toolNames(run, 'out')).toContain('find_pets');
    expect(await run('check', 'out')).toMatchObject({ exitCode: 0 });
    writeFileSync(join(folder, 'a.yaml'), RENAME.replace('find_pets', 'look_for_pets'));
    expect(await run('check', 'out')).toMatchObject({ exitCode: 1 });
  });

  test('may be one of several sources', async () => {
    const { folder, run } = folderWith({ 'a.yaml': RENAME });
    const sources = [
      { openapi: 'petstore.yaml', prefix: 'one_', overlays: ['a.yaml'] },
      { openapi: 'petstore.yaml', prefix: 'two_' },
    ];
    writeFileSync(join(folder, 'mcpgen.config.json'), JSON.stringify({ name: 'pets', sources }));
    const names = await toolNames(run, 'mcpgen.config.json');
    expect(names).toEqual(expect.arrayContaining(['one_find_pets', 'two_listPets']));
  });
});

describe('messages', () => {
  test.each<[string, string, RegExp[]]>([
    [
      'a fault that an overlay brings is shown in it',
      `${HEAD}  - target: $.paths["/pets"].get\n    update:\n      x-mcp:\n        nam: find_pets\n`,
      [/a\.yaml:7:9 - warning MCPG\d+ invalid-x-mcp/],
    ],
    [
      'a fault of the document stays where it is, though what stood before it is gone',
      `${HEAD}  - target: $.paths["/pets"].get.parameters[0]\n    remove: true\n  - target: $.nothing\n    remove: true\n`,
      [/a\.yaml:6:5 - warning MCPG126 idle-overlay-action/],
    ],
    ['no overlay', 'openapi: 3.1.0\n', [/a\.yaml:1:1 - error MCPG125 invalid-overlay/]],
  ])('%s', async (_, overlay, words) => {
    const { run } = folderWith({ 'a.yaml': overlay });
    const { stderr } = await run('inspect', 'petstore.yaml', '--overlay', 'a.yaml');
    for (const word of words) expect(stderr).toMatch(word);
  });

  test.each<[string, string[], number, RegExp]>([
    [
      'an overlay that is not there',
      ['inspect', 'petstore.yaml', '--overlay', 'none.yaml'],
      1,
      /The file none\.yaml does not exist/,
    ],
    ['functions', ['serve', 'tools.ts', '--overlay', 'a.yaml'], 2, /--overlay applies only to documents/],
  ])('%s', async (_, args, exitCode, words) => {
    const { run } = folderWith({ 'a.yaml': RENAME, 'tools.ts': '' });
    const said = await run(...args);
    expect(said).toMatchObject({ exitCode });
    expect(said.stderr).toMatch(words);
  });
});

describe('overlay init', () => {
  test('writes one that is never overwritten unasked', async () => {
    const { folder, run } = folderWith({});
    const first = await run('overlay', 'init', 'petstore.yaml');
    expect(first).toMatchObject({ exitCode: 0, stdout: 'wrote petstore.overlay.yaml: 13 tools\n' });
    expect(first.stderr).toContain('mcpgen openapi petstore.yaml --overlay petstore.overlay.yaml');
    const file = join(folder, 'petstore.overlay.yaml');
    writeFileSync(file, 'mine');
    const second = await run('overlay', 'init', 'petstore.yaml');
    expect(second).toMatchObject({ exitCode: 1, stdout: '' });
    expect(second.stderr).toContain('MCPG129 draft-not-written');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await run('overlay', 'init', 'petstore.yaml', '--force')).toMatchObject({ exitCode: 0 });
    expect(readFileSync(`${file}.orig`, 'utf8')).toBe('mine');
    expect(readFileSync(file, 'utf8')).toMatch(/^overlay: 1\.1\.0\n/);
  });

  test('of a project takes the names of its lock', async () => {
    const { folder, run } = folderWith({});
    await run('openapi', 'petstore.yaml', '-o', 'out');
    const document = join(folder, 'petstore.yaml');
    writeFileSync(
      document,
      readFileSync(document, 'utf8').replace('operationId: getPet', 'operationId: readPet'),
    );
    const { stderr } = await run('overlay', 'init', 'out', '-o', 'a.yaml');
    expect(stderr).toContain(
      'Edit it, then name a.yaml in "overlays" of the configuration, and run: mcpgen generate out',
    );
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toContain('name: getPet');
    await run('overlay', 'init', 'petstore.yaml', '-o', 'b.yaml');
    expect(readFileSync(join(folder, 'b.yaml'), 'utf8')).toContain('name: readPet');
  });

  test('a document whose operations all stand in other files: nothing-to-overlay', async () => {
    const { folder, run } = folderWith({
      'a.yaml': 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths:\n  /a: { $ref: part.yaml }\n',
      'part.yaml': "get: { responses: { '200': { description: fine } } }\n",
    });
    const said = await run('overlay', 'init', 'a.yaml');
    expect(said).toMatchObject({ exitCode: 1, stdout: '' });
    expect(said.stderr).toContain('error MCPG563 nothing-to-overlay');
    expect(existsSync(join(folder, 'a.overlay.yaml'))).toBe(false);
  });

  test.each(['petstore.yaml', 'shop.yaml', 'features/parameters.yaml', 'hostile/names.json'])(
    'applied to %s it changes nothing',
    async (fixture) => {
      const source = join(repositoryRoot, 'fixtures', fixture);
      const { text = '' } = await draftOverlay({ source });
      const overlay = join(temporaryFolder(), 'draft.yaml');
      writeFileSync(overlay, text);
      const [plain, overlaid] = await Promise.all([
        compile({ source }),
        compile({ source, overlays: [overlay] }),
      ]);
      expect(plain.model?.tools.length).toBeGreaterThan(0);
      expect(overlaid.model).toEqual(plain.model);
      for (const told of overlaid.diagnostics) expect(plain.diagnostics).toContainEqual(told);
    },
  );
});
