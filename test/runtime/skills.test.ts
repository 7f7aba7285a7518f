// Skills that are not there, and pages of their list. What clients find and read: test/wire/extensions.test.ts.
import { expect, test } from 'vitest';
import { meta } from './client.ts';
import { newServer } from './harness.ts';

const refunds = { uri: 'skill://refunds/SKILL.md', frontmatter: { name: 'refunds' }, resources: [] };
const other = { ...refunds, uri: 'skill://other/SKILL.md' };
const file = { mimeType: 'text/markdown', text: 'Be kind.' };
const skills = JSON.stringify({
  skills: [refunds, other],
  files: { [refunds.uri]: file, 'skill://refunds/references/policy.md': file },
});

function open(pageSize?: number) {
  const catalog = { resources: [{ uri: refunds.uri, name: 'refunds' }] };
  const { ask } = newServer({ skills, catalog, pageSize });
  return (method: string, params: object = {}) => ask(method, { ...params, _meta: meta });
}

test.each<[string, object]>([
  ['skills/get', { uri: 'skill://none/SKILL.md' }],
  ['skills/get', { uri: '__proto__' }],
  ['skills/get', {}],
  ['resources/directory/read', { uri: refunds.uri }],
  ['resources/directory/read', { uri: 'skill:/' }],
  ['resources/read', { uri: 'skill://refunds/references' }],
])('%s of %j finds nothing', async (method, params) => {
  expect((await open()(method, params)).error?.code).toBe(-32602);
});

test('lists have pages', async () => {
  const ask = open(1);
  const first = (await ask('skills/list')).result ?? {};
  expect(first).toMatchObject({ skills: [refunds] });
  const { result } = await ask('skills/list', { cursor: first['nextCursor'] });
  expect(result).toMatchObject({ skills: [other] });
  expect(result).not.toHaveProperty('nextCursor');
  expect((await ask('skills/list', { cursor: 'forged' })).error?.code).toBe(-32602);
});
