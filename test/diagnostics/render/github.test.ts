// Workflow commands as GitHub reads them: what stands in a message or a path can neither end one nor begin another.
import { expect, test } from 'vitest';
import {
  type DiagnosticRecord,
  renderGithubAnnotation,
  breakWorkflowCommands,
} from '../../../src/diagnostics/render/record.ts';

const plain: DiagnosticRecord = {
  code: 'MCPG101',
  name: 'source-not-found',
  severity: 'error',
  message: 'Gone.',
};
const head = '::error title=MCPG101 source-not-found::';

const rows: { what: string; given: Partial<DiagnosticRecord>; want: string }[] = [
  { what: 'an error', given: {}, want: `${head}Gone.` },
  { what: 'a warning', given: { severity: 'warning' }, want: `${head.replace('error', 'warning')}Gone.` },
  { what: 'an info', given: { severity: 'info' }, want: `${head.replace('error', 'notice')}Gone.` },
  {
    what: 'a place',
    given: { file: 'a.yaml', line: 3, column: 5 },
    want: '::error file=a.yaml,line=3,col=5,title=MCPG101 source-not-found::Gone.',
  },
  { what: 'a hint', given: { hint: 'Look.' }, want: `${head}Gone.%0ALook.` },
  { what: 'a percent sign', given: { message: '100%' }, want: `${head}100%25` },
  { what: 'an escape that is text', given: { message: '%0A' }, want: `${head}%250A` },
  { what: 'a line break', given: { message: 'a\n::error::b' }, want: `${head}a%0A::error::b` },
  { what: 'colon and comma', given: { message: 'a: b, c' }, want: `${head}a: b, c` },
  {
    what: 'a path with all of them',
    given: { file: 'a,b:c%d\ne::f' },
    want: '::error file=a%2Cb%3Ac%25d%0Ae%3A%3Af,title=MCPG101 source-not-found::Gone.',
  },
];

test.each(rows)('$what', ({ given, want }) => {
  expect(renderGithubAnnotation({ ...plain, ...given })).toBe(want);
});

test.each(['\r', '\r\n', '\u2028', '\u0085'])('no line ends at %j', (end) => {
  const line = renderGithubAnnotation({ ...plain, message: `a${end}::error::b`, file: `c${end}d` });
  expect(line).not.toMatch(/[\r\n\u0085\u2028\u2029]/);
});

test.each([
  ['::error::x', ': :error::x'],
  ['a\n  ::add-mask::x\n\t::stop-commands::y', 'a\n  : :add-mask::x\n\t: :stop-commands::y'],
  ['\u00a0::debug::x', '\u00a0: :debug::x'],
  [':::error::', ': ::error::'],
  ['a ##[add-mask]x ##[error]', 'a ## [add-mask]x ## [error]'],
  ['std::vector, a :: b', 'std::vector, a :: b'],
  ['# [a](b)', '# [a](b)'],
])('%j holds no command: %j', (text, want) => {
  expect(breakWorkflowCommands(text)).toBe(want);
});
