import { expect, test } from 'vitest';
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
