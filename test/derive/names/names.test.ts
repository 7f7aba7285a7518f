import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../../../src/model/source-model.ts';
import type { DeriveOptions, NameLock } from '../../../src/derive/index.ts';
import { derive, operation, source } from '../support.ts';

const namesOf = (operations: Operation[], options: DeriveOptions = {}) =>
  derive(source(operations), options).model.tools.map(({ name }) => name);

const named = (operationId: string | undefined, key = 'GET /pets/{petId}') =>
  operation(key, operationId === undefined ? {} : { operationId });

test.each([
  ['kept', 'listPets', 'listPets'],
  ['with dots and dashes', 'pets.list-all', 'pets_list-all'],
  ['with two underscores', 'pets__list', 'pets__list'],
  ['with a slash', 'repos/list', 'repos_list'],
  ['a prototype', '__proto__', 'proto'],
  ['an inherited name', 'constructor', 'constructor'],
  ['a path', '../../etc/passwd', 'etc_passwd'],
  ['code', '`${process.exit()}`', 'process_exit'],
  ['markup', '</script><b>', 'script_b'],
  ['emoji only', '🎉🎉', 'get_pets_petId'],
  ['punctuation only', '...', 'get_pets_petId'],
  ['empty', '', 'get_pets_petId'],
  ['absent', undefined, 'get_pets_petId'],
  ['accents', 'créerÉlève', 'creerEleve'],
  ['umlauts', 'größeÄndern', 'grosseAndern'],
  ['a ligature and other letters', 'ﬁnd_Æble_Øl_Łódź', 'find_Aeble_Ol_Lodz'],
  ['Cyrillic', 'получитьЩит', 'poluchitShchit'],
  ['Greek', 'λίσταΨαριών', 'listaPsarion'],
  ['Cyrillic before Latin', 'удалитьitem', 'udalit_item'],
  ['Chinese', '获取用户列表', 'HuoQuYongHuLieBiao'],
  ['Chinese among Latin', 'get用户ById', 'getYongHuById'],
  ['Chinese before Latin', '日本list', 'RiBen_list'],
  ['Japanese behind Latin', 'listユーザー', 'list_yuza'],
  ['Korean', '사용자 목록', 'SaYongJa_MogLog'],
  ['Arabic', 'قائمة', 'qimh'],
  ['Hindi', 'सूची', 'suci'],
  ['Thai', 'รายการ', 'raykar'],
  ['Hebrew', 'הצג', 'htsg'],
  ['wide letters', '１２３ＡＢＣ', '123ABC'],
])('operationId %s: %j → %s', (_what, given, want) => {
  expect(namesOf([named(given)])).toEqual([want]);
});

type Row = [key: string, operationId: string, want: string, summary?: string];
test.each<[string, Row[]]>([
  [
    'FastAPI',
    [
      ['POST /flows/filter', 'read_flows_flows_filter_post', 'read_flows'],
      ['POST /flows/', 'create_flow_flows__post', 'create_flow'],
      ['GET /a/{id}/graph', 'read_graph_v1_a__id__graph_get', 'read_graph', 'Read Graph'],
      ['GET /items', 'read_items_get', 'read_items'],
      ['GET /x', 'read_http_api_v2_x_get', 'read_http'],
      ['GET /y', 'list_things_get', 'list_things_get'],
      ['GET /health', 'health_health_get', 'health'],
      ['GET /users/me', 'me_users_me_get', 'users_me'],
    ],
  ],
  [
    'NestJS',
    [
      ['GET /users', 'UsersController_findAll', 'users_findAll'],
      ['GET /keys', 'APIKeysController_findAll', 'APIKeys_findAll'],
      ['GET /me', 'AuthController_me[0]', 'auth_me'],
    ],
  ],
  [
    'springdoc, of several the first by its path keeps the name',
    [
      ['GET /pets', 'findAll_1', 'findAll_pets'],
      ['GET /orders', 'findAll', 'findAll'],
      ['GET /users', 'findAll_2', 'findAll_users'],
      ['GET /oauth', 'use_oauth_2', 'use_oauth_2'],
    ],
  ],
  [
    'grpc-gateway, where the name is unique',
    [
      ['GET /users', 'UserService_ListUsers', 'ListUsers'],
      ['GET /shelves', 'acme.library.v1.LibraryService.ListShelves', 'ListShelves'],
      ['GET /a', 'AService_Get', 'AService_Get'],
      ['GET /b', 'BService_Get', 'BService_Get'],
      ['GET /c', 'KV_Range', 'KV_Range'],
    ],
  ],
  [
    'NSwag',
    [
      ['GET /users', 'Users_GetUsers', 'GetUsers'],
      ['GET /user', 'Users_Find', 'Users_Find'],
      ['GET /a', 'Pet_GetPet', 'Pet_GetPet'],
      ['GET /b', 'Pets_GetPet', 'Pets_GetPet'],
    ],
  ],
  [
    'sentences',
    [
      ['GET /tags', "List a Tag's Values", 'list_tag_values'],
      ['GET /b', 'Retrieve an Event for the Project', 'retrieve_event_for_project'],
      ['GET /c', 'a b', 'a_b'],
      ['POST /d', 'Create a new Tag!', 'create_new_tag'],
      ['GET /e', 'Get - User: by ID', 'get_user_by_id'],
    ],
  ],
])('names of generators: %s', (_, rows) => {
  const operations = rows.map(([key, operationId, , summary]) =>
    operation(key, { operationId, ...(summary && { summary }) }),
  );
  expect(namesOf(operations)).toEqual(rows.map(([, , want]) => want));
  expect(namesOf(operations.toReversed())).toEqual(rows.map(([, , want]) => want).toReversed());
});

test.each([
  [
    ['GET /api/v1/pets', 'GET /api/v1/users/{id}'],
    ['get_pets', 'get_users_id'],
  ],
  [
    ['GET /pets', 'GET /pets/{id}'],
    ['get_pets', 'get_pets_id'],
  ],
  [
    ['GET /', 'GET /api/v2/pets', 'GET /api/v2/users/{id}'],
    ['get_root', 'get_pets', 'get_users_id'],
  ],
  [
    ['GET /api/pets', 'GET /version'],
    ['get_api_pets', 'get_version'],
  ],
])('without operationIds the common beginning of %j is left out', (keys, want) => {
  expect(namesOf(keys.map((key) => operation(key)))).toEqual(want);
});

test.each([
  ['GET /', 'get_root'],
  ['GET /pets/{petId}/photos', 'get_pets_petId_photos'],
  ['QUERY /a-b/{c.d}', 'query_a-b_c_d'],
  ['DELETE /日本', 'delete_RiBen'],
])('no operationId: %s → %s', (given, want) => {
  expect(namesOf([operation(given)])).toEqual([want]);
});

test.each([
  [
    'retrieveTheVeryLongNamedCollectionOfEveryThingThatEverExistedInTheWorld',
    'retrieveVeryLongNamedCollectionExistedWorld',
  ],
  [
    'one_two_three_four_five_six_seven_eight_nine_ten_eleven_twelve_last',
    'one_two_three_four_ten_eleven_twelve_last',
  ],
  ['admin_conversations_restrictAccess_listGroupsOfChannels', 'admin_conversations_listGroupsChannels'],
  ['get_metadata_enterprise_securityClassification-6VMVochwUWo', 'get_metadata_Classification-6VMVochwUWo'],
])('a long name: %s → %s', (id, want) => {
  const [name = ''] = namesOf([named(id)]);
  expect(name).toBe(want);
  expect(name.length).toBeLessThanOrEqual(57 - 'petstore-mcp'.length);
});

test('a word too long is cut, and gets words of the path only where another tool has the name', () => {
  const ids = ['x'.repeat(300), 'x'.repeat(301)];
  expect(namesOf([named(ids[0])])).toEqual(['x'.repeat(45)]);
  const [one = '', other = ''] = namesOf(ids.map((id) => named(id, `GET /${id}`)));
  expect(one).toBe('x'.repeat(45));
  expect(other).toBe(`${'x'.repeat(13)}_${'x'.repeat(31)}`);
});

test.each<[string, string, Row[]]>([
  [
    'those of one subject in GitHub',
    'github-official-mcp',
    [
      [
        'GET /orgs/{org}/code-security/configurations/{id}/repositories',
        'code-security/get-repositories-for-configuration',
        'code_get-repositories-configuration',
      ],
      [
        'GET /enterprises/{enterprise}/code-security/configurations/{id}/repositories',
        'code-security/get-repositories-for-enterprise-configuration',
        'get-repositories-enterprise',
      ],
      [
        'POST /enterprises/{enterprise}/code-security/configurations',
        'code-security/create-configuration-for-enterprise',
        'code_create-configuration-enterprise',
      ],
      [
        'DELETE /enterprises/{enterprise}/code-security/configurations/{id}',
        'code-security/delete-configuration-for-enterprise',
        'code_delete-configuration-enterprise',
      ],
    ],
  ],
  [
    'one that needs its group',
    'github-official-mcp',
    [
      ['POST /a', 'codespaces/create-with-repo-for-authenticated-user', 'codespaces_create-repo-user'],
      ['POST /b', 'repos/create-for-authenticated-user', 'repos_create-for-authenticated-user'],
      ['GET /c', 'dependabot/list-selected-repos-for-org-secret', 'dependabot_list-selected-repos-secret'],
      ['GET /d', 'actions/list-selected-repos-for-org-secret', 'actions_list-selected-repos-org-secret'],
    ],
  ],
])('a shorter name keeps its verb and what tells it from its siblings: %s', (_what, name, rows) => {
  const operations = rows.map(([key, id]) => named(id, key));
  expect(namesOf(operations, { name })).toEqual(rows.map(([, , want]) => want));
  expect(namesOf(operations.toReversed(), { name })).toEqual(rows.map(([, , want]) => want).toReversed());
});

test.each([
  ['a short server', 'pets', 53],
  ['a long one', 'petstore-of-the-world-mcp', 32],
  ['one that leaves too little', 'p'.repeat(50), 16],
  ['a scope', '@a-long-scope-of-acme/pets', 53],
])('server and tool together have 57 characters: %s', (_what, name, want) => {
  const id = 'list_everything_'.repeat(10);
  const [tool = ''] = namesOf([named(id)], { name });
  expect(tool.length).toBeLessThanOrEqual(want);
  expect(tool.length).toBeGreaterThan(want - 8);
  expect(namesOf([named(id)], { name, maxNameLength: 64 })[0]?.length).toBeGreaterThan(56);
});

test.each([
  ['p'.repeat(41), '', {}, []],
  ['p'.repeat(42), '', {}, ['names-long-together']],
  ['p'.repeat(42), '', { maxNameLength: 64 }, []],
  ['p'.repeat(30), 'a_long_prefix_', {}, ['names-long-together']],
])('the server %s with the prefix "%s" and %j: %j', (name, prefix, rest, want) => {
  const given = source([operation('GET /a', { operationId: 'x'.repeat(300) })]);
  const { problems, messages } = derive(given, { name, prefix, ...rest });
  expect(problems.filter((each) => each !== 'tool-renamed')).toEqual(want);
  const said = messages.filter((message) => message.includes("with the server's name"));
  if (want.length > 0) expect(said).toEqual([expect.stringContaining(`\`${name}\`, such as`)]);
});

test('another name of the server renames no tool', () => {
  const operations = [named('list_everything_there_is_in_all_the_stores_of_the_world')];
  const [tool = ''] = namesOf(operations, { name: 'pets' });
  const nameLock = { 'GET /pets/{petId}': tool };
  expect(namesOf(operations, { name: 'petstore-of-the-world-mcp', nameLock })).toEqual([tool]);
  expect(namesOf(operations, { name: 'petstore-of-the-world-mcp' })).not.toEqual([tool]);
});

test.each([
  ['pets.list', 'pets.list'],
  ['repos/list', 'repos/list'],
  ['a b', 'a_b'],
  [undefined, 'get_pets_petId'],
])('with toolNames: spec %s → %s', (id, want) => {
  expect(namesOf([named(id)], { toolNames: 'spec' })).toEqual([want]);
});

test('names with dots stay as in the lock, with a warning, until they are asked for again', () => {
  const operations = [named('pets.list'), named('pets.get', 'GET /x')];
  const nameLock = { 'GET /pets/{petId}': 'pets.list', 'GET /x': 'pets.get' };
  const kept = derive(source(operations), { nameLock });
  expect(kept.model.tools.map(({ name }) => name)).toEqual(['pets.list', 'pets.get']);
  expect(kept.problems).toEqual(['names-refused']);
  expect(kept.messages[0]).toContain(
    '2 tools keep names that the APIs of OpenAI and Anthropic refuse: `pets.list`, `pets.get`.',
  );
  expect(derive(source(operations), { nameLock, toolNames: 'spec' }).problems).toEqual([]);
  const renamed = derive(source(operations), { nameLock, rename: true });
  expect(renamed.model.tools.map(({ name }) => name)).toEqual(['pets_list', 'pets_get']);
  expect(renamed.problems).toEqual(['names-taken', 'tool-renamed', 'tool-renamed']);
});

test.each<[string, [string, string][], string[]]>([
  [
    'one id twice',
    [
      ['GET /pets', 'list'],
      ['GET /users', 'list'],
    ],
    ['list', 'list_users'],
  ],
  [
    'the same after cleaning',
    [
      ['GET /pets', 'list/pets'],
      ['GET /dogs', 'list pets'],
    ],
    ['list_pets', 'list_pets_dogs'],
  ],
  [
    'a suffix that is a name already',
    [
      ['GET /pets', 'list'],
      ['GET /users', 'list'],
      ['GET /other', 'list_get_pets'],
    ],
    ['list', 'list_users', 'list_get_pets'],
  ],
  [
    'paths with the same words',
    [
      ['GET /a/b', 'x'],
      ['GET /a//b', 'x'],
    ],
    ['x_get_b', 'x'],
  ],
  [
    'versions and groups of Kubernetes',
    [
      ['GET /api/v1/', 'getAPIResources'],
      ['GET /apis/apiregistration.k8s.io/v1/', 'getAPIResources'],
      ['GET /apis/apiregistration.k8s.io/v1beta1/', 'getAPIResources'],
      ['GET /apis/storage.k8s.io/v1/', 'getAPIResources'],
      ['GET /apis/storage.k8s.io/v1beta1/', 'getAPIResources'],
      ['GET /api/v1/namespaces/{namespace}/events', 'listNamespacedEvent'],
      ['GET /apis/events.k8s.io/v1beta1/namespaces/{namespace}/events', 'listNamespacedEvent'],
      ['GET /apis/autoscaling/v1/horizontalpodautoscalers', 'listHorizontalPodAutoscalerForAllNamespaces'],
      [
        'GET /apis/autoscaling/v2beta1/horizontalpodautoscalers',
        'listHorizontalPodAutoscalerForAllNamespaces',
      ],
    ],
    [
      'getAPIResources',
      'getAPIResources_apiregistration_v1',
      'getAPIResources_apiregistration_v1beta1',
      'getAPIResources_storage_v1',
      'getAPIResources_storage_v1beta1',
      'listNamespacedEvent',
      'listNamespacedEvent_v1beta1',
      'listHorizontalPodAutoscalerForAllNamespaces',
      'listHorizontalPodAutoscalerNamespaces_v2beta1',
    ],
  ],
  [
    'one API at two places, as in Temporal',
    [
      ['GET /api/v1/namespaces/{namespace}/activities/{activityId}/outcome', 'PollActivityExecution'],
      ['GET /namespaces/{namespace}/activities/{activityId}/outcome', 'PollActivityExecution'],
    ],
    ['PollActivityExecution_v1', 'PollActivityExecution'],
  ],
  [
    'one resource at two places, as in Prefect',
    [
      ['POST /work_queues/', 'create_work_queue'],
      ['POST /work_pools/{work_pool_name}/queues', 'create_work_queue'],
      ['GET /version', 'version'],
    ],
    ['create_work_queue', 'create_work_queue_pools', 'version'],
  ],
  [
    'two methods of one path',
    [
      ['GET /pets', 'pets'],
      ['POST /pets', 'pets'],
      ['POST /pets/{id}', 'pets'],
    ],
    ['pets', 'pets_post', 'pets_id'],
  ],
])('%s', (_what, given, want) => {
  const operations = given.map(([key, id]) => named(id, key));
  expect(namesOf(operations)).toEqual(want);
  expect(namesOf(operations.toReversed())).toEqual(want.toReversed());
});

test('a name is the same wherever the operation stands', () => {
  const word = fc.constantFrom(
    'a',
    'A',
    'a_b',
    'a/b',
    'a b',
    '__proto__',
    'constructor',
    '🎉',
    'x'.repeat(80),
    '',
  );
  const operations = fc.uniqueArray(
    fc.record({
      method: fc.constantFrom('GET', 'POST'),
      path: fc.array(word, { maxLength: 3 }),
      id: fc.option(word),
    }),
    { selector: ({ method, path }) => `${method} /${path.join('/')}`, maxLength: 12 },
  );
  const shuffled = operations.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  const byKey = (list: { method: string; path: string[]; id: string | null }[]) => {
    const given = list.map(({ method, path, id }) =>
      operation(`${method} /${path.join('/')}`, id === null ? {} : { operationId: id }),
    );
    const names = namesOf(given);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,45}$/);
    return new Map(given.map(({ method, path }, index) => [`${method} ${path}`, names[index]]));
  };
  fc.assert(
    fc.property(shuffled, ([list, other]) => {
      const want = byKey(list);
      for (const [key, name] of byKey(other)) expect(name).toBe(want.get(key));
    }),
    { numRuns: 200 },
  );
});

test('x-mcp.name wins over the lock, the lock over everything derived', () => {
  const operations = [
    operation('GET /a', { operationId: 'list', xMcp: { name: 'first' } }),
    operation('GET /b', { operationId: 'list' }),
    operation('GET /c', { operationId: 'list' }),
    operation('GET /d', { operationId: 'renamed_since' }),
  ];
  const nameLock = { 'GET /a': 'ignored', 'GET /b': 'list', 'GET /d': 'stays' };
  expect(namesOf(operations, { nameLock })).toEqual(['first', 'list', 'list_c', 'stays']);
});

test.each<[string, string, string, DeriveOptions, string, string[]]>([
  ['of an earlier alphabet', 'pets.list', 'pets.list', {}, 'pets.list', ['names-refused']],
  [
    'longer than new ones',
    'p'.repeat(40),
    'p'.repeat(40),
    { maxNameLength: 32 },
    'p'.repeat(40),
    ['names-kept'],
  ],
  ['that a person replaced', 'list_all', 'list_pets_all', {}, 'list_pets_all', ['names-taken']],
  ['that a person has', 'list_pets_all', 'list_pets_all', {}, 'list_pets_all', []],
  [
    'that a person replaced, with --rename',
    'list_all',
    'list_pets_all',
    { rename: true },
    'list_pets_all',
    ['names-taken'],
  ],
  [
    'that a person replaced by one to be cleaned',
    'list_all',
    'pets.list',
    {},
    'pets_list',
    ['names-taken', 'tool-renamed'],
  ],
  [
    'that is given up',
    'pets.list',
    'pets.list',
    { rename: true },
    'pets_list',
    ['names-taken', 'tool-renamed'],
  ],
])('a name of the lock %s, made from x-mcp.name', (_what, locked, name, options, want, problems) => {
  const given = source([operation('GET /pets', { xMcp: { name } })]);
  const { model, problems: found } = derive(given, { nameLock: { 'GET /pets': locked }, ...options });
  expect(model.tools.map((tool) => tool.name)).toEqual([want]);
  expect(found.filter((each) => !/long/.test(each))).toEqual(problems);
});

test.each<[string, string | undefined, string[]]>([
  ['a valid id', 'listPets', []],
  ['no id', undefined, []],
  ['an invalid id', 'list/pets', ['tool-renamed']],
  ['an emoji id', '🎉', ['tool-renamed']],
  ['a long id', 'x'.repeat(300), ['tool-renamed']],
])('%s is reported as %j', (_what, id, want) => {
  expect(derive(source([named(id)])).problems).toEqual(want);
});

test.each([
  ['list/pets', {}, 'clients refuse the name "list/pets" of the document.'],
  [
    'list_all_of_the_pets_that_ever_existed_in_the_world',
    {},
    '"list_all_of_the_pets_that_ever_existed_in_the_world" has more than 45 characters (a shorter `--name` or',
  ],
  ['list_all_of_the_pets', { maxNameLength: 16 }, '"list_all_of_the_pets" has more than 16 characters'],
  ['list_pets_pets_get', {}, 'the rest of "list_pets_pets_get" was added by the generator of the document.'],
])('%s is renamed since %j: %s', (id, options, reason) => {
  const { messages } = derive(source([named(id, 'GET /pets')]), options);
  expect(messages[0]).toContain(`, since ${reason}`);
});

const pets = (id: string) => operation('GET /pets', { operationId: id });

test.each<[string, Operation[], DeriveOptions, string[], string[]]>([
  ['the same name', [pets('list')], { nameLock: { 'GET /pets': 'list' } }, ['list'], []],
  ['another name', [pets('all')], { nameLock: { 'GET /pets': 'list' } }, ['list'], ['names-kept']],
  [
    'another name, under which clients know it',
    [pets('all')],
    { nameLock: { 'GET /pets': 'list' }, tools: { list: { name: 'pets' } } },
    ['list'],
    [],
  ],
  [
    'another name, taken',
    [pets('all')],
    { nameLock: { 'GET /pets': 'list' }, rename: true },
    ['all'],
    ['names-taken'],
  ],
  [
    'a clash that is there still',
    [pets('list'), operation('GET /users', { operationId: 'list' })],
    { nameLock: { 'GET /pets': 'list_get_pets', 'GET /users': 'list_get_users' } },
    ['list_get_pets', 'list_get_users'],
    ['names-kept'],
  ],
  [
    'an id that is no name, as before',
    [pets('pets/list')],
    { nameLock: { 'GET /pets': 'pets_list' } },
    ['pets_list'],
    ['tool-renamed'],
  ],
  [
    'a kept name that another would have',
    [pets('all'), operation('GET /users', { operationId: 'list' })],
    { nameLock: { 'GET /pets': 'list' } },
    ['list', 'list_users'],
    ['names-swapped', 'names-kept', 'tool-renamed'],
  ],
  [
    'x-mcp.name is nobody’s suggestion',
    [operation('GET /pets', { operationId: 'all', xMcp: { name: 'mine' } })],
    { nameLock: { 'GET /pets': 'mine' } },
    ['mine'],
    [],
  ],
  [
    'a variable of the path that has another name',
    [operation('GET /pets/{petId}/toys/{toy}')],
    { nameLock: { 'GET /pets/{id}/toys/{toyId}': 'get_toy' } },
    ['get_toy'],
    ['names-kept'],
  ],
  [
    'another path, by its operationId',
    [
      operation('GET /v2/pets', { operationId: 'findPets' }),
      operation('GET /users', { operationId: 'users' }),
    ],
    { nameLock: { 'GET /pets': { name: 'list', operationId: 'findPets' } } },
    ['list', 'users'],
    ['names-kept'],
  ],
  [
    'an operationId at a path that the lock knows',
    [operation('GET /users', { operationId: 'findPets' })],
    { nameLock: { 'GET /pets': { name: 'list', operationId: 'findPets' }, 'GET /users': 'users' } },
    ['users'],
    ['names-kept'],
  ],
  [
    'an operation that has another operationId than the one at its path had',
    [pets('all'), operation('GET /v2/pets', { operationId: 'findPets' })],
    { nameLock: { 'GET /pets': { name: 'list', operationId: 'findPets' } } },
    ['list', 'findPets'],
    ['names-swapped', 'names-kept'],
  ],
  [
    'two of one operationId that are gone',
    [operation('GET /v2/pets', { operationId: 'findPets' })],
    {
      nameLock: {
        'GET /pets': { name: 'list', operationId: 'findPets' },
        'GET /users': { name: 'users', operationId: 'findPets' },
      },
    },
    ['findPets'],
    [],
  ],
  [
    'an item of a list, whose path has the words of its name',
    [
      operation('GET /members', { operationId: 'listMembers' }),
      operation('GET /members/{id}', { operationId: 'readMember' }),
    ],
    { nameLock: { 'GET /members': 'listMembers', 'GET /members/{id}': 'getMember' } },
    ['listMembers', 'getMember'],
    ['names-kept'],
  ],
  [
    'two operations that it might be',
    [operation('GET /pets/{a}', { operationId: 'one' }), operation('GET /pets/{b}', { operationId: 'two' })],
    { nameLock: { 'GET /pets/{tag}': 'tagged' } },
    ['one', 'two'],
    [],
  ],
  ['a locked operation that is gone', [pets('list')], { nameLock: { 'GET /x': 'y' } }, ['list'], []],
  [
    'what is not served is not spoken of',
    [pets('all'), operation('GET /users', { operationId: 'users' })],
    { nameLock: { 'GET /pets': 'list' }, exclude: ['path:/pets'] },
    ['users'],
    [],
  ],
])('the lock and %s', (_what, operations, options, want, problems) => {
  const derived = derive(source(operations), options);
  expect(derived.model.tools.map(({ name }) => name)).toEqual(want);
  expect(derived.problems).toEqual(problems);
});

test('kept and taken names are told once, some of them by name', () => {
  const operations = Array.from({ length: 7 }, (_, index) =>
    operation(`GET /x${index}`, { operationId: `new${index}` }),
  );
  const nameLock = Object.fromEntries(operations.map(({ path }, index) => [`GET ${path}`, `old${index}`]));
  const [kept = ''] = derive(source(operations), { nameLock }).messages;
  expect(kept).toContain('7 tools keep their names');
  expect(kept).toContain('`old0` for `GET /x0` (the document now suggests `new0`)');
  expect(kept).toContain('`new4`) and 2 more. For the new names, use `--rename`');
  const [taken = ''] = derive(source(operations.slice(0, 1)), { nameLock, rename: true }).messages;
  expect(taken).toContain('A tool was renamed: `new0` for `GET /x0` (it was `old0`).');
});

test.each<[string, Operation[], DeriveOptions, string | undefined]>([
  [
    'exchanged by --rename',
    [operation('GET /a', { operationId: 'one' }), operation('DELETE /b', { operationId: 'two' })],
    { nameLock: { 'GET /a': 'two', 'DELETE /b': 'one' }, rename: true },
    '`one` for `GET /a`, `two` for `DELETE /b`',
  ],
  [
    'of an operation that is gone',
    [operation('GET /a', { operationId: 'one' })],
    { nameLock: { 'GET /a': 'list', 'DELETE /b': 'one' }, rename: true },
    '`one` for `GET /a`',
  ],
  [
    'by x-mcp.name',
    [
      operation('GET /a', { operationId: 'one', xMcp: { name: 'two' } }),
      operation('DELETE /b', { operationId: 'two', xMcp: { name: 'three' } }),
    ],
    { nameLock: { 'GET /a': 'one', 'DELETE /b': 'two' } },
    '`two` for `GET /a`',
  ],
  [
    'that nobody had',
    [operation('GET /a', { operationId: 'one' })],
    { nameLock: { 'GET /a': 'list' }, rename: true },
    undefined,
  ],
  [
    'of an operation that has moved',
    [operation('GET /v2/a', { operationId: 'one' })],
    { nameLock: { 'GET /a': { name: 'list', operationId: 'one' } }, rename: true },
    undefined,
  ],
])('a new name of another operation: %s', (_what, operations, options, list) => {
  const { problems, messages } = derive(source(operations), options);
  const warning = messages.find((text) => text.includes('other operations before'));
  expect(problems.includes('names-swapped')).toBe(list !== undefined);
  expect(warning).toEqual(
    list && expect.stringContaining(`New names belonged to other operations before: ${list}.`),
  );
});

const petsById = [
  operation('GET /pets/{id}', { operationId: 'getPet' }),
  operation('DELETE /pets/{id}', { operationId: 'deletePet' }),
];

test.each<[string, NameLock, string | undefined]>([
  [
    'exchanged',
    { 'GET /pets/{id}': 'deletePet', 'DELETE /pets/{id}': 'getPet' },
    '`deletePet` for `GET /pets/{id}`, `getPet` for `DELETE /pets/{id}`',
  ],
  [
    'exchanged, with one operationId for both',
    {
      'GET /pets/{id}': { name: 'deletePet', operationId: 'deletePet' },
      'DELETE /pets/{id}': { name: 'getPet', operationId: 'deletePet' },
    },
    '`deletePet` for `GET /pets/{id}`, `getPet` for `DELETE /pets/{id}`',
  ],
  [
    'of another operation, in other letters',
    { 'GET /pets/{id}': 'delete_pets' },
    '`delete_pets` for `GET /pets/{id}`',
  ],
  ['of another method', { 'DELETE /pets/{id}': 'get_pets_id' }, '`get_pets_id` for `DELETE /pets/{id}`'],
  [
    'its own, in other letters',
    { 'GET /pets/{id}': 'get_pet', 'DELETE /pets/{id}': 'delete_pet' },
    undefined,
  ],
  ['of no operation', { 'GET /pets/{id}': 'adopt' }, undefined],
  ['that fits both', { 'GET /pets/{id}': 'pet' }, undefined],
])('a name in the lock %s', (_, nameLock, list) => {
  const warned = (options: DeriveOptions) =>
    derive(source(petsById), options).messages.filter((message) =>
      message.includes('belong to other operations of the document: '),
    );
  expect(warned({ nameLock })).toEqual(
    list === undefined
      ? []
      : [expect.stringContaining(`other operations of the document: ${list}. A client`)],
  );
  expect(warned({ nameLock, rename: true })).toEqual([]);
});

test('a hostile name takes no quadratic time', () => {
  const [name = ''] = namesOf([named(`${'_'.repeat(200_000)}a/${'b_'.repeat(200_000)}`)]);
  expect(name).toMatch(/^[A-Za-z0-9_]{1,45}$/);
});

test('operations of one name and long paths get the words that differ', () => {
  const path = '/organizations/{organizationId}/environments/{environmentId}/members';
  const names = namesOf([
    named('list', `GET ${path}/active`),
    named('list', `GET ${path}/invited`),
    named('list', `GET ${path.replace('members', 'guests')}/invited`),
  ]);
  expect(names).toEqual(['list_active', 'list_members_invited', 'list']);
});

const order = (id: string | undefined, key = 'GET /orders') =>
  operation(key, id === undefined ? {} : { operationId: id });
const ofCustomers = order('ListCustomerOrders', 'GET /customers/{id}/orders');
const drop = (id?: string) => order(id, 'DELETE /orders');

test.each<[string, Operation[], DeriveOptions['nameLock'] & object, string[]]>([
  ['the same operationId', [order('ListOrders')], { 'GET /orders': 'ListOrders' }, []],
  [
    'another operationId, beside a name of the same words',
    [order('SearchOrders'), ofCustomers],
    { 'GET /orders': 'ListOrders', 'GET /customers/{id}/orders': 'ListCustomerOrders' },
    [],
  ],
  [
    'a new operation that has the old operationId of one that was renamed before',
    [order('SearchOrders'), order('ListOrders', 'GET /lists')],
    { 'GET /orders': { name: 'ListOrders', operationId: 'SearchOrders' } },
    [],
  ],
  [
    'an operationId beside its name that moved to another path',
    [order('SearchOrders'), order('ListOrders', 'GET /v2/orders')],
    { 'GET /orders': { name: 'orders', operationId: 'ListOrders' } },
    ['orders'],
  ],
  [
    'operationIds that changed places',
    [order('DropOrders'), drop('ListOrders')],
    { 'GET /orders': 'ListOrders', 'DELETE /orders': 'DropOrders' },
    ['ListOrders', 'DropOrders'],
  ],
])('which names lead to another operation: %s', (_what, operations, nameLock, want) => {
  const { messages } = derive(source(operations), { nameLock });
  const swapped = messages.filter((words) => /belong to other operations/.test(words)).join();
  const listed = swapped.replace(/^.*?document: |\. A client.*$/gs, '');
  expect([...listed.matchAll(/`(\w+)` for/g)].map(([, name]) => name)).toEqual(want);
});
