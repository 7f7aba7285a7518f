import { expect, test } from 'vitest';
import { createDiagnostic } from '../../src/diagnostics/collector.ts';

const list = Array.from({ length: 200 }, (_, index) => `Area/City_${index}`).join('|');

test.each([
  [list, `The pattern \`${list.slice(0, 79)}…\` is removed: it is too long to be matched safely.`],
  ['^(a|b)\\1$', 'The pattern `^(a|b)\\1$` is removed: back references are not supported.'],
  ['^(?<x>a|b)\\k<x>$', 'The pattern `^(?<x>a|b)\\k<x>$` is removed: back references are not supported.'],
  ['^(?i:a+)+$', 'The pattern `^(?i:a+)+$` is removed: modifiers are not supported.'],
])('a pattern that is removed is shown in 80 characters, with the reason', (unsafePattern, message) => {
  expect(createDiagnostic('pattern-removed', { unsafePattern }, {}).message).toBe(message);
});

test.each([
  ['(?i)a', 'ECMAScript has no inline flags such as (?i), possessive quantifiers or atomic groups.'],
  ['(a', 'Correct the pattern.'],
])('the hint for %s', (pattern, hint) => {
  expect(createDiagnostic('pattern-removed', { pattern, problem: '' }, {}).hint).toBe(hint);
});
