// What `--read-only` serves. What `--confirm destructive` asks: confirm.test.ts.
import { expect, test } from 'vitest';
import { openServer } from '../harness.ts';
import { call, inputSchema, openPets, readOnlyHint } from './pets.ts';

async function openReadOnly() {
  const { api, parts } = await openPets({ flags: { 'read-only': true } });
  return { api, server: await openServer(parts) };
}

test('a server that only reads lists and reads nothing else', async () => {
  const { api, server } = await openReadOnly();
  const { tools } = (await server.ask('tools/list')).result as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(['listPets', 'byCode']);
  const { resources } = (await server.ask('resources/list')).result as { resources: { uri: string }[] };
  expect(resources.map(({ uri }) => uri)).toEqual(['pets://pets']);
  expect((await server.ask('resources/templates/list')).result?.['resourceTemplates'] ?? []).toEqual([]);
  for (const uri of ['pets://purge', 'pets://purge/1'])
    expect((await server.ask('resources/read', { uri })).error).toBeDefined();
  expect(api.requests).toEqual([]);
});

test.each(['addPet', 'dropPet', 'purgePets', 'silent'])(
  '%s is unknown to clients and to code while the server only reads',
  async (name) => {
    const { api, server } = await openReadOnly();
    expect(await call(server, name)).toContain(`Unknown tool: ${name}`);
    expect(await call(server, 'byCode', { tool: name })).toMatchObject({
      text: expect.stringContaining(`Unknown tool: ${name}`) as string,
    });
    expect(api.requests).toEqual([]);
  },
);

test.each([
  ['put', 'put', []],
  ['addPet', 'addPet', []],
  ['purgePets', 'purgePets', []],
  ['head', undefined, ['HEAD /pets']],
  ['listPets', undefined, ['GET /pets']],
])('code that calls the operation %s of an API', async (operation, refused, sent) => {
  const { api, server } = await openReadOnly();
  const words = JSON.stringify((await call(server, 'byCode', { operation })) ?? '');
  if (refused === undefined) expect(words).not.toContain('--read-only');
  else
    expect(words).toContain(`${refused} was not called: it may change data, and the server is --read-only.`);
  expect(api.requests).toEqual(sent);
});

test('a function of a hidden tool is no resource and no prompt of a server that only reads', async () => {
  const run = (name: string) => ({ kind: 'function' as const, module: 'a.ts', export: name, parameters: [] });
  const named = ['burn', 'look'];
  const server = await openServer({
    flags: { 'read-only': true },
    catalog: {
      tools: [
        { name: 'burnNote', inputSchema, annotations: { destructiveHint: true } },
        { name: 'lookUp', inputSchema, annotations: readOnlyHint },
      ],
      resources: named.map((name) => ({ uri: `notes://${name}`, name })),
      resourceTemplates: named.map((name) => ({ uriTemplate: `notes://${name}/{id}`, name })),
      prompts: [...named, 'words'].map((name) => ({ name })),
    },
    bindings: {
      tools: { burnNote: { do: run('burn') }, lookUp: { do: run('look') } },
      resources: Object.fromEntries(named.map((name) => [`notes://${name}`, { do: run(name) }])),
      resourceTemplates: Object.fromEntries(named.map((name) => [`notes://${name}/{id}`, { do: run(name) }])),
      prompts: { burn: run('burn'), look: run('look'), words: { kind: 'template', messages: [] } },
    },
  });
  const listed = async (method: string, list: string) =>
    ((await server.ask(method)).result?.[list] as { name: string }[]).map(({ name }) => name);
  expect(await listed('resources/list', 'resources')).toEqual(['look']);
  expect(await listed('resources/templates/list', 'resourceTemplates')).toEqual(['look']);
  expect(await listed('prompts/list', 'prompts')).toEqual(['look', 'words']);
  for (const uri of ['notes://burn', 'notes://burn/1'])
    expect((await server.ask('resources/read', { uri })).error).toBeDefined();
  expect((await server.ask('prompts/get', { name: 'burn' })).error).toBeDefined();
});
