// `_meta` and skills: what clients of both eras get of a document with them.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import { printBindings, printCatalog, printSkills } from '../../src/emit/data-files.ts';
import type { Parts } from '../runtime/core.ts';
import { hello, newServer, type ServerParts } from '../runtime/harness.ts';
import { ALL, isModernRevision, plain, speaking } from '../runtime/rules/speaking.ts';
import type { Subject } from '../runtime/rules/subject.ts';

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

async function compiled(files: Record<string, string> = {}): Promise<Parts> {
  const dir = mkdtempSync(join(tmpdir(), 'mcpgen-extensions-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'pets.json'), JSON.stringify(DOCUMENT));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, 'skills', path, '..'), { recursive: true });
    writeFileSync(join(dir, 'skills', path), text);
  }
  const { model, diagnostics } = await compile({ source: 'pets.json', cwd: dir });
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  const skills = model.skills && printSkills(model.skills);
  return {
    generated: {
      'catalog.json': printCatalog(model),
      'bindings.json': printBindings(model, false, { refuses: {}, requires: [] }),
      ...(skills !== undefined && { 'skills.json': skills }),
    },
    skills,
    meta: model._meta,
  };
}

const FILES = {
  'refunds/SKILL.md': SKILL,
  'refunds/docs/how.md': 'Ask.\n',
  'refunds/docs/deep/b.txt': 'b',
  'other/SKILL.md': SKILL.replace('refunds', 'other').replace('docs/how.md', 'SKILL.md'),
};

/** A client that has agreed with the server on the revision. */
const client = (revision: string, parts: Parts) =>
  speaking(revision, newServer(parts as ServerParts) as Subject);

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
  const parts = (await compiled(FILES)) as ServerParts;
  const { result } = isModernRevision(revision)
    ? await (await client(revision, parts)).put('server/discover')
    : await newServer(parts).ask('initialize', hello(revision));
  expect(result).toMatchObject({
    capabilities: {
      resources: {},
      extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
    },
    _meta: { 'com.example/owner': 'pets' },
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
  ['skills/list', { cursor: 'x' }],
  ['resources/directory/read', { uri: 'skill:/' }],
  ['resources/read', { uri: 'skill://refunds/../../pets.json' }],
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
