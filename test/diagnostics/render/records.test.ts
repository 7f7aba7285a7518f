/** Records for machines: of each kind the first 100, and JSON in pieces. */
import { expect, test } from 'vitest';
import { createDiagnostic, type Diagnostic } from '../../../src/diagnostics/collector.ts';
import { noPlaces } from '../../../src/diagnostics/render/place.ts';
import { listRecords, renderReport } from '../../../src/diagnostics/render/report.ts';
import { keepUnstyled } from '../../../src/diagnostics/render/terminal-text.ts';

function tooLarge(count: number): Diagnostic[] {
  return Array.from({ length: count }, (_, index) =>
    createDiagnostic('output-schema-left-out', { tool: `tool${index}`, limit: 1 }),
  );
}

const error = createDiagnostic('invalid-usage', {
  problem: 'It is wrong',
  suggestion: '',
  command: 'mcpgen',
});

test('of 250 alike the first 100 are listed, and the last of them counts the others', () => {
  const records = listRecords([...tooLarge(250), error], noPlaces, false);
  expect(records).toHaveLength(101);
  expect(records.filter(({ more }) => more !== undefined)).toEqual([records[99]]);
  expect(records[99]).toMatchObject({ more: 150 });
  expect(records[100]).toMatchObject({ name: 'invalid-usage' });
});

test.each([
  ['100 are all listed', 100, false, 100],
  ['with --verbose all are listed', 250, true, 250],
])('%s', (_, count, verbose, listed) => {
  const records = listRecords(tooLarge(count), noPlaces, verbose);
  expect(records).toHaveLength(listed);
  expect(records.every(({ more }) => more === undefined)).toBe(true);
});

test('errors in code are all listed: the user has to fix each', () => {
  const origin = { kind: 'code', file: 'a.ts', line: 1, column: 1 } as const;
  expect(
    listRecords(
      Array.from({ length: 150 }, () => ({ ...error, origin })),
      noPlaces,
      false,
    ),
  ).toHaveLength(150);
});

test('annotations of GitHub say how many are left out', () => {
  const report = renderReport(tooLarge(101), { format: 'github', places: noPlaces, paint: keepUnstyled });
  expect(report.trimEnd().split('\n')).toHaveLength(100);
  expect(report).toContain('1 more like this; --verbose shows all');
});
