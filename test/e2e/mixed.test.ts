/** One server of two documents and of annotated functions, from `mcpgen.config.ts` to the official client. */
import type { IncomingHttpHeaders } from 'node:http';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpServer } from '../support/loopback.ts';
import { startClient } from './support/clients.ts';
import { fixtures, mcpgenHere, node, tsc } from './support/command.ts';
import { linkTypes, temporaryFolder } from './support/project.ts';

const LISTS = {
  '/v2/connections': [{ departure: '2026-01-31T09:00:00Z', minutes: 103 }],
  '/rooms': [{ hotel: 'Bellevue', price: 120 }],
};

/** An API that remembers what it was asked, and answers with its name. */
async function openApi(name: string) {
  const asked: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  const server = await httpServer(({ url, headers }, response) => {
    asked.push({ url, headers });
    const [, list] = Object.entries(LISTS).find(([path]) => url?.startsWith(path)) ?? [];
    response.setHeader('content-type', 'application/json').end(JSON.stringify(list ?? { id: name }));
  });
  return { ...server, asked };
}

type Api = Awaited<ReturnType<typeof openApi>>;

let folder: string;
let project: string;
let rail: Api;
let hotels: Api;
let client: Client;

beforeAll(async () => {
  folder = await temporaryFolder();
  await cp(path.join(fixtures, 'mixed/trip'), folder, { recursive: true });
  const { code, stderr } = await mcpgenHere(['generate'], { cwd: folder });
  expect(code, stderr).toBe(0);
  project = path.join(folder, 'server');
  [rail, hotels] = await Promise.all([openApi('rail'), openApi('hotels')]);
  const env = {
    API_BASE_URL_RAIL: `${rail.url}/v2`,
    API_BASE_URL_HOTELS: hotels.url,
    API_KEY_RAIL_KEY: 'rail-secret',
    API_KEY_HOTELS_KEY: 'hotels-secret',
  };
  ({ client } = await startClient([path.join(project, 'dist/main.js')], { env }));
});

afterAll(async () => {
  await client.close();
  await Promise.all([rail.close(), hotels.close()]);
  await rm(folder, { recursive: true, force: true });
});

test('one catalog, in the order of the sources', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...['rail_listStations', 'rail_findConnections', 'rail_getBooking'],
    ...['hotels_findRooms', 'hotels_getBooking', 'nightly_budget', 'find_offer'],
  ]);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(['trip-rail://stations']);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    ...['trip-rail://bookings/{id}', 'trip-hotels://bookings/{id}', 'trip://packing/{season}'],
  ]);
  expect(client.getServerVersion()).toMatchObject({ name: 'trip-mcp', title: 'Rail, Hotels and trip' });
});

test('a call of each document goes to its API, with its credentials alone, and a function runs in the same session', async () => {
  const booking = (name: string) => client.callTool({ name, arguments: { id: 'b 1' } });
  expect(await booking('rail_getBooking')).toMatchObject({ structuredContent: { id: 'rail' } });
  expect(await booking('hotels_getBooking')).toMatchObject({ structuredContent: { id: 'hotels' } });
  const budget = { name: 'nightly_budget', arguments: { total: 500, nights: 3, tickets: 120 } };
  expect(await client.callTool(budget)).toMatchObject({
    structuredContent: { perNight: 126.66, words: '€126.66 a night' },
  });
  expect(rail.asked.map(({ url }) => url)).toEqual(['/v2/bookings/b%201']);
  expect(hotels.asked.map(({ url }) => url)).toEqual(['/bookings/b%201']);
  expect(rail.asked[0]?.headers).toMatchObject({ 'x-rail-key': 'rail-secret' });
  expect(hotels.asked[0]?.headers).toMatchObject({ 'x-hotels-key': 'hotels-secret' });
  expect(JSON.stringify(rail.asked)).not.toContain('hotels-secret');
  expect(JSON.stringify(hotels.asked)).not.toContain('rail-secret');
});

test('a function combines operations of both documents', async () => {
  const before = [rail.asked.length, hotels.asked.length];
  const wish = { from: 'BN', to: 'GE', city: 'Geneva', nights: 2 };
  expect(await client.callTool({ name: 'find_offer', arguments: wish })).toMatchObject({
    structuredContent: {
      connection: { departure: '2026-01-31T09:00:00Z', minutes: 103 },
      room: { hotel: 'Bellevue', price: 120 },
      price: 240,
    },
  });
  expect(rail.asked.slice(before[0]).map(({ url }) => url)).toEqual(['/v2/connections?from=BN&to=GE']);
  const [asked] = hotels.asked.slice(before[1]);
  expect(asked?.url).toBe('/rooms?city=Geneva&nights=2');
  expect(asked?.headers['x-hotels-key']).toBe('hotels-secret');
});

test('resources of documents and of functions are read, and prompts completed', async () => {
  const read = async (uri: string) => (await client.readResource({ uri })).contents;
  expect(await read('trip-hotels://bookings/h-1')).toMatchObject([{ text: '{"id":"hotels"}' }]);
  expect(await read('trip://packing/winter')).toMatchObject([{ text: 'Coat, gloves, boots' }]);
  const ref = { type: 'ref/prompt' as const, name: 'plan_trip' };
  const city = await client.complete({ ref, argument: { name: 'city', value: 'b' } });
  expect(city.completion.values).toEqual(['Basel', 'Bern']);
});

test.each([
  { args: ['--base-url', 'http://127.0.0.1:1'], env: {} },
  { args: [], env: { API_BASE_URL: 'http://127.0.0.1:1' } },
])('one base URL for several APIs is refused: $args $env', async ({ args, env }) => {
  const ended = await node([path.join(project, 'dist/main.js'), ...args], { env });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('Set API_BASE_URL_RAIL, API_BASE_URL_HOTELS.');
});

test('the project type-checks, and its own tests pass', async () => {
  await linkTypes(project);
  const checked = await tsc(['-p', project, '--noEmit']);
  expect(checked.code, checked.stdout).toBe(0);
  const tested = await node(['--test'], { cwd: project });
  expect(tested.code, tested.stdout).toBe(0);
  expect(tested.stdout).toContain('hotels_getBooking sends the request it should');
  await rm(path.join(project, 'node_modules'), { recursive: true });
});
