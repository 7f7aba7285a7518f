// Calls that the page tries: on mock answers, and on an API on this machine, which records what it is sent.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { TryRequest } from '../../src/preview/protocol.ts';
import { runInProcess } from '../cli/support/fake-host.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { httpServer } from '../support/loopback.ts';
import { openPage } from './support/page.ts';

const SECRET = 'a-key-that-nobody-sees';

interface Received {
  method: string;
  url: string;
  key: string | undefined;
  body: string;
}

const received: Received[] = [];
const { url: base, close } = await httpServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    received.push({ method, url, key: headers['x-shop-key']?.toString(), body });
    response.writeHead(method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 7, name: 'Kiki', echo: headers['x-shop-key'], big: 1 }));
  });
});
afterAll(close);

const cwd = temporaryFolder();
copyFileSync('fixtures/petstore.yaml', join(cwd, 'petstore.yaml'));
const page = await openPage('petstore.yaml', { cwd, env: { API_BASE_URL: base, API_KEY_SHOPKEY: SECRET } });

const listPets: TryRequest['call'] = { kind: 'tool', name: 'listPets', arguments: {} };
const createPet: TryRequest['call'] = {
  kind: 'tool',
  name: 'createPet',
  arguments: { name: "Ki'ki", species: 'cat' },
};

test('mock answers come without the API, and show the request that would be sent', async () => {
  const { answer, seen, exchanges, curl, origin } = await page.post('POST /api/try', {
    call: listPets,
    target: 'mock',
  });
  expect(answer.result).toMatchObject({
    structuredContent: { items: [{ name: 'Minka', species: 'cat' }, { name: 'Kiki' }] },
  });
  expect(seen).toContain('"species":"cat"');
  expect(exchanges).toMatchObject([
    { request: { method: 'GET', url: `${base}/pets` }, response: { status: 200 } },
  ]);
  expect(curl).toMatch(/^curl -X GET http:\/\/127\.0\.0\.1:\d+\/pets -H "accept: application\/json"/);
  expect(origin).toBeUndefined();
  expect(received).toEqual([]);
});

test('the API is called with credentials, which no part of the answer has', async () => {
  const result = await page.post('POST /api/try', { call: listPets, target: 'api' });
  expect(received.splice(0)).toEqual([{ method: 'GET', url: '/pets', key: SECRET, body: '' }]);
  expect(result.origin).toBe(base);
  expect(result.exchanges[0]?.request.headers).toContainEqual(['x-shop-key', '[redacted]']);
  expect(result.exchanges[0]?.response).toMatchObject({ status: 200 });
  expect(result.exchanges[0]?.response?.body).toContain('"name":"Kiki"');
  expect(JSON.stringify(result)).not.toContain(SECRET);
  expect(result.curl).toContain('-H "x-shop-key: [redacted]"');
});

const dogs = (server: string, parameter: object = {}): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Dogs', version: '1.0.0' },
    servers: [{ url: server }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' } } },
    paths: {
      '/dogs': {
        get: {
          operationId: 'listDogs',
          parameters: [{ name: 'region', in: 'query', schema: { type: 'string' }, ...parameter }],
          responses: { 200: { description: 'Dogs' } },
        },
      },
    },
  });

const listDogs: TryRequest = { call: { kind: 'tool', name: 'listDogs', arguments: {} }, target: 'api' };
const sent = { API_KEY_KEY: SECRET, AWS_SECRET_ACCESS_KEY: SECRET };
const asArgument = { 'x-mcp': { env: 'AWS_SECRET_ACCESS_KEY' } };

test('no variable that only the document names is sent as an argument', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'dogs.json'), dogs(base, asArgument));
  const own = await openPage('dogs.json', { cwd: folder, env: sent });
  const { status, message } = await own.refused('POST /api/try', listDogs);
  expect({ status, message }).toMatchObject({
    status: 403,
    message: expect.stringContaining('MCPG624') as string,
  });
  expect(received).toEqual([]);
  const flags = { allowEnv: ['AWS_SECRET_ACCESS_KEY'] };
  const allowed = await openPage('dogs.json', { cwd: folder, env: sent, flags });
  await allowed.post('POST /api/try', listDogs);
  expect(received.splice(0)).toMatchObject([{ url: `/dogs?region=${SECRET}` }]);
});

test.each([
  { what: 'an origin', document: dogs(base), code: 'MCPG580', source: 'out' },
  { what: 'an origin', document: dogs(base), code: 'MCPG580', source: 'dogs.json' },
  {
    what: 'a variable',
    document: dogs('https://api.example.com', asArgument),
    code: 'MCPG624',
    source: 'out',
  },
])('nothing is sent to $what that the lock does not name: $source', async ({ document, code, source }) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'dogs.json'), dogs('https://api.example.com'));
  await runInProcess(['openapi', 'dogs.json', '-o', 'out'], { cwd: folder });
  writeFileSync(join(folder, 'dogs.json'), document);
  const own = await openPage(source, { cwd: folder, env: sent });
  const { status, message } = await own.refused('POST /api/try', listDogs);
  expect({ status, message }).toMatchObject({
    status: 403,
    message: expect.stringContaining(code) as string,
  });
  expect(received).toEqual([]);
});

test('the page says which variables only the configuration sends; --no-code sends none', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'dogs.json'), dogs(base));
  const headers = { 'X-T': '${AWS_SECRET_ACCESS_KEY}' };
  const tools = { listDogs: { arguments: { region: { env: 'TEAM' } } } };
  const configuration = 'mcpgen.config.json';
  writeFileSync(join(folder, configuration), JSON.stringify({ source: 'dogs.json', headers, tools }));
  const own = await openPage(configuration, { cwd: folder, env: { ...sent, TEAM: 'red' } });
  await own.post('POST /api/try', listDogs);
  expect(received.splice(0)).toMatchObject([{ url: '/dogs?region=red' }]);
  expect(own.said).toEqual([`sends AWS_SECRET_ACCESS_KEY, TEAM to ${base}`]);
  const noCode = await openPage(configuration, { cwd: folder, env: sent, flags: { noCode: true } });
  const { status, message } = await noCode.refused('POST /api/try', listDogs);
  expect([status, message]).toEqual([403, expect.stringContaining('MCPG624')]);
  expect([received, noCode.said]).toEqual([[], []]);
});

test('a call that is no read needs a confirmation', async () => {
  expect(await page.refused('POST /api/try', { call: createPet, target: 'api' })).toEqual({
    status: 403,
    message: 'This call may change something, so it has to be confirmed.',
  });
  expect(received).toEqual([]);
  const { curl } = await page.post('POST /api/try', { call: createPet, target: 'api', confirmed: true });
  expect(received.splice(0)).toMatchObject([
    { method: 'POST', url: '/pets', body: `{"name":"Ki'ki","species":"cat"}` },
  ]);
  expect(curl).toContain(`--data-binary '{"name":"Ki'\\''ki","species":"cat"}'`);
});

test('functions run on their target, and mock answers run none of them', async () => {
  const folder = temporaryFolder();
  const code =
    '/** Doubles.\n * @tool\n * @readOnly\n */\nexport function double(n: number): { twice: number } {\n  return { twice: 2 * n };\n}\n';
  writeFileSync(join(folder, 'tools.ts'), code);
  const call: TryRequest['call'] = { kind: 'tool', name: 'double', arguments: { n: 21 } };
  const own = await openPage('tools.ts', { cwd: folder });
  const { answer, exchanges } = await own.post('POST /api/try', { call, target: 'api', confirmed: true });
  expect(answer.result).toMatchObject({ structuredContent: { twice: 42 } });
  expect(exchanges).toEqual([]);
  const mocked = await own.post('POST /api/try', { call, target: 'mock' });
  const sample = { structuredContent: { twice: expect.any(Number) as number } };
  expect(mocked.answer.result).toMatchObject(sample);
  expect(mocked.answer.result).not.toMatchObject({ structuredContent: { twice: 42 } });
  const refusing = await openPage('tools.ts', { cwd: folder, flags: { noCode: true } });
  expect((await refusing.post('POST /api/try', { call, target: 'mock' })).answer.result).toMatchObject(
    sample,
  );
  expect(await refusing.refused('POST /api/try', { call, target: 'api', confirmed: true })).toMatchObject({
    status: 403,
  });
});
