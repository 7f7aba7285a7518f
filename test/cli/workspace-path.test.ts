import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { toWorkspacePath } from '../../src/cli/present.ts';

const root = resolve('/home/runner/shop');

test.each([
  { given: { file: 'api.yaml', in: 'server' }, want: 'server/api.yaml' },
  { given: { file: '../api.yaml', in: 'server' }, want: 'api.yaml' },
  { given: { file: 'api.yaml', in: '.' }, want: 'api.yaml' },
  { given: { file: resolve(root, 'docs/api.yaml'), in: 'server' }, want: 'docs/api.yaml' },
  { given: { file: '..api.yaml', in: '.' }, want: '..api.yaml' },
  { given: { file: '../../other/api.yaml', in: 'server' }, want: '../../other/api.yaml' },
  { given: { file: 'https://a.example/api.yaml', in: 'server' }, want: 'https://a.example/api.yaml' },
  { given: { file: '<stdin>', in: 'server' }, want: '<stdin>' },
])('$given: $want', ({ given, want }) => {
  const cwd = resolve(root, given.in);
  expect(toWorkspacePath(given.file, { cwd, env: { GITHUB_WORKSPACE: root } })).toBe(want);
  expect(toWorkspacePath(given.file, { cwd, env: {} })).toBe(given.file);
});
