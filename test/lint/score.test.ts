import { expect, test } from 'vitest';
import { findDroppedScores, parseBaselineScores } from '../../src/lint/baseline.ts';
import { averageScores } from '../../src/lint/score.ts';
import { lintDocument, operation, query } from './support/lint-document.ts';

test.each([
  { given: [], want: 100 },
  { given: [100, 100], want: 100 },
  // 0.6 × 75 + 0.4 × 50
  { given: [100, 50], want: 65 },
  { given: [0], want: 0 },
])('the score of $given is $want', ({ given, want }) => {
  expect(averageScores(given)).toBe(want);
});

test('words that mcpgen makes count as present at most', async () => {
  const good = 'Cats and dogs for adoption';
  const { tools = [] } = await lintDocument({
    paths: {
      '/a': { get: operation({ summary: good }) },
      '/b': { get: operation({ summary: 'Adoptable ones' }) },
      '/c': { get: operation() },
    },
  });
  const [said, bare, made] = tools.map(({ score }) => score);
  expect([said, bare]).toEqual([100, 80]);
  expect(made).toBeLessThanOrEqual(80);
});

test('arguments count by their share', async () => {
  const parameters = [
    query('a'),
    query('b', { description: 'The breed' }),
    query('c', { description: 'The town' }),
  ];
  const { tools } = await lintDocument({
    paths: { '/pets': { get: operation({ summary: 'Cats and dogs for adoption', parameters }) } },
  });
  expect(tools).toMatchObject([{ score: 90, findings: ['undescribed-argument'] }]);
});

const report = JSON.stringify({ result: { name: 'pets', score: 80, tools: [{ name: 'a', score: 90 }] } });

test.each([
  { now: 80, tool: 90, allowed: 0, want: [] },
  { now: 78, tool: 90, allowed: 2, want: [] },
  { now: 77.9, tool: 90, allowed: 2, want: ['The score of the server dropped from 80 to 77.9'] },
  { now: 80, tool: 60, allowed: 2, want: ['The score of `a` dropped from 90 to 60'] },
])('$now and $tool with $allowed points allowed', ({ now, tool, allowed, want }) => {
  const baseline = parseBaselineScores(report, 'pets');
  if (typeof baseline === 'string') throw new Error(baseline);
  const tools = [
    { name: 'a', score: tool, findings: [] },
    { name: 'new', score: 0, findings: [] },
  ];
  const drops = findDroppedScores({ score: now, tools }, baseline, allowed);
  expect(drops.map(({ message }) => message)).toEqual(want.map((part) => expect.stringContaining(part)));
});

test.each(['no json', '{}', '{"result":{"score":1}}', '{"result":{"servers":{"a":{},"b":{}}}}'])(
  'the baseline %s is refused',
  (text) => {
    expect(parseBaselineScores(text, 'pets')).toEqual(expect.any(String));
  },
);

test('a report of several servers has a baseline for each', () => {
  const one = { name: 'pets', score: 1, tools: [] };
  const text = JSON.stringify({ result: { servers: { a: { ...one, name: 'other', score: 2 }, b: one } } });
  expect(parseBaselineScores(text, 'pets')).toMatchObject({ score: 1 });
});
