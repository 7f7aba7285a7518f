// `_meta`, skills and the server's card: what clients of both eras get of a document with them.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import { printBindings, printCatalog, printSkills } from '../../src/emit/data-files.ts';
import type { Revision } from '../../templates/runtime/protocol/revisions.ts';
import type { Guard } from '../../templates/runtime/feature-loaders.ts';
import { parseSettings, listWellKnownTexts } from '../../templates/runtime/main/settings.ts';
import { HttpRefusal } from '../../templates/runtime/transports/http/http-answer.ts';
import { makeServerDocuments } from '../../templates/runtime/transports/http/serve-http.ts';
import { type ServerParts, newServer } from '../runtime/core/harness.ts';
import { ALL, plain, speaking } from '../runtime/rules/speaking.ts';
import { start } from '../runtime/transports/http-harness.ts';

const SKILL = '---\nname: refunds\ndescription: Gives money back.\n---\n\nSee [how](docs/how.md).\n';
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  servers: [{ url: 'https://api.example.com' }],
  'x-mcp': { _meta: { 'com.example/owner': 'pets' } },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'List pets',
        'x-mcp': { _meta: { 'com.example/cost': 3 } },
        responses: { 200: { description: 'ok', content: { 'text/plain': { schema: { type: 'string' } } } } },
      },
    },
  },
  'x-mcp-prompts': [{ name: 'plan', template: 'Plan.', _meta: { 'com.example/kind': 'work' } }],
};

async function compiled(files: Record<string, string> = {}): Promise<ServerParts> {
  const dir = mkdtempSync(join(tmpdir(), 'mcpgen-extensions-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'pets.json'), JSON.stringify(DOCUMENT));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, 'skills', path, '..'), { recursive: true });
    writeFileSync(join(dir, 'skills', path), text);
  }
  const { model, diagnostics } = await compile({
    source: 'pets.json',
    cwd: dir,
    _meta: { 'com.example/team': [1] },
  });
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  return {
    catalog: JSON.parse(printCatalog(model)) as ServerParts['catalog'] & object,
    bindings: JSON.parse(printBindings(model)) as ServerParts['bindings'] & object,
    ...(model.skills === undefined ? {} : { skills: printSkills(model.skills) }),
    ...(model._meta === undefined ? {} : { meta: model._meta as NonNullable<ServerParts['meta']> }),
  };
}

const FILES = {
  'refunds/SKILL.md': SKILL,
  'refunds/docs/how.md': 'Ask.\n',
  'refunds/docs/deep/b.txt': 'b',
  'other/SKILL.md': SKILL.replace('refunds', 'other').replace('docs/how.md', 'SKILL.md'),
};

async function client(revision: Revision, parts: ServerParts) {
  const server = newServer(parts);
  const modern = async (): Promise<never> => {
    throw new Error('Not used.');
  };
  return speaking(revision, { ...server, ran: () => 0, modern });
}

test.each(ALL)('%s: _meta is listed where the revision knows it', async (revision) => {
  const { put } = await client(revision, await compiled());
  const knows = revision >= '2025-06-18';
  const meta = (value: unknown) => (knows ? value : undefined);
  const { result: tools } = await put('tools/list');
  expect(tools).toMatchObject({ tools: [{ name: 'listPets' }] });
  expect((tools?.['tools'] as { _meta?: object }[])[0]?._meta).toEqual(meta({ 'com.example/cost': 3 }));
  const { result: prompts } = await put('prompts/list');
  expect((prompts?.['prompts'] as { _meta?: object }[])[0]?._meta).toEqual(
    meta({ 'com.example/kind': 'work' }),
  );
  const { result: resources } = await put('resources/list');
  expect((resources?.['resources'] as { _meta?: object }[])[0]?._meta).toEqual(
    meta({ 'com.example/cost': 3 }),
  );
});

test.each(ALL)('%s: _meta and the extension are those of the server', async (revision) => {
  const parts = await compiled(FILES);
  const modern = revision === '2026-07-28';
  const { result } = modern
    ? await (await client(revision, parts)).put('server/discover')
    : await newServer(parts).ask('initialize', {
        protocolVersion: revision,
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      });
  expect(result).toMatchObject({
    capabilities: {
      resources: {},
      extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
    },
    _meta: { 'com.example/owner': 'pets', 'com.example/team': [1] },
  });
});

test.each(ALL)('%s: skills are listed, got and read, and their digests are right', async (revision) => {
  const { put } = await client(revision, await compiled(FILES));
  const { result: list = {} } = await put('skills/list');
  const { skills } = plain(list) as {
    skills: {
      uri: string;
      frontmatter: object;
      resources: { uri: string; digest: string; size: number }[];
    }[];
  };
  expect(skills.map(({ uri }) => uri)).toEqual(['skill://other/SKILL.md', 'skill://refunds/SKILL.md']);
  expect(skills[1]?.frontmatter).toEqual({ name: 'refunds', description: 'Gives money back.' });
  const [, refunds] = skills;
  expect(plain((await put('skills/get', { uri: refunds?.uri })).result)).toEqual({ skill: refunds });
  for (const { uri, digest, size } of refunds?.resources ?? []) {
    const { result = {} } = await put('resources/read', { uri });
    const [{ text = '' } = {}] = plain(result)['contents'] as { text?: string }[];
    expect(createHash('sha256').update(text).digest('hex')).toBe(digest.replace('sha256:', ''));
    expect(Buffer.byteLength(text)).toBe(size);
  }
  expect(refunds?.resources).toHaveLength(3);
  const { result: resources } = await put('resources/list');
  expect(resources?.['resources']).toContainEqual({
    uri: 'skill://refunds/SKILL.md',
    name: 'refunds',
    description: 'Gives money back.',
    mimeType: 'text/markdown',
  });
  if (revision === '2026-07-28')
    expect(list).toMatchObject({ ttlMs: expect.any(Number), cacheScope: 'public' });
});

test.each(ALL)('%s: folders of skills are read, one level at a time', async (revision) => {
  const { put } = await client(revision, await compiled(FILES));
  const read = async (uri: string) =>
    plain((await put('resources/directory/read', { uri })).result)['resources'];
  expect(await read('skill://refunds')).toEqual([
    { uri: 'skill://refunds/SKILL.md', name: 'SKILL.md', mimeType: 'text/markdown' },
    { uri: 'skill://refunds/docs', name: 'docs', mimeType: 'inode/directory' },
  ]);
  expect(await read('skill://refunds/docs')).toEqual([
    { uri: 'skill://refunds/docs/deep', name: 'deep', mimeType: 'inode/directory' },
    { uri: 'skill://refunds/docs/how.md', name: 'how.md', mimeType: 'text/markdown' },
  ]);
});

test.each<[string, object]>([
  ['skills/get', { uri: 'skill://refunds' }],
  ['skills/get', { uri: 'skill://refunds/docs/how.md' }],
  ['skills/get', { uri: 'skill://no/SKILL.md' }],
  ['skills/get', {}],
  ['skills/list', { cursor: 'x' }],
  ['resources/directory/read', { uri: 'skill://refunds/SKILL.md' }],
  ['resources/directory/read', { uri: 'skill://refunds/' }],
  ['resources/directory/read', { uri: 'skill://no' }],
  ['resources/directory/read', { uri: 'skill:/' }],
  ['resources/read', { uri: 'skill://refunds/../../pets.json' }],
  ['resources/read', { uri: 'skill://refunds/%2e%2e/pets.json' }],
  ['resources/read', { uri: 'skill://refunds/docs' }],
  ['resources/read', { uri: 'skill://__proto__' }],
])('%s of %j is refused', async (method, params) => {
  const { put } = await client('2026-07-28', await compiled(FILES));
  expect(await put(method, params)).toMatchObject({ error: { code: -32602 } });
});

test.each(ALL)('%s: a server without skills has neither the extension nor its methods', async (revision) => {
  const { put } = await client(revision, await compiled());
  expect(await put('skills/list')).toMatchObject({ error: { code: -32601 } });
  expect(await put('resources/directory/read', { uri: 'skill://a' })).toMatchObject({
    error: { code: -32601 },
  });
});

test('a page of skills ends where the others begin', async () => {
  const { put } = await client('2025-11-25', { ...(await compiled(FILES)), pageSize: 1 });
  const { result: first } = await put('skills/list');
  const { result: second } = await put('skills/list', { cursor: first?.['nextCursor'] });
  const uris = [first, second].map((each) => (each?.['skills'] as { uri: string }[]).map(({ uri }) => uri));
  expect(uris).toEqual([['skill://other/SKILL.md'], ['skill://refunds/SKILL.md']]);
  expect(second?.['nextCursor']).toBeUndefined();
});

const INFO = {
  name: '@ada/pets-mcp',
  title: 'Pets',
  version: '1.2.0',
  description: 'Keeps pets. '.repeat(20),
};

test('the card and the catalog are for anyone, and say how to reach the server', async () => {
  const described = { info: INFO, card: undefined, meta: { 'com.example/owner': 'pets' } };
  const documents = makeServerDocuments(described, {
    path: '/mcp',
    catalogPath: '/.well-known/ai-catalog.json',
  });
  const { send } = await start({ documents, rules: { host: '0.0.0.0', allowedOrigins: [] } });
  const host = 'mcp.example.com:8443';
  const card = await send('GET', '/mcp/server-card', { host, origin: 'https://elsewhere.example' });
  expect(card).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/mcp-server-card+json',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'Content-Type, If-None-Match',
      'access-control-expose-headers': 'ETag',
      'cache-control': 'public, max-age=3600',
    },
  });
  const said = card.json() as unknown as { description: string };
  expect(said).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'com.example.mcp/pets-mcp',
    version: '1.2.0',
    title: 'Pets',
    description: expect.stringMatching(/^Keeps pets\..*…$/),
    remotes: [
      {
        type: 'streamable-http',
        url: `http://${host}/mcp`,
        supportedProtocolVersions: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
      },
    ],
    _meta: { 'com.example/owner': 'pets' },
  });
  expect(said.description).toHaveLength(100);
  const etag = String(card.headers['etag']);
  const known = await send('GET', '/mcp/server-card', { host, 'if-none-match': `"x", W/${etag}` });
  expect([known.status, known.text]).toEqual([304, '']);
  const catalog = await send('GET', '/.well-known/ai-catalog.json', { host });
  expect(catalog.headers['content-type']).toBe('application/ai-catalog+json');
  expect(catalog.json()).toEqual({
    specVersion: '1.0',
    entries: [
      {
        identifier: 'urn:air:mcp.example.com:mcp:pets-mcp',
        type: 'application/mcp-server-card+json',
        url: `http://${host}/mcp/server-card`,
      },
    ],
  });
  expect(await send('POST', '/mcp/server-card', { host })).toMatchObject({ status: 405 });
});

test('the card of a published server has what server.json has', async () => {
  const card = {
    name: 'io.github.ada/pets-mcp',
    description: 'For pets.',
    websiteUrl: 'https://pets.example',
    repository: { url: 'https://github.com/ada/pets', source: 'github' },
  };
  const described = { info: INFO, card, meta: undefined };
  const { send } = await start({
    documents: makeServerDocuments(described, { path: '/', catalogPath: '/c' }),
  });
  expect((await send('GET', '/server-card', {})).json()).toMatchObject(card);
  expect((await send('GET', '/c', {})).json()).toMatchObject({
    entries: [{ identifier: 'urn:air:ada.github.io:mcp:pets-mcp' }],
  });
});

test.each([
  [{}, 'http'],
  [{ 'x-forwarded-proto': 'https' }, 'https'],
])('a trusted proxy says how clients reach the server: %j', async (headers, scheme) => {
  const proxies = new BlockList();
  proxies.addAddress('127.0.0.1');
  const described = { info: INFO, card: undefined, meta: undefined };
  for (const trusted of [proxies, undefined]) {
    const documents = makeServerDocuments(described, { path: '/mcp', catalogPath: '/c', proxies: trusted });
    const { send } = await start({ documents, rules: { host: '0.0.0.0', allowedOrigins: [] } });
    const { text } = await send('GET', '/mcp/server-card', { host: 'a.example', ...headers });
    const want = trusted === undefined ? 'http' : scheme;
    expect(JSON.parse(text)).toMatchObject({ remotes: [{ url: `${want}://a.example/mcp` }] });
  }
});

test('the card needs no token where all else does', async () => {
  const guard: Guard = {
    documents: new Map(),
    admitRequest: () => Promise.reject(new HttpRefusal(401, 'No token.')),
    demandScopes: () => undefined,
    coversScopes: () => false,
    scopeChallenge: () => '',
  };
  const described = { info: INFO, card: undefined, meta: undefined };
  const documents = makeServerDocuments(described, { path: '/mcp', catalogPath: '/c' });
  const { send, post } = await start({ documents, guard });
  expect((await send('GET', '/c', {})).status).toBe(200);
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(401);
  // Another site that points a name of its own at this machine reads nothing.
  expect((await send('GET', '/mcp/server-card', { host: 'evil.example' })).status).toBe(403);
});

test('texts of MCP_WELL_KNOWN_<NAME> are served to everybody, and no path of the endpoint takes their place', async () => {
  const env = {
    MCP_WELL_KNOWN_OPENAI_APPS_CHALLENGE: 'token-1',
    MCP_WELL_KNOWN_OTHER: '',
    MCP_WELL_KNOWN_: 'x',
  };
  const wellKnown = listWellKnownTexts(env);
  expect(wellKnown).toEqual([['/.well-known/openai-apps-challenge', 'token-1']]);
  const described = { info: { name: 'pets-mcp', version: '1.0.0' } } as Parameters<
    typeof makeServerDocuments
  >[0];
  const documents = makeServerDocuments(described, { path: '/mcp', catalogPath: '/catalog', wellKnown });
  const { send } = await start({ documents });
  const answer = await send('GET', '/.well-known/openai-apps-challenge', {});
  expect(answer).toMatchObject({ status: 200, text: 'token-1' });
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect((await send('GET', '/.well-known/other', {})).status).toBe(404);
  const flags = new Map([['path', ['/.well-known/openai-apps-challenge']]]);
  await expect(parseSettings(flags, env)).rejects.toThrow('/.well-known/openai-apps-challenge');
});
