// Problems of a folder of templates, before anything is rendered.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generate } from '../../src/index.ts';
import { put, temporaryFolder } from '../write/project-on-disk.ts';

const petstore = fileURLToPath(new URL('../../fixtures/petstore.yaml', import.meta.url));

/** `severity name: message hint` of each diagnostic but infos, which are of the document. */
async function told(files: Record<string, string>, source = petstore): Promise<string[]> {
  const cwd = temporaryFolder();
  put(cwd, files);
  const { diagnostics } = await generate({ source, cwd, dir: 'out', templates: 'templates', dryRun: true });
  return diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, name, message, hint = '' }) => `${severity} ${name}: ${message} ${hint}`);
}

test('modules of helpers, texts, and hidden files may be there', async () => {
  const files = ['helpers.ts', 'lib/words.mjs', 'words.json', 'notes.txt', '.DS_Store', 'README.md.hbs'];
  expect(await told(Object.fromEntries(files.map((file) => [`templates/${file}`, ''])))).toEqual([]);
});

test('a template without its ending is none', async () => {
  const [only] = await told({ 'templates/README.md': '' });
  expect(only).toMatch(
    /^error unknown-template: .* README\.md has no effect.*Did you mean README\.md\.hbs\?/,
  );
});

test('all that is wrong with the folder is told, beside what is wrong with the source', async () => {
  const files = { 'templates/READM.md.hbs': '', 'templates/b.hbs': '' };
  expect(await told(files, 'gone.yaml')).toEqual([
    expect.stringMatching(/^error unknown-template: .* READM\.md\.hbs .* Did you mean README\.md\.hbs\?/),
    expect.stringMatching(/^error unknown-template: .* b\.hbs .* Templates are: package\.json\.hbs, /),
    expect.stringContaining('error source-not-found'),
  ]);
  expect(await told({}, 'gone.yaml')).toEqual([
    expect.stringContaining('error templates-not-found'),
    expect.stringContaining('error source-not-found'),
  ]);
});
