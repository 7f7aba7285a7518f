// What handlers may return, and how it fits the output schema.
import { expect, test } from 'vitest';
import type { ToolInfo } from '../../../templates/runtime/types.ts';
import { openServer } from '../harness.ts';

const strict: ToolInfo = {
  name: 'get_pet',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
};
const loose: ToolInfo = {
  ...strict,
  outputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
};
const note = (fault: string) => ({
  type: 'text',
  text: `This is an error because the answer does not match the output schema of get_pet: ${fault}.`,
});

test.each<[string, ToolInfo, unknown, object]>([
  [
    'a text',
    loose,
    'hello',
    { content: [{ type: 'text', text: 'hello' }, note('The answer is not an object')], isError: true },
  ],
  [
    'an object of which nothing fits',
    loose,
    { id: 'one' },
    {
      content: [{ type: 'text', text: '{"id":"one"}' }, { text: expect.stringContaining('`id`') }],
      isError: true,
    },
  ],
  [
    'an object of which a part fits',
    loose,
    { id: 'one', name: 'Rex' },
    {
      content: [{ type: 'text', text: '{"id":"one","name":"Rex"}' }],
      structuredContent: { name: 'Rex', _response: { drifted: { id: 'one' } } },
    },
  ],
  [
    'an object that lacks what is required',
    strict,
    { name: 'Rex' },
    {
      content: [{ type: 'text', text: '{"name":"Rex"}' }, { text: expect.stringContaining('`id`') }],
      isError: true,
    },
  ],
])('a handler that answers %s for an output schema is told of it once', async (_, tool, returned, want) => {
  const handlers = { tools: { get_pet: () => returned } };
  const server = await openServer({ catalog: { tools: [tool] }, handlers });
  for (let count = 0; count < 2; count++) {
    const { result } = await server.ask('tools/call', { name: 'get_pet' });
    expect(result).toMatchObject(want);
    expect(Object.keys(result ?? {}).sort()).toEqual(Object.keys(want).sort());
  }
  expect(server.reported).toEqual([
    expect.stringContaining('get_pet does not answer what its output schema promises'),
  ]);
});

test.each<[string, unknown]>([
  ['an object that matches', { id: 1 }],
  ['a result that matches', { content: [], structuredContent: { id: 1 } }],
  ['an error', { content: [{ type: 'text', text: 'no' }], isError: true }],
])('a handler that answers %s for an output schema is told nothing', async (_, returned) => {
  const handlers = { tools: { get_pet: () => returned } };
  const server = await openServer({ catalog: { tools: [strict] }, handlers });
  await server.ask('tools/call', { name: 'get_pet' });
  expect(server.reported).toEqual([]);
});

const block = { type: 'text' as const, text: 'b' };
test.each([
  ['a text', 'hello', { content: [{ type: 'text', text: 'hello' }] }],
  ['nothing', undefined, { content: [{ type: 'text', text: 'Done.' }] }],
  ['an empty array', [], { content: [{ type: 'text', text: '[]' }] }],
  ['a block', block, { content: [block] }],
  ['blocks', [block, block], { content: [block, block] }],
  ['a result', { content: [block], isError: true }, { content: [block], isError: true }],
  [
    'data with a type',
    { type: 'text', size: 3 },
    { content: [{ type: 'text', text: '{"type":"text","size":3}' }] },
  ],
])('a handler may return %s', async (_, returned, want) => {
  const handlers = {
    extraTools: [{ name: 'x', inputSchema: { type: 'object' as const }, handler: () => returned }],
  };
  const server = await openServer({ handlers });
  expect((await server.ask('tools/call', { name: 'x' })).result).toEqual(want);
});
