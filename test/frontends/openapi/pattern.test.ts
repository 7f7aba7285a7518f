import { expect, test } from 'vitest';
import { examinePattern } from '../../../src/frontends/openapi/schema/pattern.ts';

test.each<[given: string, want: string]>([
  ['^a\\_b$', '^a_b$'],
  ['^[\\w-.]+$', '^[\\w\\-.]+$'],
  ['\\Aabc\\z', '^abc$'],
  ['\\Aabc\\Z', '^abc$'],
  ['^\\/a\\-b\\@c$', '^\\/a-b@c$'],
  ['a{b}', 'a\\{b\\}'],
  ['^[[:alpha:]]+$', '^[A-Za-z]+$'],
  ['a]', 'a\\]'],
  ['[[:constructor:]_]\\_', '[\\[:constructor:]_\\]_'],
  ['^\\p{L}\\_$', '^\\p{L}_$'],
  ['^\\{\\"x\\"\\}$', '^\\{"x"\\}$'],
])('%s is written %s', (given, want) => {
  expect(examinePattern(given)).toEqual({ kind: 'rewritten', pattern: want });
});

test.each(['^\\d{3}-\\d{4}$', '^[\\p{L} -]+$', '^(?<year>\\d{4})$', '', '[^\\]]', '^.{1,3}$'])(
  '%s stays',
  (pattern) => {
    expect(examinePattern(pattern)).toEqual({ kind: 'valid' });
  },
);

test.each(['(?i)abc', '(', 'a++', '(?>a)', '*', '[z-a]', '\\', '\\h+'])('%s cannot be used', (pattern) => {
  expect(examinePattern(pattern)).toMatchObject({ kind: 'invalid' });
});

test('a rewritten pattern accepts what the given one does', () => {
  const reading = examinePattern('^[\\w-.]+\\@x$');
  const pattern = reading.kind === 'rewritten' ? reading.pattern : '';
  for (const text of ['a-b@x', 'a.b@x', 'a b@x', '@x']) {
    expect(new RegExp(pattern, 'u').test(text)).toBe(new RegExp('^[\\w-.]+\\@x$').test(text));
  }
});
