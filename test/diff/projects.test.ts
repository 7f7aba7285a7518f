// A project, and the document that it was made from.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diff, generate } from '../../src/index.ts';
import { temporaryFolder } from '../write/project-on-disk.ts';

// Too long to be listed whole, so the project lists `describe_tool`.
const description = 'x'.repeat(100);
const properties = Object.fromEntries(
  Array.from({ length: 200 }, (_, at) => [`a${String(at)}`, { type: 'string', description }]),
);
const content = { 'application/json': { schema: { type: 'object', properties } } };
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Dogs', version: '1' },
  servers: [{ url: 'https://dogs.example' }],
  paths: { '/dogs': { post: { operationId: 'addDog', requestBody: { content }, responses: {} } } },
});

test.each(['tools', 'search', 'both'] as const)(
  'nothing changes where the surface is %s',
  async (surface) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'dogs.json'), document);
    const options = { source: 'dogs.json', cwd, surface };
    expect(await generate({ ...options, dir: 'out' })).toMatchObject({ ok: true });
    const compared = await diff({ before: { project: 'out' }, after: { compile: options }, cwd });
    expect(compared.diff?.changes).toEqual([]);
  },
);
