/** The emitted project as such: its bytes, its build, its own tests. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import type { GenerateOptions } from '../../src/index.ts';
import { startClient, toolsOf } from './support/clients.ts';
import { node, tsc } from './support/command.ts';
import { compileFixture, filesOf, folderForTest, linkTypes } from './support/project.ts';

test('it type-checks, builds, and behaves the same when built', async () => {
  const folder = await folderForTest();
  const project = await compileFixture('petstore.yaml', folder);
  const before = await listTools(project);
  const shipped = await filesOf(path.join(project, 'dist'));
  await cp(project, `${project}.built`, { recursive: true });
  const built = `${project}.built`;
  await linkTypes(built);
  expect(await tsc(['-p', built], { cwd: built })).toMatchObject({ code: 0, stdout: '' });
  const rebuilt = await filesOf(path.join(built, 'dist'));
  for (const [name, contents] of shipped)
    expect(withoutLayout(rebuilt.get(name)), name).toBe(withoutLayout(contents));
  expect(shipped.has('runtime/server.js')).toBe(true);
  expect(await listTools(built)).toEqual(before);
});

async function listTools(folder: string): Promise<object[]> {
  const { client } = await startClient([path.join(folder, 'dist/main.js')]);
  const tools = await toolsOf(client);
  await client.close();
  return tools;
}

/** tsc breaks lines and writes quotes in its own way, and names the source map. */
function withoutLayout(code: Buffer | undefined): string | undefined {
  return code
    ?.toString()
    .replace(/^\/\/# sourceMappingURL=.*/m, '')
    .replaceAll(/\s+/g, '')
    .replaceAll(/,(?=[)\]}])/g, '')
    .replaceAll("'", '"');
}

test.each<[string, Partial<GenerateOptions>]>([
  ['shop', {}],
  ['petstore', { surface: 'both', readOnly: true }],
  ['petstore', { confirm: 'destructive' }],
])('%s %j: passes its own tests', async (api, options) => {
  const project = await compileFixture(`${api}.yaml`, await folderForTest(), 'project', options);
  const { code, stdout } = await node(['--test'], { cwd: project });
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/^[#ℹ] pass [1-9]/m);
});

/** Its wire tests alone. */
async function wireTest(project: string): Promise<{ code: number | null; stdout: string }> {
  return node(['--test', '--test-reporter=tap', 'test/wire.js'], { cwd: project });
}

test('the wire tests fail when a binding sends something else', async () => {
  const project = await compileFixture('petstore.yaml', await folderForTest());
  const bindings = path.join(project, 'src/generated/bindings.json');
  const text = await readFile(bindings, 'utf8');
  await writeFile(bindings, text.replaceAll('/pets/{petId}"', '/pet/{petId}"'));
  const { code, stdout } = await wireTest(project);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^not ok \d+ - getPet sends the request it should/m);
  expect(stdout).toMatch(/^ok \d+ - listPets sends the request it should/m);
});

test('the wire tests fail when a request that the encoder made differs', async () => {
  const project = await compileFixture('petstore.yaml', await folderForTest());
  const wire = path.join(project, 'test/wire.json');
  await writeFile(
    wire,
    (await readFile(wire, 'utf8')).replace('/orders/ord-0/cancel', '/orders/ord%2D0/cancel'),
  );
  const { code, stdout } = await wireTest(project);
  expect(code).toBe(1);
  expect(stdout.match(/^not ok/gm)).toHaveLength(1);
});

test('the wire tests leave the handlers out, also of what they replace', async () => {
  const project = await compileFixture('petstore.yaml', await folderForTest());
  const handlers = `export const handlers = {
    beforeRequest: ({ headers }) => headers.set('x-own', 'yes'),
    tools: { getPet: () => ({ id: 1 }) },
  };\nconsole.log('ready');\n`;
  await writeFile(path.join(project, 'dist/handlers/index.js'), handlers);
  const { code, stdout } = await wireTest(project);
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/^ok \d+ - getPet sends the request it should/m);
  expect(stdout).toMatch(/^# skipped 0$/m);
});
