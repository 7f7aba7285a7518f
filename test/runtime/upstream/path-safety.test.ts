import { expect, test } from 'vitest';
import type { ParameterBinding } from '../../../templates/runtime/contract/bindings.ts';
import { call, rawServer, refusal } from './loopback.ts';

const inPath = (name: string): ParameterBinding => ({ argument: name, name, in: 'path' });

test.each([
  ['a/b', '/files/a%2Fb'],
  ['../etc', '/files/..%2Fetc'],
  ['...', '/files/...'],
  ['.a', '/files/.a'],
  ['a?b#c', '/files/a%3Fb%23c'],
  ['%2F', '/files/%252F'],
])('%j is encoded and sent', async (id, want) => {
  const upstream = await rawServer();
  await call(upstream.url, { path: '/files/{id}', parameters: [inPath('id')] }, { id });
  await upstream.close();
  expect(upstream.requests.map((one) => one.line)).toEqual([`GET ${want} HTTP/1.1`]);
});

test.each([
  ['/files/{id}', { id: '.' }],
  ['/files/{id}', { id: '..' }],
  ['/files/{id}/x', { id: '..' }],
  ['/files/{id}', { id: '%2e%2E' }],
  ['/files/{id}', { id: '.%2e' }],
  ['/files/{id}', { id: '..;' }],
  ['/files/{id}', { id: '%2e%2E;x' }],
  ['/files/{a}{b}', { a: '.', b: '.' }],
  ['/files/{a}.{b}', { a: '', b: '' }],
  ['/files/.{a}', { a: '.' }],
  ['/files/{id}', { id: '' }],
  ['/files/{id}', { id: null }],
  ['/files/{id}', { id: [] }],
  ['/files/{id}', { id: [null] }],
  ['/files/{id}', { id: {} }],
  ['/files/{id}/x', { id: '' }],
  ['/files/{a}.{b}', { a: 'x', b: '' }],
])('%s with %j is refused and nothing is sent', async (path, args) => {
  const upstream = await rawServer();
  const parameters = Object.keys(args).map(inPath);
  const error = await refusal(call(upstream.url, { path, parameters }, args));
  await upstream.close();
  expect(error.code).toBe('argument');
  expect(error.message).toContain(path);
  expect(upstream.requests).toEqual([]);
});

test('an empty path argument is named', async () => {
  const work = call('http://127.0.0.1:1', { path: '/a/{id}', parameters: [inPath('id')] }, { id: '' });
  expect((await refusal(work)).message).toBe(
    'Refused: argument "id" is empty, which would reach another resource. Give it a value: a text, a list with an item, ' +
      'an object with a member. Path: /a/{id}',
  );
});

test.each([
  ['label', '/files/x{id}', '/files/x.'],
  ['matrix', '/files{id}', '/files;id'],
] as const)('an empty value of the %s style has a spelling of its own', async (style, path, want) => {
  const upstream = await rawServer();
  await call(upstream.url, { path, parameters: [{ ...inPath('id'), style }] }, { id: '' });
  await upstream.close();
  expect(upstream.requests[0]?.line).toBe(`GET ${want} HTTP/1.1`);
});

test('dots and bare slashes of reserved expansion are refused as well', async () => {
  const upstream = await rawServer();
  const parameters = [{ ...inPath('id'), allowReserved: true }];
  const javaSpellings = [
    '..;/b',
    'a/..;x/b',
    'a/.;/b',
    '%2e%2e;/b',
    'a/%2E.;x=1',
    '..%3b/b',
    '%252e%252e%253Bx',
  ];
  for (const id of ['a/../b', 'a/%2e%2e/b', '..', '/', '//', ...javaSpellings]) {
    expect((await refusal(call(upstream.url, { path: '/x/{id}', parameters }, { id }))).code).toBe(
      'argument',
    );
  }
  await upstream.close();
  expect(upstream.requests).toEqual([]);
});

test('a missing path argument is named', async () => {
  const work = call('http://127.0.0.1:1', { path: '/a/{id}', parameters: [inPath('id')] });
  expect((await refusal(work)).message).toContain('"id" is missing');
});

test.each(['a\r\nX-Evil: 1', 'a\nb', 'a\0b', 'a\x1bb'])('header value %j is refused', async (value) => {
  const upstream = await rawServer();
  const parameters: ParameterBinding[] = [{ argument: 'trace', name: 'X-Trace', in: 'header' }];
  const error = await refusal(call(upstream.url, { parameters }, { trace: value }));
  await upstream.close();
  expect(error.message).toContain('"trace"');
  expect(upstream.requests).toEqual([]);
});

test.each(['a; admin=1', 'a\r\nX: 1'])('cookie value %j is refused in cookie style', async (value) => {
  const parameters: ParameterBinding[] = [{ argument: 'sess', name: 'sess', in: 'cookie', style: 'cookie' }];
  const error = await refusal(call('http://127.0.0.1:1', { parameters }, { sess: value }));
  expect(error.message).toContain('"sess"');
});

test('headers of the connection are not an argument to set', async () => {
  const upstream = await rawServer();
  const names = [
    ...['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Expect', 'Keep-Alive', 'TE', 'Trailer'],
    'Upgrade',
  ];
  const parameters = names.map((name): ParameterBinding => ({ argument: name, name, in: 'header' }));
  await call(upstream.url, { parameters }, Object.fromEntries(names.map((name) => [name, 'chunked'])));
  await upstream.close();
  expect(upstream.requests[0]?.headers.filter((line) => line.includes('chunked'))).toEqual([]);
});

test('a header name that is none, from a hostile document, is refused', async () => {
  const parameters: ParameterBinding[] = [{ argument: 'x', name: 'X\r\nEvil', in: 'header' }];
  expect((await refusal(call('http://127.0.0.1:1', { parameters }, { x: '1' }))).code).toBe('argument');
});

test('a document path can not break the request line', async () => {
  const upstream = await rawServer();
  await call(upstream.url, { path: '/a b?x=1#y\u00fc' });
  await upstream.close();
  expect(upstream.requests[0]?.line).toBe('GET /a%20b?x=1 HTTP/1.1');
});

test.each([
  ['/responses?beta=true', {}, '/responses?beta=true'],
  ['/responses?beta=true', { limit: 2 }, '/responses?beta=true&limit=2'],
  ['/responses?beta=true&limit=1&', { limit: 2 }, '/responses?beta=true&limit=2'],
  ['/responses?limit', { limit: 2 }, '/responses?limit=2'],
  ['/files/{id}#upload', { id: 'a#b?c' }, '/files/a%23b%3Fc'],
  ['/files/{id}?as={id}#x', { id: 'a/?' }, '/files/a%2F%3F?as=a%2F%3F'],
])('%s with %j keeps the query of the path and drops its fragment', async (path, args, want) => {
  const upstream = await rawServer();
  const parameters: ParameterBinding[] = Object.keys(args).map((name) =>
    name === 'limit' ? { argument: name, name, in: 'query' } : inPath(name),
  );
  await call(upstream.url, { path, parameters }, args);
  await upstream.close();
  expect(upstream.requests[0]?.line).toBe(`GET ${want} HTTP/1.1`);
});
