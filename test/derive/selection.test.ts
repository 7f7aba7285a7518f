import { expect, test } from 'vitest';
import type { DeriveOptions } from '../../src/derive/index.ts';
import { derive, operation, response, source } from './support.ts';

const operations = [
  operation('GET /pets', { operationId: 'listPets', tags: ['pets'] }),
  operation('POST /pets', { operationId: 'createPet', tags: ['pets', 'write'] }),
  operation('GET /pets/{id}', { operationId: 'getPet', tags: ['pets'] }),
  operation('GET /pets/{id}/photos/{n}', { operationId: 'getPhoto', tags: ['photos'], deprecated: true }),
  operation('DELETE /users/{id}', { operationId: 'users_delete', tags: ['users', 'write'] }),
];
const all = ['listPets', 'createPet', 'getPet', 'getPhoto', 'users_delete'];
const namesOf = (options: DeriveOptions) =>
  derive(source(operations), options).model.tools.map(({ name }) => name);

test.each<[string, DeriveOptions, string[]]>([
  ['everything', {}, all],
  ['a tag', { include: ['tag:pets'] }, ['listPets', 'createPet', 'getPet']],
  ['two tags', { include: ['tag:photos', 'tag:users'] }, ['getPhoto', 'users_delete']],
  ['two kinds', { include: ['tag:pets', 'method:get'] }, ['listPets', 'getPet']],
  ['methods in any case', { include: ['method:DELETE', 'method:post'] }, ['createPet', 'users_delete']],
  ['a path', { include: ['path:/pets'] }, ['listPets', 'createPet']],
  ['a segment', { include: ['path:/pets/*'] }, ['getPet']],
  ['any segments', { include: ['path:/pets/**'] }, ['getPet', 'getPhoto']],
  ['anything', { include: ['path:**{n}'] }, ['getPhoto']],
  ['a path without its slash', { include: ['path:pets'] }, ['listPets', 'createPet']],
  ['an id', { include: ['op:getPet'] }, ['getPet']],
  ['ids', { include: ['op:get*', 'op:*delete'] }, ['getPet', 'getPhoto', 'users_delete']],
  ['a tool by its name', { include: ['op:users_delete'] }, ['users_delete']],
  ['exclude', { exclude: ['tag:pets'] }, ['getPhoto', 'users_delete']],
  ['exclude a union', { exclude: ['tag:pets', 'method:get'] }, ['users_delete']],
  ['exclude a union of three kinds', { exclude: ['op:get*', 'path:/users/**', 'method:post'] }, ['listPets']],
  [
    'exclude beside include of another kind',
    { include: ['tag:pets'], exclude: ['method:post', 'op:getPet'] },
    ['listPets'],
  ],
  ['exclude wins', { include: ['tag:pets'], exclude: ['op:getPet'] }, ['listPets', 'createPet']],
])('%s', (_what, options, want) => {
  expect(namesOf(options)).toEqual(want);
});

test.each(['tags:pets', '/pets/**', 'GET', 'pets', 'tag:', ''])('bad selector %j', (given) => {
  const { problems, messages } = derive(source(operations), { exclude: [given] });
  expect(problems).toEqual(['bad-selector']);
  expect(messages[0]).toContain('`tag:pets`, `path:/pets/**`, `op:list*` or `method:get`');
});

test('nothing left is an error', () => {
  const mixed = derive(source(operations), { include: ['tag:users', 'method:get', 'method:put'] });
  expect(mixed.problems).toEqual(['nothing-selected', 'selector-matches-nothing']);
  expect(mixed.messages[0]).toContain('each kind of `--include` that is given: `tag:`, `method:`');
  expect(derive(source([operation('GET /x', { xMcp: { enabled: false } })])).problems).toEqual([
    'nothing-selected',
  ]);
});

test.each<[string, DeriveOptions, string[]]>([
  [
    'the first match wins',
    {
      routeMap: [
        { path: '/pets', as: 'tool' },
        { path: '/pets**', as: 'exclude' },
      ],
    },
    ['listPets', 'createPet', 'users_delete'],
  ],
  [
    'every member must match',
    { routeMap: [{ methods: ['GET'], tags: ['pets', 'users'], as: 'exclude' }] },
    ['createPet', 'getPhoto', 'users_delete'],
  ],
  [
    'deprecated',
    { routeMap: [{ deprecated: true, as: 'exclude' }] },
    all.filter((name) => name !== 'getPhoto'),
  ],
  ['not deprecated', { routeMap: [{ deprecated: false, as: 'exclude' }] }, ['getPhoto']],
  ['operationId', { routeMap: [{ operationId: 'users_*', as: 'exclude' }] }, all.slice(0, 4)],
])('route map: %s', (_what, options, want) => {
  expect(namesOf(options)).toEqual(want);
});

test('x-mcp is over selectors and route map', () => {
  const given = [
    operation('GET /a', { operationId: 'a', xMcp: { enabled: true } }),
    operation('GET /b', { operationId: 'b', xMcp: { enabled: false } }),
    operation('GET /c', { operationId: 'c' }),
  ];
  const options: DeriveOptions = { exclude: ['op:a'], routeMap: [{ operationId: 'a', as: 'exclude' }] };
  expect(derive(source(given), options).model.tools.map(({ name }) => name)).toEqual(['a', 'c']);
  const { model } = derive(source(given, { xMcp: { enabled: false } }));
  expect(model.tools.map(({ name }) => name)).toEqual(['a']);
});

test('a tool that is named and not served is told', () => {
  const given = [
    operation('GET /a', { operationId: 'a', xMcp: { enabled: true } }),
    operation('GET /b', { operationId: 'b', xMcp: { name: 'b' } }),
    operation('GET /c', { operationId: 'c', xMcp: { enabled: false, name: 'c' } }),
  ];
  expect(derive(source(given, { xMcp: { enabled: false } }))).toMatchObject({
    problems: ['named-but-not-served'],
    messages: [expect.stringContaining('GET /b')],
  });
});

test.each([
  [40, []],
  [41, ['many-tools']],
  [128, ['many-tools']],
  [129, ['many-tools']],
])('%i tools: %j', (count, want) => {
  const given = Array.from({ length: count }, (_, index) => operation(`POST /x${index}`));
  const { problems, messages } = derive(source(given));
  expect(problems).toEqual(want);
  for (const message of messages) expect(message).toContain('--include');
});

test('op: takes the document’s name and the tool’s', () => {
  const given = [
    operation('GET /a', { operationId: 'repos/list', xMcp: { name: 'list_repos' } }),
    operation('GET /b', { operationId: 'users/list' }),
    operation('GET /c'),
  ];
  const select = (selector: string) =>
    derive(source(given), { include: [selector] }).model.tools.map(({ name }) => name);
  expect(select('op:repos/*')).toEqual(['list_repos']);
  expect(select('op:list_repos')).toEqual(['list_repos']);
  expect(select('op:users_list')).toEqual(['users_list']);
  expect(select('op:get_c')).toEqual(['get_c']);
  const { problems, messages } = derive(source(given), { exclude: ['op:user_list'] });
  expect(problems).toContain('selector-matches-nothing');
  expect(messages.join('')).toContain('Did you mean `op:users_list`?');
});

test('what selects when the server starts is in the binding', () => {
  const given = [
    operation('GET /a', { operationId: 'repos/list', tags: ['repos'] }),
    operation('GET /b', {
      operationId: 'users/list',
      tags: ['users'],
      responses: [response('200', 'application/json')],
      xMcp: { resource: 'only' },
    }),
    operation('GET /c', { operationId: 'plain' }),
  ];
  const { tools, resources } = derive(source(given)).model;
  expect(tools[0]).toMatchObject({ tags: ['repos'], binding: { operationId: 'repos/list' } });
  expect(tools[1]?.binding).not.toHaveProperty('operationId');
  expect(resources[0]?.binding).toMatchObject({ tags: ['users'], do: { operationId: 'users/list' } });
});

test('what is left out can still be told from what is unknown when the server starts', () => {
  const given = [
    ...operations,
    operation('GET /hidden', { operationId: 'hidden', xMcp: { enabled: false, name: 'hide' } }),
  ];
  const { model } = derive(source(given), { exclude: ['method:delete', 'op:getPhoto'] });
  expect(model.deselected).toEqual([
    { op: ['getPhoto'], tag: ['photos'], path: ['/pets/{id}/photos/{n}'], method: ['GET'] },
    {
      op: ['users_delete'],
      tag: ['users', 'write'],
      path: ['/users/{id}'],
      method: ['DELETE'],
    },
    { op: ['hidden', 'hide'], tag: [], path: ['/hidden'], method: ['GET'] },
  ]);
  expect(derive(source(operations)).model).not.toHaveProperty('deselected');
});

test('a server that only reads has no other tool, no resource of one, and says what it left out', () => {
  const { model, messages, problems } = derive(source(operations), { readOnly: true });
  expect(model.readOnly).toBe(true);
  expect(model.tools.map(({ name }) => name)).toEqual(['listPets', 'getPet', 'getPhoto']);
  expect(problems).toEqual(['writers-left-out']);
  expect(messages).toEqual([expect.stringContaining('2 of 5 tools are left out')]);
  expect(model.deselected).toEqual([
    { op: ['createPet'], tag: ['pets', 'write'], path: ['/pets'], method: ['POST'] },
    { op: ['users_delete'], tag: ['users', 'write'], path: ['/users/{id}'], method: ['DELETE'] },
  ]);
});

test('a server that only reads and has nothing that reads is an error', () => {
  const { problems, messages } = derive(source([operation('POST /a'), operation('PUT /b')]), {
    readOnly: true,
  });
  expect(problems).toEqual(['nothing-selected']);
  expect(messages).toEqual([expect.stringContaining('None of the 2 tools says `readOnlyHint`')]);
});

test('the resources of a tool that writes go with it', () => {
  const responses = [response('200', 'application/json', { type: 'object' })];
  const writes = { responses, xMcp: { annotations: { readOnlyHint: false } } };
  const parts = [
    operation('GET /purge', writes),
    operation('GET /purge/{id}', writes),
    operation('GET /pets', { responses }),
  ];
  const { model } = derive(source(parts), { readOnly: true });
  const uris = [
    ...model.resources.map(({ uri }) => uri),
    ...model.resourceTemplates.map((each) => each.uriTemplate),
  ];
  expect(uris).toEqual([expect.stringContaining('/pets')]);
});
