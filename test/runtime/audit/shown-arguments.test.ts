import { expect, test } from 'vitest';
import { mapArgumentTypes, printArgumentValues } from '../../../templates/runtime/audit/open-audit.ts';
import { createRedactor } from '../../../templates/runtime/redact.ts';

test.each<[string, unknown, object]>([
  [
    'every type',
    { a: 'x', b: 1, c: 2n, d: true, e: null, f: ['x', 'y'], g: { h: 1 } },
    { a: 'string', b: 'number', c: 'number', d: 'boolean', e: 'null', f: 'array of 2', g: 'object' },
  ],
  ['a long name', { ['n'.repeat(100)]: 1 }, { ['n'.repeat(64)]: 'number' }],
  ['no object', 'text', {}],
  ['nothing', undefined, {}],
])('%s is shown by its types', (_, args, want) => {
  expect(mapArgumentTypes(args, String)).toEqual(want);
});

test('no more names than anybody reads', () => {
  const args = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`a${index}`, 1]));
  expect(Object.keys(mapArgumentTypes(args, String))).toHaveLength(50);
});

test.each<[string, unknown, string]>([
  ['a name that says so', { name: 'Ada', password: 'p' }, '{"name":"Ada","password":"[redacted]"}'],
  [
    'names deep down',
    { deep: [{ API_KEY: 1, pin: 2, pine: 3 }] },
    '{"deep":[{"API_KEY":"[redacted]","pin":"[redacted]","pine":3}]}',
  ],
  ['a value that is known', { note: 'it is hunter2-hunter2' }, '{"note":"it is [redacted]"}'],
  ['a large integer', { big: 12345678901234567890n }, '{"big":"12345678901234567890"}'],
  [
    'a name that is no name',
    JSON.parse('{"__proto__":{"token":"t"}}'),
    '{"__proto__":{"token":"[redacted]"}}',
  ],
  ['nothing', undefined, ''],
])('%s is shown by its values', (_, args, want) => {
  expect(printArgumentValues(args, createRedactor(['hunter2-hunter2']))).toBe(want);
});

test('what is long or deep is cut', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 10_000; level++) deep = [deep];
  expect(printArgumentValues({ deep }, String)).toMatch(/^\{"deep":\[+"…"\]+\}$/);
  expect(printArgumentValues({ long: 'x'.repeat(10_000) }, String)).toHaveLength(4_097);
});
