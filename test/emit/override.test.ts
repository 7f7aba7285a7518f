import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiagnosticError } from '../../src/diagnostics/collector.ts';
import type { UserHelpers } from '../../src/emit/templates/helpers.ts';
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
  ['a partial of a path', '{{> ../../secret}}', '1:1', 'there is no partial ../../secret.'],
  ['a syntax error', '\n{{#each tools}}\n\n', '2:16', 'it ends where a block or a tag is still open.'],
  ['an end of nothing', 'a\n {{/each}}', '2:2', 'the tag cannot be read from here'],
  ['an end of another', 'a\n{{#each tools}}{{/if}}', '2:4', "each doesn't match if."],
  ['a tag that is not closed', 'a\n  {{title', '2:5', 'the tag cannot be read from here'],
  ['a bracket too few', '# x\n\n{{{title}}', '3:9', 'the tag cannot be read from here'],
  ['a text that is not closed', '\n{{markdown "x}}', '2:12', 'the tag cannot be read from here'],
  ['a comment that is not closed', 'a\n {{!-- b', '2:2', 'what begins here is never closed.'],
  ['a decorator', '\n {{* title}}', '2:2', 'there is no decorator title; only inline is one.'],
  ['an unknown helper', '{{shout title}}', '1:1', 'there is no helper shout.'],
  ['a slip in a helper', '{{markdwon title}}', '1:1', 'there is no helper markdwon; did you mean markdown?'],
  ['one in a call', '{{json (markdwon title)}}', '1:8', 'no helper markdwon; did you mean markdown?'],
  ['an unknown field', '# x\n{{titel}}', '2:3', 'the view has no field titel; did you mean title?'],
  ['one of a row', '{{#each tools}}{{nam}}{{/each}}', '1:18', 'no field nam; did you mean name?'],
  [
    'one of a named row',
    '{{#each tools as |t|}}{{t.nam}}{{/each}}',
    '1:25',
    'no field nam; did you mean name?',
  ],
  ['one of the view above', '{{#each tools}}{{../titel}}{{/each}}', '1:18', 'titel; did you mean title?'],
  ['one of what is there on the way', '{{#each tools}}{{@indx}}{{/each}}', '1:18', 'did you mean index?'],
  ['one of an object', '{{#if has.bundel}}{{/if}}', '1:7', 'no field bundel; did you mean bundle?'],
  ['one of a text', '{{title.words}}', '1:3', 'the view has no field words.'],
  ['one that is looked up', '{{#if (lookup has "bundel")}}{{/if}}', '1:7', 'bundel; did you mean bundle?'],
  ['one that is nothing like it', '{{colour}}', '1:3', 'the view has no field colour.'],
  ['what each object has', ' {{toString}}', '1:4', 'the view has no field toString.'],
  ['its constructor', '{{constructor}}', '1:3', 'the view has no field constructor.'],
  ['its prototype', '{{json __proto__}}', '1:8', 'the view has no field __proto__.'],
  ['that of a list', '{{json tools.map}}', '1:8', 'the view has no field map.'],
  ['one by way of that', '{{json constructor.constructor}}', '1:8', 'the view has no field constructor.'],
  ['what is looked up there', '{{json (lookup this "constructor")}}', '1:8', 'no field constructor.'],
  ['a partial that is not there', '\n {{> header}}', '2:2', 'there is no partial header.'],
  ['one in a block that is not rendered', '{{#if hasAuth}}{{> x}}{{/if}}', '1:16', 'no partial x.'],
  ['one that is chosen', 'a {{> (lookup . "name")}}', '1:7', 'there is no partial petstore-mcp.'],
  ['an unknown field given to a helper', '\n  {{markdown titel}}', '2:14', 'titel; did you mean title?'],
  ['one by its name', '{{#if title includeZero=zero}}{{/if}}', '1:25', 'the view has no field zero.'],
  [
    'one in a condition',
    '{{#if hasApp}}{{#if hasApii}}a{{/if}}{{/if}}{{#if hasApii}}{{/if}}',
    '1:51',
    'hasApii; did',
  ],
  ['one in a block', '{{#hasApii}}{{/hasApii}}', '1:4', 'no field hasApii; did you mean hasApi?'],
  ['one that is gone through', '{{#each tols}}{{name}}{{/each}}', '1:9', 'tols; did you mean tools?'],
])('%s: invalid-template', async (_, template, place, want) => {
  const { name, message, at } = await faultOf(templates({ 'README.md.hbs': template }));
  expect({ name, at }).toEqual({ name: 'invalid-template', at: `templates/README.md.hbs:${place}` });
  expect(message).toContain('The template templates/README.md.hbs cannot be used: ');
  expect(message).toContain(want);
});

test.each([
  ['{{#has}}{{bundle}}{{/has}}', 'true'],
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
  ['{{#> frame}}a{{/frame}}', 'a'],
])('a template %s', async (template, want) => {
  const folder = templates({ 'README.md.hbs': template });
  const files = await emit(petstore, { templates: { path: folder, label: 'templates' } });
  expect(contentsOf(files, 'README.md').trim()).toBe(want);
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
  ['a partial that includes itself', { 'partials/a.hbs': '\n{{json title}} {{> a}}' }, 'partials/a.hbs:2:16'],
  [
    'two that include each other',
    { 'partials/a.hbs': '{{> b}}', 'partials/b.hbs': 'b {{> a}}' },
    'include each other without end. (It is a part of README.md.hbs.) templates/partials/a.hbs:1:1',
  ],
  [
    'a partial that is not there',
    { 'partials/a.hbs': 'a\n{{> heder}}', 'partials/header.hbs': '' },
    'there is no partial heder; did you mean header? (It is a part of README.md.hbs.) templates/partials/a.hbs:2:1',
  ],
  ['a syntax error in a partial', { 'partials/a.hbs': '{{#if}}' }, 'partials/a.hbs:1:8'],
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
  ['is asynchronous', async () => Promise.resolve('a'), '{{mine title}}', '{{mine}}: it is asynchronous'],
  ['returns an object', () => ({}), '{{mine title}}', 'mine is an object, and no text'],
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
  expect(at).toBe(`templates/README.md.hbs:1:${template.includes('titel') ? 8 : 1}`);
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
