/** Names stay with their operations from run to run, by what the lock has of them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generate } from '../../src/index.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';

interface Api {
  path: string;
  operationId: string;
}

test.each<{ what: string; runs: Api[]; want: string; names: Record<string, string> }>([
  {
    what: 'the operationId, then the path',
    runs: [
      { path: '/pets', operationId: 'listPets' },
      { path: '/pets', operationId: 'findPets' },
      { path: '/v2/pets', operationId: 'findPets' },
    ],
    want: 'listPets',
    names: { 'GET /v2/pets': 'listPets findPets' },
  },
  {
    what: 'both at once',
    runs: [
      { path: '/pets', operationId: 'listPets' },
      { path: '/v2/pets', operationId: 'findPets' },
    ],
    want: 'findPets',
    names: { 'GET /v2/pets': 'findPets' },
  },
])('$what changes: the tool is $want', async ({ runs, names }) => {
  const cwd = temporaryFolder();
  for (const { path, operationId } of runs) {
    const operation = { operationId, responses: { 200: { description: 'fine' } } };
    const api = {
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1.0.0' },
      paths: { [path]: { get: operation } },
    };
    writeFileSync(join(cwd, 'api.json'), JSON.stringify(api));
    expect(await generate({ source: 'api.json', dir: 'out', cwd })).toMatchObject({ ok: true });
  }
  const lock = JSON.parse(readFileSync(join(cwd, 'out/mcpgen.lock'), 'utf8')) as {
    names: Record<string, string>;
  };
  expect(lock.names).toEqual(names);
});
