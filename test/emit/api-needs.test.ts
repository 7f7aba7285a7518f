// What the requests and answers of a document hold decides which parts of the client of APIs its project has.
import { expect, test } from 'vitest';
import { chooseFeatures } from '../../src/emit/features.ts';
import type { ServerModel } from '../../src/model/server-model.ts';
import type { HttpBinding, SecuritySchemeBinding } from '../../templates/runtime/contract/bindings.ts';
import { httpTool, petstore } from './models.ts';
import { emit } from './render-project.ts';

const parts = {
  bodies: 'multipart-body',
  'client-credentials': 'oauth-token',
  transfers: 'stream-answer',
  exchange: 'caller-credentials',
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
const oauth = (place: object): Partial<SecuritySchemeBinding> => ({
  type: 'oauth2',
  env: { token: 'T', clientId: 'I', clientSecret: 'S', scopes: 'C' },
  ...place,
});

test.each<[string, ServerModel, string[]]>([
  ['JSON', modelOf({ ...body('json'), result: { accept: ['application/json', 'text/csv'] } }), []],
  ['a form', modelOf(body('form')), []],
  ['multipart', modelOf(body('multipart')), ['bodies', 'transfers']],
  ['XML', modelOf(body('xml')), ['bodies']],
  ['bytes that are sent', modelOf(body('binary')), ['transfers']],
  ['bytes that are answered', modelOf({ result: { accept: ['image/png'] } }), ['transfers']],
  ['answers of any type', modelOf({ result: { accept: ['*/*'] } }), ['transfers']],
  ['events', modelOf({ result: { accept: ['text/event-stream'] } }), ['transfers']],
  ['a token URL', modelOf({}, oauth({ tokenUrl: 'https://id.test/t' })), ['client-credentials']],
  ['metadata', modelOf({}, oauth({ metadataUrl: 'https://id.test/m' })), ['client-credentials']],
  ['OAuth by a ready token', modelOf({}, oauth({})), []],
])('%s', async (_, model, want) => {
  const names = chooseFeatures(model, { features: ['stdio'] }).map(({ name }) => name);
  expect(names.filter((name) => name in parts)).toEqual(want);
  const paths = (await emit(model, { features: ['stdio'], publish: [] })).map(({ path }) => path);
  const found = Object.entries(parts).filter(([, module]) =>
    paths.includes(`src/runtime/upstream/${module}.ts`),
  );
  expect(found.map(([name]) => name)).toEqual(want);
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
