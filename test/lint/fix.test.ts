// `--fix`: twice the same; afterwards nothing fixable is left, and no other finding is new.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { lint, type LintReport, printFixes } from '../../src/api/lint.ts';
import { groupBy } from '../../src/util/collections.ts';
import { lintDocument, operation, query } from './support/lint-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpgen-fix-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function counts({ findings }: LintReport): Map<string, number> {
  return new Map([...groupBy(findings, ({ rule }) => rule)].map(([rule, all]) => [rule, all.length]));
}

const fixtures = ['petstore.yaml', 'shop.yaml'].map((name) =>
  fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url)),
);

test.each(fixtures)('%s', async (source) => {
  const options = { source };
  const before = await lint(options);
  const [fixes] = before.fixes ?? [];
  if (fixes === undefined) throw new Error('There is nothing to fix.');
  const text = await printFixes(fixes);
  const overlay = join(folder, 'mcpgen.overlay.yaml');
  expect(await printFixes(fixes, { file: overlay, text })).toBe(text);
  writeFileSync(overlay, text);
  const after = await lint({ ...options, overlays: [overlay] });
  expect(after.fixes).toEqual([]);
  for (const [rule, count] of counts(after))
    expect(count, rule).toBeLessThanOrEqual(counts(before).get(rule) ?? 0);
  expect(after.findings.length).toBeLessThanOrEqual(before.findings.length - fixes.findings);
  expect(after.score).toBeGreaterThan(before.score ?? 100);
});

const response = (description: string): object => ({ responses: { 200: { description } } });

test('words of the response are added only if they say something, and no other tool has the same', async () => {
  const { fixes } = await lintDocument({
    paths: {
      '/a': { get: { summary: 'Get a', ...response('Cats and dogs for adoption') } },
      '/b': { get: { summary: 'Get b', ...response('Successful operation') } },
      '/c': { get: { summary: 'Get c', ...response('One page') } },
      '/d': { get: { summary: 'Get d', ...response('One page') } },
      '/e': { get: response('A town with its mayor.') },
    },
  });
  expect(fixes?.[0]?.updates.map(({ pointer, update }) => [pointer, update['x-mcp'].description])).toEqual([
    ['/paths/~1a/get', 'Get a. Response: Cats and dogs for adoption.'],
    ['/paths/~1e/get', 'Response: A town with its mayor.'],
  ]);
});

test('the description of an argument is copied from the same place, if at least two tools agree', async () => {
  const summary = 'Cats and dogs for adoption';
  const tool = (parameters: object[]): object => ({ get: operation({ summary, parameters }) });
  const town = query('town', { description: 'Name of the town, in English' });
  const shelter = query('shelter', { description: 'Code of the shelter' });
  const id = query('id', { description: 'Number of the pet to delete' });
  const { fixes } = await lintDocument({
    paths: {
      '/a': tool([town, shelter, id]),
      '/b': tool([town, id]),
      '/c': tool([query('town'), query('shelter'), query('id')]),
      '/d': tool([{ ...query('town'), in: 'header' }]),
    },
  });
  expect(fixes?.[0]?.updates).toEqual([
    {
      pointer: '/paths/~1c/get',
      update: { 'x-mcp': { arguments: { town: { description: 'Name of the town, in English' } } } },
    },
  ]);
});
