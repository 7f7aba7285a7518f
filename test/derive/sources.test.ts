// Several sources in one server: whose names, addresses and secrets are whose.
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { type DeriveOptions, deriveServer, type SourcePart } from '../../src/derive/index.ts';
import { assertSchemas } from '../../src/model/assert-model.ts';
import type { FunctionPrompt, FunctionTool, SourceModel } from '../../src/model/source-model.ts';
import { operation, origin, source } from './support.ts';

const code = (line: number) => ({ kind: 'code', file: 'src/tools.ts', line, column: 1 }) as const;
const binding = { kind: 'function', module: 'app/tools.ts', export: 'f', parameters: [] } as const;
const common = { scopes: [], input: { type: 'object' as const }, binding: { ...binding, parameters: [] } };
const tool = (name: string, line = 3): FunctionTool => ({
  kind: 'function-tool',
  name,
  annotations: {},
  origin: code(line),
  ...common,
});
const prompt = (name: string, line = 9): FunctionPrompt => ({
  kind: 'function-prompt',
  name,
  origin: code(line),
  ...common,
});

function functions(capabilities: SourceModel['capabilities']): SourceModel {
  return { ...source(capabilities), info: { title: 'tools', version: '1' }, origin: code(1) };
}

/** A document `<title>.yaml`. */
function document(title: string, keys: string[], rest: Partial<SourceModel> = {}): SourceModel {
  const file = `${title}.yaml`;
  const operations = keys.map((key) => ({ ...operation(key), origin: { ...operation(key).origin, file } }));
  return source(operations, {
    info: { title, version: '1' },
    origin: { ...origin, file },
    servers: [{ url: `https://${title}.test` }],
    ...rest,
  });
}

const keyed = (name = 'key'): Partial<SourceModel> => ({
  security: [{ [name]: [] }],
  securitySchemes: { [name]: { type: 'apiKey', in: 'header', name: 'X-Key', origin } },
});

function deriveAll(parts: SourcePart[], options: DeriveOptions = {}) {
  const diagnostics = new DiagnosticCollector();
  const model = deriveServer(parts, options, diagnostics);
  if (!diagnostics.hasErrors) assertSchemas(model);
  return { model, found: diagnostics.found };
}

test('a prefix begins the names of a source', () => {
  const { model, found } = deriveAll(
    [
      { source: document('pets', ['GET /pets', 'GET /pets/{id}']), options: { prefix: 'pets_' } },
      { source: functions([tool('add'), prompt('plan')]), options: { prefix: 'my.' } },
    ],
    { name: 'zoo-mcp' },
  );
  expect(model.tools.map(({ name }) => name)).toEqual(['pets_get_pets', 'pets_get_pets_id', 'my_add']);
  expect(model.prompts.map(({ name }) => name)).toEqual(['my.plan']);
  expect(found.map(({ name }) => name)).toEqual(['name-cleaned']);
});

test('without a prefix nothing is added, and one document has the plain variables', () => {
  const { model } = deriveAll([
    { source: functions([tool('add')]) },
    { source: document('pets', ['GET /pets'], keyed()) },
  ]);
  expect(model.tools.map(({ name }) => name)).toEqual(['add', 'get_pets']);
  expect(model.upstreams).toBeUndefined();
  expect(model.upstream).toMatchObject({ securitySchemes: { key: { env: { key: 'API_KEY_KEY' } } } });
  expect(model.tools[1]?.binding).not.toHaveProperty('api');
});

test.each([
  { given: 'key', other: 'key', want: ['API_KEY_RAIL_KEY', 'API_KEY_HOTELS_KEY'] },
  { given: 'my-key', other: 'MY_KEY', want: ['API_KEY_RAIL_MY_KEY', 'API_KEY_HOTELS_MY_KEY'] },
  { given: 'one', other: 'two', want: ['API_KEY_ONE', 'API_KEY_TWO'] },
])('schemes $given and $other of two documents are set by $want', ({ given, other, want }) => {
  const parts = [
    { source: document('rail', ['GET /a'], keyed(given)), options: { prefix: 'rail_' } },
    { source: document('hotels', ['GET /b'], keyed(other)) },
  ];
  for (const order of [parts, parts.toReversed()]) {
    const { upstreams = [] } = deriveAll(order).model;
    const envs = upstreams.map(({ name, securitySchemes }) => [name, Object.values(securitySchemes)[0]]);
    expect(new Map(envs as [string, { env: unknown }][])).toEqual(
      new Map([
        ['RAIL', expect.objectContaining({ env: { key: want[0] } })],
        ['HOTELS', expect.objectContaining({ env: { key: want[1] } })],
      ]),
    );
  }
});

test('each call knows its API, and its mock', () => {
  const { model } = deriveAll([
    { source: document('rail', ['GET /a']) },
    { source: document('hotels', ['GET /a/{id}']), options: { prefix: 'h_', baseUrl: 'https://test.test' } },
  ]);
  expect(model.upstreams?.map(({ name, servers }) => [name, servers[0]?.url])).toEqual([
    ['RAIL', 'https://rail.test'],
    ['H', 'https://test.test'],
  ]);
  expect(model.tools.map(({ binding: { kind, ...rest } }) => [kind, 'api' in rest && rest.api])).toEqual([
    ['http', 'RAIL'],
    ['http', 'H'],
  ]);
  expect(Object.keys(model.mocks ?? {})).toEqual(['RAIL', 'H']);
});

test('names that were given stay, those of each API by itself; under another prefix they are given anew', () => {
  const parts = [
    { source: document('rail', ['GET /a']), options: { prefix: 'r_' } },
    { source: document('hotels', ['GET /a']), options: { prefix: 'h_' } },
  ];
  const names = (nameLock: Record<string, string>) =>
    deriveAll(parts, { nameLock }).model.tools.map(({ name }) => name);
  expect(names({ 'R GET /a': 'r_old', 'H GET /a': 'h_older' })).toEqual(['r_old', 'h_older']);
  expect(names({ 'R GET /a': 'rail_old', 'GET /a': 'h_old' })).toEqual(['r_get_a', 'h_get_a']);
});

test.each([
  {
    what: 'a tool of a document and one of a function',
    parts: [{ source: document('pets', ['GET /pets']) }, { source: functions([tool('get_pets')]) }],
    words: 'Two tools have the name get_pets.',
    at: code(3),
    other: { file: 'pets.yaml', pointer: '/paths/~1pets/get' },
  },
  {
    what: 'tools whose prefixes make them the same',
    parts: [
      { source: functions([tool('b_c')]), options: { prefix: 'a_' } },
      { source: functions([tool('c', 4)]), options: { prefix: 'a_b_' } },
    ],
    words: 'Two tools have the name a_b_c.',
    at: code(4),
    other: code(3),
  },
  {
    what: 'prompts',
    parts: [{ source: functions([prompt('plan')]) }, { source: functions([prompt('plan', 10)]) }],
    words: 'Two prompts have the name plan.',
    at: code(10),
    other: code(9),
  },
  {
    what: 'documents of one title',
    parts: [{ source: document('pets', ['GET /a']) }, { source: document('pets', ['GET /b']) }],
    words: 'Two documents of this server are called PETS, ',
    at: { file: 'pets.yaml' },
    other: { file: 'pets.yaml' },
  },
  {
    what: 'documents of which one begins as the other is called',
    parts: [
      { source: document('rail', ['GET /a']) },
      { source: document('hotels', ['GET /b']), options: { prefix: 'rail_eu_' } },
    ],
    words: 'Two documents of this server are called RAIL_EU and RAIL, ',
    at: { file: 'hotels.yaml' },
    other: { file: 'rail.yaml' },
  },
])('$what clash, and both places are told', ({ parts, words, at, other }) => {
  const errors = deriveAll(parts).found.filter(({ severity }) => severity === 'error');
  expect(errors).toContainEqual(
    expect.objectContaining({
      message: expect.stringContaining(words) as string,
      origin: expect.objectContaining(at) as unknown,
      related: [expect.objectContaining({ origin: expect.objectContaining(other) as unknown })],
    }),
  );
});

test('variable-of-two is told once, for the documents alone', () => {
  const parts = [
    { source: document('pets', ['GET /a']) },
    { source: document('pets', ['GET /b']) },
    { source: functions([tool('pets')]) },
  ];
  expect(deriveAll(parts).found.map(({ name }) => name)).toEqual(['variable-of-two']);
});

const GIVEN = { 'GET /pets': 'allPets', 'GET /pets/{id}': 'onePet' };

test.each<{ what: string; lock: Record<string, string>; parts: SourcePart[]; want: string[] }>([
  {
    what: 'a second document',
    lock: GIVEN,
    parts: [
      { source: document('pets', ['GET /pets', 'GET /pets/{id}']) },
      { source: document('shop', ['GET /pets', 'GET /cart']), options: { prefix: 'shop_' } },
    ],
    want: ['allPets', 'onePet', 'shop_get_pets', 'shop_get_cart'],
  },
  {
    what: 'a third',
    lock: { 'PETS GET /pets': 'allPets', 'SHOP GET /cart': 'shop_basket' },
    parts: [
      { source: document('pets', ['GET /pets']) },
      { source: document('rail', ['GET /cart']), options: { prefix: 'rail_' } },
      { source: document('shop', ['GET /cart']), options: { prefix: 'shop_' } },
    ],
    want: ['allPets', 'rail_get_cart', 'shop_basket'],
  },
  {
    what: 'one that is alone again',
    lock: { 'PETS GET /pets': 'allPets', 'SHOP GET /cart': 'shop_basket' },
    parts: [{ source: document('shop', ['GET /cart']), options: { prefix: 'shop_' } }],
    want: ['shop_basket'],
  },
])('names stay with $what', ({ lock, parts, want }) => {
  const { model } = deriveAll(parts, { nameLock: lock });
  expect(model.tools.map(({ name }) => name)).toEqual(want);
});

test('functions may call operations that are no tools, if their code has the words', () => {
  const reading = (words: string[]): SourceModel => ({ ...functions([tool('add')]), codeWords: words });
  const rail = document('rail', ['GET /stations', 'DELETE /seats/{id}', 'PUT /other'], keyed());
  const ids = ['stations', 'dropSeat', 'other'];
  const capabilities = rail.capabilities.map((each, at) =>
    each.kind === 'operation' ? { ...each, operationId: ids[at] ?? '', security: [{ key: [] }] } : each,
  );
  const derived = (words: string[], more: SourcePart[] = []) =>
    deriveAll([
      {
        source: { ...rail, capabilities },
        options: { prefix: 'rail_', exclude: ['method:DELETE', 'method:PUT'] },
      },
      ...more,
      { source: reading(words) },
    ]).model;
  expect(derived([]).operations).toBeUndefined();
  expect(derived(['api', 'stations']).operations).toEqual({ rail: {} });
  const model = derived(['api', 'dropSeat', 'stations'], [{ source: document('hotels', ['GET /rooms']) }]);
  expect(model.operations).toMatchObject({
    rail: {
      dropSeat: {
        do: { kind: 'http', api: 'RAIL', method: 'DELETE', path: '/seats/{id}' },
        input: { type: 'object', required: ['id'] },
      },
    },
    hotels: {},
  });
  expect(Object.keys(model.operations?.['rail'] ?? {})).toEqual(['dropSeat']);
  expect(model.tools.map(({ name }) => name)).toEqual(['rail_stations', 'get_rooms', 'add']);
});

test.each<[string, DeriveOptions, [object, object], string[], string[]]>([
  [
    'a selector of both that matches in one of them',
    { exclude: ['op:pets_post_pets'] },
    [{}, {}],
    [],
    ['pets_get_pets', 'orders_get_orders', 'orders_post_orders'],
  ],
  ['one that matches in neither', { exclude: ['op:nope'] }, [{}, {}], ['selector-matches-nothing'], []],
  [
    'documents that a common selector leaves out',
    { include: ['path:/pets'] },
    [{}, {}],
    [],
    ['pets_get_pets', 'pets_post_pets'],
  ],
  [
    'a common selection of nothing',
    { include: ['path:/no'] },
    [{}, {}],
    ['nothing-selected', 'selector-matches-nothing'],
    [],
  ],
  ['a selector of one document alone', {}, [{ include: ['path:/no'] }, {}], ['selector-matches-nothing'], []],
  [
    'selectors that differ',
    {},
    [{ exclude: ['path:/orders'] }, { exclude: ['path:/pets'] }],
    ['selector-matches-nothing', 'selector-matches-nothing'],
    [],
  ],
])('two documents with a prefix: %s', (_, options, [pets, orders], problems, served) => {
  const { model, found } = deriveAll(
    [
      { source: document('pets', ['GET /pets', 'POST /pets']), options: { prefix: 'pets_', ...pets } },
      {
        source: document('orders', ['GET /orders', 'POST /orders']),
        options: { prefix: 'orders_', ...orders },
      },
    ],
    options,
  );
  const names = found.map(({ name }) => name).filter((name) => /select/.test(name));
  expect([...new Set(names)].sort()).toEqual([...new Set(problems)].sort());
  if (problems.length === 0) expect(model.tools.map(({ name }) => name)).toEqual(served);
});

test.each<[string, DeriveOptions, string[]]>([
  ['include', { include: ['path:/pets'] }, []],
  ['exclude', { exclude: ['method:POST'] }, []],
  ['pin', { pin: ['op:get_pets'], surface: 'search' }, []],
  ['one that matches in no document', { exclude: ['op:nope'] }, ['selector-matches-nothing']],
])('functions beside a document are not asked for the operations of selectors: %s', (_, options, want) => {
  const { found } = deriveAll(
    [{ source: document('pets', ['GET /pets', 'POST /pets']) }, { source: functions([tool('add')]) }],
    options,
  );
  expect(found.map(({ name }) => name).filter((name) => /select/.test(name))).toEqual(want);
});
