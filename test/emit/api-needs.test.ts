// What the requests and answers of a document hold decides which parts of the client of APIs its project has.
import { expect, test } from 'vitest';
import { chooseFeatures } from '../../src/emit/features.ts';
import type { ServerModel, Tool } from '../../src/model/server-model.ts';
import type { HttpBinding, ParameterBinding, SecuritySchemeBinding } from '../../src/model/bindings.ts';
import type { JsonSchemaObject } from '../../src/util/json-schema.ts';
import { httpTool, petstore } from './models.ts';
import { emit } from './render-project.ts';

/** Features that come with what a document has. */
const PARTS = new Set([
  ...['styles', 'multipart', 'xml', 'operation-servers', 'known-arguments', 'client-credentials'],
  ...['bytes', 'files', 'sequences', 'answer-rules'],
]);

function modelOf(binding: Partial<HttpBinding>, scheme?: Partial<SecuritySchemeBinding>): ServerModel {
  const tool = httpTool('one', 'POST', '/one');
  const securitySchemes = (scheme === undefined ? {} : { scheme }) as Record<string, SecuritySchemeBinding>;
  return {
    ...petstore,
    tools: [{ ...tool, binding: { ...(tool.binding as HttpBinding), ...binding } }],
    resources: [],
    resourceTemplates: [],
    upstream: { servers: [{ url: 'https://api.test' }], securitySchemes },
  };
}

const body = (kind: 'json' | 'form' | 'multipart' | 'xml' | 'binary') =>
  ({ body: { kind, mediaType: 'a/b', argument: 'body' } }) as const;
const parameter = (...ones: Partial<ParameterBinding>[]) => ({
  parameters: ones.map((one): ParameterBinding => ({ argument: 'a', name: 'a', in: 'query', ...one })),
});

function withSchema(schema: JsonSchemaObject): Tool {
  return httpTool('two', 'GET', '/two', { inputSchema: { type: 'object', properties: { a: schema } } });
}

function templateOf(uriTemplate: string): ServerModel['resourceTemplates'][number] {
  return { ...petstore.resourceTemplates[0], uriTemplate } as ServerModel['resourceTemplates'][number];
}

const oauth = (place: object): Partial<SecuritySchemeBinding> => ({
  type: 'oauth2',
  env: { token: 'T', clientId: 'I', clientSecret: 'S', scopes: 'C' },
  ...place,
});

test.each<[string, ServerModel, string[]]>([
  ['JSON', modelOf({ ...body('json'), result: { accept: ['application/json', 'text/csv'] } }), []],
  ...[{ in: 'path' }, { in: 'header' }, { in: 'query', explode: false }].map(
    (one): [string, ServerModel, string[]] => [
      `a parameter ${JSON.stringify(one)}`,
      modelOf(parameter(one as Partial<ParameterBinding>)),
      [],
    ],
  ),
  ...[
    { in: 'querystring' },
    { in: 'query', style: 'deepObject' },
    { in: 'query', separator: '|' },
    { in: 'query', mediaType: 'application/x-www-form-urlencoded' },
  ].map((one): [string, ServerModel, string[]] => [
    `a parameter ${JSON.stringify(one)}`,
    modelOf(parameter(one as Partial<ParameterBinding>)),
    ['styles'],
  ]),
  ['a form', modelOf(body('form')), ['styles']],
  ['JSON lines', modelOf({ body: { ...body('json').body, mediaType: 'application/jsonl' } }), ['styles']],
  ['servers of an operation', modelOf({ servers: [{ url: 'https://files.test' }] }), ['operation-servers']],
  ['an argument that the environment sets', modelOf({ known: { a: { env: 'A' } } }), ['known-arguments']],
  ['multipart', modelOf(body('multipart')), ['multipart', 'bytes']],
  ['XML, which may be given as bytes', modelOf(body('xml')), ['xml', 'bytes']],
  ['an answer that is cut', modelOf({ result: { select: { a: true } } }), ['answer-rules']],
  ['bytes that are sent', modelOf(body('binary')), ['bytes']],
  ['bytes that are answered', modelOf({ result: { accept: ['image/png'] } }), []],
  ['answers of any type', modelOf({ result: { accept: ['*/*'] } }), ['sequences']],
  ['events', modelOf({ result: { accept: ['text/event-stream'] } }), ['sequences']],
  ['a token URL', modelOf({}, oauth({ tokenUrl: 'https://id.test/t' })), ['client-credentials']],
  ['metadata', modelOf({}, oauth({ metadataUrl: 'https://id.test/m' })), ['client-credentials']],
  ['OAuth by a ready token', modelOf({}, oauth({})), []],
])('%s', async (_, model, want) => {
  const features = chooseFeatures(model, { features: ['stdio'] });
  const parts = features.filter(({ name }) => PARTS.has(name));
  expect(parts.map(({ name }) => name)).toEqual(want);
  const paths = (await emit(model, { features: ['stdio'], publish: [] })).map(({ path }) => path);
  for (const { module } of parts) expect(paths).toContain(`src/runtime/${module}.ts`);
});

test.each<[string, Partial<ServerModel>, string[]]>([
  ['a plain pattern', { tools: [withSchema({ pattern: '^[a-z]+$' })] }, []],
  ['a pattern that needs a proof', { tools: [withSchema({ pattern: '^(a+)+$' })] }, ['patterns']],
  [
    'one of the names of members',
    { tools: [withSchema({ patternProperties: { '^(a+)+$': {} } })] },
    ['patterns'],
  ],
  [
    'one of a codec',
    { codecs: { one: { kind: 'json', schema: { pattern: '(a|b)*c' } } as never } },
    ['patterns'],
  ],
  [
    'alternatives',
    { tools: [withSchema({ items: { oneOf: [{ type: 'string' }, { const: 1 }] } })] },
    ['alternatives'],
  ],
  ['what may be null', { tools: [withSchema({ anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] })] }, []],
  [
    'alternatives in a codec',
    { codecs: { one: { kind: 'json', schema: { anyOf: [true, {}] } } as never } },
    ['alternatives'],
  ],
  ['a plain template', { resourceTemplates: [templateOf('api://pets/{id}.json')] }, []],
  [
    'a template with two variables in a segment',
    { resourceTemplates: [templateOf('api://{a}-{b}')] },
    ['uri-templates'],
  ],
  [
    'a template with an operator',
    { resourceTemplates: [templateOf('api://pets{?limit}')] },
    ['uri-templates'],
  ],
])('%s in a list', (_, changes, want) => {
  const features = chooseFeatures({ ...modelOf({}), ...changes }, { features: ['stdio'] });
  const matchers = features
    .map(({ name }) => name)
    .filter((name) => /^(?:patterns|alternatives|uri-templates)$/.test(name));
  expect(matchers).toEqual(want);
});

test('credentials of callers come with OAuth, where the configuration says something of them', () => {
  const names = (auth: object) =>
    chooseFeatures(modelOf({}), { features: ['stdio'], auth }).map(({ name }) => name);
  expect(names({ onBehalf: 'optional' })).toContain('exchange');
  expect(names({ exchange: {} })).toContain('exchange');
  expect(names({})).not.toContain('exchange');
  expect(chooseFeatures(modelOf({}), { features: ['exchange'] }).map(({ name }) => name)).not.toContain(
    'exchange',
  );
});
