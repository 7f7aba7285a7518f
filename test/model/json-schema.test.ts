import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { JsonSchemaObject } from '../../src/util/json-schema.ts';
import { definitionNameOf, collectRefs } from '../../src/model/schema-walk.ts';
import { wholeModel } from './support.ts';

const file = new URL('../../schema/server-model.json', import.meta.url);
const schema = JSON.parse(readFileSync(file, 'utf8')) as AnySchemaObject & JsonSchemaObject;
const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);

test('a derived model conforms to the committed schema', () => {
  expect(validate(JSON.parse(JSON.stringify(wholeModel())))).toBe(true);
  expect(validate.errors).toBeNull();
});

test.each([
  ['another format', { format: 2 }],
  ['an unknown member', { extra: 1 }],
  ['a tool without its binding', { tools: [{ name: 'x', inputSchema: { type: 'object' } }] }],
  [
    'an input schema of another type',
    { tools: [{ ...wholeModel().tools[0], inputSchema: { type: 'array' } }] },
  ],
])('%s does not conform', (_what, change) => {
  expect(validate({ ...wholeModel(), ...change })).toBe(false);
});

test('every reference of the schema has its definition', () => {
  for (const ref of collectRefs(schema))
    expect(schema.$defs).toHaveProperty([definitionNameOf(ref) ?? 'no name']);
});

const script = fileURLToPath(new URL('../../scripts/schema.mjs', import.meta.url));

test('the schema is written without a build, which needs the types that are written with it', () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ scripts: { schema: 'node scripts/schema.mjs' } });
  expect(readFileSync(script, 'utf8')).not.toContain('dist/');
});

test('the committed schema is what the types say', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
