/** `mcpgen generate --watch` and `mcpgen ts --watch`: the project follows its sources. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mcpgenHere } from './support/command.ts';
import { folderForTest } from './support/project.ts';
import { layOut, replaceFile, startWatching } from './support/watched.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
servers: [{ url: 'https://pets.example' }]
paths:
  /pets:
    get: { operationId: listPets, responses: { '200': { description: All, content: { application/json: {} } } } }
`;

test('generate --watch: document, configuration and handlers', { timeout: 60_000 }, async () => {
  const folder = await folderForTest();
  await layOut(folder, { 'pets.yaml': DOCUMENT });
  expect((await mcpgenHere(['openapi', 'pets.yaml', '-o', 'server'], { cwd: folder })).code).toBe(0);
  const project = (name: string): string => path.join(folder, 'server', name);
  const catalog = (): Promise<string> => readFile(project('src/generated/catalog.json'), 'utf8');
  const { stdout, stderr, interrupt } = startWatching(['generate', 'server', '--watch'], folder);
  await stdout.until(/none changed/);
  await stderr.until(/Watching for changes; Ctrl-C ends\.\n/);

  await replaceFile(
    path.join(folder, 'pets.yaml'),
    DOCUMENT.replace('listPets', 'listPets, summary: Every pet'),
  );
  expect(await stdout.round()).toMatch(
    /^✓ pets\.yaml changed · 1 tool, 1 resource · \d+ files changed · [\d.]+m?s\n/m,
  );
  expect(await catalog()).toContain('Every pet');

  await replaceFile(path.join(folder, 'pets.yaml'), `${DOCUMENT}  broken: [\n`);
  expect(await stdout.round()).toMatch(/^✗ pets\.yaml changed · the project stays as it was · /m);
  expect(await stderr.until(/Found 1 error.*\n/)).toMatch(/pets\.yaml:\d+:1 - error MCPG108/);
  expect(await catalog()).toContain('Every pet');

  await replaceFile(
    path.join(folder, 'pets.yaml'),
    DOCUMENT.replace('listPets', 'listPets, summary: Every pet'),
  );
  expect(await stdout.round()).toMatch(/^✓ pets\.yaml changed · 1 tool, 1 resource · no file changed · /m);

  const config = JSON.parse(await readFile(project('mcpgen.config.json'), 'utf8')) as object;
  await replaceFile(project('mcpgen.config.json'), JSON.stringify({ ...config, serverVersion: '9.9.9' }));
  expect(await stdout.round()).toMatch(/^✓ server\/mcpgen\.config\.json changed · /m);
  expect(await readFile(project('src/server.ts'), 'utf8')).toContain('9.9.9');

  await replaceFile(
    project('src/handlers/index.ts'),
    'export const handlers = { beforeRequest: () => undefined as void };\n',
  );
  expect(await stdout.round()).toMatch(/^✓ server\/src\/handlers\/index\.ts changed · /m);
  expect(await readFile(project('dist/handlers/index.js'), 'utf8')).toContain('beforeRequest');
  expect(await interrupt()).toBe(0);
});

test('ts --watch --json: a line for each round', { timeout: 60_000 }, async () => {
  const folder = await folderForTest();
  const tool = (name: string): string => `/** @tool */\nexport const ${name} = (): string => 'x';\n`;
  await layOut(folder, { 'package.json': '{ "name": "words", "type": "module" }', 'src/a.ts': tool('a') });
  const args = ['ts', 'src/*.ts', '-o', 'server', '--watch', '--json'];
  const { stdout, interrupt } = startWatching(args, folder);
  const round = async (): Promise<unknown> => JSON.parse(await stdout.until(/^\{.*\}\n/m));
  expect(await round()).toMatchObject({ ok: true, changed: [], result: { tools: 1 } });
  await layOut(folder, { 'src/b.ts': tool('b') });
  expect(await round()).toMatchObject({ ok: true, changed: ['src/b.ts'], result: { tools: 2 } });
  await layOut(folder, { 'src/b.ts': tool('b').replace("'x'", '1') });
  expect(await round()).toMatchObject({
    ok: false,
    exitCode: 1,
    changed: ['src/b.ts'],
    diagnostics: [{ code: 'MCPG802', file: 'src/b.ts', line: 2 }],
  });
  expect(await readFile(path.join(folder, 'server/dist/app/b.js'), 'utf8')).toContain("'x'");
  expect(await interrupt()).toBe(0);
});

test(
  'generate --watch of several servers: each follows, and one that fails keeps no other from it',
  {
    timeout: 60_000,
  },
  async () => {
    const folder = await folderForTest();
    const config = '{ "servers": { "one": { "source": "one.yaml" }, "other": { "source": "other.yaml" } } }';
    await layOut(folder, { 'one.yaml': DOCUMENT, 'other.yaml': DOCUMENT, 'mcpgen.config.json': config });
    const { stdout, interrupt } = startWatching(['generate', '--watch', '--json'], folder);
    const round = async (): Promise<unknown> => JSON.parse(await stdout.until(/^\{.*\}\n/m));
    expect(await round()).toMatchObject({ ok: true, server: 'one', changed: [], result: { dir: 'one' } });
    expect(await round()).toMatchObject({ ok: true, server: 'other', changed: [], result: { dir: 'other' } });
    await replaceFile(path.join(folder, 'one.yaml'), `${DOCUMENT}  broken: [\n`);
    expect(await round()).toMatchObject({ ok: false, server: 'one', changed: ['one.yaml'] });
    expect(await round()).toMatchObject({ ok: true, server: 'other', changed: ['one.yaml'] });
    await replaceFile(path.join(folder, 'one.yaml'), DOCUMENT.replace('listPets', 'allPets'));
    expect(await round()).toMatchObject({ ok: true, server: 'one' });
    expect(await round()).toMatchObject({ ok: true, server: 'other' });
    expect(await interrupt()).toBe(0);
  },
);
