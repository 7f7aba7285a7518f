// A project, and the document that it was made from.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diff, generate, inspect, lint } from '../../src/index.ts';
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

test('diff, inspect and lint keep the surface that `auto` chose before, as generate does', async () => {
  const cwd = temporaryFolder();
  const write = (count: number): void => {
    const paths = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `/d${String(at)}`,
        { get: { operationId: `d${String(at)}`, responses: {} } },
      ]),
    );
    writeFileSync(join(cwd, 'dogs.json'), JSON.stringify({ ...JSON.parse(document), paths }));
  };
  const options = { source: 'dogs.json', cwd, surface: 'auto' } as const;
  write(2);
  expect((await generate({ ...options, dir: 'out' })).model?.surface).toBe('tools');
  write(130);
  const compared = await diff({ before: { project: 'out' }, after: { compile: options }, cwd });
  expect(compared.diff?.changes.map(({ item, kind }) => `${item} ${kind}`)).toEqual(
    Array(128).fill('tool added'),
  );
  for (const work of [inspect, lint])
    expect(await work({ ...options, dir: 'out' })).toMatchObject({ model: { surface: 'tools' } });
  expect((await generate({ ...options, dir: 'out' })).model?.surface).toBe('tools');
  expect((await generate({ ...options, dir: 'out', rebuildLock: true })).model?.surface).toBe('search');
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
