/** Small server models for the tests of emission. */
import type { ServerModel, Tool } from '../../src/model/server-model.ts';

const origin = { kind: 'document', file: 'petstore.yaml', pointer: '' } as const;

export function httpTool(name: string, method: string, path: string, changes: Partial<Tool> = {}): Tool {
  return {
    name,
    title: `Title of ${name}`,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    binding: { kind: 'http', method, path, parameters: [] },
    scopes: [],
    tags: [],
    origin,
    ...changes,
  };
}

export const getPet = httpTool('getPet', 'GET', '/pets/{petId}', {
  inputSchema: {
    type: 'object',
    properties: {
      petId: { type: 'string' },
      limit: { type: 'integer' },
      status: { enum: ['sold', "it's", 3, null] },
      'x.y-z': { type: ['string', 'null'] },
      tags: { type: 'array', items: { $ref: '#/$defs/Tag' } },
      owner: { $ref: '#/$defs/Owner' },
      anything: true,
    },
    required: ['petId', 'owner'],
    additionalProperties: false,
    $defs: { Tag: { enum: ['a', 'b'] }, Owner: { type: 'object', properties: { name: { type: 'string' } } } },
  },
  annotations: { readOnlyHint: true },
  tags: ['pets'],
  scopes: ['pets:read'],
});

export const petstore: ServerModel = {
  format: 1,
  name: 'petstore-mcp',
  title: 'Petstore',
  version: '1.2.0',
  description: 'Pets, and orders for them.',
  instructions: 'Look for pets before you order one.',
  documentationUrl: 'https://petstore.example/docs',
  tools: [getPet, httpTool('addPet', 'POST', '/pets')],
  resources: [
    {
      uri: 'petstore://inventory',
      name: 'inventory',
      mimeType: 'application/json',
      binding: { do: { kind: 'tool', name: 'getInventory' } },
      origin,
    },
  ],
  resourceTemplates: [
    {
      uriTemplate: 'petstore://pets/{petId}',
      name: 'pet',
      binding: { do: { kind: 'tool', name: 'getPet' } },
      origin,
    },
  ],
  prompts: [
    {
      name: 'adopt',
      arguments: [{ name: 'kind', required: true }],
      binding: { kind: 'template', messages: [{ role: 'user', text: 'Find a {{kind}}.' }] },
      origin,
    },
  ],
  completions: [
    {
      ref: { kind: 'prompt', name: 'adopt' },
      argument: 'kind',
      from: { kind: 'values', values: ['cat', 'dog'] },
    },
  ],
  upstream: {
    servers: [
      {
        url: 'https://{region}.petstore.example/v1',
        variables: { region: { default: 'eu', enum: ['eu', 'us'] } },
      },
    ],
    security: [{ key: [] }],
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key', env: { key: 'API_KEY_KEY' } },
      login: { type: 'basic', env: { username: 'BASIC_USERNAME_LOGIN', password: 'BASIC_PASSWORD_LOGIN' } },
      oauth: {
        type: 'oauth2',
        tokenUrl: 'https://petstore.example/token',
        env: {
          token: 'BEARER_TOKEN_OAUTH',
          clientId: 'OAUTH_CLIENT_ID_OAUTH',
          clientSecret: 'OAUTH_CLIENT_SECRET_OAUTH',
          scopes: 'OAUTH_SCOPES_OAUTH',
        },
      },
    },
  },
};

/** Text that would like to be code, markup, a comment's end or a template. */
export const hostileText =
  'x */ process.exit(1) /* `${process.exit(2)}` \' " \\ </script> {{constructor}} <!-- | ``` \u2028\u2029\u202e\u0000\n# head\n// line\r\n[a](javascript:b)';

export const hostile: ServerModel = {
  ...petstore,
  title: hostileText,
  version: hostileText,
  description: hostileText,
  instructions: hostileText,
  documentationUrl: hostileText,
  icons: [
    { src: hostileText, sizes: ['48x48', hostileText] },
    { src: 'data:,', mimeType: 'image/png' },
  ],
  tools: [
    httpTool('constructor', 'GET', `/${hostileText}`, {
      title: hostileText,
      description: hostileText,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries([
          ['__proto__', { type: 'string' }],
          ['class', { enum: [hostileText] }],
          ['1', { const: hostileText }],
        ]),
      },
    }),
    httpTool('a.b-c', 'BREW', '/pets'),
  ],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  completions: [],
  upstream: {
    servers: [{ url: hostileText }],
    securitySchemes: {
      [hostileText]: { type: 'apiKey', in: 'query', name: hostileText, env: { key: 'API_KEY_X' } },
      other: { type: 'unsupported', reason: hostileText },
    },
  },
};

export const empty: ServerModel = {
  format: 1,
  name: '@scope/nothing',
  title:
    '空のサーバー、その名前はとても長いので、行の幅を超えてしまうかもしれません、そうでないかもしれません、どちらでも',
  version: 'v2',
  description: '',
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  completions: [],
};

export const models = { petstore, hostile, empty };
