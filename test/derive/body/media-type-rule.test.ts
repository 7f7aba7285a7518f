/** Of the media types that a document offers for a body, the one that is sent: by fit, not by order. */
import { expect, test } from 'vitest';
import { compile } from '../../../src/api/compile.ts';

const object = { type: 'object', properties: { name: { type: 'string' } } };
const list = { type: 'array', items: object };

type Offers = [mediaType: string, schema: object][];

async function sentType(method: string, offers: Offers) {
  const content = Object.fromEntries(offers.map(([mediaType, schema]) => [mediaType, { schema }]));
  return sentTypeOf({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/x': { [method]: { operationId: 'send', requestBody: { required: true, content } } } },
  });
}

async function sentTypeOf(document: object) {
  const text = JSON.stringify({ info: { title: 'Bodies', version: '1' }, ...document });
  const { model, diagnostics } = await compile({
    source: '-',
    stdin: () => Promise.resolve(Buffer.from(text)),
  });
  const [tool] = model?.tools ?? [];
  const { mediaType, kind } = (tool?.binding as { body: { mediaType: string; kind: string } }).body;
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').map(({ name }) => name);
  return [mediaType, kind, ...warnings].join(' ');
}

test.each<[says: string, method: string, offers: Offers, sent: string]>([
  [
    'plain JSON, though others come first',
    'patch',
    [
      ['application/merge-patch+json', object],
      ['application/vnd.acme+json', object],
      ['application/json', object],
    ],
    'application/json json',
  ],
  [
    'no list of changes for an object',
    'patch',
    [
      ['application/json-patch+json', object],
      ['application/merge-patch+json', object],
    ],
    'application/merge-patch+json json',
  ],
  [
    'a list of changes',
    'patch',
    [
      ['application/json-patch+json', list],
      ['application/x-www-form-urlencoded', object],
    ],
    'application/json-patch+json json',
  ],
  [
    'a merge patch is for PATCH',
    'put',
    [
      ['application/merge-patch+json', object],
      ['application/x-www-form-urlencoded', object],
    ],
    'application/x-www-form-urlencoded form',
  ],
  [
    'a type of a vendor before one of linked data or problems',
    'post',
    [
      ['application/ld+json', object],
      ['application/problem+json', object],
      ['application/vnd.acme+json', object],
    ],
    'application/vnd.acme+json json',
  ],
  [
    'text before CBOR',
    'post',
    [
      ['application/cbor', object],
      ['text/plain', { type: 'string' }],
    ],
    'text/plain text',
  ],
  ...[
    'application/cbor',
    'application/msgpack',
    'application/x-protobuf',
    'application/vnd.ms-excel',
    'application/jwt',
  ].map((mediaType): [string, string, Offers, string] => [
    `an object as ${mediaType} is bytes`,
    'post',
    [[mediaType, object]],
    `${mediaType} binary body-not-composed`,
  ]),
  [
    'an object as a kind of YAML is text',
    'patch',
    [['application/apply-patch+yaml', object]],
    'application/apply-patch+yaml text body-not-composed',
  ],
  [
    'a name that says JSON',
    'post',
    [['application/vnd.acme.json', object]],
    'application/vnd.acme.json json',
  ],
])('%s', async (_, method, offers, sent) => {
  expect(await sentType(method, offers)).toBe(sent);
});

test.each<[says: string, method: string, consumes: string[], schema: object, sent: string]>([
  [
    'the types that ASP.NET lists',
    'post',
    ['application/json-patch+json', 'text/json', 'application/*+json', 'application/json'],
    object,
    'application/json json',
  ],
])('Swagger 2.0: %s', async (_, method, consumes, schema, sent) => {
  const parameters = [{ in: 'body', name: 'body', required: true, schema }];
  const operation = { operationId: 'send', consumes, parameters, responses: { 200: { description: 'ok' } } };
  expect(
    await sentTypeOf({
      swagger: '2.0',
      host: 'api.example.com',
      schemes: ['https'],
      paths: { '/x': { [method]: operation } },
    }),
  ).toBe(sent);
});
