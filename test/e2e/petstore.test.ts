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

test.each(matrix)('carries photos both ways: $generation over $transport', async (how) => {
  const client = await connect(how);
  const photo = await call(client, 'getPetPhoto', { petId: 1 });
  const image = photo.content.find(({ type }) => type === 'image');
  expect(image?.mimeType).toBe('image/png');
  expect(
    Buffer.from(image?.data ?? '', 'base64')
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');

  const receipt = await call(client, 'uploadPetPhoto', { petId: 2, body: image?.data ?? '' });
  expect(receipt.structured).toMatchObject({ petId: 2, bytes: 70 });
  expect(upstream.requests.at(-1)?.headers['content-type']).toBe('image/png');
});

test.each(matrix)('says in words what went wrong: $generation over $transport', async (how) => {
  const client = await connect(how);
  const adopted = await call(client, 'placeOrder', { petId: 5, customer: 'Ada' });
  expect(adopted).toMatchObject({ isError: true });
  expect(adopted.text).toMatch(/409[^]*Rex is adopted/);

  const before = upstream.requests.length;
  const typo = await call(client, 'listPets', { statsu: 'available' });
  expect(typo).toMatchObject({ isError: true });
  expect(typo.text).toMatch(/statsu[^]*status/);
  const unknown = await call(client, 'getPet', { petId: 'first' });
  expect(unknown).toMatchObject({ isError: true });
  expect(unknown.text).toMatch(/petId/);
  expect(upstream.requests.length).toBe(before);
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

test.each(matrix)('fills prompts and completes: $generation over $transport', async (how) => {
  const client = await connect(how);
  const { messages } = await client.getPrompt({
    name: 'adoption_advert',
    arguments: { petId: '3', tone: 'funny' },
  });
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
  expect(JSON.stringify(messages)).toMatch(/Read pet 3 .*tone is funny/);
  await expect(client.getPrompt({ name: 'adoption_advert', arguments: { petId: '3' } })).rejects.toThrow(
    /tone/,
  );

  const completed = await client.complete({
    ref: { type: 'ref/prompt', name: 'restock_plan' },
    argument: { name: 'horizon', value: '' },
  });
  expect(completed.completion.values).toEqual(['week', 'month', 'season']);
});

test.each(generations)('pages when asked to: %s', async (generation) => {
  const client = await connectStdio(generation, project, { args: ['--page-size', '5'] });
  expect(await toolsOf(client)).toHaveLength(13);
});

test.each(generations)('sends the key only when it has one: %s', async (generation) => {
  const env = { API_BASE_URL: upstream.url };
  const none = { ...env, API_KEY_SHOPKEY: '' };
  await call(await connectStdio(generation, project, { env: none }), 'getInventory');
  expect(upstream.requests.at(-1)?.headers['x-shop-key']).toBeUndefined();
  const known = await connectStdio(generation, project, { env: { ...env, API_KEY_SHOPKEY: 'k-1' } });
  await call(known, 'getInventory');
  expect(upstream.requests.at(-1)?.headers['x-shop-key']).toBe('k-1');
});
