// A word on the command line names functions, or another source.
import { expect, test } from 'vitest';
import { isCodeFile } from '../../src/cli/source-kind.ts';

test.each([
  { source: 'src/tools.ts', want: true },
  { source: 'src/**/*.mjs', want: true },
  { source: 'src/**/*.{ts,tsx}', want: true },
  { source: 'src/*.?(m)ts', want: true },
  { source: '{src,lib}/*.cts', want: true },
  { source: '!src/internal', want: true },
  { source: 'src/*', want: true },
  { source: '*/api.yaml', want: false },
  { source: 'https://example.com/*', want: false },
  { source: 'api.yaml', want: false },
  { source: 'https://example.com/tools.ts', want: false },
  { source: 'mcpgen.config.ts', want: false },
])('$source: $want', ({ source, want }) => expect(isCodeFile(source)).toBe(want));
