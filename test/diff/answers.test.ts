// What a tool returns of an answer (`x-mcp.output`) is in no listing without output schemas: each form of a side tells it nevertheless.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeChange } from '../../src/cli/render-diff.ts';
import { compile, diff, generate } from '../../src/index.ts';

const cwd = mkdtempSync(join(tmpdir(), 'mcpgen-diff-answers-'));
afterAll(() => {
  rmSync(cwd, { recursive: true });
});

interface Rule {
  select?: string[];
  drop?: string[];
}

const text = { type: 'string' };
const owner = { type: 'object', properties: { name: text, mail: text } };
const pet = { type: 'object', properties: { id: text, tag: text, 'a.b': text, owner } };

function writeDocument(output: Rule): void {
  const responses = { 200: { description: 'A pet', content: { 'application/json': { schema: pet } } } };
  const get = {
    operationId: 'getPet',
    description: 'Reads the pet of the day.',
    responses,
    'x-mcp': { output },
  };
  const paths = { '/pet': { post: get } };
  const info = { title: 'Pets', version: '1' };
  const servers = [{ url: 'https://pets.example' }];
  writeFileSync(join(cwd, 'pets.json'), JSON.stringify({ openapi: '3.1.0', info, servers, paths }));
}

test.each<[before: Rule, after: Rule, want: string[]]>([
  [{}, {}, []],
  [{ drop: ['tag'] }, { drop: ['tag'] }, []],
  [
    {},
    { drop: ['tag', 'owner.mail'] },
    ['breaking: result tag: removed', 'breaking: result owner.mail: removed'],
  ],
  [{ drop: ['tag'] }, {}, ['compatible: result tag: added']],
  [{ drop: ['owner'] }, { drop: ['owner.mail'] }, ['compatible: result owner: added']],
  [{}, { select: ['id', 'owner.name'] }, ['breaking: result: only id, owner.name returned now']],
  [{ select: ['id'] }, {}, ['compatible: result: all members returned now']],
  [{ select: ['id', 'tag'] }, { select: ['tag'] }, ['breaking: result id: removed']],
  [{ select: ['id'] }, { select: ['id', 'a\\.b'] }, ['compatible: result a\\.b: added']],
  [{ select: ['owner'] }, { select: ['owner.name'] }, ['breaking: result owner: returned in part now']],
  [{ select: ['owner.name'] }, { select: ['owner'] }, ['compatible: result owner: added']],
])('%j, then %j', async (before, after, want) => {
  const run = { source: 'pets.json', cwd, outputSchema: 'off' as const };
  writeDocument(before);
  const { model } = await compile(run);
  expect(await generate({ ...run, dir: 'out', force: true })).toMatchObject({ ok: true });
  if (model === undefined) throw new Error('It does not compile.');
  writeDocument(after);
  for (const side of [{ project: 'out' }, { model }]) {
    const compared = await diff({ before: side, after: { compile: run }, cwd });
    const changes = compared.diff?.changes ?? [];
    expect(changes.map((change) => `${change.effect}: ${describeChange(change)}`)).toEqual(want);
  }
});

test('with output schemas on both sides, the schemas tell it, once', async () => {
  const run = { source: 'pets.json', cwd, outputSchema: 'loose' as const };
  writeDocument({});
  const { model } = await compile(run);
  if (model === undefined) throw new Error('It does not compile.');
  writeDocument({ drop: ['tag'] });
  const compared = await diff({ before: { model }, after: { compile: run }, cwd });
  expect(compared.diff?.changes.map(describeChange)).toEqual(['result tag: removed']);
});
