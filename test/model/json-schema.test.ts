import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { JsonSchemaObject } from '../../src/util/json-schema.ts';
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

const script = fileURLToPath(new URL('../../scripts/schema.mjs', import.meta.url));

test('the committed schema is what the types say', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
