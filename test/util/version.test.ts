import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bugs } from '../../src/util/version.ts';
import { repositoryRoot } from '../architecture/support/source-files.ts';

test('reports of bugs name no placeholder', () => {
  const { bugs: given } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    bugs: string;
  };
  expect(bugs).toBe(given.includes('/OWNER/') ? undefined : given);
});
