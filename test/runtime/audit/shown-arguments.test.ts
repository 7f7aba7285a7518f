import { expect, test } from 'vitest';
import {
  createAudit,
  mapArgumentTypes,
  printArgumentValues,
} from '../../../templates/runtime/audit/open-audit.ts';
import { Session } from '../../../templates/runtime/core/session.ts';
import { createRedactor } from '../../../templates/runtime/redact.ts';
import { newServer } from '../core/harness.ts';

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

test.each(['', 'x'])('lines are Unicode, whatever a caller sends and wherever it is cut: %s', (start) => {
  const lines: string[] = [];
  const long = `${start}${'\u{1f600}'.repeat(3_000)}`;
  const log = { add: (line: string) => void lines.push(line) };
  const context = { channel: new Session(), session: undefined, send: () => Promise.resolve() };
  const params = { name: long, arguments: { [long]: 1, '\ud83d': 2, long } };
  for (const show of [mapArgumentTypes, printArgumentValues]) {
    const audit = createAudit({ server: 'test', log, show });
    audit.begin({ method: 'tools/call', params }, context, newServer().server)?.done({});
  }
  expect(lines).toHaveLength(2);
  // An escape behind another backslash is text.
  for (const line of lines) expect(line).not.toMatch(/(?<!\\)\\ud[89a-f]/);
});

test('what is long or deep is cut', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 10_000; level++) deep = [deep];
  expect(printArgumentValues({ deep }, String)).toMatch(/^\{"deep":\[+"…"\]+\}$/);
  expect(printArgumentValues({ long: 'x'.repeat(10_000) }, String)).toHaveLength(4_097);
});
