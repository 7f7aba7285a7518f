import { expect, test } from 'vitest';
import { createDiagnostic, sortByPlace } from '../../src/diagnostics/collector.ts';

test('those of one file of code come by their places, each file and all others in their turns', () => {
  const at = (place: string): ReturnType<typeof createDiagnostic> => {
    const [file = '', line = '', column = ''] = place.split(':');
    const origin = { kind: 'code', file, line: Number(line), column: Number(column) } as const;
    return createDiagnostic('no-source-files', { pattern: place }, { at: origin });
  };
  const elsewhere = createDiagnostic('no-source-files', { pattern: 'none' });
  const given = [at('b:9:1'), elsewhere, at('a:2:3'), at('b:1:7'), at('a:2:1'), at('b:1:2'), at('b:9:1')];
  const want = [at('b:1:2'), elsewhere, at('a:2:1'), at('b:1:7'), at('a:2:3'), at('b:9:1'), at('b:9:1')];
  expect(sortByPlace(given)).toEqual(want);
});
