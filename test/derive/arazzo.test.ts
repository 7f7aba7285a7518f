// Arazzo descriptions: the steps that workflows become, and what is left out, with its place.
import { expect, test } from 'vitest';
import { compileSound, compileWorkflows, petstore } from '../support/compile-workflows.ts';

const step = (stepId: string, operationId: string, more: object = {}) => ({ stepId, operationId, ...more });
const list = step('list-orders', 'listOrders', {
  parameters: [{ name: 'state', in: 'query', value: 'placed' }],
  outputs: { first: '$response.body#/items/0/id', body: '$response.body' },
});
const read = step('read', 'getOrder', {
  parameters: [{ name: 'orderId', in: 'path', value: '$steps.list-orders.outputs.first' }],
});
const describe = (steps: object[], more: object = {}, top: object = {}) => ({
  ...{ arazzo: '1.0.1', info: { title: 'Shop', version: '1' } },
  sourceDescriptions: [{ name: 'shop', url: petstore, type: 'openapi' }],
  workflows: [{ workflowId: 'the flow', summary: 'Flows', steps, ...more }],
  ...top,
});

/** Of the last step, unless all are wanted. */
test.each<[string, object[], object, unknown]>([
  [
    'parameters, outputs and pointers',
    [list, read],
    {
      outputs: { order: '$steps.list-orders.outputs.body#/items/0', customer: '$inputs.name' },
      inputs: {
        type: 'object',
        properties: { name: { type: 'string' } },
      },
    },
    {
      steps: [
        { id: 'list_orders', call: 'listOrders', arguments: { state: 'placed' } },
        { id: 'read', call: 'getOrder', arguments: { orderId: '$steps.list_orders["items"][0]["id"]' } },
      ],
      result: { order: '$steps.list_orders["items"][0]', customer: '$inputs["name"]' },
    },
  ],
  [
    'an operation by its name in a source, and by its path',
    [
      step('a', '$sourceDescriptions.shop.getInventory'),
      {
        stepId: 'b',
        operationPath: '{$sourceDescriptions.shop.url}#/paths/~1orders~1{id}~1cancel/post',
        parameters: [{ name: 'orderId', in: 'path', value: 'ord-1' }],
      },
    ],
    {},
    { steps: [{ call: 'getInventory' }, { call: 'cancel_order' }] },
  ],
  [
    'a payload, and texts that begin with $',
    [
      step('a', 'placeOrder', {
        requestBody: {
          contentType: 'application/json',
          payload: { petId: '{$inputs.pet}', customer: '$5' },
        },
      }),
    ],
    { inputs: { type: 'object', properties: { pet: { type: 'integer' } } } },
    { steps: [{ arguments: { petId: '$inputs["pet"]', customer: '$$5' } }] },
  ],
  [
    'a payload that is the text of JSON',
    [step('a', 'placeOrder', { requestBody: { payload: '{"petId": "{$inputs.pet}", "customer": "ada"}' } })],
    { inputs: { type: 'object', properties: { pet: { type: 'integer' } } } },
    { steps: [{ arguments: { petId: '$inputs["pet"]', customer: 'ada' } }] },
  ],
  [
    'criteria of success',
    [
      {
        ...list,
        successCriteria: [
          { condition: '$statusCode == 200' },
          { condition: "$response.body#/items/0/state != 'it''s' || !$response.body#/nextCursor" },
          { context: '$response.body', condition: '$.items[?@.petId > 3]', type: 'jsonpath' },
        ],
      },
    ],
    {},
    {
      steps: [
        {
          expect:
            '($status == 200) && ($steps.list_orders["items"][0]["state"] != "it\'s" || !$steps.list_orders["nextCursor"]) && ($steps.list_orders.items[?@.petId > 3])',
        },
      ],
    },
  ],
  [
    'ends, and steps that go to later ones',
    [
      {
        ...list,
        successCriteria: [{ condition: '$statusCode == 200' }],
        onSuccess: [
          {
            name: 'none',
            type: 'end',
            criteria: [{ condition: '$statusCode == 200' }, { condition: '$response.body#/items/0 == null' }],
          },
          { name: 'skip', type: 'goto', stepId: 'last', criteria: [{ condition: '$inputs.quick' }] },
        ],
      },
      { ...read, onFailure: [{ name: 'stop', type: 'end' }] },
      step('last', 'getInventory'),
    ],
    { inputs: { type: 'object', properties: { quick: { type: 'boolean' } } } },
    {
      steps: [
        {},
        {
          when: '(!($steps.list_orders["items"][0] == null)) && (!((!($steps.list_orders["items"][0] == null)) && ($inputs["quick"])))',
        },
        { when: '!($steps.list_orders["items"][0] == null)' },
      ],
    },
  ],
  [
    'retries, and ends before them',
    [
      {
        ...list,
        onFailure: [
          { name: 'stop', type: 'end', criteria: [{ condition: '$statusCode == 404' }] },
          {
            name: 'again',
            type: 'retry',
            retryAfter: 1.5,
            retryLimit: 5,
            criteria: [{ condition: '$statusCode >= 500' }],
          },
        ],
      },
    ],
    {},
    {
      steps: [{ retry: { max: 5, seconds: 1.5, when: '(!($status == 404)) && ($status >= 500)' } }],
    },
  ],
])('%s', async (_, steps, more, want) => {
  const { tools } = await compileSound({ 'shop.arazzo.json': describe(steps, more) });
  expect(tools.at(-1)).toMatchObject({ name: 'the_flow', title: 'Flows', binding: want });
});

test('inputs and parameters of the components', async () => {
  const steps = [
    step('a', 'listOrders', { parameters: [{ reference: '$components.parameters.limit', value: 3 }] }),
  ];
  const components = {
    inputs: {
      one: { type: 'object', properties: { name: { $ref: '#/components/inputs/name' } } },
      name: { type: 'string' },
    },
    parameters: { limit: { name: 'limit', in: 'query', value: 9 } },
  };
  const more = { inputs: { $ref: '#/components/inputs/one' } };
  const { tools } = await compileSound({ 'a.json': describe(steps, more, { components }) });
  expect(tools.at(-1)).toMatchObject({
    inputSchema: { properties: { name: { $ref: '#/$defs/name' } }, $defs: { name: { type: 'string' } } },
    binding: { steps: [{ arguments: { limit: 3 } }] },
  });
});

test.each<[string, object, string]>([
  [
    'another version',
    describe([list], {}, { arazzo: '2.0.0' }),
    '/arazzo: Arazzo 1.0 is read, and this is 2.0.0.',
  ],
  [
    'AsyncAPI',
    describe([list], {}, { sourceDescriptions: [{ name: 'shop', url: petstore, type: 'asyncapi' }] }),
    '/workflows/0/steps/0/operationId: Its source description is no OpenAPI document of this project: none.',
  ],
  [
    'a document of another project',
    describe([list], {}, { sourceDescriptions: [{ name: 'shop', url: './other.yaml' }] }),
    '/workflows/0/steps/0/operationId: Its source description is no OpenAPI document of this project: ./other.yaml.',
  ],
  [
    'an unknown operation',
    describe([step('a', 'listOrder')]),
    '/workflows/0/steps/0/operationId: Unknown operation: listOrder. Did you mean "listOrders"?',
  ],
  [
    'an unknown path',
    describe([{ stepId: 'a', operationPath: '{$sourceDescriptions.shop.url}#/paths/~1none/get' }]),
    '/workflows/0/steps/0/operationPath: Unknown operation: GET /none',
  ],
  [
    'a workflow inside another',
    describe([{ stepId: 'a', workflowId: 'other' }]),
    '/workflows/0/steps/0/workflowId: workflowId of a step is not read.',
  ],
  [
    'a step backwards',
    describe([list, { ...read, onSuccess: [{ name: 'again', type: 'goto', stepId: 'list-orders' }] }]),
    '/workflows/0/steps/1/onSuccess/0: It must lead to a later step.',
  ],
  [
    'a failure that leads elsewhere',
    describe([{ ...list, onFailure: [{ name: 'else', type: 'goto', stepId: 'read' }] }, read]),
    '/workflows/0/steps/0/onFailure/0: A failed step ends the workflow, and nothing follows.',
  ],
  [
    'a retry without a bound',
    describe([{ ...list, onFailure: [{ name: 'again', type: 'retry', retryLimit: 1000 }] }]),
    '/workflows/0/steps/0/onFailure/0: retryLimit is 1 to 10, and retryAfter 0 to 60 seconds.',
  ],
  [
    'a second retry',
    describe([
      {
        ...list,
        onFailure: [
          { name: 'again', type: 'retry' },
          { name: 'later', type: 'retry' },
        ],
      },
    ]),
    '/workflows/0/steps/0/onFailure/1: One retry of a step is read.',
  ],
  [
    'a retry by the body of a failed answer',
    describe([
      {
        ...list,
        onFailure: [{ name: 'again', type: 'retry', criteria: [{ condition: '$response.body#/code == 1' }] }],
      },
    ]),
    '/workflows/0/steps/0/onFailure/0/criteria/0/condition: $response.body#/code is nothing that steps can refer to.',
  ],
  [
    'a regular expression',
    describe([{ ...list, successCriteria: [{ context: '$response.body', condition: '^a', type: 'regex' }] }]),
    '/workflows/0/steps/0/successCriteria/0/condition: A criterion of the type regex is not read.',
  ],
  [
    'XPath',
    describe([
      {
        ...list,
        successCriteria: [
          { context: '$response.body', condition: '//a', type: { type: 'xpath', version: 'xpath-30' } },
        ],
      },
    ]),
    'A criterion of the type xpath is not read.',
  ],
  [
    'a failure that is a success',
    describe([{ ...list, successCriteria: [{ condition: '$statusCode == 404' }] }]),
    '/workflows/0/steps/0/successCriteria/0/condition: A call that has no answer of 2xx has failed.',
  ],
  [
    'an expression inside a text',
    describe([{ ...list, parameters: [{ name: 'state', in: 'query', value: 'is {$inputs.state}' }] }]),
    '/workflows/0/steps/0/parameters/0/value: An expression inside a text is not read.',
  ],
  [
    'a credential',
    describe([{ ...list, parameters: [{ name: 'Authorization', in: 'header', value: 'Bearer x' }] }]),
    '/workflows/0/steps/0/parameters/0: The tool has no header parameter Authorization (credentials come from the environment).',
  ],
  [
    'components that are absent',
    describe([list], { inputs: { $ref: '#/components/inputs/none' } }),
    '/workflows/0/inputs: #/components/inputs/none is not in the components.',
  ],
])('%s leaves the workflow out, with a warning at its place', async (_, description, want) => {
  const { workflows } = description as { workflows: object[] };
  const fine = { workflowId: 'fine', steps: [list] };
  const isRead = !/arazzo|source description/.test(want);
  const { model, faults, diagnostics } = await compileWorkflows({
    'a.json': { ...description, workflows: isRead ? [...workflows, fine] : workflows },
  });
  expect(faults).toContainEqual(expect.stringContaining(`warning ${want.startsWith('/') ? want : ''}`));
  expect(faults.join('\n')).toContain(want);
  expect(diagnostics.map(({ name }) => name)).toContain('workflow-left-out');
  const names = (model?.tools ?? []).map(({ name }) => name);
  expect(names).not.toContain('the_flow');
  expect(names.includes('fine')).toBe(isRead);
});
