// `--for openai`: a client that has to give every argument gives null for those that it leaves out.
import { expect, onTestFinished, test } from 'vitest';
import { serveDocument } from './serve-document.ts';

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const responses = { 200: { description: 'Fine' } };
const jsonBody = (schema: object, mediaType = 'application/json') => ({
  required: true,
  content: { [mediaType]: { schema } },
});
const owner = { type: 'object', properties: { city: text, street: text }, required: ['city'] };
const pet = {
  type: 'object',
  properties: { name: text, tag: text, owners: { type: 'array', items: owner } },
  required: ['name'],
  additionalProperties: false,
};
const parameters = [
  { name: 'id', in: 'path', required: true, schema: text },
  { name: 'page', in: 'query', schema: { type: 'integer', default: 1 } },
  { name: 'X-Trace', in: 'header', schema: text },
];
const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example' }],
  paths: {
    '/pets': {
      post: { operationId: 'addPet', summary: 'Take in a pet', requestBody: jsonBody(pet), responses },
    },
    '/pets/{id}': {
      get: { operationId: 'getPet', summary: 'Read one pet', parameters, responses },
      patch: {
        operationId: 'patchPet',
        summary: 'Change one pet',
        parameters: parameters.slice(0, 1),
        requestBody: jsonBody(pet, 'application/merge-patch+json'),
        responses,
      },
    },
  },
};

async function serve(parts: Parameters<typeof serveDocument>[2] = {}, without: string[] = ['patch']) {
  const item = Object.entries(document.paths['/pets/{id}']).filter(([method]) => !without.includes(method));
  const paths = { ...document.paths, '/pets/{id}': Object.fromEntries(item) };
  const served = await serveDocument({ ...document, paths }, undefined, {
    options: { for: ['openai'] },
    ...parts,
  });
  onTestFinished(() => served.close());
  return served;
}

test.each([true, false])('null is an argument left out, with repairs: %s', async (repairs) => {
  const served = await serve({ repairs, surfaces: ['search'] });
  const [, current] = await served.clients();
  void current;
  const rows: [string, object, object][] = [
    ['getPet', { id: 'a', page: null, X_Trace: null, 'X-Trace': null }, { id: 'a' }],
    ['getPet', { id: 'a', page: 2, 'X-Trace': null }, { id: 'a', page: 2 }],
    ['addPet', { name: 'Bo', tag: null, owners: null }, { name: 'Bo' }],
    [
      'addPet',
      { name: 'Bo', tag: null, owners: [{ city: 'Ulm', street: null }] },
      { name: 'Bo', owners: [{ city: 'Ulm' }] },
    ],
  ];
  for (const [tool, withNulls, without] of rows) {
    const args = Object.fromEntries(Object.entries(withNulls).filter(([name]) => name !== 'X_Trace'));
    const [nulls, none] = [await served.call(tool, args), await served.call(tool, without)];
    expect(nulls.sent).toHaveLength(1);
    expect(nulls.sent).toEqual(none.sent);
    const called = await served.call('call_destructive_tool', { name: tool, arguments: args });
    expect(called.sent).toEqual(none.sent);
  }
  expect(await served.call('getPet', { id: null })).toMatchObject({ sent: [], isError: true });
});

test('all arguments are listed as required', async () => {
  const served = await serve();
  const [, current] = await served.clients();
  const { tools } = await (
    current as { listTools: () => Promise<{ tools: { name: string; inputSchema: object }[] }> }
  ).listTools();
  expect(tools.map(({ name }) => name)).toEqual(['addPet', 'getPet']);
  expect(tools[0]?.inputSchema).toEqual({
    type: 'object',
    properties: {
      name: text,
      tag: textOrNull,
      owners: {
        type: ['array', 'null'],
        items: {
          type: 'object',
          properties: { city: text, street: textOrNull },
          required: ['city', 'street'],
          additionalProperties: false,
        },
      },
    },
    required: ['name', 'tag', 'owners'],
    additionalProperties: false,
  });
});

test('in a merge patch null removes, so its tool stays as it is, with a warning', async () => {
  await expect(serve({}, [])).rejects.toThrow(
    'cannot fit the strict shape of `patchPet` to The OpenAI API without loss: `name` is optional, and null is one of its values',
  );
  const served = await serveDocument({ ...document });
  onTestFinished(() => served.close());
  const { sent } = await served.call('patchPet', { id: 'a', tag: null });
  expect(sent[0]).toContain('{"tag":null}');
});
