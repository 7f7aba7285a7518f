import { expect, test } from 'vitest';
import { openServer, type ServerParts } from '../harness.ts';

const catalog = {
  prompts: [
    {
      name: 'trip',
      description: 'Plans.',
      arguments: [{ name: 'city', required: true }, { name: 'season' }],
    },
  ],
  resourceTemplates: [{ uriTemplate: 'a:{kind}', name: 't' }],
};
const many = Array.from({ length: 150 }, (_, index) => `value-${index}`);
const parts: ServerParts = {
  catalog,
  bindings: {
    prompts: {
      trip: {
        kind: 'template',
        messages: [
          { role: 'user', text: 'To {{city}} in {{ season }}, {{city}}! {{other}} {{__proto__}}' },
          { role: 'assistant', text: 'Gladly.' },
        ],
      },
    },
    completions: [
      {
        ref: { kind: 'prompt', name: 'trip' },
        argument: 'season',
        from: { kind: 'values', values: ['Summer', 'spring', 'winter'] },
      },
      {
        ref: { kind: 'resource', uri: 'a:{kind}' },
        argument: 'kind',
        from: { kind: 'values', values: many },
      },
    ],
  },
};

const messages = (text: string) => [
  { role: 'user', content: { type: 'text', text } },
  { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
];

test.each([
  [{ city: 'Oslo', season: 'May' }, 'To Oslo in May, Oslo! {{other}} {{__proto__}}'],
  [{ city: 'Oslo' }, 'To Oslo in , Oslo! {{other}} {{__proto__}}'],
  [
    { city: '{{season}} $& $1', season: 'x' },
    'To {{season}} $& $1 in x, {{season}} $& $1! {{other}} {{__proto__}}',
  ],
])('the arguments %j fill the template', async (args, text) => {
  const { result } = await (await openServer(parts)).ask('prompts/get', { name: 'trip', arguments: args });
  expect(result).toEqual({ description: 'Plans.', messages: messages(text) });
});

test('a prompt of the project takes the place of the template', async () => {
  const handlers = {
    prompts: {
      trip: { arguments: [{ name: 'city' }], handler: ({ city }: Record<string, string>) => `Go to ${city}` },
    },
  };
  const server = await openServer({ ...parts, handlers });
  expect((await server.ask('prompts/get', { name: 'trip', arguments: { city: 'Rome' } })).result).toEqual({
    messages: [{ role: 'user', content: { type: 'text', text: 'Go to Rome' } }],
  });
});

test('a prompt that fails says why', async () => {
  const handlers = { prompts: { trip: { handler: () => Promise.reject(new Error('no map')) } } };
  const { error } = await (await openServer({ ...parts, handlers })).ask('prompts/get', { name: 'trip' });
  expect(error).toEqual({ code: -32603, message: 'no map' });
});

const trip = { type: 'ref/prompt', name: 'trip' };
const kind = { type: 'ref/resource', uri: 'a:{kind}' };
test.each([
  ['a prefix in any case', trip, 'season', 's', { values: ['Summer', 'spring'], total: 2, hasMore: false }],
  ['too many', kind, 'kind', 'value', { values: many.slice(0, 100), total: 150, hasMore: true }],
])('%s completes', async (_, ref, name, value, completion) => {
  const { result } = await (
    await openServer(parts)
  ).ask('completion/complete', { ref, argument: { name, value } });
  expect(result).toEqual({ completion });
});
