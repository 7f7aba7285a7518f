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

interface Fault {
  name: string;
  message: string;
  at: string | undefined;
}

async function faultOf(folder: string): Promise<Fault> {
  const templates = { path: folder, label: 'templates' };
  const error: unknown = await emit(petstore, { templates }).catch((thrown: unknown) => thrown);
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

test('a name that is no template: unknown-template', async () => {
  const { name, message } = await faultOf(templates({ 'src/sever.ts.hbs': '' }));
  expect({ name, message }).toEqual({
    name: 'unknown-template',
    message: 'The template src/sever.ts.hbs has no effect, since no project file uses it.',
  });
});

test('a template stands in the folder, and is no link out of it', async () => {
  const outside = templates({ 'secret.txt': 'of this machine' });
  const folder = templates({ 'notes.txt': '' });
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'README.md.hbs'));
  expect((await faultOf(folder)).name).toBe('invalid-template');
});

test.each([
  ['a syntax error', '\n{{#each tools}}\n\n', '4:1', 'a block or a tag is not closed'],
  ['an end of another', 'a\n{{#each tools}}{{/if}}', '2:4', "each doesn't match if."],
  ['a slip in a helper', '{{markdwon title}}', '1:1', 'there is no helper markdwon; did you mean markdown?'],
  ['an unknown field', '# x\n{{titel}}', '2:3', 'the view has no field titel; did you mean title?'],
  ['one of a row', '{{#each tools}}{{nam}}{{/each}}', '1:18', 'no field nam; did you mean name?'],
  ['one given to a helper', '\n  {{markdown titel}}', '2:3', '{{markdown}}: the view has no such field.'],
  [
    'one that is gone through',
    '{{#each tols}}{{name}}{{/each}}',
    '1:1',
    '{{each}}: the view has no such field.',
  ],
  [
    'what each object has, given to a helper',
    '{{json constructor}}',
    '1:1',
    '{{json}}: the view has no such field.',
  ],
])('%s: invalid-template', async (_, template, place, want) => {
  const { name, message, at } = await faultOf(templates({ 'README.md.hbs': template }));
  expect({ name, at }).toEqual({ name: 'invalid-template', at: `templates/README.md.hbs:${place}` });
  expect(message).toContain('The template templates/README.md.hbs cannot be used: ');
  expect(message).toContain(want);
});

test.each([['{{> ../../secret}}'], ['{{> header}}']])(
  'a partial that is not there, %s: invalid-template',
  async (template) => {
    const { name, message } = await faultOf(templates({ 'README.md.hbs': template }));
    expect(name).toBe('invalid-template');
    expect(message).toContain('could not be found');
  },
);

test.each([
  ['{{#hasAuth}}a{{else}}b{{/hasAuth}}', 'b'],
  ['{{#tools}}{{name}}{{@index}} {{/tools}}', 'getPet0 addPet1'],
  [
    '{{#each tools as |tool at|}}{{tool.name}}{{at}}{{@first}}{{../bin}}{{/each}}',
    'getPet0truepetstore-mcpaddPet1falsepetstore-mcp',
  ],
  [
    '{{#with has as |there|}}{{there.bundle}} {{this.bundle}} {{./bundle}} {{@root.title}}{{/with}}',
    'true true true Petstore',
  ],
  ['{{tools.length}}{{tools.0.name}}{{lookup has "bundle"}}', '2getPettrue'],
  ['{{#*inline "row"}}[{{name}}]{{/inline}}{{#each tools}}{{> row}}{{/each}}', '[getPet][addPet]'],
])('a template %s', async (template, want) => {
  const folder = templates({ 'README.md.hbs': template });
  const files = await emit(petstore, { templates: { path: folder, label: 'templates' } });
  expect(contentsOf(files, 'README.md').trim()).toBe(want);
});

test.each([
  ['a partial that includes itself', '{{> a}}', 'include each other without end'],
  ['a syntax error in a partial', '{{#if}}', 'partials/a.hbs:1:1'],
  ['an unknown field in a partial', '\n{{titel}}', 'partials/a.hbs:2:3'],
])('%s: invalid-template', async (_, partial, want) => {
  const files = { 'README.md.hbs': '{{> a}}', 'partials/a.hbs': partial };
  const { name, message, at } = await faultOf(templates(files));
  expect(name).toBe('invalid-template');
  expect(`${message} ${at ?? ''}`).toContain(want);
});

test.each([
  [
    'src/main.ts.hbs',
    'const a = 1;\nimport { x from "y";\n',
    'cannot be read at line 2, column 12, of "import { x',
  ],
  ['package.json.hbs', '{ "files": [1,, 2] }', 'is not a JSON object.'],
  ['manifest.json.hbs', '\n[]', 'is not a JSON object.'],
])('output of %s that cannot be read: invalid-template', async (file, template, want) => {
  const { name, message } = await faultOf(templates({ [file]: template }));
  expect(name).toBe('invalid-template');
  expect(message).toContain(`what it makes ${want}`);
});
