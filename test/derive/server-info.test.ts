import { expect, test } from 'vitest';
import type { SourceModel } from '../../src/model/source-model.ts';
import type { DeriveOptions } from '../../src/derive/index.ts';
import { derive, operation, source } from './support.ts';

const modelOf = (
  info: Partial<SourceModel['info']>,
  options: DeriveOptions = {},
  rest: Partial<SourceModel> = {},
) =>
  derive(
    source([operation('GET /x')], { ...rest, info: { title: 'Petstore', version: '1.0.0', ...info } }),
    options,
  ).model;

test.each([
  ['Petstore', 'petstore-mcp'],
  ['Swagger Petstore - OpenAPI 3.0', 'swagger-petstore-mcp'],
  ['GitHub v3 REST API', 'github-rest-mcp'],
  ["GitHub's official OpenAPI spec + Octokit extension", 'github-official-mcp'],
  ['The Acme API Specification (https://acme.example/api), version 2.1', 'acme-mcp'],
  ['Microsoft 365', 'microsoft-365-mcp'],
  ['API', 'example-mcp'],
  ['Spotify Web API with fixes and improvements', 'spotify-web-mcp'],
  ['One Two Three Four Five Six', 'one-two-three-four-mcp'],
  ['Petstore-MCP', 'petstore-mcp'],
  ['MCP', 'mcp'],
  ['Café Zürich', 'cafe-zurich-mcp'],
  ['Größe ändern API', 'grosse-andern-mcp'],
  ['🎉', 'example-mcp'],
  ['../../etc/passwd', 'etc-passwd-mcp'],
  ['`${x}`', 'x-mcp'],
  ['a'.repeat(200), `${'a'.repeat(20)}-mcp`],
])('the server of %j is called %s', (title, want) => {
  expect(modelOf({ title }).name).toBe(want);
});

test.each([
  ['API Reference', 'https://us.sentry.io', 'sentry-mcp'],
  ['The API documentation', 'https://api.acme.co.uk/v1', 'acme-mcp'],
  ['API', 'https://api.example.com:8443/v1', 'example-mcp'],
  ['API', 'http://localhost:3000', 'api-mcp'],
  ['API', 'http://127.0.0.1', 'api-mcp'],
  ['API', 'https://{region}.acme.com', 'acme-mcp'],
  ['API', 'https://{host}/v1', 'api-mcp'],
  ['OpenAPI definition', 'https://pets.acme.com', 'acme-mcp'],
  ['OpenAPI definition', 'http://localhost:8080', 'openapi-definition-mcp'],
  ['My API', 'https://acme.com', 'acme-mcp'],
  ['Orders API', 'https://us.sentry.io', 'orders-mcp'],
])('the server of %j at %s is called %s', (title, url, want) => {
  expect(modelOf({ title }, {}, { servers: [{ url }] }).name).toBe(want);
});

test.each([
  ['pets', 'pets', []],
  ['@acme/pets', '@acme/pets', []],
  ['My Pets!', 'my-pets', ['name-cleaned']],
  ['../x', 'x', ['name-cleaned']],
  ['🎉', 'api-mcp', ['name-cleaned']],
])('the name %j becomes %s', (name, want, problems) => {
  const derived = derive(source([operation('GET /x')]), { name });
  expect(derived.model.name).toBe(want);
  expect(derived.problems).toEqual(problems);
});

test('texts come from the document', () => {
  expect(
    modelOf({
      title: 'My <b>Shop</b>',
      description: '<p>All about <b>pets</b>.</p>',
      documentationUrl: 'https://e.com',
    }),
  ).toMatchObject({
    title: 'My Shop',
    version: '1.0.0',
    description: 'All about pets.',
    instructions: 'Tools for the API "My Shop". All about **pets**.',
    documentationUrl: 'https://e.com',
  });
});

test('x-mcp and options override', () => {
  const xMcp = {
    name: 'other',
    title: 'Other',
    description: 'Other words.',
    icons: [{ src: 'https://e.com/i.png' }],
  };
  expect(modelOf({}, {}, { xMcp })).toMatchObject({
    name: 'other',
    title: 'Other',
    description: 'Other words.',
    icons: xMcp.icons,
  });
  expect(modelOf({}, { name: 'mine', serverVersion: '2.0.0' }, { xMcp })).toMatchObject({
    name: 'mine',
    version: '2.0.0',
  });
});
