import { expect, test } from 'vitest';
import { listNeededVariables } from '../../src/emit/needed-variables.ts';
import type {
  HttpBinding,
  SecurityRequirement,
  SecuritySchemeBinding,
  ServerBinding,
  UpstreamBinding,
} from '../../src/model/bindings.ts';
import { httpTool, petstore } from './models.ts';

const key: SecuritySchemeBinding = { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'KEY' } };
const basic: SecuritySchemeBinding = { type: 'basic', env: { username: 'USER', password: 'PASSWORD' } };
const bearer: SecuritySchemeBinding = { type: 'bearer', env: { token: 'TOKEN' } };
const digest: SecuritySchemeBinding = { type: 'unsupported', reason: 'digest' };
const tls: SecuritySchemeBinding = { type: 'mutualTLS', env: { cert: 'C', key: 'K', passphrase: 'P' } };
const oauth = { token: 'READY', clientId: 'ID', clientSecret: 'SECRET', scopes: 'SCOPES' };
const flow: SecuritySchemeBinding = { type: 'oauth2', tokenUrl: 'https://id.test/token', env: oauth };

/** `NAME=placeholder` of an API whose operations demand `ways`; one without a list of its own has the API's. */
function rows(
  upstream: Partial<UpstreamBinding>,
  ...operations: { security?: SecurityRequirement[]; servers?: ServerBinding[] }[]
): string[] {
  const tools = (operations.length === 0 ? [{}] : operations).map((operation, index) => {
    const binding: HttpBinding = { kind: 'http', method: 'GET', path: '/', parameters: [], ...operation };
    return httpTool(`tool${index}`, 'GET', '/', { binding });
  });
  const servers = [{ url: 'https://api.test' }];
  const model = { ...petstore, resources: [], resourceTemplates: [], tools };
  const needed = listNeededVariables({ ...model, upstream: { servers, securitySchemes: {}, ...upstream } });
  return needed.map(({ name, placeholder }) => `${name}=${placeholder}`);
}

test.each<[string, SecuritySchemeBinding, string[]]>([
  ['an API key', key, ['KEY=your-api-key']],
  ['Basic', basic, ['USER=your-user-name', 'PASSWORD=your-password']],
  ['a bearer token', bearer, ['TOKEN=your-token']],
  ['a client certificate', tls, ['C=/path/to/certificate.pem', 'K=/path/to/key.pem']],
  ['client credentials', flow, ['ID=your-client-id', 'SECRET=your-client-secret']],
])('a scheme needs: %s', (_what, scheme, want) => {
  expect(rows({ securitySchemes: { scheme }, security: [{ scheme: [] }] })).toEqual(want);
});

const securitySchemes = { key, bearer, digest };
const way = (...names: string[]): SecurityRequirement => Object.fromEntries(names.map((name) => [name, []]));

test.each<[string, (SecurityRequirement[] | undefined)[], string[]]>([
  ['the first of several ways', [[way('bearer'), way('key')]], ['TOKEN=your-token']],
  ['all of one way', [[way('key', 'bearer')]], ['KEY=your-api-key', 'TOKEN=your-token']],
  ['a way that can be served', [[way('digest'), way('key')]], ['KEY=your-api-key']],
  ['none where anonymous calls do', [[way('key'), {}]], []],
  ['none where the operation asks for none', [[]], []],
  ['what another operation needs anyway', [[way('key')], [way('bearer'), way('key')]], ['KEY=your-api-key']],
  ['that of each operation', [[way('key')], [way('bearer')]], ['KEY=your-api-key', 'TOKEN=your-token']],
  ['none that is not described', [[way('lost')]], []],
])('operations need: %s', (_what, lists, want) => {
  const operations = lists.map((security) => (security === undefined ? {} : { security }));
  expect(rows({ securitySchemes }, ...operations)).toEqual(want);
});

const open = {
  url: 'https://{tenant}.test/{version}',
  variables: { tenant: {}, version: { default: 'v1' } },
};

test.each<[string, Parameters<typeof rows>, string[]]>([
  ['a whole URL', [{}], []],
  ['no server', [{ servers: [] }], ['API_BASE_URL=https://api.example.com']],
  ['a path alone', [{ servers: [{ url: '/v1' }] }], ['API_BASE_URL=https://api.example.com/v1']],
  ['a variable without a default', [{ servers: [open] }], ['API_SERVER_TENANT=your-value']],
  ['that of a server that is not the first', [{ servers: [{ url: 'https://a.test' }, open] }], []],
  ['that of an operation of its own', [{}, { servers: [open] }, {}], ['API_SERVER_TENANT=your-value']],
])('the address: %s', (_what, given, want) => {
  expect(rows(...given)).toEqual(want);
});
