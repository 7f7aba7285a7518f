// Files of src/handlers/ count as the user's, except the one that mcpgen writes, unedited.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasOwnHandlers } from '../../src/project/own-handlers.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const written = readFileSync(
  new URL('../../generated-examples/petstore/src/handlers/index.ts', import.meta.url),
  'utf8',
);

test.each<{ what: string; files: Record<string, string>; want: boolean }>([
  { what: 'none', files: {}, want: false },
  { what: 'as it was written', files: { 'index.ts': written }, want: false },
  { what: 'with the lines of Windows', files: { 'index.ts': written.replaceAll('\n', '\r\n') }, want: false },
  { what: 'without its comments', files: { 'index.ts': 'export const handlers = {};\n' }, want: false },
  {
    what: 'with a hook',
    files: { 'index.ts': written.replace('= {};', '= { beforeRequest() {} };') },
    want: true,
  },
  { what: 'with an import', files: { 'index.ts': `import './more.ts';\n${written}` }, want: true },
  { what: 'with more behind it', files: { 'index.ts': `${written}console.error(handlers);\n` }, want: true },
  { what: 'with another file', files: { 'index.ts': written, 'more.ts': '' }, want: true },
])('$what: $want', ({ files, want }) => {
  const project = temporaryFolder();
  mkdirSync(join(project, 'src/handlers'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, 'src/handlers', name), text);
  expect(hasOwnHandlers(project)).toBe(want);
});
