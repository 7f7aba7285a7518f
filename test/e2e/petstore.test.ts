import { rm } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';

import type { Upstream } from '../../fixtures/upstreams/loopback.mjs';
import { startPetstore } from '../../fixtures/upstreams/petstore.mjs';
import { call, startClient } from './support/clients.ts';
import { compileFixture, temporaryFolder } from './support/project.ts';

let folder: string;
let project: string;
let upstream: Upstream;

beforeAll(async () => {
  folder = await temporaryFolder();
  project = await compileFixture('petstore.yaml', folder, 'petstore-mcp');
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  upstream = await startPetstore();
  onTestFinished(() => upstream.close());
});

/** test/e2e/clients.test.ts has the other clients, transports and revisions. */
test('reads and writes pets', async () => {
  const { client } = await startClient([path.join(project, 'dist/main.js')], {
    env: { API_BASE_URL: upstream.url },
  });
  onTestFinished(() => client.close());
  await client.listTools();

  const first = await call(client, 'listPets', { tags: ['shy', 'calm'], limit: 2 });
  expect(upstream.requests.at(-1)?.url).toBe('/pets?tags=shy&tags=calm&limit=2');
  expect(first.structured?.['items']).toMatchObject([{ name: 'Minka' }, { name: 'Hops' }]);

  const created = await call(client, 'createPet', { name: 'Kiwi', species: 'parrot', birthDate: null });
  expect(created.structured).toMatchObject({ id: 8, name: 'Kiwi', birthDate: null, hasPhoto: false });
  expect(JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '')).toMatchObject({ birthDate: null });

  const updated = await call(client, 'updatePet', { petId: 8, name: 'Kiwi II', tags: null });
  expect(updated.structured).toMatchObject({ name: 'Kiwi II', tags: [] });
  expect(upstream.requests.at(-1)?.headers['content-type']).toBe('application/merge-patch+json');

  const gone = await call(client, 'deletePet', { petId: 8 });
  expect(gone.isError).toBe(false);
  expect((await call(client, 'getPet', { petId: 8 })).isError).toBe(true);
});
