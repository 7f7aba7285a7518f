import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiagnosticError } from '../../src/diagnostics/collector.ts';
import type { UserHelpers } from '../../src/emit/templates/user-helpers.ts';
import type { HelperOptions } from '../../src/model/user-code.ts';
import { put, temporaryFolder } from '../write/project-on-disk.ts';
import { petstore } from './models.ts';
import { contentsOf, emit } from './render-project.ts';

function templates(files: Record<string, string>): string {
  const folder = temporaryFolder();
  put(folder, files);
  return folder;
}

interface Fault {
  name: string;
  message: string;
  at: string | undefined;
}

async function faultOf(folder: string, helpers?: UserHelpers): Promise<Fault> {
  const templates = { path: folder, label: 'templates' };
  const options = helpers === undefined ? { templates } : { templates, helpers };
  const error: unknown = await emit(petstore, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof DiagnosticError)) throw new Error('no DiagnosticError', { cause: error });
  const [diagnostic] = error.diagnostics;
  const { name = '', message = '', origin } = diagnostic ?? {};
  const at = origin?.kind === 'code' ? `${origin.file}:${origin.line}:${origin.column}` : undefined;
  return { name, message, at };
}

test('a template of the user replaces one file, and is formatted', async () => {
  const folder = templates({
    'README.md.hbs': '# {{markdown title}}\n\n\n*  mine\n',
    'Dockerfile.hbs': 'FROM   scratch\n',
    'notes.txt': 'not a template',
  });
  const files = await emit(petstore, { templates: { path: folder, label: 'templates' } });
  expect(contentsOf(files, 'README.md')).toBe('# Petstore\n\n- mine\n');
  expect(contentsOf(files, 'Dockerfile')).toBe('FROM   scratch\n');
  expect(contentsOf(files, 'src/main.ts')).toBe(contentsOf(await emit(petstore), 'src/main.ts'));
});

test('a code template of the user is TypeScript alone; its JavaScript is compiled', async () => {
  const folder = templates({
    'src/main.ts.hbs':
      "#!/usr/bin/env node\nimport {run} from {{module './runtime/main/run'}}\nimport {server} from {{module './server'}}\nconst code: number = await run(async () => ({ server }), process)\nprocess.exitCode = code",
  });
  const files = await emit(petstore, { templates: { path: folder, label: 'templates' } });
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
  ['a partial of a path', '{{> ../../secret}}', undefined, 'The partial'],
  ['a syntax error', '\n{{#each tools}}', '2:1', 'it ends where a block or a tag is still open.'],
  ['an end of nothing', 'a\n{{/each}}', '2:1', 'a tag in this line cannot be read'],
  ['an unknown helper', '{{shout title}}', '1:1', 'there is no helper shout.'],
  ['a slip in a helper', '{{markdwon title}}', '1:1', 'there is no helper markdwon; did you mean markdown?'],
  ['an unknown field', '# x\n{{titel}}', '2:3', 'the view has no field titel; did you mean title?'],
  ['one of a row', '{{#each tools}}{{nam}}{{/each}}', '1:18', 'no field nam; did you mean name?'],
  ['one that is nothing like it', '{{colour}}', '1:3', 'the view has no field colour.'],
  ['a partial that is not there', '{{> header}}', undefined, 'The partial header could not be found'],
  [
    'an unknown field given to a helper',
    '\n  {{markdown titel}}',
    '2:3',
    'no field titel; did you mean title?',
  ],
  [
    'one in a condition',
    '{{#if hasApp}}{{#if hasApii}}a{{/if}}{{/if}}{{#if hasApii}}{{/if}}',
    '1:45',
    'hasApii; did',
  ],
  [
    'one that is gone through',
    '{{#each tols}}{{name}}{{/each}}',
    '1:1',
    'no field tols; did you mean tools?',
  ],
])('%s: invalid-template', async (_, template, place, want) => {
  const { name, message, at } = await faultOf(templates({ 'README.md.hbs': template }));
  expect({ name, at }).toEqual({
    name: 'invalid-template',
    at: place === undefined ? undefined : `templates/README.md.hbs:${place}`,
  });
  expect(message).toContain('The template templates/README.md.hbs cannot be used: ');
  expect(message).toContain(want);
});

test('partials stand in a folder of their own, and see what the template sees', async () => {
  const folder = templates({
    'README.md.hbs': '{{> parts/title}}\n',
    'partials/parts/title.hbs': '# {{markdown title}} of mine',
  });
  const files = await emit(petstore, { templates: { path: folder, label: 'templates' } });
  expect(contentsOf(files, 'README.md')).toBe('# Petstore of mine\n');
});

test.each([
  ['a partial that includes itself', { 'partials/a.hbs': '{{> a}}' }, 'include each other without end.'],
  [
    'two that include each other',
    { 'partials/a.hbs': '{{> b}}', 'partials/b.hbs': '{{> a}}' },
    'include each other without end.',
  ],
  ['a syntax error in a partial', { 'partials/a.hbs': '{{#if}}' }, 'partials/a.hbs:1:1'],
  ['an unknown field in a partial', { 'partials/a.hbs': '\n{{titel}}' }, 'partials/a.hbs:2:3'],
  [
    'one in a partial of a partial',
    { 'partials/a.hbs': '{{> b}}', 'partials/b.hbs': '{{titel}}' },
    'partials/b.hbs:1:3',
  ],
  [
    'one given to a helper there',
    { 'partials/a.hbs': '\n{{line titel}}' },
    'no field titel; did you mean title?',
  ],
])('%s: invalid-template', async (_, partials, want) => {
  const { name, message, at } = await faultOf(templates({ 'README.md.hbs': '{{> a}}', ...partials }));
  expect(name).toBe('invalid-template');
  expect(`${message} ${at ?? ''}`).toContain(want);
  expect(message).toContain('(It is a part of README.md.hbs.)');
});

test.each([
  ['returns nothing', () => undefined, '{{mine title}}', '{{mine}}: it returned nothing'],
  [
    'throws',
    () => {
      throw new Error('No.');
    },
    '{{mine title}}',
    '{{mine}}: No.',
  ],
  ['is given a field that is not there', String, '{{mine titel}}', 'no field titel; did you mean title?'],
])('a helper of the user that %s: invalid-template', async (_, mine, template, want) => {
  const helpers = { functions: { mine }, placeOf: () => undefined };
  const { message, at } = await faultOf(templates({ 'README.md.hbs': template }), helpers);
  expect(message).toContain(want);
  expect(at).toBe('templates/README.md.hbs:1:1');
});

test.each(['title', 'summary'])('a helper %s would hide a field: invalid-template', async (name) => {
  const helpers = { functions: { [name]: String }, placeOf: () => undefined };
  const { message } = await faultOf(templates({ 'README.md.hbs': 'x' }), helpers);
  expect(message).toContain(`the helper ${name} hides the field ${name} of the view`);
});

test('helpers of the user write, choose and enclose', async () => {
  const folder = templates({
    'README.md.hbs':
      '# {{shout title}}\n{{#each tools}}{{#if (starts name "get")}}\n- {{name}}{{/if}}{{/each}}\n\n{{#twice}}a{{/twice}}',
  });
  const functions = {
    shout: (text: string) => text.toUpperCase(),
    starts: (text: string, start: string) => text.startsWith(start),
    twice(this: unknown, { fn }: HelperOptions) {
      return `${fn?.(this) ?? ''}${fn?.(this) ?? ''}`;
    },
  };
  const files = await emit(petstore, {
    templates: { path: folder, label: 'templates' },
    helpers: { functions, placeOf: () => undefined },
  });
  expect(contentsOf(files, 'README.md')).toBe('# PETSTORE\n\n- getPet\n\naa\n');
});

test('output that cannot be parsed: invalid-template', async () => {
  const { name, message } = await faultOf(templates({ 'src/main.ts.hbs': 'const = ;' }));
  expect(name).toBe('invalid-template');
  expect(message).toContain('src/main.ts.hbs');
});
