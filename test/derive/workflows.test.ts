// Files of workflows: what each becomes, and which faults are found, with their places.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from '../cli/support/fake-host.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { compileSound, compileWorkflows, petstore } from '../support/compile-workflows.ts';

const orders = { id: 'orders', call: 'listOrders', arguments: { state: 'placed' } };
const cancel = { id: 'cancel', call: 'cancelOrder', arguments: { orderId: '$inputs.id' } };
const place = { id: 'place', call: 'placeOrder', arguments: { petId: '$inputs.pet', customer: 'ada' } };
const inputs = { type: 'object', properties: { id: { type: 'string' }, pet: { type: 'integer' } } };
const flow = (steps: object[], more: object = {}) => ({
  description: 'Does it.',
  steps,
  result: null,
  ...more,
});

test.each<[string, object[], object]>([
  ['calls that read', [orders], { readOnlyHint: true, destructiveHint: false, idempotentHint: true }],
  ['one that adds', [orders, place], { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
  [
    'one that may destroy',
    [orders, cancel],
    { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  ],
])('hints are those of %s', async (_, steps, hints) => {
  const { tools } = await compileSound({ 'w.yaml': { doIt: flow(steps, { title: 'Do it', inputs }) } });
  expect(tools.at(-1)).toMatchObject({
    name: 'doIt',
    title: 'Do it',
    description: 'Does it.',
    inputSchema: { ...inputs, additionalProperties: false },
    annotations: { ...hints, openWorldHint: true },
    binding: { kind: 'steps', workflow: 'doIt', result: null },
  });
});

test('steps call tools by the names that they have, whatever the configuration calls them', async () => {
  const files = { 'w.json': { doIt: flow([cancel, { ...cancel, id: 'again', call: 'stop' }], { inputs }) } };
  const rules = { cancel_order: { name: 'stop' } };
  const { tools } = await compileSound(files, { tools: rules });
  expect(tools.at(-1)?.binding).toMatchObject({ steps: [{ call: 'stop' }, { call: 'stop' }] });
});

test('an object of workflows, as the configuration has it, is what a file of them is', async () => {
  const doIt = flow([orders, cancel], { inputs });
  const [of, from] = await Promise.all([
    compileSound({ 'w.yaml': { doIt } }),
    compileSound({}, { workflows: { doIt } as never }),
  ]);
  expect({ ...from.tools.at(-1), origin: {} }).toEqual({ ...of.tools.at(-1), origin: {} });
  const { faults } = await compileWorkflows({}, {
    workflows: { doIt: flow([{ ...orders, call: 'listOrder' }]) },
  } as never);
  expect(faults).toEqual([
    expect.stringMatching(/^error \/doIt\/steps\/0\/call: .*Unknown operation: listOrder/),
  ]);
});

test('a fault of the configuration has its place there', async () => {
  const cwd = temporaryFolder();
  const workflows = { doIt: flow([{ ...orders, call: 'listOrder' }]) };
  const place = (value: object): string => `// Commented.\n${JSON.stringify(value, undefined, 2)}`;
  writeFileSync(join(cwd, 'mcpgen.config.json'), place({ source: petstore, workflows }));
  const one = await runInProcess(['inspect', '.'], { cwd });
  expect(one.stderr).toMatch(/mcpgen\.config\.json:10:\d+ - error MCPG145/);
  writeFileSync(
    join(cwd, 'mcpgen.config.json'),
    place({ servers: { a: { source: petstore, output: 'a', workflows } } }),
  );
  const several = await runInProcess(['inspect', '.', '--server', 'a'], { cwd });
  expect(several.stderr).toMatch(/mcpgen\.config\.json:13:\d+ - error MCPG145/);
});

test.each<[string, object, string]>([
  ['by its operationId', { call: 'cancelOrder' }, 'petstore:cancelOrder'],
  ['by its source', { call: 'petstore:cancelOrder' }, 'petstore:cancelOrder'],
  ['by its path', { call: 'POST /orders/{id}/cancel' }, 'petstore:cancelOrder'],
])('an operation that is no tool is called %s', async (_, named, want) => {
  const files = { 'w.json': { doIt: flow([orders, { ...cancel, ...named }], { inputs }) } };
  const model = await compileSound(files, { exclude: ['op:cancelOrder'] });
  expect(model.tools.map(({ name }) => name)).not.toContain('cancel_order');
  expect(model.tools.at(-1)).toMatchObject({
    annotations: { readOnlyHint: false, destructiveHint: true },
    binding: { steps: [{ call: 'listOrders' }, { call: want }] },
  });
  expect(Object.keys(model.operations?.['petstore'] ?? {})).toEqual(['cancelOrder']);
  const { faults } = await compileWorkflows(
    { 'w.json': { doIt: flow([{ ...cancel, ...named, arguments: {} }]) } },
    { exclude: ['op:cancelOrder'] },
  );
  expect(faults).toEqual([
    'error /doIt/steps/0/arguments: steps[0].arguments: `orderId` is required but missing.',
  ]);
});

test('other operations that are no tools are not bound, and no model calls them', async () => {
  const files = { 'w.json': { doIt: flow([orders]) } };
  expect(await compileSound(files, { exclude: ['op:cancelOrder'] })).not.toHaveProperty('operations');
});

test('a workflow needs the scopes of its calls', async () => {
  const auth = { scopes: { 'tag:orders': ['orders:write'], 'tag:pets': ['pets:read'] } };
  const pet = { id: 'pet', call: 'getPet', arguments: { petId: 1 } };
  const files = { 'w.yaml': { doIt: flow([orders, pet]) } };
  const scopesOf = ({ tools }: Awaited<ReturnType<typeof compileSound>>, name: string) =>
    tools.find((tool) => tool.name === name)?.scopes;
  const model = await compileSound(files, { auth } as never).catch(async () => compileSound(files));
  const called = ['listOrders', 'getPet'].flatMap((name) => scopesOf(model, name) ?? []);
  expect(scopesOf(model, 'doIt')).toEqual([...new Set(called)]);
});

test.each<[string, unknown, string[]]>([
  ['no object', [], ['error : A file of workflows is an object of them, by their names.']],
  [
    'no steps',
    { doIt: { description: 'Does it.', result: 1 } },
    ['error /doIt/steps: `steps` is required but missing.'],
  ],
  [
    'an unknown member',
    { doIt: flow([{ ...orders, forEech: [] }]) },
    ['error /doIt/steps/0/forEech: `steps[0].forEech` is not a known property; did you mean `forEach`?'],
  ],
  [
    'a missing argument',
    { doIt: flow([{ id: 'a', call: 'getPet' }]) },
    ['error /doIt/steps/0/arguments: steps[0].arguments: `petId` is required but missing.'],
  ],
  [
    'an unknown input',
    { doIt: flow([cancel], { inputs: { type: 'object', properties: { idd: {} } } }) },
    [
      'error /doIt/steps/0/arguments/orderId: steps[0].arguments.orderId: $inputs has no member id. Did you mean idd?',
    ],
  ],
  [
    'a wrong type of an input',
    { doIt: flow([orders], { inputs, result: '$sum($inputs.id)' }) },
    ['error /doIt/result: result: $sum takes a list, not string.'],
  ],
  [
    'an unknown member of an answer',
    { doIt: flow([orders], { result: '$steps.orders.itms' }) },
    ['error /doIt/result: result: $steps.orders has no member itms. Did you mean items?'],
  ],
  [
    'a status elsewhere',
    { doIt: flow([orders], { result: '$status' }) },
    ['error /doIt/result: result: $status is there only in `expect`.'],
  ],
  [
    'pages of calls that are confirmed',
    { doIt: flow([{ ...cancel, repeat: { while: 'true', with: {} } }], { inputs }) },
    ['error /doIt/steps/0/repeat: steps[0].repeat: must be absent, since the user confirms each call.'],
  ],
  [
    'more calls than a retry has',
    { doIt: flow([{ ...orders, retry: { max: 11 } }]) },
    ['error /doIt/steps/0/retry/max: `steps[0].retry.max` must be ≤ 10 but is 11.'],
  ],
  [
    'an answer that a retry can not see',
    { doIt: flow([{ ...orders, retry: { max: 1, when: '$steps.orders.items' } }]) },
    ['error /doIt/steps/0/retry/when: steps[0].retry.when: There is no step orders before this one.'],
  ],
  [
    'arguments that are known too late for the list',
    {
      doIt: flow([cancel, { ...orders, id: 'later' }, { ...cancel, id: 'b', when: '$steps.later.items' }], {
        inputs,
      }),
    },
    [
      'error /doIt/steps/2/when: steps[2].when: later runs after the user has confirmed what this step calls.',
    ],
  ],
  [
    'the name of a tool',
    { getPet: flow([orders]) },
    ["error /getPet: `getPet` can't be its name: another tool has this name."],
  ],
  [
    'a name that clients refuse',
    { 'do it': flow([orders]) },
    ['error /do it: `do it` can\'t be its name: clients accept letters, digits, "_" and "-" alone.'],
  ],
  [
    'inputs that are no object',
    { doIt: flow([orders], { inputs: { type: 'array' } }) },
    ['error /doIt: tool doIt, inputSchema is not `type: object` at its top.'],
  ],
  [
    'inputs that are not checked',
    { doIt: flow([orders], { inputs: { $dynamicRef: '#node' } }) },
    ['error /doIt: $dynamicRef is not checked.'],
  ],
])('%s is an error with its place', async (_, file, want) => {
  const { faults, ok } = await compileWorkflows({ 'w.yaml': file });
  expect(faults).toEqual(want);
  expect(ok).toBe(false);
});

test.each([
  ['no file', undefined, 'The file w.yaml does not exist.'],
  ['no YAML', 'a: [', 'w.yaml is not valid YAML'],
  ['aliases', 'a: &a { b: 1 }\nc: *a\n', 'w.yaml cannot be read: workflows have no aliases of YAML.'],
])('%s', async (_, text, want) => {
  const { faults } = await compileWorkflows(text === undefined ? {} : { 'w.yaml': text }, {
    workflows: ['w.yaml'],
  });
  expect(faults).toEqual([expect.stringContaining(want)]);
});

test('a server that only reads leaves out workflows that write', async () => {
  const files = { 'w.yaml': { read: flow([orders]), write: flow([cancel], { inputs }) } };
  const { model, faults } = await compileWorkflows(files, { readOnly: true });
  expect(model?.tools.map(({ name }) => name)).toContain('read');
  expect(faults.filter((fault) => fault.includes('/write'))).toEqual([
    expect.stringContaining('warning /write/steps/0/call: steps[0].call: Unknown operation: cancelOrder'),
  ]);
});
