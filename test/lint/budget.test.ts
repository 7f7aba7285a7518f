import { expect, test } from 'vitest';
import { lintDocument, operation } from './support/lint-document.ts';

const schema = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`member${String(at)}`, { type: 'string' }]),
  ),
};
const responses = { 200: { description: 'OK', content: { 'application/json': { schema } } } };
const paths = {
  '/a': { get: operation({ operationId: 'dear', tags: ['one'], summary: 'Costs much', responses }) },
  '/b': { get: operation({ operationId: 'cheap', tags: ['two'], summary: 'Costs little' }) },
};

test.each([
  { budget: { tools: 2 }, want: [] },
  { budget: { tools: 1 }, want: ['The server has 2 tools; its budget allows 1'] },
  { budget: { listTokens: 100 }, want: ['tokens in `tools/list`; its budget allows 100'] },
  { budget: { toolTokens: 200 }, want: ['`dear` takes'] },
  { budget: { tools: 9, listTokens: 1e6, toolTokens: 1e6 }, want: [] },
])('$budget', async ({ budget, want }) => {
  const { ok, diagnostics } = await lintDocument({ paths }, { budget });
  const found = diagnostics.filter(({ name }) => ['over-budget', 'tool-over-budget'].includes(name));
  expect(found.map(({ message }) => message)).toEqual(want.map((part) => expect.stringContaining(part)));
  expect(ok).toBe(want.length === 0);
});

test.each([
  { surface: 'search', pin: [], want: 'The server has 5 tools' },
  { surface: 'search', pin: ['op:dear'], want: 'The server has 6 tools' },
  { surface: 'both', pin: [], want: 'The server has 7 tools' },
] as const)('a surface of $surface with $pin pinned lists other tools', async ({ surface, pin, want }) => {
  const { diagnostics } = await lintDocument({ paths }, { surface, pin: [...pin], budget: { tools: 4 } });
  expect(diagnostics.find(({ name }) => name === 'over-budget')?.message).toContain(want);
});

test('the dearest come first, and each lever says what it saves', async () => {
  const { diagnostics } = await lintDocument({ paths }, { maxTokens: 10, budget: { listTokens: 1e6 } });
  const [found] = diagnostics.filter(({ name }) => name === 'over-budget');
  expect(found?.message).toMatch(/The dearest tools, in tokens: dear \d+, cheap \d+\.$/);
  expect(found?.hint).not.toContain('--surface');
  expect(found?.hint).toMatch(/`--exclude tag:one` saves \d+; `--output-schema off` saves \d+/);
});
