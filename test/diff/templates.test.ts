// What a variable of a resource template takes is in no listing: each form of a side tells it nevertheless.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compile, diff, generate } from '../../src/index.ts';

const CODE = (id: string): string => `/**
 * One station.
 * @resource weather://stations/{id}
 */
export function station(id: ${id}): string {
  return String(id);
}
`;

const DOCUMENT = (id: string): string => `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets/{id}:
    get:
      operationId: getPet
      parameters:
        - { name: id, in: path, required: true, schema: ${id} }
      responses: { '200': { description: fine, content: { application/json: { schema: { type: object } } } } }
`;

const functions = { source: 'station.ts', typescript: { files: ['station.ts'] }, name: 'weather' };
const removed = { kind: 'value-removed', effect: 'breaking', text: 'value "b" removed' };

describe.each([
  {
    source: 'a function',
    options: functions,
    versions: ["'a' | 'b'", "'a'"].map(CODE),
    want: [{ item: 'resource template', name: 'weather://stations/{id}', ...removed }],
  },
  {
    source: 'an operation',
    options: { source: 'pets.yaml' },
    versions: ['{ type: string, enum: [a, b] }', '{ type: string, enum: [a] }'].map(DOCUMENT),
    want: [
      { item: 'tool', name: 'getPet', ...removed },
      { item: 'resource template', name: 'pets://pets/{id}', ...removed },
    ],
  },
  {
    source: 'an operation that is a resource alone',
    options: {
      source: 'pets.yaml',
      routeMap: [{ path: '/**', as: 'resource' as const }],
    },
    versions: ['{ type: string }', '{ type: integer }'].map(DOCUMENT),
    want: [
      {
        item: 'resource template',
        name: 'pets://pets/{id}',
        kind: 'type-changed',
        effect: 'breaking',
        text: 'type changed from string to integer',
      },
    ],
  },
])('a variable of a template of $source', ({ options, versions: [first = '', second = ''], want }) => {
  // The configuration of a project names its sources.
  const cwd = mkdtempSync(join(tmpdir(), 'mcpgen-diff-templates-'));
  afterAll(() => {
    rmSync(cwd, { recursive: true });
  });

  test.each(['project', 'model'] as const)('takes less than in the %s', async (form) => {
    const run = { ...options, cwd };
    writeFileSync(join(cwd, options.source), first);
    const { model } = await compile(run);
    expect(await generate({ ...run, dir: 'out', force: true })).toMatchObject({ ok: true });
    writeFileSync(join(cwd, options.source), second);
    if (model === undefined) throw new Error('It does not compile.');
    const before = form === 'project' ? { project: 'out' } : { model };
    const compared = await diff({ before, after: { compile: run }, cwd });
    expect(compared.diff?.changes).toEqual(want.map((change) => ({ ...change, side: 'input', at: 'id' })));
  });
});
