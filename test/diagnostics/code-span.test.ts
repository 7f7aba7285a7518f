import { expect, test } from 'vitest';
import { quoteAsCodeSpan } from '../../src/diagnostics/quoting.ts';

test.each([
  ['a', '`a`'],
  ['a`b', '``a`b``'],
  ['`a', '`` `a ``'],
  ['a`', '`` a` ``'],
  ['a``b`c', '```a``b`c```'],
])('%s', (text, want) => {
  expect(quoteAsCodeSpan(text)).toBe(want);
});
