// Steps: programs in, requests and results out; what the checker finds before anything is sent; and attacks.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Feature } from '../../templates/runtime/feature.ts';
import { planSteps } from '../../templates/runtime/features/steps/program.ts';
import { RpcError } from '../../templates/runtime/json-rpc.ts';
import type { Context, SchemaObject } from '../../templates/runtime/types.ts';
import { setLimits } from './core.ts';
import { defineTool, open, type Steps } from './steps.ts';

const list = (items: unknown[]) => ({ items, total: items.length });
const issues = list([
  { id: 1, state: 'open', title: 'one', labels: ['a', 'b'], votes: 3 },
  { id: 2, state: 'closed', title: 'two', labels: ['b'], votes: 5 },
  { id: 3, state: 'open', title: 'three', labels: [], votes: 1 },
]);
const get = (id: number) => ({ id, body: `body ${id}` });

test.each<[string, Omit<Steps, 'steps'> & { steps?: Steps['steps'] }, unknown, unknown[]]>([
  ['a list by a wildcard', { result: '$steps.all.items[*].id' }, [1, 2, 3], []],
  ['a filter', { result: "$steps.all.items[?@.state == 'open'].title" }, ['one', 'three'], []],
  ['a filter that asks for presence', { result: '$steps.all.items[?@.labels[0]].id' }, [1, 2], []],
  ['a filter by length', { result: '$steps.all.items[?length(@.labels) >= 1].id' }, [1, 2], []],
  [
    'a filter by an input',
    { inputs: { want: 2 }, result: '$steps.all.items[?@.id == $inputs.want].title' },
    ['two'],
    [],
  ],
  ['an index from behind', { result: '$steps.all.items[-1].id' }, 3, []],
  ['a name in quotes', { result: '$steps.all["items"][0][\'title\']' }, 'one', []],
  ['nothing', { result: '$steps.all.items[9]' }, null, []],
  [
    'nothing in an object and in a list',
    { result: { a: '$steps.all.items[9]', b: ['$steps.all.items[9]'] } },
    { b: [null] },
    [],
  ],
  [
    'min and max',
    { result: ['$min($steps.all.items[*].votes)', '$max($steps.all.items[*].title)'] },
    [1, 'two'],
    [],
  ],
  ['first', { result: "$first($steps.all.items[?@.state=='open'].id)" }, 1, []],
  ['join', { result: "$join($steps.all.items[*].title, ', ')" }, 'one, two, three', []],
  ['unique', { result: '$unique($steps.all.items[*].labels[*])' }, ['a', 'b'], []],
  ['a text with $', { result: ['$$5', 'a $b', '$$$'] }, ['$5', 'a $b', '$$'], []],
  [
    'when it does not hold',
    {
      steps: [
        {
          id: 'one',
          call: 'get_issue',
          arguments: { id: 1 },
          when: '!($steps.all.total == 3) || $steps.all.next',
        },
      ],
      result: '$steps.one',
    },
    null,
    [],
  ],
  [
    'an error that does not stop',
    {
      steps: [
        {
          id: 'bad',
          call: 'get_issue',
          arguments: { id: '$item' },
          forEach: [1, 404, 2],
          onError: 'continue',
        },
        { id: 'next', call: 'get_issue', arguments: { id: 7 } },
      ],
      result: ['$steps.bad[*].id', '$steps.next.id'],
    },
    [[1, 2], 7],
    [
      ['get_issue', { id: 1 }],
      ['get_issue', { id: 404 }],
      ['get_issue', { id: 2 }],
      ['get_issue', { id: 7 }],
    ],
  ],
])('%s', async (_, { steps = [], ...program }, want, calls) => {
  const { run, called } = await open({
    list_issues: () => issues,
    get_issue: ({ id }) => failAt404(Number(id)),
  });
  const { structuredContent, isError } = await run({
    steps: [{ id: 'all', call: 'list_issues' }, ...steps],
    ...program,
  });
  expect({ ...structuredContent, isError }).toMatchObject({ result: want });
  expect(isError).toBeUndefined();
  expect(called.slice(1)).toEqual(calls);
});

function failAt404(id: number) {
  if (id === 404) throw new Error('There is no such issue.');
  return get(id);
}

test.each<[string, Partial<Steps>, string]>([
  [
    'an unknown tool',
    { steps: [{ id: 'a', call: 'list_isues' }] },
    'steps[0].call: Unknown tool: list_isues. Did you mean "list_issues"?',
  ],
  ['a missing argument', { steps: [{ id: 'a', call: 'get_issue' }] }, 'steps[0].arguments: `id` is required'],
  [
    'a wrong type of a reference',
    {
      steps: [
        { id: 'a', call: 'list_issues' },
        { id: 'b', call: 'get_issue', arguments: { id: '$steps.a.items' } },
      ],
    },
    'steps[1].arguments.id: must be integer but is array',
  ],
  [
    'an unknown member of an item',
    { result: '$steps.a.items[*].titel' },
    'result: $steps.a.items[*] has no member titel. Did you mean title?',
  ],
  [
    'a member of a list',
    { result: '$steps.a.items.title' },
    '$steps.a.items is array, not object: [*].title takes that of each item',
  ],
  ['the sum of a text', { result: '$sum($steps.a.items[0].title)' }, '$sum takes a list, not string'],
  ['a step that is not there', { result: '$steps.b' }, 'There is no step b before this one'],
  [
    'an item without forEach',
    { steps: [{ id: 'a', call: 'get_issue', arguments: { id: '$item' } }] },
    '$item is there only in a step with forEach',
  ],
  [
    'forEach of an object',
    {
      steps: [
        { id: 'a', call: 'list_issues' },
        { id: 'b', call: 'list_issues', forEach: '$steps.a' },
      ],
    },
    'steps[1].forEach: must be array but is object',
  ],
  [
    'two steps of one id',
    {
      steps: [
        { id: 'a', call: 'list_issues' },
        { id: 'a', call: 'list_issues' },
      ],
    },
    'steps[1].id: a is the id of two steps',
  ],
  [
    'an id that no reference can have',
    { steps: [{ id: 'a-b', call: 'list_issues' }] },
    'steps[0].id: must have letters',
  ],
  ['another root', { result: '$stepps.a' }, 'result: `$stepps` is nothing that can be referred to'],
  ['a descent', { result: '$steps.a..title' }, '`..` is left out'],
  [
    'a regular expression',
    { result: "$steps.a.items[?match(@.title, '(a+)+$')]" },
    'there is no function match (no regular expression is run)',
  ],
  ['an unknown function', { result: '$avg($steps.a.items)' }, 'there is no function avg'],
  [
    'a comparison of lists',
    {
      steps: [
        { id: 'a', call: 'list_issues' },
        { id: 'b', call: 'list_issues', when: '$steps.a.items[*].id == 1' },
      ],
    },
    'a comparison takes single values',
  ],
  ['no end', { result: '$steps.a.items[?@.id == 1' }, 'expected `]` at character'],
  [
    'a wrong member of a step',
    { steps: [{ id: 'a', call: 'list_issues', forEech: [] }] as never },
    'forEech',
  ],
  [
    'too many steps',
    { steps: Array.from({ length: 51 }, (_, at) => ({ id: `s${at}`, call: 'list_issues' })) },
    'at most 50',
  ],
])('before anything is sent: %s', async (_, program, words) => {
  const { run, called } = await open({ list_issues: () => issues, get_issue: ({ id }) => get(Number(id)) });
  const { content, isError } = await run({
    steps: [{ id: 'a', call: 'list_issues' }],
    result: null,
    ...program,
  });
  expect(content[0]?.text).toContain(words);
  expect(isError).toBe(true);
  expect(called).toEqual([]);
});

test('the check ends with the twentieth fault, and looks for the nearest name no more', () => {
  let lookups = 0;
  const findTool = () => ({ refusal: `Unknown tool: ${++lookups}` });
  const steps = Array.from({ length: 25 }, (_, at) => ({ id: `s${at}`, call: 'none' }));
  const result = Array.from({ length: 1_000 }, () => '$inputs.none');
  const plan = () => planSteps({ steps, result }, findTool, { repairs: true });
  expect(plan).toThrow(
    expect.objectContaining({ faults: expect.objectContaining({ length: 20 }) as object }),
  );
  expect(lookups).toBe(20);
});

test('a failure tells the step, its error, and what came before', async () => {
  const { run } = await open({ list_issues: () => issues, get_issue: ({ id }) => failAt404(Number(id)) });
  const { structuredContent, isError } = await run({
    steps: [
      { id: 'all', call: 'list_issues' },
      { id: 'each', call: 'get_issue', arguments: { id: '$item' }, forEach: [1, 404, 2] },
      { id: 'after', call: 'list_issues' },
    ],
    result: '$steps.after',
  });
  expect(isError).toBe(true);
  expect(structuredContent).toMatchObject({
    error: 'The step each failed: item 1 of 3: There is no such issue.',
    steps: [
      { id: 'all', status: 'done', calls: 1 },
      { id: 'each', status: 'failed', calls: 2, error: 'item 1 of 3: There is no such issue.' },
      { id: 'after', status: 'not run', calls: 0 },
    ],
    answers: { all: issues, each: [get(1), null, null] },
  });
});

test.each<[string, Steps['steps'][number], string]>([
  [
    'an argument',
    { id: 'gone', call: 'clean', arguments: { all: true, where: [{ owner: '$steps.list.ownr' }] } },
    'arguments.where[0].owner',
  ],
  [
    'an argument of a later page',
    {
      ...{ id: 'gone', call: 'list', arguments: {} },
      repeat: { while: 'true', with: { cursor: '$steps.gone.next' }, max: 3 },
    },
    'arguments.cursor',
  ],
])('%s whose value is absent fails before its call', async (_, step, place) => {
  const { run, called } = await open({ list: () => ({ owner: 1 }), clean: () => 1 });
  const { structuredContent } = await run({ steps: [{ id: 'list', call: 'list' }, step], result: 1 });
  expect(structuredContent).toMatchObject({
    error: `The step gone failed: the value of ${place} is absent, so nothing was called.`,
  });
  expect(called.slice(1)).toEqual(step.call === 'list' ? [['list', {}]] : []);
});

test.each([
  ['fewer pages than there are', { max: 2 }, { result: [1, 2], steps: [{ calls: 2, more: true }] }, 2],
  ['all pages', { max: 52 }, { steps: [{ calls: 3 }] }, 3],
  ['50 pages without `max`', {}, { result: Array.from({ length: 50 }, (_, at) => at + 1) }, 50],
  [
    '51 pages without `max`',
    {},
    { error: 'The step all failed: The steps have made 50 calls, which is the limit.' },
    51,
  ],
])('repeat takes %s', async (_, limit, want, pages) => {
  const last = Object.hasOwn(limit, 'max') ? 3 : pages;
  const { run } = await open({
    list: ({ page = 1 }) => ({ rows: [page], ...(Number(page) < last && { next: Number(page) + 1 }) }),
  });
  const repeat = { while: '$steps.all.next', with: { page: '$steps.all.next' }, ...limit };
  const { structuredContent } = await run({
    steps: [{ id: 'all', call: 'list', repeat }],
    result: '$steps.all.rows',
  });
  expect(structuredContent).toMatchObject(want);
  const [report] = structuredContent?.['steps'] as { more?: boolean }[];
  expect(report?.more).toBe(pages < last ? true : undefined);
});

const integers = { type: 'array', items: { type: 'integer' } } as const;
const wrapping = { kind: 'http', result: { wrapped: true } };
test.each<[string, Record<string, SchemaObject>, object, unknown, unknown]>([
  [
    'members that do not fit the output schema',
    { total: { type: 'integer' }, 'a/~b': integers, id: { type: 'integer' } },
    { kind: 'http' },
    { total: 'many', 'a/~b': [1, 'x'], id: 1 },
    { total: 'many', 'a/~b': [1, 'x'], id: 1 },
  ],
  [
    'a list of which one item does not fit',
    { result: integers },
    wrapping,
    {
      content: [{ type: 'text', text: '[1,"x"]' }],
      structuredContent: { _response: { drifted: { result: [1, 'x'] }, notes: ['odd'] } },
    },
    [1, 'x'],
  ],
  [
    'an object with the member `result` alone, beside another text',
    { result: integers },
    { kind: 'http' },
    { content: [{ type: 'text', text: 'Two numbers.' }], structuredContent: { result: [1, 2] } },
    { result: [1, 2] },
  ],
])('the answer of a step is what the API sent: %s', async (_, properties, request, answer, want) => {
  const outputSchema = { type: 'object', properties } as const;
  const { run } = await open(
    { tools: [{ ...defineTool('get', 'read'), outputSchema }], handlers: { get: () => answer } },
    { bindings: { tools: { get: { do: { method: 'GET', path: '/', parameters: [], ...request } } } } },
  );
  const { structuredContent } = await run({ steps: [{ id: 'a', call: 'get' }], result: '$steps.a' });
  expect(structuredContent).toMatchObject({ steps: [{ status: 'done' }] });
  expect(structuredContent?.['result']).toEqual(want);
});

test('integers of more than 16 digits keep them in literals, comparisons and sums', async () => {
  const large = '12345678901234567891';
  const { call } = await open({
    list: () => ({ rows: [{ id: BigInt(large) }, { id: BigInt(large) + 1n }, { id: 0.5 }] }),
  });
  const result = [
    `$length($steps.a.rows[?@.id == ${large}])`,
    '$sum($steps.a.rows[:2].id)',
    '$sum($steps.a.rows[2:].id)',
  ];
  const answer = (await call('run_read_steps', { steps: [{ id: 'a', call: 'list' }], result })) as {
    structuredContent: { result: unknown };
  };
  expect(answer.structuredContent.result).toEqual([1, 24691357802469135783n, 0.5]);
});

test.each([
  [20_000, { result: 20_000 }],
  [20_001, { error: 'The step a failed: JSON of more than 20,000 integers of 16 digits is not read.' }],
])('%i integers of 21 digits', async (count, want) => {
  const { run } = await open({ list: () => Array(count).fill(123456789012345678901n) });
  const { structuredContent } = await run({
    steps: [{ id: 'a', call: 'list' }],
    result: '$length($steps.a)',
  });
  expect(structuredContent).toMatchObject(want);
});

test('many pages are joined by work for each row, and no answer is changed', async () => {
  const page = Array.from({ length: 1_000 }, (_, at) => at);
  const { run } = await open({ list: ({ n }) => ({ rows: page, n }) });
  const repeat = { while: '$steps.a.rows', with: { n: 2 }, max: 45 };
  const { structuredContent } = await run({
    steps: [{ id: 'a', call: 'list', arguments: { n: 1 }, repeat }],
    result: ['$length($steps.a.rows)', '$steps.a.n'],
  });
  expect(structuredContent).toMatchObject({ result: [45_000, 2] });
  expect(page).toHaveLength(1_000);
});

test('the tools are listed beside all, and beside those that search; each within 400 tokens, with all hints', async () => {
  for (const [flags, others] of [
    [{}, ['list_issues']],
    [
      { surface: 'search' },
      ['search_tools', 'describe_tool', 'call_read_tool', 'call_write_tool', 'call_destructive_tool'],
    ],
  ] as const) {
    const { ask, run } = await open({ list_issues: () => issues }, { flags });
    const { tools } = (await ask('tools/list')) as { tools: { name: string; annotations: object }[] };
    expect(tools.map(({ name }) => name)).toEqual([...others, 'run_read_steps', 'run_write_steps']);
    const [read, write] = tools.slice(-2);
    for (const tool of [read, write]) expect(JSON.stringify(tool).length / 4).toBeLessThanOrEqual(400);
    expect(read?.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    });
    expect(write?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    });
    const { structuredContent } = await run({
      steps: [{ id: 'a', call: 'list_issues' }],
      result: '$steps.a.total',
    });
    expect(structuredContent).toMatchObject({ result: 3 });
  }
});

test.each([
  [
    'run_read_steps',
    'add_issue',
    'add_issue adds or changes something, so it is no part of these steps. run_write_steps calls it.',
  ],
  [
    'run_read_steps',
    'delete_issue',
    'delete_issue may change or delete something, so it is no part of these steps. Call it by itself.',
  ],
  ['run_read_steps', 'untold', 'untold may change or delete something'],
  [
    'run_write_steps',
    'delete_issue',
    'delete_issue may change or delete something, so it is no part of these steps. Call it by itself.',
  ],
  ['run_read_steps', 'search_tools', 'Unknown tool: search_tools'],
  ['run_read_steps', 'hidden', 'Unknown tool: hidden'],
  ['run_read_steps', 'constructor', 'Unknown tool: constructor'],
])('%s does not call %s', async (by, name, words) => {
  const { run, called } = await open(
    {
      tools: [
        defineTool('list_issues', 'read'),
        defineTool('add_issue', 'write'),
        defineTool('delete_issue', 'destructive'),
        defineTool('untold', undefined),
        defineTool('hidden', 'read'),
      ],
      handlers: {
        list_issues: () => 1,
        add_issue: () => 1,
        delete_issue: () => 1,
        untold: () => 1,
        hidden: () => 1,
      },
    },
    { flags: { surface: 'both', exclude: ['op:hidden'] } },
  );
  const steps = [
    { id: 'a', call: 'list_issues' },
    { id: 'b', call: name },
  ];
  const { content, isError } = await run({ steps, result: null }, by);
  expect(content[0]?.text).toContain(`steps[1].call: ${words}`);
  expect(isError).toBe(true);
  expect(called).toEqual([]);
});

test('--read-only lists and runs reading steps only', async () => {
  const { ask, run } = await open({ list_issues: () => issues }, { flags: { 'read-only': true } });
  const { tools } = (await ask('tools/list')) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(['list_issues', 'run_read_steps']);
  await expect(
    run({ steps: [{ id: 'a', call: 'list_issues' }], result: null }, 'run_write_steps'),
  ).rejects.toThrow('Unknown tool');
});

const million = Array.from({ length: 1_000_000 }, () => 0);

test.each<[string, Record<string, (args: Record<string, unknown>) => unknown>, Steps, string, number]>([
  [
    'an item for each of a million',
    { big: () => million },
    {
      steps: [
        { id: 'a', call: 'big' },
        { id: 'b', call: 'big', forEach: '$steps.a' },
      ],
      result: null,
    },
    'forEach has 1000000 items, and 49 calls are left of 50',
    1,
  ],
  [
    'filters in filters',
    { list: () => Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 1)) },
    { steps: [{ id: 'a', call: 'list' }], result: '$steps.a[?@[?$steps.a[?@[?@ == 2]]]]' },
    'look at too many values',
    1,
  ],
  ...['$max($steps.a)', '$steps.a[?@ < $steps.a[0]]'].map(
    (expression): [string, Record<string, () => unknown>, Steps, string, number] => [
      `long texts that are compared by ${expression}`,
      { list: () => Array.from({ length: 100 }, () => 'x'.repeat(100_000)) },
      { steps: [{ id: 'a', call: 'list' }], result: [expression, expression] },
      'look at too many values',
      1,
    ],
  ),
  [
    'answers that are too long together, whatever goes on after errors',
    { list: () => 'x'.repeat(9 * 1024 * 1024) },
    {
      steps: [
        { id: 'a', call: 'list', forEach: [1, 2, 3], onError: 'continue' },
        { id: 'b', call: 'list', onError: 'continue' },
      ],
      result: null,
    },
    'The answers have more than 16,777,216 characters together. The last call was made, and its answer left out.',
    2,
  ],
])('ends: %s', async (_, handlers, program, words, calls) => {
  const { run, called } = await open(handlers);
  const { content, isError } = await run(program);
  expect(isError).toBe(true);
  expect(content[0]?.text).toContain(words);
  expect(called).toHaveLength(calls);
});

test('what takes too long is ended with what came before', async () => {
  const { run, called } = await open(
    { quick: () => ({ n: 1 }), slow: () => new Promise(() => undefined) },
    { limits: { ms: 20 } },
  );
  const steps = ['quick', 'slow', 'quick'].map((call, at) => ({ id: `s${at}`, call }));
  const { structuredContent, isError } = await run({ steps, result: null });
  expect(isError).toBe(true);
  expect(structuredContent).toMatchObject({
    error:
      'The step s1 failed: The steps took longer than 0.02 seconds. A call was under way, and may have taken effect.',
    answers: { s0: { n: 1 } },
  });
  expect(called).toHaveLength(2);
});

test.each<[string, Partial<Steps['steps'][number]>, unknown]>([
  ['pages before one that fails', { repeat: { while: 'true', with: { n: 404 } } }, { n: 1, rows: ['row 1'] }],
  [
    'pages before a fault of an expression',
    { repeat: { while: '$length($steps.add.rows) == $sum($steps.add.rows)', with: {} } },
    { n: 1, rows: ['row 1'] },
  ],
  [
    'items before one that never comes',
    { arguments: { n: '$item' }, forEach: [1, 2, 0, 3] },
    [{ n: 1, rows: ['row 1'] }, { n: 2, rows: ['row 2'] }, null, null],
  ],
])('a failure keeps what was done: %s', async (_, step, want) => {
  const add = ({ n }: Record<string, unknown>): unknown => {
    if (n === 404) throw new Error('There is no such row.');
    return n === 0 ? new Promise(() => undefined) : { n, rows: [`row ${String(n)}`] };
  };
  const { run } = await open({ add }, { limits: { ms: 50 } });
  const steps = [{ id: 'add', call: 'add', arguments: { n: 1 }, ...step }];
  const { structuredContent } = await run({ steps, result: 1 });
  expect(structuredContent?.['answers']).toEqual({ add: want });
});

test('progress is told after each step, and calls are logged and limited as by hand', async () => {
  const { ask, sent, called } = await open({ a: () => 1 }, { flags: { 'rate-limit': '4' } });
  const steps = [0, 1, 2, 3, 4, 5].map((n) => ({ id: `s${n}`, call: 'a' }));
  const answer = await ask('tools/call', {
    name: 'run_read_steps',
    arguments: { steps, result: null },
    _meta: { progressToken: 'p' },
  });
  expect(answer).toMatchObject({
    isError: true,
    structuredContent: { error: expect.stringContaining('Too many calls') as string },
  });
  expect(called.length).toBe(4);
  const told = (sent as { method?: string; params?: { progress: number; total: number; message: string } }[])
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => [params?.progress, params?.total, params?.message]);
  expect(told).toEqual([0, 1, 2, 3].map((n) => [n + 1, 6, `s${n}: done`]));
});

test('arguments are repaired and checked as by hand, and aroundCall sees each call under its own name', async () => {
  const seen: string[] = [];
  const { run, called } = await open(
    { list_issues: () => issues, get_issue: ({ id }) => get(Number(id)) },
    {
      aroundCall: async (call: { name: string }, next: () => Promise<unknown>) => {
        seen.push(call.name);
        return next();
      },
    },
  );
  const steps = [
    { id: 'a', call: 'list_issues' },
    { id: 'b', call: 'get_issue', arguments: { id: '$join($steps.a.items[*].id)' } },
  ];
  const { structuredContent } = await run({ steps, result: '$steps.b.id' });
  expect(structuredContent).toMatchObject({ result: 123 });
  expect(called[1]).toEqual(['get_issue', { id: 123 }]);
  expect(seen).toEqual(['run_read_steps', 'list_issues', 'get_issue']);
});

test('a refusal by the protocol is the answer if nothing was done before, else a failed step', async () => {
  const guard: Feature = {
    name: 'guard',
    aroundCall: {
      admit: (call, next) => {
        if (call.name === 'secret') throw new RpcError(-32003, 'A wider token is needed.', { status: 403 });
        return next();
      },
    },
  };
  const { run, called } = await open({ open: () => ({ n: 1 }), secret: () => 2 }, { features: [guard] });
  const [first, second] = ['secret', 'open'].map((call, at) => ({ id: `s${at}`, call }));
  await expect(run({ steps: [first, second] as Steps['steps'], result: null })).rejects.toThrow(
    'A wider token',
  );
  const { structuredContent } = await run({ steps: [second, first] as Steps['steps'], result: null });
  expect(structuredContent).toMatchObject({
    error: 'The step s0 failed: A wider token is needed.',
    answers: { s1: { n: 1 } },
  });
  expect(called).toEqual([['open', {}]]);
});

// `context.run` for handlers.

test('a handler runs steps of any tools, and goes on calling when they are over', async () => {
  const { call, called } = await open({
    tools: [
      defineTool('list_issues', 'read'),
      defineTool('delete_issue', 'destructive'),
      defineTool('clean', 'destructive'),
    ],
    handlers: {
      list_issues: () => issues,
      delete_issue: ({ id }) => ({ gone: id }),
      clean: async (_, context: Context) => {
        const gone = await context.run({
          inputs: { state: 'closed' },
          steps: [
            { id: 'all', call: 'list_issues' },
            {
              id: 'gone',
              call: 'delete_issue',
              arguments: { id: '$item' },
              forEach: '$steps.all.items[?@.state == $inputs.state].id',
            },
          ],
          result: '$steps.gone[*].gone',
        });
        const faults = await context
          .run({ steps: [{ id: 'a', call: 'lst_issues' }], result: 1 })
          .catch(String);
        const more = await context.call('delete_issue', { id: 9 });
        return { gone, faults, more: more.content };
      },
    },
  });
  expect(await call('clean', {})).toMatchObject({
    content: [
      {
        text: JSON.stringify({
          gone: [2],
          faults: `ToolError: Nothing was sent, since the steps can't be run:\n- steps[0].call: Unknown tool: lst_issues. Did you mean "list_issues"?`,
          more: [{ type: 'text', text: '{"gone":9}' }],
        }),
      },
    ],
  });
  expect(called.map(([name]) => name)).toEqual(['clean', 'list_issues', 'delete_issue', 'delete_issue']);
});

// Large results.

test('a large result is kept, read in pages, and taken by other steps', async () => {
  const rows = Array.from({ length: 200 }, (_, at) => ({ id: at, name: `name ${at}` }));
  const { run, ask } = await open({ rows: () => ({ rows }) }, { env: { API_RESULT_CHARACTERS: '1000' } });
  const { content, structuredContent, isError } = await run({
    steps: [{ id: 'a', call: 'rows' }],
    result: '$steps.a.rows',
  });
  expect(isError).toBeUndefined();
  const whole = JSON.stringify(rows);
  expect(structuredContent).toMatchObject({
    steps: [{ id: 'a', status: 'done' }],
    note: `The result has ${whole.length} characters, and is kept. Select less, or read it in pages.`,
  });
  const uri = content[1]?.uri ?? '';
  expect(uri).toMatch(/^kept:\/\/\/[\w-]{22}$/);
  let text = '';
  for (let number = 1; number <= Math.ceil(whole.length / 1000); number++) {
    const page = (await ask('resources/read', { uri: `${uri}?page=${number}` })) as {
      contents: { text: string }[];
    };
    text += page.contents[0]?.text ?? '';
  }
  expect(text).toBe(whole);
  for (const wrong of [
    `${uri}?page=99`,
    `${uri}?page=0`,
    `${uri}x`,
    `${uri.slice(0, -1)}?page=1`,
    'kept:///',
  ])
    await expect(ask('resources/read', { uri: wrong })).rejects.toThrow('Resource not found');
  const again = await run({
    inputs: { rows: uri },
    steps: [{ id: 'a', call: 'rows', when: 'false' }],
    result: '$inputs.rows[-1].name',
  });
  expect(again.structuredContent).toMatchObject({ result: 'name 199' });
});

test('kept answers as inputs have only so many characters together', async () => {
  const { run } = await open(
    { big: ({ n }) => ({ big: `${String(n)}${'x'.repeat(2_000)}` }) },
    { env: { API_RESULT_CHARACTERS: '1000' }, limits: { inputCharacters: 11_000 } },
  );
  const keep = async (n: number) =>
    (await run({ steps: [{ id: 'a', call: 'big', arguments: { n } }], result: '$steps.a' })).content[1]?.uri;
  const uris: unknown[] = [];
  for (let n = 0; n < 6; n++) uris.push(await keep(n));
  const read = async (...inputs: unknown[]) =>
    run({
      inputs: Object.fromEntries(inputs.map((value, at) => [`i${at}`, value])),
      steps: [{ id: 'a', call: 'big', when: 'false' }],
      result: ['$length($inputs.i0.big)', '$length($inputs.i9.big)'],
    });
  const five = await read(...uris.slice(0, 5), 1, 1, 1, 1, uris[0]);
  expect(five.structuredContent).toMatchObject({ result: [2_001, 2_001] });
  setLimits({ inputCharacters: 4_000 });
  const large = await read(uris[0], uris[1], 1, 1, 1, 1, 1, 1, 1, uris[0]);
  expect(large.content[0]?.text).toContain('have more than 4,000 characters together');
});

test('kept answers end with their time, and the oldest go first', async () => {
  const big = 'x'.repeat(2_000);
  const { run, ask } = await open(
    { big: () => ({ big }) },
    { env: { API_RESULT_CHARACTERS: '1000' }, limits: { keptCharacters: 5_000 } },
  );
  const keep = async () =>
    (await run({ steps: [{ id: 'a', call: 'big' }], result: '$steps.a.big' })).content[1]?.uri;
  const uris = [await keep(), await keep(), await keep()];
  await expect(ask('resources/read', { uri: uris[0] })).rejects.toThrow('Resource not found');
  await expect(ask('resources/read', { uri: uris[1] })).resolves.toBeDefined();
  const { now } = Date;
  onTestFinished(() => void (Date.now = now));
  Date.now = () => now() + 11 * 60_000;
  await expect(ask('resources/read', { uri: uris[2] })).rejects.toThrow('Resource not found');
  const { content } = await run({ inputs: { a: uris[2] }, steps: [{ id: 'a', call: 'big' }], result: 1 });
  expect(content[0]?.text).toContain('is kept no longer: call what gave it again.');
});

// A random program by the engine, and by plain code.

interface Row {
  id: number;
  tag: string;
  next: number;
}

/** Tails of a list of rows, and the same by hand. */
const CHOICES: readonly [tail: string, choose: (rows: Row[]) => Row[]][] = [
  ['[*]', (rows) => rows],
  ['[0:1]', (rows) => rows.slice(0, 1)],
  ['[-2:]', (rows) => rows.slice(-2)],
  ['[::-1]', (rows) => rows.toReversed()],
  ["[?@.tag == 'a' && @.next > 0]", (rows) => rows.filter(({ tag, next }) => tag === 'a' && next > 0)],
  ["[?!(@.tag != 'b') || @.id >= $inputs.least]", (rows) => rows.filter((r) => r.tag === 'b' || r.id >= 7)],
];

const anyRow = fc.record({ id: fc.nat(9), tag: fc.constantFrom('a', 'b', 'c'), next: fc.nat(5) });
const anyStep = fc.record({
  ...{ from: fc.nat(), choice: fc.constantFrom(...CHOICES), least: fc.nat(4) },
  ...{ parallel: fc.integer({ min: 1, max: 5 }), pages: fc.integer({ min: 1, max: 3 }) },
});

test('a random program by the engine and by plain code makes the same requests and the same result', async () => {
  const anyProgram = [fc.array(anyRow, { maxLength: 8 }), fc.array(anyStep, { maxLength: 5 })] as const;
  await fc.assert(
    fc.asyncProperty(...anyProgram, async (all, choices) => {
      const api = (id?: unknown): Row[] => (id === undefined ? all : all.filter(({ next }) => next === id));
      const { run, called } = await open({
        rows: ({ id, pages = 1, page = 1 }) => ({
          rows: api(id),
          next: Number(page) < Number(pages) ? Number(page) + 1 : null,
        }),
      });
      const steps: Steps['steps'] = [{ id: 's0', call: 'rows' }];
      const calls: unknown[] = [['rows', {}]];
      /** The answers of each step. */
      const answers: Row[][][] = [[all]];
      const paths = ['$steps.s0.rows'];
      for (const { from, choice, parallel, least, pages } of choices) {
        const source = from % steps.length;
        const [path, lists] = [paths[source] ?? '', answers[source] ?? []];
        const [tail, choose] = choice;
        const ids = lists.flatMap(choose).map(({ id }) => id);
        const isSkipped = lists.flat().length <= least;
        if (calls.length + ids.length * pages > 50) continue;
        const id = `s${steps.length}`;
        steps.push({
          ...{ id, call: 'rows', arguments: { id: '$item', pages }, forEach: `${path}${tail}.id` },
          // Pages of several items would be asked for in any order.
          ...{ when: `$length(${path}[*]) > ${least}`, parallel: pages === 1 ? parallel : 1 },
          repeat: { while: `$steps.${id}.next`, with: { page: `$steps.${id}.next` } },
        });
        paths.push(`$steps.${id}[*].rows`);
        answers.push(isSkipped ? [] : ids.map((one) => Array.from({ length: pages }, () => api(one)).flat()));
        for (const one of isSkipped ? [] : ids)
          for (let page = 1; page <= pages; page++)
            calls.push(['rows', { id: one, pages, ...(page > 1 && { page }) }]);
      }
      const result = paths.map((path) => [`${path}[*].tag`, `$sum(${path}[*].next)`]);
      const { structuredContent } = await run({ inputs: { least: 7 }, steps, result });
      const want = answers.map((lists) => [
        lists.flat().map(({ tag }) => tag),
        lists.flat().reduce((sum, { next }) => sum + next, 0),
      ]);
      expect(structuredContent).toMatchObject({ result: want });
      expect(called).toEqual(calls);
    }),
    { numRuns: 150 },
  );
});
