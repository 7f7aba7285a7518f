import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiagnosticError } from '../../src/diagnostics/collector.ts';
import { put, temporaryFolder } from '../write/project-on-disk.ts';
import { petstore } from './models.ts';
import { contentsOf, emit } from './render-project.ts';

function templates(files: Record<string, string>): string {
  const folder = temporaryFolder();
  put(folder, files);
  return folder;
}

async function faultOf(folder: string): Promise<{ name: string; message: string }> {
  const error: unknown = await emit(petstore, { templates: folder }).catch((thrown: unknown) => thrown);
  if (!(error instanceof DiagnosticError)) throw new Error('no DiagnosticError', { cause: error });
  const [diagnostic] = error.diagnostics;
  return { name: diagnostic?.name ?? '', message: diagnostic?.message ?? '' };
}

test('a template of the user replaces one file, and is formatted', async () => {
  const folder = templates({
    'README.md.hbs': '# {{markdown title}}\n\n\n*  mine\n',
    'Dockerfile.hbs': 'FROM   scratch\n',
    'notes.txt': 'not a template',
  });
  const files = await emit(petstore, { templates: folder });
  expect(contentsOf(files, 'README.md')).toBe('# Petstore\n\n- mine\n');
  expect(contentsOf(files, 'Dockerfile')).toBe('FROM   scratch\n');
  expect(contentsOf(files, 'src/main.ts')).toBe(contentsOf(await emit(petstore), 'src/main.ts'));
});

test('a code template of the user is TypeScript alone; its JavaScript is compiled', async () => {
  const folder = templates({
    'src/main.ts.hbs':
      "#!/usr/bin/env node\nimport {run} from {{module './runtime/main/run'}}\nimport {server} from {{module './server'}}\nconst code: number = await run(async () => ({ server }), process)\nprocess.exitCode = code",
  });
  const files = await emit(petstore, { templates: folder });
  expect(contentsOf(files, 'src/main.ts')).toBe(
    "#!/usr/bin/env node\nimport { run } from './runtime/main/run.ts';\nimport { server } from './server.ts';\nconst code: number = await run(async () => ({ server }), process);\nprocess.exitCode = code;\n",
  );
  expect(contentsOf(files, 'dist/main.js')).toBe(
    '#!/usr/bin/env node\nimport { run } from "./runtime/main/run.js";\nimport { server } from "./server.js";\nconst code = await run(async () => ({ server }), process);\nprocess.exitCode = code;\n',
  );
});

test('a missing folder: templates-not-found', async () => {
  expect((await faultOf('/nowhere/at/all')).name).toBe('templates-not-found');
});

test('a name that is no template: unknown-template', async () => {
  const { name, message } = await faultOf(templates({ 'src/sever.ts.hbs': '' }));
  expect({ name, message }).toEqual({
    name: 'unknown-template',
    message: 'No file of the project is made from a template src/sever.ts.hbs, so it would have no effect.',
  });
});

test('a template stands in the folder, and is no link out of it', async () => {
  const outside = templates({ 'secret.txt': 'of this machine' });
  const folder = templates({ 'notes.txt': '' });
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'README.md.hbs'));
  expect((await faultOf(folder)).name).toBe('invalid-template');
});

test.each([
  ['a partial of a path', '{{> ../../secret}}', 'The partial'],
  ['a syntax error', '\n{{#each tools}}', 'Parse error on line 2'],
  ['an unknown helper', '{{shout title}}', 'unknown helper shout'],
  ['an unknown field', '# x\n{{titel}}', 'README.md.hbs cannot be used: 2:3: the view has no field titel.'],
  ['a partial that is not there', '{{> header}}', 'The partial header could not be found'],
  ['an unknown field given to a helper', '\n  {{markdown titel}}', '2:3: {{markdown}}: expected a text'],
])('%s: invalid-template', async (_, template, want) => {
  const { name, message } = await faultOf(templates({ 'README.md.hbs': template }));
  expect(name).toBe('invalid-template');
  expect(message).toContain('README.md.hbs');
  expect(message).toContain(want);
});

test('partials stand in a folder of their own, and see what the template sees', async () => {
  const folder = templates({
    'README.md.hbs': '{{> parts/title}}\n',
    'partials/parts/title.hbs': '# {{markdown title}} of mine',
  });
  const files = await emit(petstore, { templates: folder });
  expect(contentsOf(files, 'README.md')).toBe('# Petstore of mine\n');
});

test.each([
  [
    'a partial that includes itself',
    { 'partials/a.hbs': '{{> a}}' },
    'its partials include each other without end',
  ],
  [
    'two that include each other',
    { 'partials/a.hbs': '{{> b}}', 'partials/b.hbs': '{{> a}}' },
    'without end',
  ],
  ['a syntax error in a partial', { 'partials/a.hbs': '{{#if}}' }, 'Parse error on line 1'],
  ['an unknown field in a partial', { 'partials/a.hbs': '\n{{titel}}' }, 'the view has no field titel'],
])('%s: invalid-template', async (_, partials, want) => {
  const { name, message } = await faultOf(templates({ 'README.md.hbs': '{{> a}}', ...partials }));
  expect(name).toBe('invalid-template');
  expect(message).toContain(want);
});

test('output that cannot be parsed: invalid-template', async () => {
  const { name, message } = await faultOf(templates({ 'src/main.ts.hbs': 'const = ;' }));
  expect(name).toBe('invalid-template');
  expect(message).toContain('src/main.ts.hbs');
});
