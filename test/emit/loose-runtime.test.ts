// Projects keep the strictness of the user's tsconfig.json, and compile the runtime with it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { tsc } from '../e2e/support/command.ts';

test('the runtime compiles without strictness', { timeout: 60_000 }, async () => {
  const folder = join(repositoryRoot, 'templates/runtime');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const options =
    '--noEmit --ignoreConfig --strict false --noImplicitAny false --skipLibCheck --module nodenext --target es2023 --types node --allowImportingTsExtensions';
  const { code, stdout } = await tsc([...options.split(' '), ...files], { cwd: folder });
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
});
