// With a search surface a client lists few tools: reports count those, and all tools apart.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lintResult, renderLint } from '../../src/cli/render-lint.ts';
import { renderModel } from '../../src/cli/render-model.ts';
import { diff, generate } from '../../src/index.ts';
import { SURFACE_TOOLS, type SurfaceName } from '../../src/model/listed-items.ts';
import { lintDocument, operation } from './support/lint-document.ts';

const cwd = mkdtempSync(join(tmpdir(), 'mcpgen-listed-'));
afterAll(() => {
  rmSync(cwd, { recursive: true });
});

const paint = (_style: unknown, text: string): string => text;
const paths = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `/things${String(at)}`,
      // The first has good words, the others none.
      {
        get: operation({
          operationId: `thing${String(at)}`,
          ...(at === 0 ? { summary: 'Cats for adoption' } : {}),
        }),
      },
    ]),
  );
const wholeTokens = async (count: number): Promise<number> =>
  lintResult(await lintDocument({ paths: paths(count) })).listTokens;

test.each<[SurfaceName, string[], number, boolean]>([
  ['tools', [], 20, false],
  ['search', [], SURFACE_TOOLS.length, false],
  ['search', ['op:thing0'], SURFACE_TOOLS.length + 1, true],
  ['both', [], SURFACE_TOOLS.length + 20, false],
])('lint and inspect, %s with %j pinned: %i listed', async (surface, pin, listed, hasOwnScore) => {
  const report = await lintDocument({ paths: paths(20) }, { surface, pin });
  const result = lintResult(report);
  const all = await wholeTokens(20);
  expect(result).toMatchObject({ listed, allTokens: all });
  expect(result.tools).toHaveLength(20);
  expect(result.listedScore === undefined ? undefined : result.listedScore > result.score).toBe(
    hasOwnScore ? true : undefined,
  );
  if (surface === 'search') expect(result.listTokens).toBeLessThan(all);
  if (surface === 'both') expect(result.listTokens).toBeGreaterThan(all);
  const head = renderLint(report, paint).split('\n')[0] ?? '';
  const words = surface === 'tools' ? '20 tools ·' : `20 tools, ${String(listed)} listed`;
  expect(head).toContain(words);
  expect(head.includes('all tools: about')).toBe(surface !== 'tools');
  const { model, cost } = report;
  if (model === undefined || cost === undefined) throw new Error('It does not compile.');
  expect(renderModel(model, cost, paint)).toContain(words);
});

test('diff shows the growth of the list, and of all tools apart', async () => {
  const write = (count: number): void =>
    writeFileSync(
      join(cwd, 'pets.json'),
      JSON.stringify({ openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths: paths(count) }),
    );
  const run = { source: 'pets.json', cwd, surface: 'search' as const, pin: ['op:thing0'] };
  write(20);
  expect(await generate({ ...run, dir: 'out' })).toMatchObject({ ok: true });
  const same = await diff({ before: { project: 'out' }, after: { compile: run }, cwd });
  expect(same.diff).toEqual({ breaking: 0, compatible: 0, changes: [] });
  write(40);
  const grown = await diff({ before: { project: 'out' }, after: { compile: run }, cwd });
  const { tokens, allTokens } = grown.diff ?? {};
  expect((allTokens?.after ?? 0) - (allTokens?.before ?? 0)).toBeGreaterThan(500);
  expect(tokens).toBeUndefined();
  const pinned = { ...run, pin: ['op:thing0', 'op:thing1'] };
  const more = await diff({ before: { project: 'out' }, after: { compile: pinned }, cwd });
  expect((more.diff?.tokens?.after ?? 0) - (more.diff?.tokens?.before ?? 0)).toBeGreaterThan(20);
});
