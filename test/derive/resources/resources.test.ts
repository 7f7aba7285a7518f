import { expect, test } from 'vitest';
import type { Operation, Parameter } from '../../../src/model/source-model.ts';
import type { JsonSchema } from '../../../src/util/json-schema.ts';
import { uriTemplates } from '../../../templates/runtime/features/uri-templates.ts';
import type { ExpandTemplate, MatchTemplate } from '../../../templates/runtime/features/resources.ts';
import { partsOf } from '../../../src/util/feature-parts.ts';
import { derive, jsonBody, operation, parameter, response, source } from '../support.ts';

const ok = { responses: [response('200', 'application/json', { type: 'object' })] };
const get = (path: string, rest: Partial<Operation> = {}) => operation(`GET ${path}`, { ...ok, ...rest });
const urisOf = (...given: Parameters<typeof source>) => {
  const { model } = derive(source(...given));
  return [
    ...model.resources.map(({ uri }) => uri),
    ...model.resourceTemplates.map(({ uriTemplate }) => uriTemplate),
  ];
};

const string: JsonSchema = { type: 'string' };
const strings: JsonSchema = { type: 'array', items: string };
const query = (name: string, schema: JsonSchema = { type: 'string' }, rest: Partial<Parameter> = {}) =>
  parameter('query', name, schema, rest);

test.each<[string, Operation, string[]]>([
  ['no inputs', get('/pets'), ['petstore://pets']],
  ['the root', get('/'), ['petstore://']],
  [
    'optional inputs',
    get('/pets', { parameters: [query('limit'), parameter('header', 'x-id')] }),
    ['petstore://pets'],
  ],
  ['a path parameter', get('/pets/{petId}'), ['petstore://pets/{petId}']],
  [
    'query parameters',
    get('/pets/{id}', { parameters: [query('a'), query('b')] }),
    ['petstore://pets/{id}{?a,b}'],
  ],
  [
    'a list in the query',
    get('/pets/{id}', { parameters: [query('tags', { type: 'array', items: { type: 'string' } })] }),
    ['petstore://pets/{id}{?tags*}'],
  ],
  [
    'an optional object in the query',
    get('/pets/{id}', { parameters: [query('filter', { type: 'object' })] }),
    ['petstore://pets/{id}'],
  ],
  [
    'a required object in the query',
    get('/pets/{id}', { parameters: [query('filter', { type: 'object' }, { required: true })] }),
    [],
  ],
  [
    'a required query parameter',
    get('/pets/{id}', { parameters: [query('q', {}, { required: true })] }),
    ['petstore://pets/{id}{?q}'],
  ],
  [
    'only a required query parameter',
    get('/search', { parameters: [query('q', {}, { required: true })] }),
    [],
  ],
  ['a required header', get('/pets', { parameters: [parameter('header', 'x', {}, { required: true })] }), []],
  ['a required body', get('/pets', { body: jsonBody({ type: 'string' }) }), []],
  [
    'an optional body',
    get('/pets', { body: jsonBody({ type: 'string' }, { required: false }) }),
    ['petstore://pets'],
  ],
  [
    'a path parameter of many parts',
    get('/pets/{ids}', { parameters: [parameter('path', 'ids', { type: 'array' })] }),
    ['petstore://pets/{ids}'],
  ],
  [
    'variables are cleaned',
    get('/pets/{pet-id}', { parameters: [query('filter[a.b]')] }),
    ['petstore://pets/{pet_id}{?filter_a_b}'],
  ],
  ['variables that become the same', get('/pets/{a.b}/{a-b}'), ['petstore://pets/{a_b}/{a_b_2}']],
  [
    'path and query of one name',
    get('/pets/{id}', { parameters: [query('id')] }),
    ['petstore://pets/{id}{?id_query}'],
  ],
  [
    'characters a URI cannot hold',
    get('/a b/é|"{id}"#x?y=%20%'),
    ['petstore://a%20b/%C3%A9%7C%22{id}%22%23x%3Fy=%20%25'],
  ],
  ['what looks like a port', get('/v1:list'), ['petstore://v1%3Alist']],
  ['dot segments', get('/../x'), []],
  ['a variable with a slash', get('/a/{b/c}'), []],
  ['half a surrogate pair', get('/\ud800'), ['petstore://%EF%BF%BD']],
  ['another method', operation('POST /pets', ok), []],
  ['no content', operation('GET /pets', { responses: [response('204')] }), []],
  ['a stream', operation('GET /pets', { responses: [response('200', 'text/event-stream')] }), []],
  ['an image', operation('GET /pets', { responses: [response('200', 'image/png')] }), ['petstore://pets']],
])('%s', (_what, given, want) => {
  expect(urisOf([given])).toEqual(want);
});

test.each([
  ['Petstore', undefined, 'petstore'],
  ['GitHub v3 REST API', undefined, 'github-rest'],
  ['1Password', undefined, 'password'],
  ['日本', undefined, 'riben'],
  ['🎉', undefined, 'example'],
  ['HTTP', undefined, 'http-api'],
  ['x', '@scope/my_server', 'my-server'],
])('the scheme of %s (%s) is %s', (title, name, want) => {
  const { model } = derive(
    source([get('/a')], { info: { title, version: '1' } }),
    name === undefined ? {} : { name },
  );
  expect(model.resources[0]?.uri).toBe(`${want}://a`);
});

test('a resource does what its tool does', () => {
  const { model } = derive(
    source([get('/pets', { operationId: 'listPets', summary: 'Pets.', security: [{ o: ['read'] }] })], {
      securitySchemes: { o: { origin: model0, type: 'oauth2', scopes: {} } },
    }),
  );
  expect(model.resources).toEqual([
    {
      uri: 'petstore://pets',
      name: 'listPets',
      title: 'Pets',
      description: 'Pets. Returns an object.',
      mimeType: 'application/json',
      binding: { do: { kind: 'tool', name: 'listPets' }, scopes: ['read'] },
      origin: expect.objectContaining({ pointer: '/paths/~1pets/get' }),
    },
  ]);
});

const model0 = { kind: 'document', file: 'api.yaml', pointer: '' } as const;

test('variables are mapped to arguments, typed and completed', () => {
  const given = get('/pets/{pet-id}', {
    parameters: [
      parameter('path', 'pet-id', { type: 'integer' }),
      query('status', { $ref: '#/$defs/Status' }),
      query('all', { type: ['boolean', 'null'] }),
      query('n', { anyOf: [{ type: 'number' }, { type: 'null' }] }),
      query('tags', { type: 'array', items: { type: 'string', enum: ['x', 'y'] } }),
    ],
  });
  const { model } = derive(
    source([given], { schemas: { Status: { type: 'string', enum: ['sold', 'free', null] } } }),
  );
  const uri = 'petstore://pets/{pet_id}{?status,all,n,tags*}';
  expect(model.resourceTemplates[0]).toMatchObject({
    uriTemplate: uri,
    binding: {
      variables: { pet_id: 'pet-id' },
      schemas: {
        'pet-id': { type: 'integer' },
        all: { type: 'boolean' },
        n: { type: 'number' },
        tags: { type: 'array', items: { type: 'string' } },
      },
    },
  });
  const ref = { kind: 'resource', uri };
  expect(model.completions).toEqual([
    { ref, argument: 'status', from: { kind: 'values', values: ['sold', 'free'] } },
    { ref, argument: 'all', from: { kind: 'values', values: ['true', 'false'] } },
    { ref, argument: 'tags', from: { kind: 'values', values: ['x', 'y'] } },
  ]);
});

test('two operations with one URI: the first by path is read there, in any order', () => {
  const given = [get('/pets/{pet_id}', { operationId: 'b' }), get('/pets/{pet-id}', { operationId: 'a' })];
  for (const capabilities of [given, given.toReversed()]) {
    const { model, problems } = derive(source(capabilities));
    expect(model.resourceTemplates.map(({ name }) => name)).toEqual(['a']);
    expect(model.tools).toHaveLength(2);
    expect(problems).toEqual(['resource-left-out']);
  }
});

test.each<[string, Partial<Operation>, Parameters<typeof derive>[1], number, number, string[]]>([
  ['both by default', {}, {}, 1, 1, []],
  ['x-mcp.resource: false', { xMcp: { resource: false } }, {}, 1, 0, []],
  ['x-mcp.resource: only', { xMcp: { resource: 'only' } }, {}, 0, 1, []],
  ['route map: resource', {}, { routeMap: [{ methods: ['get'], as: 'resource' }] }, 0, 1, []],
  ['route map: tool', {}, { routeMap: [{ as: 'tool' }] }, 1, 0, []],
  ['x-mcp over the route map', { xMcp: { resource: true } }, { routeMap: [{ as: 'tool' }] }, 1, 1, []],
  ['only, but impossible', { responses: [], xMcp: { resource: 'only' } }, {}, 1, 0, ['not-a-resource']],
  ['asked for, but impossible', { responses: [], xMcp: { resource: true } }, {}, 1, 0, ['not-a-resource']],
])('%s', (_what, rest, options, tools, resources, problems) => {
  const derived = derive(source([get('/pets', rest)]), options);
  expect(derived.model.tools).toHaveLength(tools);
  expect(derived.model.resources).toHaveLength(resources);
  expect(derived.problems).toEqual(problems);
});

test('a resource without its tool has the request itself', () => {
  const { model } = derive(source([get('/pets/{id}', { xMcp: { resource: 'only' } })]));
  expect(model.resourceTemplates[0]?.binding.do).toMatchObject({
    kind: 'http',
    method: 'GET',
    path: '/pets/{id}',
  });
});

test.each<[string, Operation, string[]]>([
  [
    'an object in the path',
    get('/x/{o}', { parameters: [parameter('path', 'o', { type: 'object' })] }),
    ['resource-left-out'],
  ],
  [
    'a required header beside the path',
    get('/x/{id}', { parameters: [parameter('header', 'h', {}, { required: true })] }),
    ['resource-left-out'],
  ],
  ['dot segments', get('/../x'), ['resource-left-out']],
  ['only a required query parameter', get('/x', { parameters: [query('q', {}, { required: true })] }), []],
  ['another method', operation('DELETE /x/{id}'), []],
  ['not wanted', get('/../x', { xMcp: { resource: false } }), []],
])('what the rules would have made a resource is told: %s', (_what, given, want) => {
  expect(derive(source([given])).problems).toEqual(want);
});

test.each<[string, Parameter['style'], boolean, JsonSchema, string[] | string, string]>([
  ['simple', undefined, false, string, 'a.b', 'petstore://x/a.b'],
  ['simple list', undefined, false, strings, ['a', 'b'], 'petstore://x/a,b'],
  ['label', 'label', false, string, 'a', 'petstore://x/.a'],
  ['label list', 'label', false, strings, ['a', 'b'], 'petstore://x/.a,b'],
  ['exploded label list', 'label', true, strings, ['a', 'b'], 'petstore://x/.a.b'],
  ['matrix', 'matrix', false, string, 'a', 'petstore://x/;v=a'],
  ['matrix list', 'matrix', false, strings, ['a', 'b'], 'petstore://x/;v=a,b'],
  ['exploded matrix list', 'matrix', true, strings, ['a', 'b'], 'petstore://x/;v=a;v=b'],
])('%s: what the template makes is read again', (_what, style, explode, schema, value, want) => {
  const rest = { explode, ...(style === undefined ? {} : { style }) };
  const [template = ''] = urisOf([get('/x/{v}', { parameters: [parameter('path', 'v', schema, rest)] })]);
  const { expand } = partsOf<ExpandTemplate>([uriTemplates()], 'expansions');
  const { match } = partsOf<MatchTemplate>([uriTemplates()], 'templates');
  expect(expand?.(template, { v: value })).toBe(want);
  // Items are joined by commas.
  expect(match?.(template, want)).toEqual({ v: String(value) });
});

test('a GET that may change something is a resource only if somebody says so', () => {
  const purge = get('/pets/{id}/purge');
  const { model, problems } = derive(source([purge]));
  expect(model.resourceTemplates).toEqual([]);
  expect(model.tools).toHaveLength(1);
  expect(problems).toEqual(['resource-left-out', 'not-read-only']);
  for (const xMcp of [{ resource: true }, { annotations: { readOnlyHint: true } }])
    expect(urisOf([{ ...purge, xMcp }])).toEqual(['petstore://pets/{id}/purge']);
});

test.each<[string, NonNullable<Operation['xMcp']>, Parameters<typeof derive>[1], string[]]>([
  ['x-mcp', { resource: 'only' }, {}, ['not-a-resource', 'not-read-only']],
  ['a route map', {}, { routeMap: [{ as: 'resource' }] }, ['not-a-resource', 'not-read-only']],
  ['x-mcp that says it reads', { resource: 'only', annotations: { readOnlyHint: true } }, {}, []],
])('one that %s makes a resource alone stays a tool, whose hints guard it', (_what, xMcp, options, want) => {
  const { model, problems } = derive(source([get('/pets/{id}/purge', { xMcp })]), options);
  expect(problems).toEqual(want);
  expect(model.tools).toHaveLength(want.length === 0 ? 0 : 1);
  expect(model.resourceTemplates).toHaveLength(want.length === 0 ? 1 : 0);
});
