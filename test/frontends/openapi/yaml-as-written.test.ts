/** YAML is read as it is written: names are texts, and a value of another type is read where its meaning is plain. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compile } from '../../../src/api/compile.ts';
import type { JsonSchemaObject } from '../../../src/util/json-schema.ts';
import { temporaryFolder } from '../../write/project-on-disk.ts';

async function compiled(operation: string, files: Record<string, string> = {}) {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const head = `openapi: 3.0.3
info: {title: Yaml, version: '1'}
servers: [{url: 'https://api.example.com'}]
paths:
  /a:
    post:
      operationId: a
      responses: {'204': {description: ok}}
`;
  const indented = operation.replaceAll(/^(?=.)/gm, '      ');
  writeFileSync(join(cwd, 'api.yaml'), head + indented);
  const { model, diagnostics } = await compile({ source: 'api.yaml', cwd });
  const [tool] = model?.tools ?? [];
  return {
    tool,
    schema: tool?.inputSchema as JsonSchemaObject,
    messages: diagnostics.filter(({ severity }) => severity !== 'info').map(({ message }) => message),
  };
}

const bodyOf = (schema: string): string =>
  `requestBody:
  required: true
  content:
    application/json:
      schema:
        type: object
${schema.replaceAll(/^(?=.)/gm, '        ')}`;

test('keys and names of required members are texts', async () => {
  const { schema, messages } = await compiled(
    bodyOf(`required: [007, 1.10, true, null]
properties:
  007: {type: string}
  1.10: {type: string}
  0x1F: {type: string}
  1e3: {type: string}
  12345678901234567890: {type: string}
  true: {type: string}
  null: {type: string}
`),
  );
  expect(messages).toEqual([]);
  expect(Object.keys(schema.properties ?? {})).toEqual([
    '007',
    '1.10',
    '0x1F',
    '1e3',
    '12345678901234567890',
    'true',
    'null',
  ]);
  expect(schema.required).toEqual(['007', '1.10', 'true', 'null']);
});

test('booleans in quotes are read, with a warning', async () => {
  const { tool, schema, messages } = await compiled(
    `parameters:
  - {name: q, in: query, required: "true", explode: "false", schema: {type: array, items: {type: string}}}
  - {name: n, in: query, required: "yes", schema: {type: string, nullable: "true"}}
`,
  );
  expect(schema.required).toEqual(['q']);
  expect(schema.properties?.n).toMatchObject({ type: ['string', 'null'] });
  expect(tool?.binding).toMatchObject({ parameters: [{ name: 'q', explode: false }, { name: 'n' }] });
  expect(messages.toSorted()).toEqual([
    'The keyword nullable is the text "true". It is read as true.',
    '`explode` should be true or false, but it is the text "false". It is read as false.',
    '`required` should be true or false, but it is a string. It is ignored.',
    '`required` should be true or false, but it is the text "true". It is read as true.',
  ]);
});

test.each([
  ['{type: [string, null]}', { type: ['string', 'null'] }, 0],
  ['{type: null}', { type: 'null' }, 0],
  ['{type: Object, properties: {x: {type: string}}}', { properties: { x: { type: 'string' } } }, 1],
  ['{type: foo, description: Hello., enum: [a]}', { description: 'Hello.', enum: ['a'] }, 1],
])('a type, and its siblings: %s', async (written, want, warnings) => {
  const { schema, messages } = await compiled(bodyOf(`properties: {x: ${written}}\n`));
  expect(schema.properties?.x).toMatchObject(want);
  expect(messages).toHaveLength(warnings);
});

test('`properties` may be a reference', async () => {
  const attributes = 'attributes: {ids: {type: array, items: {type: integer}}}\n';
  const { schema, messages } = await compiled(
    bodyOf("required: [ids]\nproperties: {$ref: 'more.yml#/attributes'}\n"),
    { 'more.yml': attributes },
  );
  expect([messages, schema.properties, schema.required]).toEqual([
    [],
    { ids: { type: 'array', items: { type: 'integer' } } },
    ['ids'],
  ]);
});

test('the names of parameters are texts', async () => {
  const { tool, schema, messages } = await compiled(
    `parameters: [{name: 007, in: query, schema: {type: string}}, {name: true, in: query, schema: {type: string}}]
`,
  );
  expect([messages, Object.keys(schema.properties ?? {})]).toEqual([[], ['007', 'true']]);
  expect(tool?.binding).toMatchObject({ parameters: [{ name: '007' }, { name: 'true' }] });
});

test('members beside the reference of `properties` stay, and so does a closed object', async () => {
  const { schema, messages } = await compiled(
    bodyOf(`properties:
  in:
    additionalProperties: "false"
    properties: {$ref: 'more.yml#/attributes', size: {type: integer}}
`),
    { 'more.yml': 'attributes: {id: {type: string}}\n' },
  );
  expect(schema.properties?.in).toEqual({
    type: 'object',
    properties: { id: { type: 'string' }, size: { type: 'integer' } },
    additionalProperties: false,
  });
  expect(messages).toEqual(['The keyword additionalProperties is the text "false". It is read as false.']);
});
