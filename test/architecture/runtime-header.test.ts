import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RUNTIME_HEADER } from '../../src/emit/runtime-files.ts';
import { repositoryRoot, sourceFiles } from './support/source-files.ts';

test('each module of the runtime begins with the line that says what it is', () => {
  const files = sourceFiles(['templates/runtime']);
  expect(files.length).toBeGreaterThan(100);
  const without = files.filter(
    (file) => !readFileSync(join(repositoryRoot, file), 'utf8').startsWith(`${RUNTIME_HEADER}\n`),
  );
  expect(without).toEqual([]);
});
