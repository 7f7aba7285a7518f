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

test.each([
  { file: 'README.md', want: 'Rename it to README.md.hbs' },
  { file: 'README.hbs.md', want: 'Rename it to README.md.hbs' },
  { file: 'src/main.ts', want: 'Rename it to src/main.ts.hbs' },
  { file: 'Dockerfile.handlebars', want: 'Rename it to Dockerfile.hbs' },
  { file: 'partials/support.md', want: 'Rename it to partials/support.hbs' },
  { file: 'notes.txt', want: 'Remove it from the template folder' },
])('$file has no effect: $want', async ({ file, want }) => {
  const [only, other] = await told({ [`templates/${file}`]: '' });
  expect(only).toContain(`warning file-without-effect: templates/${file} has no effect`);
  expect(only).toContain(want);
  expect(other).toBeUndefined();
});

test('modules of helpers, and what systems leave behind, may stand there', async () => {
  const files = ['helpers.ts', 'lib/words.mjs', 'words.json', '.DS_Store', 'README.md.hbs'];
  expect(await told(Object.fromEntries(files.map((file) => [`templates/${file}`, ''])))).toEqual([]);
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
