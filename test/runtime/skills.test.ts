// Skills: their list, single ones, their files and folders, in each era.
import { expect, test } from 'vitest';
import { makeClient, makeServer } from './core.ts';

const text = '---\nname: refunds\n---\n';
const entry = (uri: string) => ({ uri, digest: 'sha256:0', size: 1 });
const refunds = {
  uri: 'skill://refunds/SKILL.md',
  frontmatter: { name: 'refunds', description: 'Gives money back.' },
  resources: ['SKILL.md', 'references/policy.md', 'a%20b.bin'].map((path) =>
    entry(`skill://refunds/${path}`),
  ),
};
const other = { ...refunds, uri: 'skill://other/SKILL.md', resources: [] };
const skills = JSON.stringify({
  skills: [refunds, other],
  files: {
    'skill://refunds/SKILL.md': { mimeType: 'text/markdown', text },
    'skill://refunds/references/policy.md': { mimeType: 'text/markdown', text: 'Be kind.' },
    'skill://refunds/a%20b.bin': { mimeType: 'application/octet-stream', blob: 'AA==' },
  },
});
const listed = { uri: refunds.uri, name: 'refunds', mimeType: 'text/markdown' };

interface Reply {
  result?: Record<string, unknown>;
  error?: { code: number; data?: unknown };
}

async function open(era: 'legacy' | 'modern', pageSize?: number) {
  const catalog = { resources: [listed] };
  const server = makeServer({ skills, catalog, ...(pageSize !== undefined && { pageSize }) }, []);
  const { send } = makeClient(server, []);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  let id = 0;
  const ask = async (method: string, params: object = {}): Promise<Reply> => {
    const request = era === 'modern' ? { ...params, _meta } : params;
    return (await send({ jsonrpc: '2.0', id: ++id, method, params: request })) as Reply;
  };
  const clientInfo = { name: 'test', version: '1' };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const { result } = era === 'legacy' ? await ask('initialize', hello) : await ask('server/discover');
  return { ask, capabilities: result?.['capabilities'] };
}

test.each(['legacy', 'modern'] as const)('%s: what a client finds and reads', async (era) => {
  const { ask, capabilities } = await open(era);
  const extensions = { 'io.modelcontextprotocol/skills': { directoryRead: true } };
  expect(capabilities).toMatchObject({ extensions });
  const hint = era === 'modern' ? { cacheScope: 'public' } : {};
  expect((await ask('skills/list')).result).toMatchObject({ skills: [refunds, other], ...hint });
  expect((await ask('skills/get', { uri: refunds.uri })).result).toMatchObject({ skill: refunds, ...hint });
  const uri = 'skill://refunds/references/policy.md';
  const contents = [{ uri, mimeType: 'text/markdown', text: 'Be kind.' }];
  expect((await ask('resources/read', { uri })).result).toMatchObject({ contents });
  expect((await ask('resources/read', { uri: refunds.uri })).result).toMatchObject({ contents: [{ text }] });
  const folder = await ask('resources/directory/read', { uri: 'skill://refunds' });
  expect(folder.result?.['resources']).toEqual([
    { uri: refunds.uri, name: 'SKILL.md', mimeType: 'text/markdown' },
    { uri: 'skill://refunds/references', name: 'references', mimeType: 'inode/directory' },
    { uri: 'skill://refunds/a%20b.bin', name: 'a b.bin', mimeType: 'application/octet-stream' },
  ]);
});

test.each<[string, object]>([
  ['skills/get', { uri: 'skill://none/SKILL.md' }],
  ['skills/get', { uri: '__proto__' }],
  ['skills/get', {}],
  ['resources/directory/read', { uri: 'skill://refunds/SKILL.md' }],
  ['resources/directory/read', { uri: 'skill:/' }],
  ['resources/read', { uri: 'skill://refunds/references' }],
])('%s of %j finds nothing', async (method, params) => {
  const { ask } = await open('modern');
  expect((await ask(method, params)).error?.code).toBe(-32602);
});

test('lists have pages', async () => {
  const { ask } = await open('modern', 1);
  const first = (await ask('skills/list')).result ?? {};
  expect(first).toMatchObject({ skills: [refunds] });
  const { result } = await ask('skills/list', { cursor: first['nextCursor'] });
  expect(result).toMatchObject({ skills: [other] });
  expect(result).not.toHaveProperty('nextCursor');
  expect((await ask('skills/list', { cursor: 'forged' })).error?.code).toBe(-32602);
});
