// What the page shows: tools with their tokens and scores, and a source that stops compiling. Its views: scripts/lib/page.
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

test.each(['git:HEAD', 'document:-', 'document:', 'document:missing.yaml', 'lock'])(
  'nothing is compared with %s',
  async (against) => {
    const { status, message } = await page.refused('GET /api/diff', { against });
    expect([400, 404, 409]).toContain(status);
    expect(message).not.toBe('');
  },
);
