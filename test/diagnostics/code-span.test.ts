import { expect, test } from 'vitest';
import { quoteAsCodeSpan, quoteShellWord } from '../../src/diagnostics/quoting.ts';

test.each([
  ['a', '`a`'],
  ['a`b', '``a`b``'],
  ['`a', '`` `a ``'],
  ['a`', '`` a` ``'],
  ['a``b`c', '```a``b`c```'],
])('%s', (text, want) => {
  expect(quoteAsCodeSpan(text)).toBe(want);
});

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['C:/My Files/Übung', '"C:/My Files/Übung"'],
  ['https://a.example/?b=c&d', '"https://a.example/?b=c&d"'],
  ['$(rm x)', "'$(rm x)'"],
  ["it's 100%", `'it'\\''s 100%'`],
])('%s as a word of a shell', (text, want) => {
  expect(quoteShellWord(text)).toBe(want);
});
