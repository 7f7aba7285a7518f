import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { httpServer } from '../../support/loopback.ts';
import { firstOperation, folderOf, modelOf, openapi, read, readSource, withOperation } from './reading.ts';

const document = withOperation({ operationId: 'listA' });

async function serve(answer: RequestListener): Promise<string> {
  const { url, close } = await httpServer(answer);
  onTestFinished(close);
  return url;
}

test.each<[what: string, text: string]>([
  ['JSON', JSON.stringify(document)],
  ['JSON behind a byte order mark', `\ufeff${JSON.stringify(document)}`],
  ['YAML', 'openapi: 3.1.0\ninfo: {title: T, version: 1.0}\npaths:\n  /a:\n    get: {operationId: listA}\n'],
  ['YAML behind a byte order mark', '\ufeffopenapi: 3.1.0\npaths:\n  /a:\n    get: {operationId: listA}\n'],
])('reads %s', async (_what, text) => {
  expect(firstOperation(await modelOf(text)).operationId).toBe('listA');
});

test.each<[what: string, text: string, told: string[]]>([
  ['white space', ' \n\t', ['error source-unreadable']],
  ['only marks of YAML', '%YAML 1.2\n--- # nothing\n...\n', ['error source-unreadable']],
  ['null', 'null', ['error not-openapi ']],
  ['null of YAML', '# nothing?\n--- ~\n', ['error not-openapi ']],
  ['a trailing comma', '{\n  "openapi": "3.1.0",\n}', ['error invalid-syntax 3:1']],
  ['a comment in JSON', '{\n  // no\n}', ['error invalid-syntax 2:3']],
  ['an open flow list', 'openapi: 3.1.0\ninfo: [title', ['error invalid-syntax 2:13']],
  ['deep YAML', `a: ${'['.repeat(500)}`, ['error source-unreadable ']],
])('%s', async (_what, text, told) => {
  const reading = await read(text);
  expect(reading.told).toEqual(told);
  expect(reading.model).toBeUndefined();
});

test('YAML follows the core schema of 1.2, with merge keys', async () => {
  const model = await modelOf(
    [
      'openapi: 3.1.0',
      'info: {title: T, version: 2024-01-31}',
      'paths:',
      '  /a:',
      '    get: &base {operationId: on, description: no}',
      '    put: {<<: *base, operationId: put}',
    ].join('\n'),
  );
  expect(model.info.version).toBe('2024-01-31');
  expect(model.capabilities).toMatchObject([
    { operationId: 'on', description: 'no' },
    { method: 'PUT', operationId: 'put', description: 'no' },
  ]);
});

test.each<[what: string, bytes: Uint8Array, reason: string]>([
  ['binary', Buffer.from([0x89, 0x50, 0, 0x47]), 'it is binary'],
  ['gzip', gzipSync('{}'), 'it is compressed with gzip'],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'it is UTF-16'],
  ['Latin-1', Buffer.from('title: caf\u00e9', 'latin1'), 'it has bytes that are not UTF-8'],
])('source-unreadable: %s', async (_what, bytes, reason) => {
  const { found } = await readSource('-', { stdin: () => Promise.resolve(bytes) });
  expect(found).toMatchObject([{ name: 'source-unreadable', message: `<stdin> cannot be read: ${reason}.` }]);
});

test('a missing file, a folder, and a document above the limit', async () => {
  const cwd = folderOf({ 'specs/a.json': document });
  expect((await readSource('missing.yaml', { cwd })).told).toEqual(['error source-not-found']);
  expect((await readSource('specs', { cwd })).told).toEqual(['error source-unreadable']);
  expect((await readSource('specs/a.json', { cwd, limits: { bytes: 10 } })).told).toEqual([
    'error source-unreadable',
  ]);
  expect((await readSource('-', { cwd })).told).toEqual(['error source-unreadable']);
});

test('a URL is read with content negotiation, and gives relative servers their host', async () => {
  let accept: string | undefined;
  const base = await serve(({ headers }, response) => {
    accept = headers.accept;
    response.end(JSON.stringify(withOperation({}, { servers: [{ url: '/v1' }] })));
  });
  const { model, told } = await readSource(`${base}/docs/openapi.json`);
  expect(told).toEqual([]);
  expect(model?.servers).toEqual([{ url: `${base}/v1` }]);
  expect(accept).toMatch(/^application\/openapi\+json, .*application\/json/);
});

test('redirects are followed to another address', async () => {
  const base = await serve(({ url }, response) => {
    if (url === '/old') response.writeHead(302, { location: '/new' }).end();
    else response.end(JSON.stringify(document));
  });
  const { model } = await readSource(`${base}/old`);
  expect(model?.origin).toMatchObject({ file: `${base}/old` });
});

test('source-unreadable, source-unreadable, source-unreadable and source-unreadable', async () => {
  const base = await serve(({ url }, response) => {
    if (url === '/loop') response.writeHead(301, { location: '/loop' }).end();
    else if (url === '/missing') response.writeHead(404).end();
    else if (url === '/ftp') response.writeHead(302, { location: 'ftp://x/y' }).end();
  });
  const told = async (path: string): Promise<string[]> =>
    (await readSource(`${base}${path}`, { limits: { timeout: 300 } })).told;
  expect(await told('/loop')).toEqual(['error source-unreadable']);
  expect(await told('/missing')).toEqual(['error source-unreadable']);
  expect(await told('/silent')).toEqual(['error source-unreadable']);
  expect(await told('/ftp')).toEqual(['error source-unreadable']);
  expect((await readSource('http://127.0.0.1:1/x')).told).toEqual(['error source-unreadable']);
  expect((await readSource('http://[')).told).toEqual(['error source-unreadable']);
});

test('an answer above the limit is cut off', async () => {
  const base = await serve((_request, response) => response.end(JSON.stringify(document)));
  expect((await readSource(base, { limits: { bytes: 10 } })).told).toEqual(['error source-unreadable']);
});

test('a YAML value that holds itself becomes a recursive schema', async () => {
  const model = await modelOf(
    'openapi: 3.1.0\npaths: {/a: {get: {responses: {200: {content: {application/json: {schema: &s {type: object, properties: {next: *s}}}}}}}}}',
  );
  expect(Object.values(model.schemas)).toEqual([
    { type: 'object', properties: { next: { $ref: expect.stringMatching(/^#\/\$defs\//) as unknown } } },
  ]);
});

test('a path called like a member of Object.prototype is only a path', async () => {
  const { told } = await read(openapi({ paths: { constructor: { get: {} } } }));
  expect(told).toEqual(['warning path-without-slash /paths/constructor']);
});
