import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics/collector.ts';
import type { Places } from '../../../src/diagnostics/render/place.ts';
import { keepUnstyled } from '../../../src/diagnostics/render/terminal-text.ts';
import { type RenderOptions, renderReport } from '../../../src/diagnostics/render/report.ts';

const text = 'paths:\n  /pets:\n    get:\n      operationId: pets\n';
const places: Places = {
  locate: (origin) =>
    origin.kind === 'document' && origin.pointer === '/paths/~1pets/get'
      ? { line: 3, column: 5, length: 3 }
      : undefined,
  textOf: (file) => (file === 'petstore.yaml' ? text : undefined),
};

const warning: Diagnostic = {
  code: 'MCPG101',
  name: 'source-not-found',
  severity: 'warning',
  message: 'The pattern can not be used. The value is not checked.',
  hint: 'Write an ECMAScript pattern.',
  origin: { kind: 'document', file: 'petstore.yaml', pointer: '/paths/~1pets/get' },
  related: [
    {
      message: 'Used here.',
      origin: { kind: 'document', file: 'petstore.yaml', pointer: '/paths/~1pets/get' },
    },
  ],
};
const error: Diagnostic = {
  code: 'MCPG102',
  name: 'source-not-found',
  severity: 'error',
  message: 'No file.',
};

function report(found: Diagnostic[], options: Partial<RenderOptions> = {}): string {
  return renderReport(found, { format: 'pretty', places, paint: keepUnstyled, ...options });
}

test('errors come first; a warning shows place, pointer, frame, second place and hint', () => {
  expect(report([warning, error])).toBe(`error MCPG102 source-not-found: No file.
  more: mcpgen explain MCPG102

petstore.yaml:3:5 - warning MCPG101 source-not-found: The pattern can not be used. The value is not checked.
  at #/paths/~1pets/get
  2 |   /pets:
  3 |     get:
    |     ^^^
  4 |       operationId: pets
  petstore.yaml:3:5 - Used here.
  at #/paths/~1pets/get
  3 |     get:
    |     ^^^
  hint: Write an ECMAScript pattern.
  more: mcpgen explain MCPG101

Found 1 error, 1 warning.
`);
});

test('a place that is not found still names file and pointer', () => {
  const lost: Diagnostic = { ...error, origin: { kind: 'document', file: 'a.json', pointer: '/gone' } };
  expect(report([lost])).toContain('a.json - error MCPG102 source-not-found: No file.\n  at #/gone\n');
});

test('repeats of one code are cut short, unless verbose', () => {
  const many = Array.from({ length: 9 }, () => error);
  expect(report(many).match(/No file\./g)).toHaveLength(5);
  expect(report(many)).toContain('… and 4 more like this; --verbose shows all');
  expect(report(many)).toContain('Found 9 errors.');
  expect(report(many, { verbose: true }).match(/No file\./g)).toHaveLength(9);
});

test('control characters of a document never reach the terminal', () => {
  const hostile: Diagnostic = {
    ...error,
    message: 'a\x1b[2Jb',
    hint: 'c\x1b]0;title\x07',
    origin: { kind: 'document', file: 'x\x1b.yaml', pointer: '/\x1b' },
  };
  for (const format of ['pretty', 'github'] as const) {
    expect(report([hostile], { format })).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  }
});
