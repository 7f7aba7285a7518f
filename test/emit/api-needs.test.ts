// What the requests and answers of a document hold decides which parts of the client of APIs its project has.
import { expect, test } from 'vitest';
import { chooseFeatures } from '../../src/emit/features.ts';
import type { ServerModel, Tool } from '../../src/model/server-model.ts';
import type { HttpBinding, SecuritySchemeBinding } from '../../templates/runtime/contract/bindings.ts';
import type { JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import { httpTool, petstore } from './models.ts';
import { emit } from './render-project.ts';

/** Modules of each feature. A need of one of its modules brings the feature, and that module. */
const parts: Record<string, string[]> = {
  bodies: ['multipart-body'],
  'client-credentials': ['oauth-token'],
  transfers: ['files', 'stream-answer'],
  exchange: ['caller-credentials'],
  proxy: ['agents'],
};

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

test.each<[string, ServerModel, string[], string[]]>([
  ['JSON', modelOf({ ...body('json'), result: { accept: ['application/json', 'text/csv'] } }), [], []],
  ['a form', modelOf(body('form')), [], []],
  ['multipart', modelOf(body('multipart')), ['bodies', 'transfers'], ['multipart-body', 'files']],
  ['XML', modelOf(body('xml')), ['bodies'], ['multipart-body']],
  ['an answer that is cut', modelOf({ result: { select: { a: true } } }), ['bodies'], []],
  ['bytes that are sent', modelOf(body('binary')), ['transfers'], ['files']],
  ['bytes that are answered', modelOf({ result: { accept: ['image/png'] } }), ['transfers'], ['files']],
  [
    'answers of any type',
    modelOf({ result: { accept: ['*/*'] } }),
    ['transfers'],
    ['files', 'stream-answer'],
  ],
  ['events', modelOf({ result: { accept: ['text/event-stream'] } }), ['transfers'], ['stream-answer']],
  [
    'a token URL',
    modelOf({}, oauth({ tokenUrl: 'https://id.test/t' })),
    ['client-credentials'],
    ['oauth-token'],
  ],
  [
    'metadata',
    modelOf({}, oauth({ metadataUrl: 'https://id.test/m' })),
    ['client-credentials'],
    ['oauth-token'],
  ],
  ['OAuth by a ready token', modelOf({}, oauth({})), [], []],
  [
    'a client certificate',
    modelOf({}, { type: 'mutualTLS', env: { cert: 'C', key: 'K', passphrase: 'P' } }),
    ['proxy'],
    ['agents'],
  ],
])('%s', async (_, model, want, modules) => {
  const features = chooseFeatures(model, { features: ['stdio'] }).map(({ name }) => name);
  expect(features.filter((name) => name in parts)).toEqual(want);
  const paths = (await emit(model, { features: ['stdio'], publish: [] })).map(({ path }) => path);
  const all = Object.values(parts).flat();
  expect(all.filter((module) => paths.includes(`src/runtime/upstream/${module}.ts`))).toEqual(modules);
});

test('a feature that is named has all its modules', async () => {
  const model = modelOf(body('binary'));
  const paths = (await emit(model, { features: ['transfers'], publish: [] })).map(({ path }) => path);
  expect(paths).toContain('src/runtime/upstream/stream-answer.ts');
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
