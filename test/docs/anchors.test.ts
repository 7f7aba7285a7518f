import { expect, test } from 'vitest';
import { buildSite } from '../../scripts/lib/site.mjs';

test('links of the documentation lead to pages and headings', () => {
  expect(buildSite().lost).toEqual([]);
});
