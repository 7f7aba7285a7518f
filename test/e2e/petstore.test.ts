import { rm } from 'node:fs/promises';

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';

import type { Upstream } from '../../fixtures/upstreams/loopback.mjs';
import { startPetstore } from '../../fixtures/upstreams/petstore.mjs';
import {
  type AnyClient,
  call,
  connectHttp,
  connectStdio,
  generations,
  startHttp,
  toolsOf,
} from './support/clients.ts';
import { compileFixture, temporaryFolder } from './support/project.ts';

const transports = ['stdio', 'http'] as const;
const matrix = generations.flatMap((generation) =>
  transports.map((transport) => ({ generation, transport })),
);

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

async function connect({ generation, transport }: (typeof matrix)[number]): Promise<AnyClient> {
  const env = { API_BASE_URL: upstream.url };
  if (transport === 'stdio') return connectStdio(generation, project, { env });
  return connectHttp(generation, `${await startHttp(project, { env })}/mcp`);
}

test.each(matrix)('lists everything: $generation over $transport', async (how) => {
  const client = await connect(how);
  expect((await toolsOf(client)).map(({ name }) => name)).toEqual([
    ...['listPets', 'createPet', 'getPet', 'replacePet', 'updatePet', 'deletePet'],
    ...[
      'getPetPhoto',
      'uploadPetPhoto',
      'listOrders',
      'placeOrder',
      'getOrder',
      'cancel_order',
      'getInventory',
    ],
    // The fixtures have every feature.
    ...['run_read_steps', 'run_write_steps'],
  ]);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
    'adoption_advert',
    'restock_plan',
  ]);
  expect((await client.listResources()).resources.length).toBeGreaterThan(0);
  expect((await client.listResourceTemplates()).resourceTemplates.length).toBeGreaterThan(0);
});

test.each(matrix)('reads and writes pets: $generation over $transport', async (how) => {
  const client = await connect(how);
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

test.each(matrix)('reads resources and templates: $generation over $transport', async (how) => {
  const client = await connect(how);
  const { resources } = await client.listResources();
  const inventory = resources.find(({ uri }) => uri.endsWith('inventory'));
  expect(inventory?.uri).toBeDefined();
  const { contents } = await client.readResource({ uri: inventory?.uri ?? '' });
  expect(JSON.parse(textOf(contents[0]))).toEqual({ available: 5, pending: 1, adopted: 1 });

  const { resourceTemplates } = await client.listResourceTemplates();
  const pet = resourceTemplates.find(({ uriTemplate }) => uriTemplate.endsWith('pets/{petId}'));
  expect(pet?.uriTemplate).toBeDefined();
  const read = await client.readResource({ uri: (pet?.uriTemplate ?? '').replace('{petId}', '4') });
  expect(JSON.parse(textOf(read.contents[0]))).toMatchObject({ id: 4, name: 'Kiki' });
  await expect(client.readResource({ uri: 'petstore-mcp://nowhere' })).rejects.toThrow();
});

function textOf(contents: object | undefined): string {
  return contents !== undefined && 'text' in contents && typeof contents.text === 'string'
    ? contents.text
    : '';
}
