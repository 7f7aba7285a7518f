import { expect, test } from 'vitest';
import { commonFormats } from '../../../templates/runtime/schema/formats.ts';
import { compileSchema } from '../../../templates/runtime/schema/compile-schema.ts';

const table: [string, { accepts: string[]; refuses: string[] }][] = [
  [
    'date',
    {
      accepts: ['2024-02-29', '2000-02-29'],
      refuses: ['2023-02-29', '1900-02-29', '2024-13-01', '24-01-01', '2024-01-01T', '2024-04-31'],
    },
  ],
  [
    'time',
    {
      accepts: ['12:00:00Z', '23:59:60Z', '00:59:60.5+01:00'],
      refuses: ['12:00:00', '24:00:00Z', '12:60:00Z', '12:00:60Z', '12:00:00+24:00'],
    },
  ],
  [
    'date-time',
    {
      accepts: ['2024-01-31t10:00:00.123-05:00'],
      refuses: ['2024-01-31 10:00:00Z', '2024-02-30T10:00:00Z', '2024-01-31T10:00'],
    },
  ],
  [
    'duration',
    { accepts: ['P1Y2M3DT4H5M6S', 'P2W', 'PT0S'], refuses: ['P', 'PT', 'P1D2M', 'P1W1D', '1D', 'P1S'] },
  ],
  [
    'email',
    {
      accepts: ['a.b+c@example.org', '"a b"@x.org', 'x@[127.0.0.1]'],
      refuses: ['a', '@x.org', '.a@x.org', 'a b@x.org', 'a@-x.org'],
    },
  ],
  [
    'hostname',
    {
      accepts: ['localhost', 'a-b.example', 'xn--4gbwdl.example'],
      refuses: ['', '-a', 'a_b', 'a..b', `${'a'.repeat(64)}.b`, 'ab--c'],
    },
  ],
  ['ipv4', { accepts: ['192.0.2.1'], refuses: ['256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4/8'] }],
  ['ipv6', { accepts: ['::1', '2001:db8::192.0.2.1'], refuses: ['1.2.3.4', '::1%eth0', ':::'] }],
  [
    'uri',
    {
      accepts: ['https://u@x.example:80/a?b#c', 'urn:a:b', 'http://[::1]/'],
      refuses: ['/a', 'a b:c', 'http://[x]/', 'http://x/%zz', 'http://a@b@c/', 'x:#a#b'],
    },
  ],
  ['uri-reference', { accepts: ['../a', '#b', '', '//x/y'], refuses: ['\\a', 'a b', '1x:y'] }],
  [
    'uuid',
    {
      accepts: ['2EB8AA08-aa98-11ea-b4aa-73b441d16380'],
      refuses: ['2eb8aa08aa9811eab4aa73b441d16380', '2eb8aa08-aa98-11ea-b4aa-73b441d1638'],
    },
  ],
  ['json-pointer', { accepts: ['', '/a~1b/0'], refuses: ['a', '/~2', '/~'] }],
  ['regex', { accepts: ['^a+$'], refuses: ['(', '\\-'] }],
];

const cases = table.flatMap(([format, { accepts, refuses }]) => [
  ...accepts.map((text) => ({ format, text, valid: true })),
  ...refuses.map((text) => ({ format, text, valid: false })),
]);

test.each(cases)('$format: "$text" is valid: $valid', ({ format, text, valid }) => {
  expect(compileSchema({ format }, { formats: commonFormats })(text).length === 0).toBe(valid);
});

test('every format of the table is tested', () => {
  expect(table.map(([format]) => format).sort()).toEqual(Object.keys(commonFormats).sort());
});

test('an unknown format, and one that is no text, are annotations', () => {
  const validate = compileSchema({ format: 'toString' }, { formats: commonFormats });
  expect(validate('x')).toEqual([]);
  expect(compileSchema({ format: 'date' }, { formats: commonFormats })(5)).toEqual([]);
});
