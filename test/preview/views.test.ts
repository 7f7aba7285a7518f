// What the page shows: tools with their tokens and scores, the source and the words of one tool, findings, and differences.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { SurfaceView } from '../../src/preview/protocol.ts';
import { runInProcess } from '../cli/support/fake-host.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { type Page, openPage } from './support/page.ts';

const cwd = temporaryFolder();
copyFileSync('fixtures/petstore.yaml', join(cwd, 'petstore.yaml'));
const page = await openPage('petstore.yaml', { cwd });

test('the surface: counts and tokens are those of inspect and lint', async () => {
  const view = await page.get('GET /api/surface');
  const { stdout } = await runInProcess(['lint', 'petstore.yaml', '--json'], { cwd });
  const lint = JSON.parse(stdout) as {
    tools: { name: string; score: number }[];
    result?: { tools: { name: string; score: number }[] };
  };
  const scores = lint.result?.tools ?? lint.tools;
  expect(view.tools.map(({ name, score }) => ({ name, score }))).toEqual(
    scores.map(({ name, score }) => ({ name, score })),
  );
  expect(view.tokens.all).toBe(view.tools.reduce((sum, { tokens }) => sum + tokens.total, 0));
  for (const { tokens } of view.tools) {
    const parts = tokens.name + tokens.description + tokens.input + tokens.output + tokens.annotations;
    expect(Math.abs(parts - tokens.total)).toBeLessThan(tokens.total * 0.15);
  }
  expect(view.settings.tags).toContainEqual(expect.objectContaining({ name: 'store', tools: 1 }));
  expect(view.settings.features.find(({ name }) => name === 'bytes')).toMatchObject({
    isOn: true,
    isNeeded: true,
  });
  expect(view.prompts.map(({ name }) => name)).toContain('adoption_advert');
  expect(view.resources.some(({ isTemplate }) => isTemplate)).toBe(true);
});

test('a tool: the lines of its source, in the document', async () => {
  const { source, origins, editable } = await page.get('GET /api/tool', { name: 'createPet' });
  const lines = readFileSync('fixtures/petstore.yaml', 'utf8').split('\n');
  expect(source).toMatchObject({ file: 'petstore.yaml', language: 'yaml' });
  expect(lines.slice(source.firstLine - 1, source.firstLine - 1 + source.lines.length)).toEqual(source.lines);
  expect(source.lines[0]?.trim()).toBe('post:');
  expect(source.lines.join('\n')).toContain("'422'");
  const title = origins.find(({ pointer }) => pointer === '/title');
  expect(title).toMatchObject({ from: 'document', file: 'petstore.yaml' });
  expect(title?.isExtended).toBeUndefined();
  // `Returns an object with …` is mcpgen's.
  expect(origins.find(({ pointer }) => pointer === '/description')).toMatchObject({ isExtended: true });
  expect(lines[(title?.line ?? 0) - 1]).toContain('Take in a pet');
  expect(editable).toMatchObject({ name: 'createPet', pin: false });
});

test('a function: its comment and its body', async () => {
  const folder = temporaryFolder();
  const code = `const before = 1;\n\n/** Adds.\n * @tool\n */\nexport function add(a: number): number {\n  return a + before;\n}\n\nexport const after = 2;\n`;
  writeFileSync(join(folder, 'tools.ts'), code);
  const { source, origins, editable } = await (
    await openPage('tools.ts', { cwd: folder })
  ).get('GET /api/tool', { name: 'add' });
  expect(source).toEqual({
    ...{ file: 'tools.ts', firstLine: 3, language: 'typescript' },
    lines: code.split('\n').slice(2, 8),
  });
  expect(origins.find(({ pointer }) => pointer === '/description')).toMatchObject({
    from: 'function',
    file: 'tools.ts',
  });
  expect(editable.file).toBeUndefined();
});

describe('a source that stops compiling is shown as it was, with what stops it', () => {
  const edit = { kind: 'tool', name: 'listPets', set: { title: 'Mine' } } as const;

  test.each([
    ['the document', 'petstore.yaml', 'openapi: 3.1.0\npaths: [', { file: 'petstore.yaml', line: 2 }],
    ['the configuration', 'mcpgen.config.json', '{ "source": ', { file: 'mcpgen.config.json' }],
  ])('%s', async (_what, file, text, place) => {
    const folder = temporaryFolder();
    copyFileSync('fixtures/petstore.yaml', join(folder, 'petstore.yaml'));
    writeFileSync(join(folder, 'mcpgen.config.json'), '{ "source": "petstore.yaml", "output": "out" }');
    const own = await openPage('.', { cwd: folder });
    const good = await own.get('GET /api/surface');
    const before = readFileSync(join(folder, file));
    const { id } = await own.post('POST /api/propose', { edits: [edit] });
    writeFileSync(join(folder, file), text);
    const now = await surfaceWith(own, (view) => view.errors > 0);
    expect(now).toMatchObject({ compiled: true, fault: { severity: 'error', ...place } });
    expect(now.generation).toBeGreaterThan(good.generation);
    expect(now.tools).toEqual(good.tools);
    expect(now.server).toEqual(good.server);
    expect((await own.get('GET /api/tool', { name: 'listPets' })).row.name).toBe('listPets');
    const { findings, score } = await own.get('GET /api/findings');
    expect(findings).toContainEqual(now.fault);
    expect(score).toBeUndefined();
    const call = { kind: 'tool', name: 'listPets', arguments: {} } as const;
    expect((await own.post('POST /api/try', { call, target: 'mock' })).answer.result).toBeDefined();
    expect(await own.refused('POST /api/propose', { edits: [edit] })).toMatchObject({
      status: 409,
      message: expect.stringContaining('does not compile') as string,
    });
    if (file === 'petstore.yaml')
      expect((await own.post('POST /api/apply', { proposal: id })).files).toHaveLength(1);
    writeFileSync(join(folder, file), before);
    const after = await surfaceWith(own, (view) => view.errors === 0);
    expect(after.fault).toBeUndefined();
  });
});

/** The surface once it is so, since the page follows the disk by its own clock. */
async function surfaceWith(own: Page, holds: (view: SurfaceView) => boolean): Promise<SurfaceView> {
  const look = async (): Promise<SurfaceView> => {
    const view = await own.get('GET /api/surface');
    expect(holds(view)).toBe(true);
    return view;
  };
  return vi.waitFor(look, { timeout: 10_000 });
}

test('hostile texts are data', async () => {
  const folder = temporaryFolder();
  const script = '</script><script>alert(1)</script>';
  const get = {
    operationId: 'a',
    summary: script,
    description: `${'x'.repeat(300_000)}`,
    tags: [script],
    responses: { 200: { description: script } },
  };
  writeFileSync(
    join(folder, 'api.json'),
    JSON.stringify({ openapi: '3.1.0', info: { title: script, version: '1' }, paths: { '/a': { get } } }),
  );
  const own = await openPage('api.json', { cwd: folder });
  const { headers } = await own.raw({ path: '/api/surface', headers: { authorization: own.authorization } });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const { source } = await own.get('GET /api/tool', { name: 'a' });
  expect(source.lines.join('').length).toBeLessThan(20_000);
});

test('differences: another document, and the lock', async () => {
  const folder = temporaryFolder();
  copyFileSync('fixtures/petstore.yaml', join(folder, 'petstore.yaml'));
  expect(await runInProcess(['openapi', 'petstore.yaml'], { cwd: folder })).toMatchObject({ exitCode: 0 });
  const text = readFileSync(join(folder, 'petstore.yaml'), 'utf8');
  writeFileSync(
    join(folder, 'petstore.yaml'),
    text.replace('summary: Take in a pet', 'summary: Files a pet with us'),
  );
  const own = await openPage('petstore.yaml', { cwd: folder });
  const changed = expect.objectContaining({ name: 'createPet', kind: 'description-changed' }) as object;
  copyFileSync('fixtures/petstore.yaml', join(folder, 'old.yaml'));
  const old = await own.get('GET /api/diff', { against: 'document:old.yaml' });
  expect(old.changes).toContainEqual(changed);
  expect(old.tokens.after).not.toBe(old.tokens.before);
  const project = await openPage('petstore-mcp', { cwd: folder });
  expect((await project.get('GET /api/diff', { against: 'lock' })).changes).toContainEqual(changed);
});

test.each(['git:HEAD', 'document:-', 'document:', 'document:missing.yaml', 'lock'])(
  'nothing is compared with %s',
  async (against) => {
    const { status, message } = await page.refused('GET /api/diff', { against });
    expect([400, 404, 409]).toContain(status);
    expect(message).not.toBe('');
  },
);
