/** Where requests go: the servers of a document, its relative URLs, and `--base-url` in place of them. */
import { expect, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import type { CompileOptions } from '../../src/api/options.ts';
import type { HttpBinding } from '../../templates/runtime/types.ts';

async function compiled(document: object, options: Partial<CompileOptions> = {}) {
  const whole = { info: { title: 'Addresses', version: '1' }, ...document };
  const stdin = () => Promise.resolve(Buffer.from(JSON.stringify(whole)));
  const { model, diagnostics } = await compile({ source: '-', stdin, ...options });
  return {
    model,
    upstream: model?.upstream,
    hints: diagnostics.map(({ name, hint }) => `${name}: ${hint ?? ''}`),
    serversOf: (name: string) =>
      (model?.tools.find((tool) => tool.name === name)?.binding as HttpBinding & { servers?: object })
        .servers,
  };
}

const ok = { responses: { 200: { description: 'ok' } } };
const read = { get: { operationId: 'read', ...ok } };
const byOAuth = (url: string) => ({
  components: {
    securitySchemes: {
      login: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: url, scopes: {} } } },
      id: { type: 'openIdConnect', openIdConnectUrl: url },
    },
  },
  security: [{ login: [], id: [] }],
  paths: { '/x': read },
});

test.each([
  ['https://api.example.com/v1/', 'token', 'https://api.example.com/v1/token'],
  ['https://api.example.com/v1', '/oauth/token', 'https://api.example.com/oauth/token'],
  ['https://api.example.com/v1', 'https://id.example.com/t', 'https://id.example.com/t'],
])('at %s the OAuth URL %s is %s', async (url, tokenUrl, want) => {
  const servers = [{ url }];
  const { upstream } = await compiled({ openapi: '3.0.4', servers, ...byOAuth(tokenUrl) });
  expect(upstream?.securitySchemes).toMatchObject({ login: { tokenUrl: want }, id: { metadataUrl: want } });
});

test('a host that a variable chooses gets no secret of another one', async () => {
  const servers = [{ url: 'https://{org}.example.com', variables: { org: { default: 'eu' } } }];
  const { upstream, hints } = await compiled({ openapi: '3.0.4', servers, ...byOAuth('/token') });
  expect(upstream?.securitySchemes['login']).not.toHaveProperty('tokenUrl');
  expect(hints.filter((hint) => hint.startsWith('field-without-effect'))).toHaveLength(2);
});

test.each([
  [
    'https://api.example.com/v1',
    'https://api.example.com//other.example/v2',
    'https://here.example.com//other.example/v2',
  ],
  ['https://api.example.com/v1', '//other.example/v2', undefined],
  ['/v1', '/v3', 'https://here.example.com/v3'],
])('at %s the server %s of an operation stays at --base-url', async (root, url, want) => {
  const paths = { '/x': { get: { operationId: 'read', servers: [{ url }], ...ok } } };
  const document = { openapi: '3.1.0', servers: [{ url: root }], paths };
  const { serversOf } = await compiled(document, { baseUrl: 'https://here.example.com/root' });
  expect(serversOf('read')).toEqual(want && [{ url: want }]);
});

test('an OAuth URL is relative to --base-url', async () => {
  const document = { openapi: '3.0.4', servers: [{ url: '/v1' }], ...byOAuth('/token') };
  const { upstream } = await compiled(document, { baseUrl: 'https://here.example.com/v1' });
  expect(upstream?.securitySchemes['login']).toMatchObject({ tokenUrl: 'https://here.example.com/token' });
  const unknown = await compiled(document);
  expect(unknown.upstream?.securitySchemes['login']).not.toHaveProperty('tokenUrl');
  expect(unknown.hints.filter((hint) => hint.startsWith('field-without-effect'))).toHaveLength(2);
});

test.each<[says: string, document: object]>([
  ['a relative server', { openapi: '3.1.0', servers: [{ url: '/api/v1' }], paths: { '/x': read } }],
  ['basePath without a host', { swagger: '2.0', basePath: '/api/v1', paths: { '/x': read } }],
  [
    'a host to fill in',
    { openapi: '3.1.0', servers: [{ url: 'https://<instance>/api/v1/' }], paths: { '/x': read } },
  ],
])('a base path is never lost: %s', async (_, document) => {
  const { hints } = await compiled(document);
  expect(hints.find((hint) => hint.startsWith('no-absolute-server'))).toContain(
    'https://api.example.com/api/v1,',
  );
});

test('--base-url stands for the schemes of an operation, and for servers elsewhere', async () => {
  const paths = {
    '/a': { get: { operationId: 'https', ...ok } },
    '/b': { get: { operationId: 'http', schemes: ['http'], ...ok } },
  };
  const swagger = { swagger: '2.0', host: 'localhost:8123', basePath: '/api', schemes: ['https'], paths };
  const plain = await compiled(swagger);
  expect(plain.serversOf('http')).toEqual([{ url: 'http://localhost:8123/api' }]);
  const moved = await compiled(swagger, { baseUrl: 'https://here.example.com/v2' });
  expect(moved.upstream?.servers).toEqual([{ url: 'https://here.example.com/v2' }]);
  expect(moved.serversOf('http')).toBeUndefined();

  const at = (url: string) => ({ ...read.get, servers: [{ url }] });
  const document = {
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example.com/v1' }],
    paths: {
      '/files': { get: { ...at('https://files.example.com'), operationId: 'files' } },
      '/new': { get: { ...at('/v2'), operationId: 'new' } },
    },
  };
  const others = await compiled(document, { baseUrl: 'https://here.example.com/v1' });
  expect(others.serversOf('files')).toBeUndefined();
  expect(others.serversOf('new')).toEqual([{ url: 'https://here.example.com/v2' }]);
});

test('an operation whose only server is invalid keeps it, so that its calls are refused', async () => {
  const { serversOf } = await compiled({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/x': { get: { operationId: 'read', servers: [{ url: 'https://<instance>/api/' }], ...ok } } },
  });
  expect(serversOf('read')).toEqual([{ url: 'https://<instance>/api/' }]);
});
