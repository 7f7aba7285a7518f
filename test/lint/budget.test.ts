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
  const found = diagnostics.filter(({ name }) => ['over-budget', 'over-budget'].includes(name));
  expect(found.map(({ message }) => message)).toEqual(want.map((part) => expect.stringContaining(part)));
  expect(ok).toBe(want.length === 0);
});

test.each([
  { surface: 'search', pin: [], want: /^The server has 5 tools; its budget allows 2\.$/ },
  { surface: 'search', pin: [], readOnly: true, want: /^The server has 3 tools/ },
  { surface: 'search', pin: ['op:dear'], want: /^The server has 6 tools/ },
  { surface: 'both', pin: [], want: /^The server has 7 tools/ },
] as const)('a surface of $surface with $pin pinned lists other tools', async ({ want, pin, ...surface }) => {
  const budget = { tools: 2, listTokens: 10 };
  const { diagnostics, cost } = await lintDocument({ paths }, { ...surface, pin: [...pin], budget });
  const found = diagnostics.filter(({ name }) => name === 'over-budget').map(({ message }) => message);
  expect(found).toEqual([
    expect.stringMatching(want),
    expect.stringMatching(new RegExp(`^The server has ${String(cost?.tokens)} tokens`)),
  ]);
});

test.each([
  { surface: 'search', pin: [], hint: /^Raise the budget: the tools that search/ },
  {
    surface: 'search',
    pin: ['op:dear'],
    hint: /listing no pinned tools .* saves 1/,
  },
  { surface: 'both', pin: [], hint: /`--surface search` saves 2/ },
] as const)('the ways out of a surface of $surface with $pin pinned', async ({ hint, pin, surface }) => {
  const { diagnostics } = await lintDocument({ paths }, { surface, pin: [...pin], budget: { tools: 2 } });
  expect(diagnostics.find(({ name }) => name === 'over-budget')?.hint).toMatch(hint);
});

test('the tool that describes cut schemas is counted, since clients list it', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 90 }, (_, at) => [`p${String(at)}`, { description: 'word '.repeat(60) }]),
  );
  const requestBody = { content: { 'application/json': { schema: { type: 'object', properties } } } };
  const long = { '/l': { post: operation({ operationId: 'long', summary: 'Takes much', requestBody }) } };
  const { cost } = await lintDocument({ paths: long }, {});
  expect(cost?.listed).toBe(2);
  expect(cost?.tokens).toBeGreaterThan(cost?.all?.tokens ?? Infinity);
});

test('the dearest come first, and each lever says what it saves', async () => {
  const { diagnostics } = await lintDocument({ paths }, { maxTokens: 10, budget: { listTokens: 1e6 } });
  const [found] = diagnostics.filter(({ name }) => name === 'over-budget');
  expect(found?.message).toMatch(/The most expensive tools, in tokens: dear \d+, cheap \d+\.$/);
  expect(found?.hint).not.toContain('--surface');
  expect(found?.hint).toMatch(/In tokens, `--exclude tag:one` saves \d+; `--output-schema off` saves \d+/);
});
