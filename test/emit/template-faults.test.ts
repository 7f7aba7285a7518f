// All that is wrong with the templates of a user is told in one run, at the place of each in its template.
import { expect, test } from 'vitest';
import { DiagnosticError } from '../../src/diagnostics/collector.ts';
import type { UserHelpers } from '../../src/emit/templates/helpers.ts';
import { put, temporaryFolder } from '../write/project-on-disk.ts';
import { petstore } from './models.ts';
import { emit } from './render-project.ts';

/** `README.md.hbs:1:3 the view has no field titel; …` of each. */
async function told(files: Record<string, string>, helpers?: UserHelpers): Promise<string[]> {
  const folder = temporaryFolder();
  put(folder, files);
  const templates = { path: folder, label: 'own' };
  const error: unknown = await emit(petstore, { templates, ...(helpers && { helpers }) }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DiagnosticError)) throw new Error('no DiagnosticError', { cause: error });
  return error.diagnostics.map(({ name, message, origin }) => {
    expect(name).toBe('invalid-template');
    const at = origin?.kind === 'code' ? `${origin.file}:${origin.line}:${origin.column}` : 'nowhere';
    return `${at.replace('own/', '')} ${message.replace(/^The template \S+ cannot be used: /, '')}`;
  });
}

test.each<[string, Record<string, string>, string[]]>([
  [
    'unknown helpers, fields and partials by their kinds',
    { 'README.md.hbs': '{{shout title}}\n{{> heder}}\n{{json (markdwon title)}}{{* strange}}\n' },
    [
      'README.md.hbs:1:1 there is no helper shout.',
      'README.md.hbs:3:8 there is no helper markdwon; did you mean markdown?',
      'README.md.hbs:3:26 there is no decorator strange; only inline is one.',
      'README.md.hbs:2:1 there is no partial heder.',
    ],
  ],
  [
    'fields, each once, and what is done with them',
    {
      'README.md.hbs':
        '{{titel}} {{markdown titel}}\n{{#each tools}}{{nam}}{{/each}}\n{{#if (lookup has "bundel")}}{{versoin}}{{/if}}\n{{#with hsa}}{{x}}{{/with}}',
    },
    [
      'README.md.hbs:1:3 the view has no field titel; did you mean title?',
      'README.md.hbs:1:22 the view has no field titel; did you mean title?',
      'README.md.hbs:2:18 the view has no field nam; did you mean name?',
      'README.md.hbs:3:7 the view has no field bundel; did you mean bundle?',
      'README.md.hbs:3:32 the view has no field versoin.',
      'README.md.hbs:4:9 the view has no field hsa; did you mean has?',
    ],
  ],
  [
    'blocks that are given no value, or two',
    { 'README.md.hbs': '{{#each}}{{/each}}\n {{#if title bin}}a{{/if}}' },
    [
      'README.md.hbs:1:1 {{#each}} takes one value, and is given 0.',
      'README.md.hbs:2:2 {{#if}} takes one value, and is given 2.',
    ],
  ],
  [
    'what is no text',
    { 'README.md.hbs': '{{tools}} {{has}}\n{{#each tools}}{{this}}{{/each}}\n{{lookup this "has"}}' },
    [
      'README.md.hbs:1:1 tools is a list of objects, and no text: {{#each}} goes through it.',
      'README.md.hbs:1:11 has is an object, and no text: name a member of it, or write it by {{json}}.',
      'README.md.hbs:2:16 this is an object, and no text: name a member of it, or write it by {{json}}.',
      'README.md.hbs:3:1 lookup is an object, and no text: name a member of it, or write it by {{json}}.',
    ],
  ],
  [
    'in several templates and their partials',
    {
      'README.md.hbs': '{{titel}}{{> a}}',
      'Dockerfile.hbs': '{{nmae}}',
      'src/main.ts.hbs': '// {{haeder}}',
      'partials/a.hbs': '\n{{binn}}',
    },
    [
      'README.md.hbs:1:3 the view has no field titel; did you mean title?',
      'partials/a.hbs:2:3 the view has no field binn; did you mean bin? (It is a part of README.md.hbs.)',
      'Dockerfile.hbs:1:3 the view has no field nmae.',
      'src/main.ts.hbs:1:6 the view has no field haeder; did you mean header?',
    ],
  ],
  [
    'partials that cannot be read, each',
    {
      'README.md.hbs': '{{> a}}{{> b}}',
      'partials/a.hbs': '{{#if}}',
      'partials/b.hbs': 'x\n{{shout}}\n{{/if}}',
    },
    [
      'partials/a.hbs:1:8 it ends where a block or a tag is still open. (It is a part of README.md.hbs.)',
      'partials/b.hbs:3:1 the tag cannot be read from here, or closes what is not open. (It is a part of README.md.hbs.)',
    ],
  ],
  [
    'helpers that are given nothing, or too little',
    { 'README.md.hbs': 'a {{markdown}}\n{{json}} {{member bin}} {{module}}' },
    [
      'README.md.hbs:1:3 {{markdown}}: it is given too little; it is called as {{markdown text}}',
      'README.md.hbs:2:1 {{json}}: it is given too little; it is called as {{json value}}',
      'README.md.hbs:2:10 {{member}}: it is given too little; it is called as {{member name value}}',
      "README.md.hbs:2:25 {{module}}: it is given too little; it is called as {{module './server'}}",
    ],
  ],
])('%s', async (_, files, want) => {
  expect(await told(files)).toEqual(want);
});

const PACKAGE = '"name": "x", "version": "1.0.0", "type": "module", "scripts": { "build": "a", "test": "b" }';

test.each<[string, Record<string, string>, string]>([
  [
    'code, in a line of the template',
    { 'src/main.ts.hbs': '// {{header}}\n\nimport { x from "y";\n' },
    'src/main.ts.hbs:3:12 what it makes cannot be read at line 3, column 12, of "import { x from \\"y\\";": \',\' expected.',
  ],
  [
    'after a block whose lines are gone',
    { 'src/main.ts.hbs': '{{#if header}}\nconst a = 1;\n{{/if}}\n\n  const = 2;\n' },
    'src/main.ts.hbs:5:9 what it makes cannot be read at line 3, column 9, of "const = 2;": Variable declaration expected.',
  ],
  [
    'what a tag makes',
    { 'src/main.ts.hbs': 'const a = 1;\nconst b = {{header}};\n' },
    'src/main.ts.hbs:2:11 what it makes cannot be read',
  ],
  [
    'in a partial, in a loop',
    {
      'compose.yaml.hbs': 'a:\n{{#each variables}}{{> row}}{{/each}}\nb: [1\nc: ]\n',
      'partials/row.hbs': '  - x\n',
    },
    'compose.yaml.hbs:4:1 what it makes cannot be read',
  ],
  [
    'of a partial',
    { 'tsconfig.json.hbs': '{ "a": {{> list}} }\n', 'partials/list.hbs': '[1,\n  "b" "c"]' },
    'partials/list.hbs:2:7 what it makes cannot be read at line 2, column 7, of "\\"b\\" \\"c\\"] }": Unexpected token, expected ",". (It is a part of tsconfig.json.hbs.)',
  ],
  [
    'data with a hole in it',
    { 'package.json.hbs': `{ ${PACKAGE},\n  "files": [1,, 2] }` },
    'package.json.hbs:2:15 what it makes is not JSON: value expected.',
  ],
  [
    'data that ends too early',
    { 'server.json.hbs': '{ "a":\n' },
    'server.json.hbs:2:1 what it makes is not JSON: value expected.',
  ],
  [
    'data that is a list',
    { 'manifest.json.hbs': '\n[]' },
    'manifest.json.hbs:1:1 what it makes is not a JSON object.',
  ],
  [
    'a package that is a word',
    { 'package.json.hbs': 'hello' },
    'package.json.hbs:1:1 what it makes is not JSON: invalid symbol.',
  ],
  [
    'a package without scripts',
    { 'package.json.hbs': '{ "name": {{json name}}, "version": {{json version}}, "type": "module" }' },
    'package.json.hbs:1:1 what it makes lacks "scripts.build", "scripts.test": each is a text, and the project does not work without.',
  ],
  [
    'a package whose scripts are none',
    { 'package.json.hbs': `{ ${PACKAGE.replace(/\{.*\}/, '3')} }` },
    'package.json.hbs:1:1 what it makes lacks "scripts.build", "scripts.test": each',
  ],
  [
    'a package of another kind',
    { 'package.json.hbs': `{ ${PACKAGE.replace('module', 'commonjs')} }` },
    'package.json.hbs:1:1 what it makes has another "type" than "module", and its code is modules.',
  ],
])('what cannot be read of the output: %s', async (_, files, want) => {
  const [only = '', ...others] = await told(files);
  expect(only.slice(0, want.length)).toBe(want);
  expect(others).toEqual([]);
});

test('where a helper takes the marks away by which places are found, there is no place', async () => {
  const lower = (...parameters: unknown[]): string => {
    const { fn } = parameters.at(-1) as { fn: (view: unknown) => string };
    return fn({}).replaceAll(/[^\x20-\x7e]/g, '');
  };
  const helpers = { functions: { ascii: lower }, placeOf: () => undefined };
  expect(await told({ 'src/main.ts.hbs': '{{#ascii}}const = 1;{{/ascii}}' }, helpers)).toEqual([
    expect.stringMatching(/^nowhere what it makes cannot be read/),
  ]);
});
