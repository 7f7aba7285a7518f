import { expect, test } from 'vitest';
import { modelOf, openapi, operationsOf, read, withOperation } from './reading.ts';

test('x-mcp of the operation overlays that of the path', async () => {
  const model = await modelOf(
    openapi({
      'x-mcp': { title: 'Root' },
      paths: {
        '/a': {
          'x-mcp': { scopes: ['read'], title: 'Path', annotations: { readOnlyHint: true, title: 'A' } },
          get: {
            'x-mcp': { name: 'list', title: 'Own', annotations: { openWorldHint: false }, resource: 'only' },
          },
          put: { 'x-mcp': false },
          post: {},
        },
        '/b': { get: { 'x-mcp': true } },
        '/c': { get: {} },
      },
    }),
  );
  expect(model.xMcp).toEqual({ title: 'Root' });
  const annotations = { readOnlyHint: true, title: 'A' };
  expect(operationsOf(model).map(({ xMcp }) => xMcp)).toEqual([
    {
      scopes: ['read'],
      title: 'Own',
      name: 'list',
      annotations: { ...annotations, openWorldHint: false },
      resource: 'only',
    },
    { scopes: ['read'], title: 'Path', annotations, enabled: false },
    { scopes: ['read'], title: 'Path', annotations },
    { enabled: true },
    undefined,
  ]);
});

test('members of _meta of a path and its operation are joined, and a key that MCP does not allow is told of', async () => {
  const document = openapi({
    'x-mcp': { _meta: { 'com.example/owner': 'pets' } },
    paths: {
      '/a': {
        'x-mcp': { _meta: { 'com.example/a': 1, b: { c: [true] } } },
        get: { 'x-mcp': { _meta: { b: 2, 'bad key': 3, '/x': 4, 'a..b/c': 5, 'com.example/': 6 } } },
        put: { 'x-mcp': { _meta: [] } },
      },
    },
  });
  const { model, told } = await read(document);
  expect(model?.xMcp?._meta).toEqual({ 'com.example/owner': 'pets' });
  expect(model && operationsOf(model).map(({ xMcp }) => xMcp?._meta)).toEqual([
    { 'com.example/a': 1, b: 2, 'com.example/': 6 },
    { 'com.example/a': 1, b: { c: [true] } },
  ]);
  expect(told.filter((each) => each.includes('invalid-x-mcp'))).toHaveLength(4);
});

test.each<[given: unknown, told: string, want: unknown]>([
  ['yes', 'invalid-x-mcp ', undefined],
  [{ name: 1 }, 'invalid-x-mcp /name', {}],
  [{ resource: 'maybe' }, 'invalid-x-mcp /resource', {}],
  [{ annotations: [] }, 'invalid-x-mcp /annotations', {}],
  [{ annotations: { readOnlyHint: 'true' } }, 'invalid-x-mcp /annotations/readOnlyHint', { annotations: {} }],
  [{ annotations: { readonlyHint: true } }, 'invalid-x-mcp /annotations/readonlyHint', { annotations: {} }],
  [{ annotations: { title: [] } }, 'invalid-x-mcp /annotations/title', { annotations: {} }],
  [{ icons: [{ src: 'javascript:alert(1)' }] }, 'invalid-x-mcp /icons/0', {}],
  [{ scopes: ['a', 1] }, 'invalid-x-mcp /scopes/1', {}],
  [{ fields: 'all' }, 'invalid-x-mcp /fields', {}],
  [{ output: ['id'] }, 'invalid-x-mcp /output', {}],
  [{ output: { select: 'id', drop: ['a'] } }, 'invalid-x-mcp /output/select', { output: { drop: ['a'] } }],
  [{ output: { selekt: ['id'] } }, 'invalid-x-mcp /output/selekt', { output: {} }],
])('x-mcp: %j', async (given, line, want) => {
  const { model, told } = await read(withOperation({ 'x-mcp': given }));
  const [name, tail = ''] = line.split(' ');
  expect(told).toEqual([`warning ${String(name)} /paths/~1a/get/x-mcp${tail}`]);
  expect(model && operationsOf(model)[0]?.xMcp).toEqual(want);
});

const bad = { titel: 'Pets', scopes: 3 };
test.each<[string, object]>([
  ['/x-mcp', withOperation({}, { 'x-mcp': bad })],
  ['/paths/~1a/x-mcp', openapi({ paths: { '/a': { 'x-mcp': bad, get: {} } } })],
  ['/paths/~1a/get/x-mcp', withOperation({ 'x-mcp': bad })],
])('x-mcp is judged at %s', async (pointer, document) => {
  const { told, found } = await read(document);
  expect(told).toEqual([`warning invalid-x-mcp ${pointer}/titel`, `warning invalid-x-mcp ${pointer}/scopes`]);
  expect(found[0]?.hint).toContain('title');
});

test('prompts, by template or messages', async () => {
  const prompts = [
    {
      name: 'plan',
      title: 'Plan',
      description: 'Plans a trip',
      arguments: [
        { name: 'city', required: true, enum: ['Rome', 1] },
        { name: 'days', description: 'How long' },
      ],
      template: 'Plan {{days}} days in {{ city }}.',
    },
    {
      name: 'talk',
      messages: [{ role: 'user', text: 'Hi' }, { role: 'assistant', text: 'Hello' }, { text: 'Go' }],
    },
  ];
  const { model, told } = await read(withOperation({}, { 'x-mcp-prompts': prompts }));
  expect(told).toEqual([]);
  expect(model?.capabilities.slice(1)).toEqual([
    {
      kind: 'prompt',
      origin: { kind: 'document', file: '<stdin>', pointer: '/x-mcp-prompts/0' },
      name: 'plan',
      title: 'Plan',
      description: 'Plans a trip',
      arguments: [
        { name: 'city', required: true, values: ['Rome'] },
        { name: 'days', description: 'How long', required: false },
      ],
      messages: [{ role: 'user', text: 'Plan {{days}} days in {{ city }}.' }],
    },
    {
      kind: 'prompt',
      origin: { kind: 'document', file: '<stdin>', pointer: '/x-mcp-prompts/1' },
      name: 'talk',
      arguments: [],
      messages: [
        { role: 'user', text: 'Hi' },
        { role: 'assistant', text: 'Hello' },
        { role: 'user', text: 'Go' },
      ],
    },
  ]);
});

test.each<[given: unknown, places: string[]]>([
  ['plan', ['']],
  [['plan'], ['/0']],
  [[{ template: 'x' }], ['/0']],
  [[{ name: 'a', messages: [] }], ['/0']],
  [[{ name: 'a', messages: [{ role: 'system', text: 'x' }, { text: 'y' }] }], ['/0/messages/0']],
  [[{ name: 'a', template: 'x', arguments: {} }], ['/0/arguments']],
  [[{ name: 'a', template: 'x', arguments: [{}] }], ['/0/arguments/0']],
  [
    [
      { name: 'a', template: 'x' },
      { name: 'a', template: 'y' },
    ],
    ['/1'],
  ],
])('a prompt that is not one: %j', async (given, places) => {
  const { told } = await read(withOperation({}, { 'x-mcp-prompts': given }));
  expect(told).toEqual(places.map((place) => `warning invalid-prompt /x-mcp-prompts${place}`));
});

test('x-mcp of parameters, properties and operations has rules for arguments', async () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } };
  const post = {
    'x-mcp': { arguments: { b: false, c: { env: 'C' } } },
    parameters: [{ name: 'a', in: 'query', schema: {}, 'x-mcp': { const: { a: 1 } } }],
    requestBody: { content },
  };
  const properties = { d: { type: 'string', 'x-mcp': { hide: true, default: 5 } }, e: {} };
  const model = await modelOf(
    openapi({ paths: { '/a': { post } }, components: { schemas: { Pet: { allOf: [{ properties }] } } } }),
  );
  const [operation] = operationsOf(model);
  expect(operation?.xMcp).toEqual({ arguments: { b: { hide: true }, c: { env: 'C' } } });
  expect(operation?.parameters[0]?.rule).toEqual({ const: { a: 1 } });
  expect(operation?.body?.content[0]?.rules).toEqual({ d: { hide: true, default: 5 } });
});

test.each<[given: unknown, told: string]>([
  ['no', 'invalid-x-mcp '],
  [{ hide: 'yes' }, 'invalid-x-mcp /hide'],
  [{ env: 'A-B' }, 'invalid-x-mcp /env'],
  [{ hid: true }, 'invalid-x-mcp /hid'],
  [{ env: '${A}' }, 'argument-value-reference /env'],
  [{ const: { a: ['${A}'] } }, 'argument-value-reference /const'],
])('x-mcp of a parameter: %j is %s', async (given, told) => {
  const parameters = [{ name: 'a', in: 'query', schema: {}, 'x-mcp': given }];
  const { told: lines } = await read(withOperation({ parameters }));
  const [name, tail = ''] = told.split(' ');
  const severity = name === 'argument-value-reference' ? 'error' : 'warning';
  expect(lines).toEqual([`${severity} ${String(name)} /paths/~1a/get/parameters/0/x-mcp${tail}`]);
});

const hidden = { type: 'string', 'x-mcp': { hide: true } };
test.each<[place: string, schema: object, told: string[]]>([
  ['a property', { properties: { a: hidden } }, []],
  ['a property of a part', { allOf: [{ properties: { a: hidden } }] }, []],
  [
    'a member of a property',
    { properties: { a: { properties: { b: hidden } } } },
    ['/properties/a/properties/b'],
  ],
  ['an item', { properties: { a: { items: hidden } } }, ['/properties/a/items']],
  ['an alternative', { oneOf: [{ properties: { a: hidden } }] }, ['/oneOf/0/properties/a']],
  ['the body', hidden, ['']],
  [
    'a reference in a property',
    { properties: { a: { properties: { b: { $ref: '#/x', 'x-mcp': false } } } } },
    ['/properties/a/properties/b'],
  ],
])('x-mcp of %s of a body', async (_, schema, told) => {
  const content = { 'application/json': { schema } };
  const given = { requestBody: { content }, 'x-mcp': { enabled: true } };
  const { told: lines } = await read(withOperation(given, { x: {} }, '3.0.3'));
  const at = '/paths/~1a/get/requestBody/content/application~1json/schema';
  expect(lines).toEqual(told.map((place) => `warning rule-without-effect ${at}${place}/x-mcp`));
});
