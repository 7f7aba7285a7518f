import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../src/util/estimate-tokens.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';

const tool = {
  name: 'repos_get-commit-signature-protection',
  title: 'Get commit signature protection',
  description:
    "When authenticated with admin or owner permissions to the repository, you can use this endpoint to check whether a branch requires signed commits. The API's answer has `enabled`.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  inputSchema: {
    type: 'object',
    properties: {
      owner: { type: 'string', description: 'The account owner of the repository. Not case sensitive.' },
      per_page: { type: 'integer', default: 30, maximum: 100 },
      createdAfter: { type: 'string', format: 'date-time', examples: ['2024-01-31T23:59:59Z'] },
      sort: { enum: ['created', 'updated', 'popularity', 'long-running'] },
    },
    required: ['owner'],
    additionalProperties: false,
  },
};

// The exact counts are those of gpt-tokenizer 4 (o200k_base).
test.each([
  ['a tool', JSON.stringify(tool), 181],
  ['an indented tool', JSON.stringify(tool, undefined, 2), 282],
  ['fixtures/petstore.yaml', readFileSync(`${repositoryRoot}/fixtures/petstore.yaml`, 'utf8'), 3579],
  ['fixtures/shop.yaml', readFileSync(`${repositoryRoot}/fixtures/shop.yaml`, 'utf8'), 10331],
])('%s has about as many tokens as o200k counts', (_, text, exact) => {
  expect(Math.abs(estimateTokens(text) / exact - 1)).toBeLessThan(0.03);
});
